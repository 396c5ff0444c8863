"""How a row moves the beliefs of its features: every method of the paper.

A rule can be named by a string, with its defaults, or made with its options:

>>> import lapwing
>>> lapwing.Model(rule="gauss").rule
Gauss(variance='laplace')
>>> lapwing.Model(rule=lapwing.rules.Gauss(variance="height")).rule
Gauss(variance='height')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lapwing import _core
from lapwing.arguments import number, one_of, whole_number

__all__ = [
    "ADF",
    "VB",
    "AdaGrad",
    "Approx",
    "DimGauss",
    "Gauss",
    "LeastSquares",
    "Moments",
    "Rule",
    "TwoPoint",
    "resolve",
]

VARIANCE_FORMS = ("laplace", "height")
MEAN_FORMS = ("newton", "taylor")


class Rule(ABC):
    """What all rules are."""

    keeps_variance: ClassVar[bool] = True

    @abstractmethod
    def core(self) -> _core.Rule:
        """The engine's name for the rule."""


@dataclass(frozen=True)
class Gauss(Rule):
    """Marginal: the mean at the peak of each feature's posterior, by Newton's method (eq. muito).

    The variance matches the curvature at the peak (``"laplace"``, eq. sigito_laplace) or the
    height of the peak (``"height"``, eq. sigsito).
    """

    variance: Literal["laplace", "height"] = "laplace"

    def __post_init__(self) -> None:
        one_of("variance", self.variance, VARIANCE_FORMS)

    def core(self) -> _core.Rule:
        return _core.Rule.gauss(self.variance)


@dataclass(frozen=True)
class Approx(Rule):
    """Marginal: as `Gauss`, the mean by one Taylor step in closed form (eq. muito_simple)."""

    variance: Literal["laplace", "height"] = "laplace"

    def __post_init__(self) -> None:
        one_of("variance", self.variance, VARIANCE_FORMS)

    def core(self) -> _core.Rule:
        return _core.Rule.approx(self.variance)


@dataclass(frozen=True)
class DimGauss(Rule):
    """Joint: the peak and curvature of the active features' posterior, diagonal kept (App. D.1)."""

    mean: Literal["newton", "taylor"] = "newton"

    def __post_init__(self) -> None:
        one_of("mean", self.mean, MEAN_FORMS)

    def core(self) -> _core.Rule:
        return _core.Rule.dim_gauss(self.mean)


@dataclass(frozen=True)
class ADF(Rule):
    """Joint: the first two moments of the posterior (assumed density filtering, App. D.2).

    Exact for the probit link; for the logit link the sigmoid is replaced by one normal CDF
    (eq. sigmoid_normal).
    """

    def core(self) -> _core.Rule:
        return _core.Rule.adf()


@dataclass(frozen=True)
class Moments(Rule):
    """Joint: the first two moments of the logistic posterior.

    What `ADF` is for the probit link (where the two are the same), without its single normal in
    place of the sigmoid: the step is that of the posterior within 2e-4, the prediction is the
    sigmoid's average over the total weight.
    """

    def core(self) -> _core.Rule:
        return _core.Rule.moments()


@dataclass(frozen=True)
class VB(Rule):
    """Marginal variational Bayes with Monte Carlo samples (App. D.3).

    ``mean="newton"`` iterates on mean and deviation together until a step moves both by less than
    ``tolerance`` prior deviations, or ``iterations`` times; ``"taylor"`` solves the equations once,
    linearised at the prior. The samples belong to the model's seed and to the row.
    """

    samples: int = 100
    mean: Literal["newton", "taylor"] = "newton"
    tolerance: float = 1e-8
    iterations: int = 50

    def __post_init__(self) -> None:
        whole_number("samples", self.samples, 1, 1_000_000)
        one_of("mean", self.mean, MEAN_FORMS)
        number("tolerance", self.tolerance)
        whole_number("iterations", self.iterations, 1, 1_000_000)

    def core(self) -> _core.Rule:
        return _core.Rule.vb(self.samples, self.mean, self.tolerance, self.iterations)


@dataclass(frozen=True)
class TwoPoint(Rule):
    """Marginal: the normal density that equals the posterior at two points (App. D).

    The points lie half a Laplace deviation to either side of the posterior's peak.
    """

    def core(self) -> _core.Rule:
        return _core.Rule.two_point()


@dataclass(frozen=True)
class LeastSquares(Rule):
    """Marginal: the parabola nearest to the log posterior at five points (App. D).

    The points are the posterior's peak and one and two Laplace deviations to either side.
    """

    def core(self) -> _core.Rule:
        return _core.Rule.least_squares()


@dataclass(frozen=True)
class AdaGrad(Rule):
    """Stochastic gradient descent with AdaGrad's schedule: the baseline, without uncertainty."""

    keeps_variance: ClassVar[bool] = False

    learning_rate: float = 0.1
    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        number("learning_rate", self.learning_rate)
        number("epsilon", self.epsilon)

    def core(self) -> _core.Rule:
        return _core.Rule.ada_grad(self.learning_rate, self.epsilon)


NAMED: dict[str, type[Rule]] = {
    "gauss": Gauss,
    "approx": Approx,
    "dimgauss": DimGauss,
    "adf": ADF,
    "moments": Moments,
    "vb": VB,
    "twopoint": TwoPoint,
    "leastsquares": LeastSquares,
    "adagrad": AdaGrad,
}


def from_description(description: dict[str, Any]) -> Rule:
    """The rule that a model file describes, by its name and its options."""
    options = {name: option for name, option in description.items() if name != "name"}
    return NAMED[description["name"]](**options)


def resolve(rule: Any) -> Rule:
    """The rule that a name or a rule object stands for."""
    if isinstance(rule, Rule):
        return rule
    if not isinstance(rule, str):
        raise TypeError(f"rule is {rule!r}; it must be a name or an object of lapwing.rules")
    if rule not in NAMED:
        raise ValueError(f"rule is {rule!r}; it must be one of {', '.join(NAMED)}")
    return NAMED[rule]()
