"""Criteo's own rows, from its file: every cell of a row is a category, hashed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapwing.data import Batch
from lapwing.files import read
from lapwing.synthetic import Draw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lapwing.pieces import Piece

BITS = 24
FEWEST_ROWS = 1000


class CriteoRows:
    """Rows of files, in their order. Their true loss is given as zero."""

    features = 2**BITS

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self.paths = paths
        self.pieces: Iterator[Piece] = pieces(paths)
        self.piece: Piece | None = None
        self.done = 0

    def draw(self, rows: int) -> Draw:
        """As many as are left of what was read at once, if `rows` are more."""
        if self.piece is None or self.done == len(self.piece):
            self.piece, self.done = next(self.pieces, None), 0
        if self.piece is None:
            nothing = np.zeros(0)
            X = Batch(np.zeros(1, np.int64), np.zeros(0, np.uint32), nothing, self.features)
            return Draw(X, np.zeros(0, np.int8), nothing)
        place = slice(self.done, min(self.done + rows, len(self.piece)))
        self.done = place.stop
        found = self.piece.batch[place]
        # By their places in the table, as if these were the features' numbers.
        X = Batch(found.starts, found.features, found.values, self.features)
        y = self.piece.labels[place]
        return Draw(X, y, np.zeros(len(y)))

    def again(self) -> CriteoRows:
        return CriteoRows(self.paths)


def pieces(paths: tuple[Path, ...]) -> Iterator[Piece]:
    return read(paths, format="criteo", bits=BITS)


def count(paths: tuple[Path, ...], most: int) -> int:
    """How many rows there are, if fewer than `most`. All of these are read, and so checked."""
    rows = 0
    for piece in pieces(paths):
        rows += len(piece)
        if rows >= most:
            return most
    return rows
