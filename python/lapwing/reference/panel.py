"""Several learners of the same rows, believed by what they foretold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array


def mixture(weights: Array, p: Array) -> float:
    """p = sum_k w_k p_k"""
    return float(weights @ p)


def weigh(weights: Array, p_of_label: Array, share: float, power: float = 1.0) -> Array:
    """w_k <- (1 - a) w_k p_k(y)^power / sum_j w_j p_j(y)^power + a / K

    By evidence, with a fixed share a for those that were behind (Herbster & Warmuth 1998): after T
    rows the mixture has lost at most ln K - T ln(1 - a) more than the best of the K.
    """
    shifted = power * (np.log(p_of_label) - np.log(p_of_label).max())
    posterior = weights * np.exp(shifted)
    return (1 - share) * posterior / posterior.sum() + share / len(weights)
