"""Updates of all the active features at once (App. D.1 and D.2), as matrices.

Here the covariance is a matrix throughout; the sparse algorithm keeps its diagonal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapwing.reference.likelihood import PROBIT
from lapwing.reference.logistic_normal import slope_and_curvature
from lapwing.reference.marginal import peak

if TYPE_CHECKING:
    from collections.abc import Callable

    from lapwing.reference.arrays import Array
    from lapwing.reference.likelihood import Likelihood


def sherman_morrison(Sigma: Array, alpha: float, x: Array) -> Array:
    """(Sigma^-1 + alpha x x')^-1    (eq. sherman, sig_update_multi)"""
    vec = Sigma @ x
    return Sigma - alpha * np.outer(vec, vec) / (1 + alpha * x @ vec)


def dim_gauss_newton(
    u: Array,
    Sigma: Array,
    x: Array,
    y: float,
    likelihood: Likelihood,
    weight: float = 1.0,
) -> tuple[Array, Array]:
    """u+ = u + Sigma y x (1 - p_t+), the peak of the joint posterior    (eq. mu_multi)

    The mean moves along Sigma x, so Newton's method on u (eq. hessian_multi, muplus_update_multi)
    is Newton's method on the score alone.
    """
    z_plus = peak(y * x @ u, weight * x @ Sigma @ x, likelihood)
    u_plus = u + weight * y * likelihood.slope(z_plus) * Sigma @ x
    return u_plus, sherman_morrison(Sigma, weight * float(likelihood.curvature(z_plus)), x)


def dim_gauss_taylor(
    u: Array,
    Sigma: Array,
    x: Array,
    y: float,
    likelihood: Likelihood,
    weight: float = 1.0,
) -> tuple[Array, Array]:
    """u+ = u + y (1 - p~) Sigma~ x    (eq. pit_multi, sig_tild_update_multi, mu_update_multi)"""
    z = y * x @ u
    Sigma_tilde = sherman_morrison(Sigma, weight * float(likelihood.curvature(z)), x)
    u_plus = u + weight * y * likelihood.slope(z) * Sigma_tilde @ x
    z_plus = y * x @ u_plus
    return u_plus, sherman_morrison(Sigma, weight * float(likelihood.curvature(z_plus)), x)


def adf(
    u: Array,
    Sigma: Array,
    x: Array,
    y: float,
    likelihood: Likelihood,
    weight: float = 1.0,
) -> tuple[Array, Array]:
    """The first two moments of N(w; u, Sigma) Phi(y sqrt(c) x'w)    (App. D.2; Minka 2001)

    c is 1 for the probit and pi/8 for the sigmoid (eq. sigmoid_normal). With Z the integral over
    w, g = d log Z / dm and h = -d^2 log Z / dm^2, the moments are u + g Sigma x and
    Sigma - h (Sigma x)(Sigma x)'.
    """
    c = likelihood.shrink
    m, s = float(x @ u), float(x @ Sigma @ x)
    k = np.sqrt(c / (1 + c * s))
    z = np.asarray(y * k * m)
    g = y * k * float(PROBIT.slope(z))
    h = k**2 * float(PROBIT.curvature(z))
    g, h = to_the_power(g, h, s, weight)
    vec = Sigma @ x
    return u + g * vec, Sigma - h * np.outer(vec, vec)


def moments(
    u: Array,
    Sigma: Array,
    x: Array,
    y: float,
    likelihood: Likelihood,
    weight: float = 1.0,
) -> tuple[Array, Array]:
    """The first two moments of N(w; u, Sigma) F(y x'w) for both links

    As `adf`, whose single normal in place of the sigmoid is not needed: the derivatives of log Z
    are those of `logistic_normal.slope_and_curvature`.
    """
    if likelihood.name == "probit":
        return adf(u, Sigma, x, y, likelihood, weight)
    m, s = float(x @ u), float(x @ Sigma @ x)
    slope, curvature = slope_and_curvature(y * m, s)
    g, h = to_the_power(y * slope, curvature, s, weight)
    vec = Sigma @ x
    return u + g * vec, Sigma - h * np.outer(vec, vec)


def to_the_power(g: float, h: float, s: float, weight: float) -> tuple[float, float]:
    """The step of the normal likelihood that (g, h) stands for, raised to a power.

    That likelihood has the precision tau = h / (1 - h s) and a precision-weighted mean; both are
    multiplied by the weight.
    """
    return weight * g / (1 + (weight - 1) * h * s), weight * h / (1 + (weight - 1) * h * s)


def precision_batch(
    u: Array,
    H: Array,
    X: Array,
    y: Array,
    likelihood: Likelihood,
    *,
    mean: str = "newton",
) -> tuple[Array, Array]:
    """A mini-batch in precision form: H+ = H + sum_t p_t+ (1 - p_t+) x_t x_t'

    (eq. Htild_update_multi and the one after it). "taylor" makes one Newton step from the prior's
    mean, "newton" as many as change something, each halved until the posterior is no lower.
    """

    def loss(w: Array) -> float:
        return float(0.5 * (w - u) @ H @ (w - u) - likelihood.log_cdf(y * (X @ w)).sum())

    def precision(w: Array) -> Array:
        return H + X.T @ (likelihood.curvature(y * (X @ w))[:, None] * X)

    def step(w: Array) -> Array:
        descent = H @ (u - w) + X.T @ (y * likelihood.slope(y * (X @ w)))
        return np.linalg.solve(precision(w), descent)

    at = u + step(u) if mean == "taylor" else newton_minimum(loss, step, u)
    return at, precision(at)


def newton_minimum(
    loss: Callable[[Array], float], step: Callable[[Array], Array], start: Array
) -> Array:
    at = start
    for _ in range(100):
        move = step(at)
        if np.abs(move).max() <= 1e-10 * max(1.0, np.abs(at).max()):
            return at + move
        while loss(at + move) > loss(at) and np.abs(move).max() > 1e-15 * np.abs(at).max():
            move = move / 2
        at = at + move
    return at
