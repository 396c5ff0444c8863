"""Some rows of files, and how far the files are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing import _core
    from lapwing.data import Batch


class Wanted(NamedTuple):
    """How files are to be read."""

    label: str | None
    rows: int
    cuts: tuple[int, int]
    learns: bool
    skip_bad_rows: bool
    dtype: str


class Progress(NamedTuple):
    """How far files are read, all of a call together."""

    bytes_read: int
    """As they are on disk, before they are decompressed."""
    total_bytes: int | None
    """None where it cannot be known, as of standard input."""
    rows: int
    bad_rows: int
    """Rows that were passed over with ``skip_bad_rows=True``."""
    first_bad: str | None
    """What was wrong with the first of them, with its file and line."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Some rows of files: what `Model.learn` and `Model.predict` take."""

    batch: Batch
    labels: NDArray[np.int8]
    """1 and -1; 0 where a row has no label."""
    weights: NDArray[np.float64]
    """How often each row counts; 0 where it has no label."""
    progress: Progress
    before: _core.Encoder = field(repr=False)
    """What is known about names and columns before these rows ..."""
    after: _core.Encoder | None = field(repr=False)
    """... and after them; None where features are numbered."""
    new_names: list[tuple[int, str]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def answers(self) -> NDArray[np.int8]:
        """Labels as models take them; that of a row without one does not matter."""
        return np.where(self.labels > 0, 1, -1).astype(np.int8)
