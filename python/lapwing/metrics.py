"""How good probabilities are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing import _core
from lapwing.arguments import whole_number
from lapwing.data import labels_of, weights_of
from lapwing.pieces import Piece

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MOST_GROUPS = 10_000


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


class Groups(NamedTuple):
    """Rows in groups by their prediction, by weight."""

    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    predicted: NDArray[np.float64]
    """The sum of the predictions."""

    @property
    def weight(self) -> NDArray[np.float64]:
        return self.positive + self.negative


class Metrics:
    """How good progressive predictions are, collected row by row in constant memory.

    Adding rows in parts gives the same numbers, to the last bit, as adding them at once.

    >>> import lapwing
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> model, metrics = lapwing.Model(), lapwing.Metrics()
    >>> metrics.add(y, model.learn(X, y))
    >>> print(f"log loss {metrics.log_loss:.4f} of {metrics.constant_loss:.4f}")
    log loss 0.3226 of 0.6913
    >>> print(f"AUC {metrics.auc:.3f}, calibration {metrics.calibration:.3f}")
    AUC 0.935, calibration 1.000
    """

    def __init__(self) -> None:
        self._core = _core.Metrics()

    def add(self, y: Any, p: ArrayLike, sample_weight: Any = None) -> None:
        """Take in rows with their labels and predictions; rows of weight zero say nothing.

        A `lapwing.read` piece has both labels and weights, and comes in the place of `y`.
        """
        predictions = np.ascontiguousarray(p, dtype=np.float64)
        if isinstance(y, Piece):
            self._core.add(predictions, y.answers, y.weights)
        else:
            self._core.add(predictions, labels_of(y), weights_of(sample_weight))

    @property
    def rows(self) -> int:
        """How many rows were added."""
        return self._core.rows

    @property
    def weight(self) -> float:
        """The sum of their weights."""
        return self._core.weight

    @property
    def total_loss(self) -> float:
        """The sum of -log P(y) over the rows."""
        return self._core.total_loss

    @property
    def log_loss(self) -> float:
        """The mean of -log P(y) over the rows."""
        return self._core.log_loss

    @property
    def base_rate(self) -> float:
        """The share of positive rows."""
        return self._core.base_rate

    @property
    def mean_prediction(self) -> float:
        """The mean of P(y=1)."""
        return self._core.mean_prediction

    @property
    def calibration(self) -> float:
        """The mean prediction over the base rate: 1 is right, above 1 is too high."""
        return self.mean_prediction / self.base_rate if self.base_rate > 0 else float("nan")

    @property
    def constant_loss(self) -> float:
        """The log loss of the best constant prediction."""
        return self._core.constant_loss

    @property
    def normalized_entropy(self) -> float:
        """The log loss over that of the best constant: below 1 is better than it."""
        return self.log_loss / self.constant_loss if self.constant_loss > 0 else float("nan")

    @property
    def auc(self) -> float:
        """The area under the ROC curve, from some thousand bins of the predicted logit."""
        return self._core.auc

    def reliability(self, groups: int = 20) -> Groups:
        """Rows in the order of their predictions, in groups of about equal weight."""
        return Groups(*self._core.reliability(whole_number("groups", groups, 1, MOST_GROUPS)))

    def histogram(self, steps: int = 50) -> Groups:
        """Rows by their prediction, in equal steps from 0 to 1."""
        return Groups(*self._core.histogram(whole_number("steps", steps, 1, MOST_GROUPS)))
