"""F, its logarithm's slope and curvature, against arbitrary precision and its own derivatives."""

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from lapwing.reference.likelihood import LOGIT, PROBIT

SCORES = [-500.0, -60.0, -37.5, -20.0, -6.0, -4.0, -3.999, -1.0, -1e-3, 0.0, 0.5, 3.0, 8.0, 30.0]
EXACT = {
    "logit": lambda z: 1 / (1 + mpmath.exp(-z)),
    "probit": mpmath.ncdf,
}


@pytest.mark.parametrize("likelihood", [LOGIT, PROBIT], ids=lambda likelihood: likelihood.name)
@pytest.mark.parametrize("z", SCORES)
def test_against_forty_digits(likelihood, z):
    with mpmath.workdps(80):
        log_f = lambda z: mpmath.log(EXACT[likelihood.name](z))  # noqa: E731
        slope, curvature = mpmath.diff(log_f, z), -mpmath.diff(log_f, z, 2)
        at = np.array(z)
        assert likelihood.slope(at) == pytest.approx(float(slope), rel=1e-12)
        assert likelihood.curvature(at) == pytest.approx(float(curvature), rel=1e-12)
        assert likelihood.log_cdf(at) == pytest.approx(float(log_f(mpmath.mpf(z))), rel=1e-13)


@pytest.mark.parametrize("likelihood", [LOGIT, PROBIT], ids=lambda likelihood: likelihood.name)
def test_curvature_stays_below_its_bound_and_reaches_it(likelihood):
    curvature = likelihood.curvature(np.linspace(-2000, 20, 20_001))
    assert curvature.max() <= likelihood.sharpest
    assert curvature.max() > 0.999 * likelihood.sharpest


def expected_probability(likelihood, m, s):
    def integrand(z):
        return likelihood.cdf(np.array(m + np.sqrt(s) * z)) * norm.pdf(z)

    return quad(integrand, -12, 12, epsabs=1e-13, limit=200)[0]


@pytest.mark.parametrize("m", [-3.0, -0.5, 0.0, 2.0])
@pytest.mark.parametrize("s", [1e-4, 0.3, 2.0, 25.0])
def test_shrinking_is_exact_for_the_probit_and_close_for_the_sigmoid(m, s):
    """eq. probit_mixture_prediction is an identity, eq. mixture_prediction is within 0.02."""
    for likelihood, error in ((PROBIT, 1e-12), (LOGIT, 0.02)):
        shrunk = likelihood.cdf(np.array(m / np.sqrt(1 + likelihood.shrink * s)))
        assert shrunk == pytest.approx(expected_probability(likelihood, m, s), abs=error)
