"""Stochastic gradient descent with AdaGrad's schedule: the baseline (section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array
    from lapwing.reference.likelihood import Likelihood


def ada_grad(
    w: Array,
    squares: Array,
    x: Array,
    y: float,
    likelihood: Likelihood,
    *,
    learning_rate: float,
    epsilon: float,
    weight: float = 1.0,
) -> tuple[Array, Array]:
    """G += g^2,  w -= rate g / (sqrt(G) + epsilon),  g the gradient of the row's log loss"""
    gradient = -weight * y * x * likelihood.slope(np.asarray(y * (x @ w)))
    squares = squares + gradient**2
    return w - learning_rate * gradient / (np.sqrt(squares) + epsilon), squares
