"""The average of the sigmoid over a normal, and its derivatives, by quadrature and forty digits."""

import mpmath
import numpy as np
import pytest

from lapwing import rules
from lapwing.reference import Reference, joint, logistic_normal
from lapwing.reference.logistic_normal import (
    MILLS,
    SMALL,
    Centre,
    mills,
    probability,
    slope_and_curvature,
)
from lapwing.reference.quadrature import exact_average
from tests.cases import stream

PLACES = [
    (m, s) for m in (-40.0, -12.0, -3.0, 0.0, 0.7, 8.0, 40.0) for s in (1e-8, 0.01, 1.0, 30.0)
]
WIDE = [(m, 1e3) for m in (-40.0, 0.0, 40.0)]

Z_WITHIN, SLOPE_WITHIN, CURVATURE_WITHIN = 2e-4, 2e-4, 5e-4
"""Relative errors of the closed form for |m| <= 40 and every s."""

SPREADS = [*np.geomspace(1e-8, SMALL, 6), *np.geomspace(SMALL * (1 + 1e-9), 1e3, 24)]


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


def grid(s):
    """Everywhere, and on both sides of every seam."""
    seams = s * np.array([-1.5, -0.5, 0.5, 1.5])
    m = np.concatenate([np.linspace(-40, 40, 81), seams, np.nextafter(seams, np.inf)])
    return np.unique(m[np.abs(m) <= 40])


def closed_form(m, s):
    return np.array([(probability(z, s), *slope_and_curvature(z, s)) for z in m])


@pytest.mark.parametrize("s", SPREADS)
def test_the_closed_form_is_right_everywhere(s):
    m = grid(s)
    wanted = np.array([exact_average(z, s) for z in m])
    wanted[:, 0] = np.exp(wanted[:, 0])
    errors = np.abs(closed_form(m, s) / wanted - 1).max(axis=0)
    assert (errors < [Z_WITHIN, SLOPE_WITHIN, CURVATURE_WITHIN]).all(), errors


@pytest.mark.parametrize("s", SPREADS)
def test_no_seam_breaks_the_order(s):
    """The probability rises with m and the slope falls, to the stated error at the seams."""
    p, slope, curvature = closed_form(grid(s), s).T
    assert (np.diff(p) >= -4e-16).all()
    assert (np.diff(slope) <= SLOPE_WITHIN * slope[1:]).all()
    assert (curvature > 0).all()
    assert (curvature <= 1 / (4 + s)).all()


@pytest.mark.parametrize("m", [-9.0, -1.0, 0.05, 0.3, 4.0, 30.0])
def test_the_series_meets_the_normals(m):
    below, above = (closed_form([m], s)[0] for s in (SMALL, np.nextafter(SMALL, 1)))
    np.testing.assert_allclose(above, below, rtol=CURVATURE_WITHIN)


@pytest.mark.parametrize("s", [1e-4, 0.1, 2.0, 77.0])
@pytest.mark.parametrize("z", [-20.0, -0.3, 1.0, 15.0])
def test_reflections_are_exact(z, s):
    """sigmoid(w) = e^w sigmoid(-w): the theory, by quadrature; then the closed form keeps it."""
    there, back = exact_average(z, s), exact_average(-(z + s), s)
    assert there[0] == pytest.approx(z + s / 2 + back[0], rel=1e-10, abs=1e-13)
    assert there[1] == pytest.approx(1 - back[1], rel=1e-10)
    assert there[2] == pytest.approx(back[2], rel=1e-8)
    slope, curvature = slope_and_curvature(z, s)
    assert slope_and_curvature(-(z + s), s) == pytest.approx((1 - slope, curvature), rel=1e-10)
    assert probability(z, s) + probability(-z, s) == pytest.approx(1, abs=1e-15)


def test_beyond_what_any_stream_holds():
    """Finite and inside the bounds, and where the slope is known it is that."""
    for s in (0.0, 1e-300, 1e-8, 1.0, 1e3, 1e6, 1e24):
        for m in (0.0, 40.0, 500.0, 1e6, 1e15):
            for z in (m, -m):
                p, slope, curvature = closed_form([z], s)[0]
                assert 0 <= p <= 1
                assert 0 <= slope <= 1
                assert 0 <= curvature <= 1 / (4 + s)
        assert slope_and_curvature(-s / 2, s)[0] == pytest.approx(0.5, rel=1e-3)
        assert slope_and_curvature(-2 * s - 50, s)[0] == pytest.approx(1, rel=1e-12)


def test_mills_ratio():
    x = np.concatenate([np.linspace(0, 12, 500), np.geomspace(12, 1e6, 100)])
    with mpmath.workdps(30):
        wanted = [mpmath.ncdf(-t) / mpmath.npdf(t) if t < 30 else 0 for t in map(mpmath.mpf, x)]
    found = mills(x)
    near = x < 30
    np.testing.assert_allclose(found[near], np.array(wanted, dtype=float)[near], rtol=2e-7)
    np.testing.assert_allclose(found[~near] * x[~near], 1 - 1 / x[~near] ** 2, rtol=1e-5)
    assert MILLS[0] == pytest.approx(1, abs=2e-7)


def test_the_series_is_the_limit_of_no_variance():
    p = 1 / (1 + np.exp(-0.3))
    centre = Centre.of_series(0.3, 0.0)
    assert centre.right() == pytest.approx((p, 1 - p, p * (1 - p)))
    assert centre.left() == pytest.approx((1 - p, p, p * (1 - p)))


@pytest.mark.parametrize(("m", "s"), PLACES + WIDE)
def test_quadrature_against_forty_digits(m, s):
    for found, wanted in zip(exact_average(m, s), exact(m, s), strict=True):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_quadrature_between_no_variance_and_all_of_it():
    log_z, slope, curvature = exact_average(0.3, 0.0)
    p = 1 / (1 + np.exp(-0.3))
    assert (np.exp(log_z), slope, curvature) == pytest.approx((p, 1 - p, p * (1 - p)))
    for z in (-100.0, 0.0, 100.0):
        for s in (1e-6, 1.0, 1e4):
            log_z, slope, curvature = exact_average(z, s)
            assert log_z <= 1e-15
            assert 0 <= slope <= 1
            assert 0 <= curvature < 1 / s


@pytest.mark.parametrize("z", [-500.0, -40.0, 0.0, 40.0, 500.0])
def test_the_quadrature_of_wide_normals_meets_the_other(z):
    below, above = exact_average(z, 1e4), exact_average(z, np.nextafter(1e4, 2e4))
    np.testing.assert_allclose(above, below, rtol=5e-6)


def test_the_prediction_is_the_average_itself():
    """Rare events: the paper's formula is 16 % too high at m = -4, s = 1."""
    average = Reference(rules.Moments(), size=1).probability(-4.0, 1.0)
    paper_p = Reference(rules.ADF(), size=1).probability(-4.0, 1.0)
    assert average == pytest.approx(np.exp(exact(-4.0, 1.0)[0]), rel=Z_WITHIN)
    assert paper_p / average == pytest.approx(1.16, abs=0.01)


def test_learning_by_the_closed_form_is_learning_by_the_integral(monkeypatch):
    case = stream(n=800, size=10)

    def learned():
        reference = Reference(rules.Moments(), size=case.size)
        p = reference.learn(case.rows, case.y, case.weights)
        return p, reference.mu, reference.v

    closed = learned()
    monkeypatch.setattr(joint, "slope_and_curvature", lambda z, s: exact_average(z, s)[1:])
    monkeypatch.setattr(logistic_normal, "probability", lambda m, s: np.exp(exact_average(m, s)[0]))
    p, mu, v = learned()
    assert not np.array_equal(closed[0], p)
    np.testing.assert_allclose(closed[0], p, rtol=1e-3)
    assert (np.abs(closed[1] - mu) < 1e-3 * np.sqrt(v)).all()
    np.testing.assert_allclose(closed[2], v, rtol=1e-3)
