"""Streams whose truth is known, for measuring regret (section 4 of the paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from lapwing import _core
from lapwing.arguments import number, one_of, seed_number, whole_number
from lapwing.data import Batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_FEATURES = 100_000_000
LARGEST_DRAW = 100_000_000

__all__ = ["BinaryStream", "Draw"]


class Draw(NamedTuple):
    """Rows, their labels in {-1, 1}, and the log loss of each under the true weights."""

    X: Batch
    y: NDArray[np.int8]
    true_loss: NDArray[np.float64]


class BinaryStream:
    """The paper's random binary stream: of `features`, on average `active` are 1 in a row.

    The true weights are normal with mean zero and this `deviation`. Everything is a function of
    the seed, and drawing a thousand rows twice is drawing two thousand.

    >>> stream = BinaryStream(features=50, active=5, seed=3)
    >>> X, y, true_loss = stream.draw(1000)
    >>> len(X), X.columns, round(len(X.features) / len(X))
    (1000, 50, 5)
    """

    def __init__(
        self,
        *,
        features: int = 200,
        active: float = 20,
        deviation: float = 1.0,
        link: Literal["logit", "probit"] = "logit",
        seed: int = 0,
    ) -> None:
        self.features = whole_number("features", features, 1, LARGEST_FEATURES)
        self._core = _core.BinaryStream(
            self.features,
            number("active", active),
            number("deviation", deviation),
            one_of("link", link, ("logit", "probit")),
            seed_number(seed),
        )

    @property
    def weights(self) -> NDArray[np.float64]:
        """The true weights."""
        return self._core.weights

    def draw(self, rows: int) -> Draw:
        """The next rows."""
        starts, features, y, true_loss = self._core.draw(
            whole_number("rows", rows, 0, LARGEST_DRAW)
        )
        values = np.ones(len(features), dtype=np.float32)
        return Draw(Batch(starts, features, values, self.features), y, true_loss)
