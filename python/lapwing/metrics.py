"""How good probabilities are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.data import labels_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def log_losses(y: Any, p: ArrayLike) -> NDArray[np.float64]:
    """-log P(y) of every row, where `p` is P(y=1)."""
    probabilities = np.asarray(p, dtype=np.float64)
    labels = labels_of(y)
    if labels.shape != probabilities.shape:
        raise ValueError(f"there are {labels.shape} labels and {probabilities.shape} predictions")
    return -np.where(labels == 1, np.log(probabilities), np.log1p(-probabilities))


def log_loss(y: Any, p: ArrayLike) -> float:
    """The mean of -log P(y) over the rows.

    >>> log_loss([1, 0], [0.5, 0.5])
    0.6931471805599453
    """
    return float(log_losses(y, p).mean())
