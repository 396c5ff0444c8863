"""The average of the sigmoid over a normal, and its derivatives, against forty digits."""

import mpmath
import numpy as np
import pytest

from lapwing import rules
from lapwing.reference import Reference
from lapwing.reference.logistic_normal import average

PLACES = [
    (m, s) for m in (-40.0, -12.0, -3.0, 0.0, 0.7, 8.0, 40.0) for s in (1e-8, 0.01, 1.0, 30.0)
]
WIDE = [(m, 1e3) for m in (-40.0, 0.0, 40.0)]


def exact(m, s):
    """log Z and its derivatives, by integrals of the sigmoid's derivatives."""
    with mpmath.workdps(40):
        m, s = mpmath.mpf(m), mpmath.mpf(s)
        d = mpmath.sqrt(s)
        reach = 12 * d
        sigmoid = lambda w: 1 / (1 + mpmath.exp(-w))  # noqa: E731
        derivatives = (
            sigmoid,
            lambda w: sigmoid(w) * sigmoid(-w),
            lambda w: sigmoid(w) * sigmoid(-w) * (1 - 2 * sigmoid(w)),
        )
        # The sigmoid tilts the normal by up to its variance.
        places = mpmath.linspace(m - reach, m + s + reach, 41)
        Z = [mpmath.quad(lambda w, f=f: f(w) * mpmath.npdf(w, m, d), places) for f in derivatives]
        slope = Z[1] / Z[0]
        return float(mpmath.log(Z[0])), float(slope), float(slope**2 - Z[2] / Z[0])


@pytest.mark.parametrize(("m", "s"), PLACES + WIDE)
def test_against_forty_digits(m, s):
    for found, wanted in zip(average(m, s), exact(m, s), strict=True):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_between_no_variance_and_all_of_it():
    log_z, slope, curvature = average(0.3, 0.0)
    p = 1 / (1 + np.exp(-0.3))
    assert (np.exp(log_z), slope, curvature) == pytest.approx((p, 1 - p, p * (1 - p)))
    for z in (-100.0, 0.0, 100.0):
        for s in (1e-6, 1.0, 1e4):
            log_z, slope, curvature = average(z, s)
            assert log_z <= 1e-15
            assert 0 <= slope <= 1
            assert 0 <= curvature < 1 / s


@pytest.mark.parametrize("z", [-500.0, -40.0, 0.0, 40.0, 500.0])
def test_the_form_for_wide_normals_meets_the_other(z):
    below, above = average(z, 1e4), average(z, np.nextafter(1e4, 2e4))
    np.testing.assert_allclose(above, below, rtol=5e-6)


def test_the_prediction_is_the_average_itself():
    """Rare events: the paper's formula is 16 % too high at m = -4, s = 1."""
    exact_p = Reference(rules.Moments(), size=1).probability(-4.0, 1.0)
    paper_p = Reference(rules.ADF(), size=1).probability(-4.0, 1.0)
    assert exact_p == pytest.approx(np.exp(exact(-4.0, 1.0)[0]), rel=1e-12)
    assert paper_p / exact_p == pytest.approx(1.16, abs=0.01)
