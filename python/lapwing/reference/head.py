"""A small regression on top of the features': one gain for every field, and a bias.

A diagonal belief learns the overall size of its weights slowly, for that is a direction in which
all of them move together. With fields f = 1..F, scores m_f = sum_{i in f} x_i u_i, and

    w_t = sum_f G_f m_f + b,

the gains and the bias are one more block of weights, (G, b) ~ N(gains, P), with its full
covariance. To first order around the means the row is linear in all of them: a feature is seen
with the value x_i G_f, and the head with the values z = (m_1, ..., m_F, 1). So the head joins any
rule as one more feature of the row, of value 1, whose variance is z'Pz and whose step is that of
z'(G, b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.reference.arrays import Array


@dataclass
class Head:
    """The belief about gains and bias; the last entry is the bias."""

    prior_mean: Array
    prior_variance: Array
    memory: float = np.inf

    def __post_init__(self) -> None:
        self.mean = self.prior_mean.astype(float)
        self.P = np.diag(self.prior_variance.astype(float))

    @classmethod
    def of_fields(
        cls, fields: int, scale_variance: float, bias_variance: float, memory: float = np.inf
    ) -> Head:
        mean = np.append(np.ones(fields), 0.0)
        return cls(mean, np.append(np.full(fields, scale_variance), bias_variance), memory)


def field_scores(mu: Array, x: Array, fields: NDArray[np.int64], count: int) -> Array:
    """z = (m_1, ..., m_F, 1) with m_f = sum_{i in f} x_i mu_i"""
    return np.append(np.bincount(fields, weights=x * mu, minlength=count), 1.0)


def totals_with_head(
    mu: Array, v: Array, x: Array, fields: NDArray[np.int64], head: Head
) -> tuple[float, float, Array]:
    """m = z'(G, b),  s = sum_i (x_i G_f)^2 v_i + z'Pz,  and z"""
    z = field_scores(mu, x, fields, len(head.mean) - 1)
    seen = x * head.mean[fields]
    return float(z @ head.mean), float(seen**2 @ v + z @ head.P @ z), z


def move_head(head: Head, z: Array, step: float, variance: float) -> None:
    """The head after its projection z'(G, b) went `step` ahead and has the `variance` now.

    Given the projection, the rest of a normal vector keeps its conditional distribution:
    (G, b) += (P z / s) step,  P -= (P z)(P z)' / s (1 - variance / s),  s = z'Pz.
    """
    Pz = head.P @ z
    s = float(z @ Pz)
    head.mean = head.mean + Pz / s * step
    head.P = head.P - np.outer(Pz, Pz) / s * (1 - variance / s)


def forget_head(head: Head) -> None:
    """Every variance returns to its prior as a feature's does that is touched (`memory.forget`).

    To first order in e = 1 / memory, and on the diagonal alone, which keeps P positive definite:
    P_ff += e P_ff (1 - P_ff / P0_f).
    """
    diagonal = np.diag(head.P)
    head.P = head.P + np.diag(
        np.maximum(diagonal / head.memory * (1 - diagonal / head.prior_variance), 0)
    )
