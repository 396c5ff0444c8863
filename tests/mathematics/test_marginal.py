"""The marginal rules against the posterior they approximate (eq. bayes_pred_post)."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from lapwing.reference.marginal import (
    POINTS,
    Marginal,
    approx_mean,
    bounded_ratio,
    gauss_mean,
    height_variance,
    laplace_variance,
    least_squares,
    two_point,
)
from tests.mathematics.posteriors import LIKELIHOODS, posteriors

both = pytest.mark.parametrize("likelihood", LIKELIHOODS, ids=lambda likelihood: likelihood.name)


def derivative(f, at, step):
    """Central difference of sixth order."""
    near, further, furthest = (f(at + k * step) - f(at - k * step) for k in (1, 2, 3))
    return (45 * near - 9 * further + furthest) / (60 * step)


def gradient(q, w):
    """d/dw of the log posterior, the likelihood's part by numerical differentiation."""
    step = 1e-2 / np.maximum(np.abs(q.a), 1e-3)
    log_f = derivative(lambda w: q.likelihood.log_cdf(q.score(w)), w, step)
    return -(w - q.mu) / q.v + q.weight * log_f


def within_bounds(q, variance):
    """Whether a variance that matches heights lies where heights can be trusted."""
    ratio = variance / q.v
    lowest, highest = bounded_ratio(q, 0 * q.v), bounded_ratio(q, np.inf * q.v)
    return (lowest * (1 + 1e-12) < ratio) & (ratio < highest * (1 - 1e-12))


@both
def test_gauss_mean_is_the_peak_of_the_posterior(likelihood):
    for q in posteriors(likelihood, weights=(0.3, 1.0, 4.0)):
        peak = gauss_mean(q)
        # Where the gradient vanishes, measured in weights: gradient / curvature.
        away = gradient(q, peak) * laplace_variance(q, peak)
        np.testing.assert_allclose(away, 0, atol=1e-8)


@both
def test_gauss_mean_is_what_an_optimiser_finds(likelihood):
    """Without any derivative; its own precision is the root of a rounding error."""
    for q in posteriors(likelihood, n=20):
        peak = gauss_mean(q)
        for i in range(5):

            def loss(w, i=i, q=q):
                return -q.log_density(np.where(np.arange(5) == i, w, q.mu))[i]

            d = np.sqrt(q.v[i])
            found = minimize_scalar(loss, (peak[i] - d, peak[i] + 2 * d), tol=1e-12).x
            assert found == pytest.approx(peak[i], abs=1e-6 * max(1, d))


@both
def test_approx_mean_is_one_newton_step(likelihood):
    for q in posteriors(likelihood, n=50, weights=(0.3, 1.0)):
        step = gradient(q, q.mu) * laplace_variance(q, q.mu)
        np.testing.assert_allclose(approx_mean(q), q.mu + step, atol=1e-8)


@both
def test_approx_mean_tends_to_gauss_mean_as_the_prior_narrows(likelihood):
    """Their difference is of second order: a hundredth of the variance, a ten-thousandth of it."""
    for q in posteriors(likelihood, n=30):

        def gap(scale, q=q):
            narrow = Marginal(q.mu, scale * q.v, q.x, q.m, scale * q.s, q.y, likelihood)
            return np.abs(gauss_mean(narrow) - approx_mean(narrow))

        assert np.all(gap(1e-4) <= 3e-4 * gap(1e-2) + 1e-13)


@both
def test_laplace_variance_is_the_curvature_at_the_peak(likelihood):
    for q in posteriors(likelihood, weights=(0.3, 1.0, 4.0)):
        peak = gauss_mean(q)
        step = 1e-2 / np.maximum(np.abs(q.a), 1e-3)
        curvature = -derivative(lambda w, q=q: gradient(q, w), peak, step)
        np.testing.assert_allclose(laplace_variance(q, peak), 1 / curvature, rtol=1e-6)


@both
def test_height_variance_makes_the_two_peaks_equal(likelihood):
    compared = 0
    for q in posteriors(likelihood):
        peak = gauss_mean(q)
        variance = height_variance(q, peak)
        height = norm.logpdf(0, scale=np.sqrt(variance))
        inside = within_bounds(q, np.exp(-2 * q.log_density(peak)) / (2 * np.pi))
        np.testing.assert_allclose(height[inside], q.log_density(peak)[inside], atol=1e-12)
        compared += inside.sum()
    assert compared > 800


@both
def test_an_exactly_normalised_posterior_has_a_height_variance_between_the_bounds(likelihood):
    """The theorem behind the lower bound, and behind never widening: by quadrature."""
    for q in posteriors(likelihood, n=20):
        peak = gauss_mean(q)
        for i in range(5):

            def relative(w, i=i, q=q, peak=peak):
                density = q.log_density(np.where(np.arange(5) == i, w, q.mu))[i]
                return np.exp(density - q.log_density(peak)[i])

            reach = 12 * np.sqrt(q.v[i])
            area = quad(relative, peak[i] - reach, peak[i] + reach, points=[peak[i]], limit=500)[0]
            exact = area**2 / (2 * np.pi)
            lowest = 1 / (1 / q.v[i] + q.a[i] ** 2 * likelihood.sharpest)
            assert lowest * (1 - 1e-7) <= exact <= q.v[i] * (1 + 1e-7)


@both
def test_two_point_equals_the_posterior_at_both_points(likelihood):
    compared = 0
    for q in posteriors(likelihood):
        mean, variance = two_point(q)
        centre = gauss_mean(q)
        e = 0.5 * np.sqrt(laplace_variance(q, centre))
        inside = within_bounds(q, variance)
        for w in (centre - e, centre + e):
            density = norm.logpdf(w, mean, np.sqrt(variance))
            np.testing.assert_allclose(density[inside], q.log_density(w)[inside], atol=1e-9)
        compared += inside.sum()
    assert compared > 800


@both
def test_least_squares_fits_no_worse_than_any_other_normal(likelihood):
    rng = np.random.default_rng(1)
    for q in posteriors(likelihood, n=50, weights=(1.0, 2.0)):
        mean, variance = least_squares(q)
        centre = gauss_mean(q)
        points = centre + POINTS[:, None] * np.sqrt(laplace_variance(q, centre))
        target = np.array([q.log_density(w) for w in points])

        def misfit(mean, variance, points=points, target=target):
            """The height of the normal is free: the posterior's normaliser is not fitted."""
            gap = target + 0.5 * (points - mean) ** 2 / variance
            return ((gap - gap.mean(axis=0)) ** 2).sum(axis=0)

        best = misfit(mean, variance)
        for _ in range(20):
            other = mean + 0.02 * rng.normal(size=5), variance * np.exp(0.02 * rng.normal(size=5))
            assert np.all(misfit(*other) >= best - 1e-12)
