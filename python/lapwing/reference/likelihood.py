"""What one number knows: F(z), the probability of a label at score z = y w, and its logarithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import erfcx, expit, log_expit, log_ndtr, ndtr

if TYPE_CHECKING:
    from collections.abc import Callable

    from lapwing.reference.arrays import Array


@dataclass(frozen=True)
class Likelihood:
    """A link with everything that rules need of it."""

    name: str
    cdf: Callable[[Array], Array]
    log_cdf: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    """d/dz log F(z)"""
    curvature: Callable[[Array], Array]
    """-d^2/dz^2 log F(z)"""
    shrink: float
    """c in E F(w) = F(m / sqrt(1 + c s)) for w ~ N(m, s)"""
    sharpest: float
    """The least upper bound of the curvature."""


def logit_slope(z: Array) -> Array:
    """1 - p, p = sigmoid(z)    (eq. sigmoid)"""
    return expit(-z)


def logit_curvature(z: Array) -> Array:
    """p (1 - p)"""
    return expit(z) * expit(-z)


def probit_slope(z: Array) -> Array:
    """phi(z) / Phi(z)    (eq. muito_probit)"""
    return np.sqrt(2 / np.pi) / erfcx(-np.asarray(z, dtype=float) / np.sqrt(2))


TAIL = -4.0


def probit_excess(z: Array) -> Array:
    """z + phi(z) / Phi(z)

    In the left tail the sum cancels; there Laplace's continued fraction for the Mills ratio gives
    phi / Phi - |z| = 1/(|z| + 2/(|z| + 3/(|z| + ...))).
    """
    z = np.asarray(z, dtype=float)
    excess = z + probit_slope(z)
    if np.all(z >= TAIL):
        return excess
    far = np.maximum(-z, -TAIL)
    below = np.zeros_like(far)
    for k in range(80, 1, -1):
        below = k / (far + below)
    return np.where(z < TAIL, 1 / (far + below), excess)


def probit_curvature(z: Array) -> Array:
    """phi/Phi (z + phi/Phi)    (eq. sigito_laplace_probit)"""
    return probit_slope(z) * probit_excess(z)


LOGIT = Likelihood(
    "logit", expit, log_expit, logit_slope, logit_curvature, shrink=np.pi / 8, sharpest=0.25
)
PROBIT = Likelihood(
    "probit", ndtr, log_ndtr, probit_slope, probit_curvature, shrink=1.0, sharpest=1.0
)
