"""Rows that were recorded, and not drawn: their truth is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapwing.data import Batch
from lapwing.synthetic import Draw

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray


class Recorded:
    """Rows in memory, drawn in their order. Their true loss is given as zero."""

    def __init__(self, X: Batch, y: NDArray[np.int8]) -> None:
        self.X, self.y = X, y
        self.done = 0

    @property
    def features(self) -> int:
        return self.X.columns

    def draw(self, rows: int) -> Draw:
        place = slice(self.done, self.done + rows)
        self.done += rows
        return Draw(self.X[place], self.y[place], np.zeros(len(self.y[place])))

    def again(self) -> Recorded:
        return Recorded(self.X, self.y)


def categories(columns: Sequence[Sequence[Hashable]]) -> Batch:
    """A constant (feature 0), and a feature for every value of every column."""
    rows = len(columns[0])
    features = np.zeros((rows, 1 + len(columns)), dtype=np.uint32)
    total = 1
    for i, column in enumerate(columns, start=1):
        numbers: dict[Hashable, int] = {}
        features[:, i] = [numbers.setdefault(value, len(numbers)) for value in column]
        features[:, i] += total
        total += len(numbers)
    starts = np.arange(rows + 1, dtype=np.int64) * features.shape[1]
    values = np.ones(features.size, dtype=np.float32)
    return Batch(starts, features.ravel(), values, total)
