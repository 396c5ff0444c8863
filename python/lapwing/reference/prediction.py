"""From beliefs to predictions (section 3, "Prediction" and "Marginalization")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array
    from lapwing.reference.likelihood import Likelihood


def totals(mu: Array, v: Array, x: Array) -> tuple[float, float]:
    """m = sum x_i mu_i,  s = sum x_i^2 v_i    (eq. single_d_Gaussian)"""
    return float(x @ mu), float(x**2 @ v)


def self_excluding(
    mu: Array,
    v: Array,
    x: Array,
    m: float,
    s: float,
) -> tuple[Array, Array]:
    """m_-i = m - x_i mu_i,  s_-i = s - x_i^2 v_i    (eq. self_excluding)"""
    return m - x * mu, np.maximum(s - x**2 * v, 0)


def predictive_probability(m: float, s: float, y: float, likelihood: Likelihood) -> float:
    """P(y | x) = F(y m / sqrt(1 + c s))    (eq. mixture_prediction, probit_mixture_prediction)"""
    return float(np.exp(log_predictive_probability(m, s, y, likelihood)))


def log_predictive_probability(m: float, s: float, y: float, likelihood: Likelihood) -> float:
    return float(likelihood.log_cdf(np.asarray(y * m / np.sqrt(1 + likelihood.shrink * s))))


def interval(m: float, s: float, level: float, likelihood: Likelihood) -> Array:
    """The link at the central interval of the total weight N(m, s)."""
    half_width = ndtri(0.5 + level / 2) * np.sqrt(s)
    return likelihood.cdf(np.array([m - half_width, m + half_width]))
