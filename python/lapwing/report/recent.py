"""The last rows of a stream, to ask the finished model about."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.data import Batch
    from lapwing.model import Model
    from lapwing.pieces import Piece

ROWS = 20_000
LEVEL = 0.9


class Intervals(NamedTuple):
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float


class Recent:
    """Keeps as many rows as are asked about, and a piece more."""

    def __init__(self) -> None:
        self._batches: deque[Batch] = deque()
        self._rows = 0

    def add(self, piece: Piece) -> None:
        self._batches.append(piece.batch)
        self._rows += len(piece)
        while self._rows - len(self._batches[0]) >= ROWS:
            self._rows -= len(self._batches.popleft())

    def intervals(self, model: Model) -> Intervals:
        """Of exactly the last rows."""
        bounds: list[Any] = [(np.zeros(0), np.zeros(0))]
        over = max(self._rows - ROWS, 0)
        for batch in self._batches:
            first, over = min(over, len(batch)), max(over - len(batch), 0)
            bounds.append(model.interval(batch[first : len(batch)], LEVEL))
        low, high = (np.concatenate(column) for column in zip(*bounds, strict=True))
        return Intervals(low, high, LEVEL)
