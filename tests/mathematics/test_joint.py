"""The joint rules against quadrature and numerical optimisation."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import norm

from lapwing.reference import joint
from lapwing.reference.likelihood import LOGIT, PROBIT

both = pytest.mark.parametrize(
    "likelihood", [LOGIT, PROBIT], ids=lambda likelihood: likelihood.name
)


def rows(n=100, seed=5, size=4):
    """Random beliefs with full covariances, a row and a label."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        root = rng.normal(size=(size, size)) * 10 ** rng.uniform(-1, 0.5)
        Sigma = root @ root.T + 1e-3 * np.eye(size)
        yield rng.normal(size=size), Sigma, rng.normal(size=size), rng.choice([-1.0, 1.0])


def tilted_moments(m, s, y, scale):
    """Z, mean and variance of N(m, s) Phi(y scale w) by quadrature."""

    def moment(k):
        def integrand(u):
            w = m + np.sqrt(s) * u
            return w**k * norm.cdf(y * scale * w) * norm.pdf(u)

        return quad(integrand, -14, 14, epsabs=1e-14, epsrel=1e-12, limit=400)[0]

    Z = moment(0)
    mean = moment(1) / Z
    return mean, moment(2) / Z - mean**2


@both
def test_adf_has_the_first_two_moments_of_the_posterior(likelihood):
    """For the sigmoid, with Phi(sqrt(pi/8) z) in its place (eq. sigmoid_normal)."""
    for u, Sigma, x, y in rows():
        m, s = x @ u, x @ Sigma @ x
        u_plus, Sigma_plus = joint.adf(u, Sigma, x, y, likelihood)
        mean, variance = tilted_moments(m, s, y, np.sqrt(likelihood.shrink))
        assert x @ u_plus == pytest.approx(mean, abs=1e-8 * max(1, abs(mean)))
        assert x @ Sigma_plus @ x == pytest.approx(variance, rel=1e-8)
        # What the row does not see keeps its conditional distribution given the total weight.
        np.testing.assert_allclose(u_plus - u, Sigma @ x * (mean - m) / s, atol=1e-7)


@both
def test_dim_gauss_newton_is_the_peak_and_the_curvature_there(likelihood):
    for u, Sigma, x, y in rows(n=40):
        precision = np.linalg.inv(Sigma)

        def loss(w, u=u, x=x, y=y, precision=precision):
            log_f = likelihood.log_cdf(np.array(y * x @ w))
            return 0.5 * (w - u) @ precision @ (w - u) - log_f

        def slope(w, u=u, x=x, y=y, precision=precision):
            return precision @ (w - u) - y * x * likelihood.slope(np.array(y * x @ w))

        u_plus, Sigma_plus = joint.dim_gauss_newton(u, Sigma, x, y, likelihood)
        np.testing.assert_allclose(Sigma_plus @ slope(u_plus), 0, atol=1e-8)
        found = minimize(loss, u, jac=slope, method="BFGS", options={"gtol": 1e-9})
        assert loss(u_plus) <= found.fun + 1e-9

        h = 1e-5
        columns = [(slope(u_plus + h * e) - slope(u_plus - h * e)) / (2 * h) for e in np.eye(4)]
        np.testing.assert_allclose(Sigma_plus @ np.array(columns), np.eye(4), atol=1e-5)


@both
def test_dim_gauss_taylor_is_the_papers_pair_of_updates(likelihood):
    """eq. Htild_update_multi inverted, and the same for H+, without Sherman and Morrison."""
    for u, Sigma, x, y in rows(n=40):
        z = np.array(y * x @ u)
        H = np.linalg.inv(Sigma)
        H_tilde = H + likelihood.curvature(z) * np.outer(x, x)
        expected = u + np.linalg.solve(H_tilde, y * x * likelihood.slope(z))
        u_plus, Sigma_plus = joint.dim_gauss_taylor(u, Sigma, x, y, likelihood)
        np.testing.assert_allclose(u_plus, expected, rtol=1e-8, atol=1e-8)
        H_plus = H + likelihood.curvature(np.array(y * x @ expected)) * np.outer(x, x)
        np.testing.assert_allclose(Sigma_plus @ H_plus, np.eye(4), atol=1e-7)


@both
def test_a_whole_power_of_dim_gauss_is_the_row_seen_as_often_at_once(likelihood):
    for u, Sigma, x, y in rows(n=20):
        H = np.linalg.inv(Sigma)
        thrice = np.stack([x, x, x]), np.array([y, y, y])
        expected, H_plus = joint.precision_batch(u, H, *thrice, likelihood)
        u_plus, Sigma_plus = joint.dim_gauss_newton(u, Sigma, x, y, likelihood, weight=3.0)
        np.testing.assert_allclose(u_plus, expected, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(Sigma_plus @ H_plus, np.eye(4), atol=1e-6)


def test_a_power_of_a_step_multiplies_its_precision():
    g, h, s, weight = 0.4, 0.3, 2.0, 2.5
    g_power, h_power = joint.to_the_power(g, h, s, weight)
    tau, tau_power = h / (1 - h * s), h_power / (1 - h_power * s)
    assert tau_power == pytest.approx(weight * tau)
    # In precision-weighted means, with the prior's at zero: lambda+ (s g) = weight lambda (s g).
    assert (1 / s + tau_power) * s * g_power == pytest.approx(weight * (1 / s + tau) * s * g)


@both
def test_two_batches_of_precision_equal_one_to_first_order(likelihood):
    """Information adds up: at a narrow prior the order and the cut of rows do not matter."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(20, 3)), rng.choice([-1.0, 1.0], 20)
    u, H = np.zeros(3), 1e5 * np.eye(3)
    once = joint.precision_batch(u, H, X, y, likelihood)
    half = joint.precision_batch(u, H, X[:10], y[:10], likelihood)
    twice = joint.precision_batch(*half, X[10:], y[10:], likelihood)
    np.testing.assert_allclose(twice[0], once[0], atol=1e-7)
    np.testing.assert_allclose(twice[1], once[1], rtol=1e-6, atol=1e-2)
