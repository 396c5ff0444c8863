"""Every equation of the paper in NumPy, one function each: the specification of the engine.

It is written to be read beside the paper, is judged by mathematics (quadrature, numerical
derivatives, limits, closed forms), and judges the engine. It needs SciPy:
``pip install lapwing[reference]``.

The letters are the paper's: ``mu`` and ``v`` the mean and variance of one weight (or of several,
as arrays), ``m`` and ``s`` those of a row's total weight, ``x`` a feature's value, ``y`` the label,
-1 or 1. ``weight`` is the power a row's likelihood is raised to.
"""

try:
    import scipy.special  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("lapwing.reference needs SciPy: pip install lapwing[reference]") from error

from lapwing.reference.learner import Reference
from lapwing.reference.likelihood import LOGIT, PROBIT, Likelihood

__all__ = ["LOGIT", "PROBIT", "Likelihood", "Reference"]
