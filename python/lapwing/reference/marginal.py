"""The paper's method: each feature's own posterior, the others integrated out (section 3).

For a weight w with prior N(mu, v), the posterior is, up to its normaliser p_t,

    N(w; mu, v) F(y (m_-i + x w) / sqrt(1 + c s_-i))    (eq. bayes_pred_post)

(for the probit, eq. probit_bayes_pred_post). All functions work on arrays of features at once, and
on both links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lapwing.reference.prediction import log_predictive_probability, self_excluding

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array
    from lapwing.reference.likelihood import Likelihood


@dataclass(frozen=True)
class Marginal:
    """The posterior of every feature of one row."""

    mu: Array
    v: Array
    x: Array
    m: float
    s: float
    y: float
    likelihood: Likelihood
    weight: float = 1.0

    @property
    def scale(self) -> Array:
        """sqrt(1 + c s_-i)"""
        _, s_others = self_excluding(self.mu, self.v, self.x, self.m, self.s)
        return np.sqrt(1 + self.likelihood.shrink * s_others)

    @property
    def a(self) -> Array:
        """y x / sqrt(1 + c s_-i): how the score moves with the weight."""
        return self.y * self.x / self.scale

    def score(self, w: Array) -> Array:
        """The argument of F at a weight w: at mu (eq. pit, zit), at mu+ (eq. ptplus, zito)."""
        return self.y * self.m / self.scale + self.a * (w - self.mu)

    def log_density(self, w: Array) -> Array:
        """log of the posterior density at w    (eq. bayes_pred_post)"""
        log_prior = -0.5 * (w - self.mu) ** 2 / self.v - 0.5 * np.log(2 * np.pi * self.v)
        log_p = log_predictive_probability(self.m, self.s, self.y, self.likelihood)
        return log_prior + self.weight * (self.likelihood.log_cdf(self.score(w)) - log_p)


def peak(z: Array, t: Array, likelihood: Likelihood) -> Array:
    """The z+ with z+ = z + t slope(z+), by Newton's method kept inside a bracket    (App. C)"""
    z, t = np.broadcast_arrays(np.asarray(z, dtype=float), np.asarray(t, dtype=float))
    low, high, at = z, z + t * likelihood.slope(z), z
    for _ in range(200):
        gap = at - z - t * likelihood.slope(at)
        low, high = np.where(gap > 0, low, at), np.where(gap > 0, at, high)
        step = gap / (1 + t * likelihood.curvature(at))
        newton = at - step
        small = np.abs(step) <= 1e-10 * np.maximum(np.abs(at), 1)
        inside = (low < newton) & (newton < high)
        at = np.where(small | inside, newton, (low + high) / 2)
        if np.all(small):
            break
    return at


def gauss_mean(q: Marginal) -> Array:
    """mu+ = mu + a v slope(z+): the peak of the posterior    (eq. muito, muito_probit)"""
    z_plus = peak(q.score(q.mu), q.weight * q.a**2 * q.v, q.likelihood)
    return q.mu + q.weight * q.a * q.v * q.likelihood.slope(z_plus)


def approx_mean(q: Marginal) -> Array:
    """mu+ = mu + a v slope(z) / (1 + a^2 v curvature(z))    (eq. muito_simple)"""
    z = q.score(q.mu)
    slope, curvature = q.likelihood.slope(z), q.likelihood.curvature(z)
    return q.mu + q.weight * q.a * q.v * slope / (1 + q.weight * q.a**2 * q.v * curvature)


def laplace_variance(q: Marginal, mu_plus: Array) -> Array:
    """1/v+ = 1/v + a^2 curvature(z+)    (eq. sigito_laplace, sigito_laplace_probit)"""
    return 1 / (1 / q.v + q.weight * q.a**2 * q.likelihood.curvature(q.score(mu_plus)))


def height_variance(q: Marginal, mu_plus: Array) -> Array:
    """sigma+ = sigma p_t / p_it+ exp((mu+ - mu)^2 / 2v)    (eq. sigsito)

    The density of N(mu+, v+) at its peak is the posterior's there. Kept within the bounds of
    `bounded_ratio`.
    """
    log_height = q.log_density(mu_plus)
    ratio = np.exp(-2 * log_height - np.log(2 * np.pi * q.v))
    return q.v * bounded_ratio(q, ratio)


def bounded_ratio(q: Marginal, ratio: Array) -> Array:
    """The ratio of a new variance to the old one, where heights can be trusted.

    The lower bound is a theorem: no posterior is narrower than one whose likelihood bends
    everywhere as sharply as it can. The upper bound ends the growth that comes from p_t being
    approximate, which deep in the tail is by powers of e.
    """
    return np.clip(ratio, 1 / (1 + q.weight * q.a**2 * q.v * q.likelihood.sharpest), 4.0)


def two_point(q: Marginal, half_gap: float = 0.5) -> tuple[Array, Array]:
    """The normal density equal to the posterior at w1 < w2, around its peak    (App. D)

    With L the log density plus log(2 pi) / 2, e = (w2 - w1) / 2 and D = (L2 - L1) / 2e, the two
    equations are mu+ = (w1 + w2) / 2 + v+ D and log v+ + v+ D^2 + e^2 / v+ + L1 + L2 = 0. Of its
    two roots the larger is meant: the smaller is a density narrower than the gap.
    """
    centre = gauss_mean(q)
    e = half_gap * np.sqrt(laplace_variance(q, centre))
    L1 = q.log_density(centre - e) + 0.5 * np.log(2 * np.pi)
    L2 = q.log_density(centre + e) + 0.5 * np.log(2 * np.pi)
    D = (L2 - L1) / (2 * e)

    def f(b: Array) -> Array:
        return np.log(b) + b * D**2 + e**2 / b + L1 + L2

    least = 2 * e**2 / (1 + np.sqrt(1 + 4 * D**2 * e**2))
    ones = np.ones_like(q.v)
    low = np.maximum(least, q.v * bounded_ratio(q, 0 * ones))
    high = q.v * bounded_ratio(q, np.inf * ones)
    # Rising between the bounds: bisection, to the last bit.
    for _ in range(80):
        middle = (low + high) / 2
        above = f(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return centre + high * D, high


POINTS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])


def least_squares(q: Marginal) -> tuple[Array, Array]:
    """The parabola nearest to the log posterior at the peak +- 0, 1, 2 Laplace deviations (App. D)

    The prior's part is a parabola already: the log likelihood is fitted, and the prior added.
    """
    centre = gauss_mean(q)
    spacing = np.sqrt(laplace_variance(q, centre))
    design = np.stack([np.ones(5), POINTS, POINTS**2], axis=1)
    log_f = np.array([q.likelihood.log_cdf(q.score(centre + k * spacing)) for k in POINTS])
    _, linear, quadratic = np.linalg.lstsq(design, q.weight * log_f, rcond=None)[0]
    precision = np.maximum(-2 * quadratic / spacing**2, 0)
    pull = linear / spacing + precision * (centre - q.mu)
    v_plus = 1 / (1 / q.v + precision)
    return q.mu + v_plus * pull, v_plus
