"""Marginal variational Bayes against the divergence it minimises (eq. vb_kl)."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from lapwing.reference.draws import normals
from lapwing.reference.variational import (
    divergence,
    gradient_and_hessian,
    newton,
    taylor,
)
from tests.mathematics.posteriors import LIKELIHOODS, posteriors

both = pytest.mark.parametrize("likelihood", LIKELIHOODS, ids=lambda likelihood: likelihood.name)
SAMPLES = normals(seed=2, place=5, n=50)


@both
def test_the_divergence_is_not_lower_anywhere_around_the_solution(likelihood):
    rng = np.random.default_rng(3)
    for q in posteriors(likelihood, n=100, weights=(0.5, 1.0, 3.0)):
        mean, variance = newton(q, SAMPLES)
        d = np.sqrt(variance)
        lowest = divergence(q, mean, d, SAMPLES)
        for size in (1e-3, 1e-1, 1.0):
            for _ in range(10):
                moved = mean + size * np.sqrt(q.v) * rng.normal(size=5)
                widened = d * np.exp(size * rng.normal(size=5))
                around = divergence(q, moved, widened, SAMPLES)
                assert np.all(around >= lowest - 1e-12 * np.abs(lowest))


@both
def test_gradient_and_hessian_are_the_derivatives(likelihood):
    for q in posteriors(likelihood, n=20):
        mean, d = q.mu + 0.1, 0.8 * np.sqrt(q.v)
        h = 1e-4 * np.sqrt(q.v)
        exact, hessian = gradient_and_hessian(q, mean, d, SAMPLES)
        by_mean = divergence(q, mean + h, d, SAMPLES) - divergence(q, mean - h, d, SAMPLES)
        by_d = divergence(q, mean, d + h, SAMPLES) - divergence(q, mean, d - h, SAMPLES)
        unit = np.sqrt(q.v)
        np.testing.assert_allclose(exact[0] * unit, by_mean / (2 * h) * unit, atol=1e-5)
        np.testing.assert_allclose(exact[1] * unit, by_d / (2 * h) * unit, atol=1e-5)
        ahead, _ = gradient_and_hessian(q, mean, d + h, SAMPLES)
        behind, _ = gradient_and_hessian(q, mean, d - h, SAMPLES)
        numerical = (ahead - behind) / (2 * h)
        np.testing.assert_allclose(hessian[1] * q.v, numerical * q.v, rtol=1e-5, atol=1e-6)


@both
def test_many_samples_tend_to_the_integral(likelihood):
    """The expectation in eq. vb_kl by quadrature, at the solution of 200,000 samples."""
    samples = normals(seed=1, place=0, n=200_000)
    for q in posteriors(likelihood, n=3):
        mean, variance = newton(q, samples)
        d = np.sqrt(variance)
        for i in range(5):

            def slope(u, i=i, q=q, mean=mean, d=d):
                return q.likelihood.slope(q.score(mean + u * d))[i] * norm.pdf(u)

            pull = q.a[i] * quad(slope, -10, 10, epsabs=1e-12)[0]
            assert (mean[i] - q.mu[i]) / q.v[i] == pytest.approx(pull, abs=0.02 * abs(pull) + 1e-6)


@both
def test_the_taylor_form_solves_the_linearised_conditions(likelihood):
    for q in posteriors(likelihood, n=50, weights=(0.5, 1.0, 3.0)):
        mean, variance = taylor(q, SAMPLES)
        d, d_prior = np.sqrt(variance), np.sqrt(q.v)
        s = SAMPLES[:, None]
        z = q.score(q.mu + s * d_prior)
        moved = q.a * (mean - q.mu + s * (d - d_prior))
        slope = likelihood.slope(z) - likelihood.curvature(z) * moved
        first = (mean - q.mu) / q.v - q.weight * q.a * slope.mean(axis=0)
        second = d / q.v - 1 / d - q.weight * q.a * (s * slope).mean(axis=0)
        np.testing.assert_allclose(first * d_prior, 0, atol=1e-10)
        np.testing.assert_allclose(second * d_prior, 0, atol=1e-10)


@both
def test_the_iteration_limit_stops_it_early_without_harm(likelihood):
    for q in posteriors(likelihood, n=20):
        start = divergence(q, q.mu, np.sqrt(q.v), SAMPLES)
        for iterations in (1, 2, 3):
            mean, variance = newton(q, SAMPLES, iterations=iterations)
            assert np.all(variance > 0)
            assert np.all(divergence(q, mean, np.sqrt(variance), SAMPLES) <= start + 1e-12)


@both
def test_a_loose_tolerance_stops_it_early(likelihood):
    q = next(posteriors(likelihood))
    loose, exact = newton(q, SAMPLES, tolerance=0.5), newton(q, SAMPLES)
    assert not np.allclose(loose[0], exact[0], rtol=1e-9)
    np.testing.assert_allclose(loose[0], exact[0], atol=0.5 * np.sqrt(q.v).max())
