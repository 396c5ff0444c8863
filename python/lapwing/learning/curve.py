"""How good predictions were after so many rows: the points of a loss curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lapwing.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from lapwing.pieces import Piece

LINE = 1000
"""Rows of the first line of a table; every next one has twice as many."""
PER_DOUBLING = 4
FIRST = LINE // 8


class Point(NamedTuple):
    """After some rows."""

    rows: int
    weight: float
    total_loss: float
    average: float
    since_last: float
    """The average over the rows since the last point."""
    mean_prediction: float
    base_rate: float
    rows_per_second: float
    """Up to the end of the piece that it is in."""


class Curve:
    """Collects metrics, and calls `on_point` after 125, 149, ... 1000, ... 2000, ... rows.

    Points stand after exactly these rows, however many come in a piece.
    """

    def __init__(self, on_point: Callable[[Point], object]) -> None:
        self.metrics = Metrics()
        self.points: list[Point] = []
        self._speed = 0.0
        self._on_point = on_point
        self._stops = stops()
        self._next = next(self._stops)

    def add(self, piece: Piece, p: NDArray[np.float64], seconds: float) -> None:
        """Takes in predictions, so many seconds after the first row was read.

        Rows of no weight say nothing, and are no part of the count.
        """
        counted = np.flatnonzero(piece.weights > 0)
        self._speed = (self.metrics.rows + len(counted)) / max(seconds, 1e-9)
        answers, first, before = piece.answers, 0, self.metrics.rows
        while self._next - before <= len(counted):
            last = int(counted[self._next - before - 1]) + 1
            self.metrics.add(answers[first:last], p[first:last], piece.weights[first:last])
            self._mark()
            self._next = next(self._stops)
            first = last
        self.metrics.add(answers[first:], p[first:], piece.weights[first:])

    def end(self) -> None:
        """The last point is after all rows."""
        if self.metrics.rows > (self.points[-1].rows if self.points else 0):
            self._mark()

    def _mark(self) -> None:
        metrics, last = self.metrics, self.points[-1] if self.points else None
        found = Point(
            metrics.rows,
            metrics.weight,
            metrics.total_loss,
            metrics.log_loss,
            since(last, metrics.weight, metrics.total_loss),
            metrics.mean_prediction,
            metrics.base_rate,
            self._speed,
        )
        self.points.append(found)
        self._on_point(found)


def since(last: Point | None, weight: float, total_loss: float) -> float:
    """The average loss of the rows after a point, or of all."""
    if last is None:
        return total_loss / weight
    return (total_loss - last.total_loss) / (weight - last.weight)


def stops() -> Iterator[int]:
    """As many between 1000 and 2000 as between 2000 and 4000, and all of these among them."""
    octave = FIRST
    while True:
        yield from (round(octave * 2 ** (part / PER_DOUBLING)) for part in range(PER_DOUBLING))
        octave *= 2


def is_line(rows: int) -> bool:
    """Whether a table has a line after so many rows: 1, 2, 4, 8, ... thousand."""
    thousands, rest = divmod(rows, LINE)
    return rest == 0 and thousands > 0 and thousands & (thousands - 1) == 0
