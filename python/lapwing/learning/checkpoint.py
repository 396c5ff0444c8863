"""Models saved before their files were read to the end, and how learning them goes on.

Such a model file has a note in it: how many rows of the files are done, how they were read, and
what the model knew about names and columns before the first of them. Going on reads the files from
there once more, so that columns show the same again, and learns the rows that come after. A model
whose files were read to the end has no such note: it learns all rows of whatever comes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing import _core
from lapwing.arguments import path_text, whole_number
from lapwing.files import read
from lapwing.model import Model
from lapwing.model_file import load_described

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lapwing.pieces import Piece

NOTE = "unfinished"
LARGEST = 2**63


class Passed:
    """Sums over the rows that have come, by which they are known again."""

    def __init__(self) -> None:
        self.rows = 0
        self.positive = 0
        self.entries = 0
        self.features = 0

    def add(self, piece: Piece) -> None:
        self.rows += len(piece)
        self.positive += int(np.count_nonzero(piece.labels > 0))
        self.entries += len(piece.batch.features)
        self.features += int(piece.batch.features.sum(dtype=np.uint64))

    def as_dict(self) -> dict[str, int]:
        return dict(vars(self))


@dataclass(frozen=True)
class Unfinished:
    """How far a model has come with files that it has not read to the end."""

    passed: dict[str, int]
    files: list[str]
    reading: dict[str, Any]
    """What `lapwing.read` was told."""
    encoder: str
    """Names and columns before the first row."""

    @property
    def rows(self) -> int:
        """Those of the files that are done, also if they had no label."""
        return self.passed["rows"]

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Unfinished:
        try:
            note = cls(**json.loads(text))
            whole_number("rows", note.rows, 0, LARGEST)
            if vars(Passed()).keys() != note.passed.keys():
                raise ValueError(f"{note.passed} are no sums over rows")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"what it tells of the rows that are done is damaged: {error}"
            ) from None
        return note


def save(model: Model, path: str, unfinished: Unfinished) -> None:
    """Like `Model.save`, with the note."""
    with model._turn:
        model._core.save(path_text(path), {**model._notes(), NOTE: unfinished.to_json()})


def load(path: str) -> tuple[Model, Unfinished | None]:
    """A model that can read files, and how far it has come if it has not read some to the end."""
    model, description = load_described(path)
    if not isinstance(model, Model):
        raise ValueError(f"{path} is a {type(model).__name__}, which reads no files")
    notes = description["notes"]
    if NOTE not in notes:
        return model, None
    try:
        return model, Unfinished.from_json(notes[NOTE])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_again(
    unfinished: Unfinished, files: Sequence[str], model: Model, every: int
) -> Iterator[Piece]:
    """All pieces of files that a model has begun to read. One ends where it has stopped."""
    before = Model(dtype=model.dtype)
    before._encoder = _core.Encoder.from_json(unfinished.encoder)
    cuts = (unfinished.rows, every)
    return read(list(files), model=before, cuts=cuts, **unfinished.reading)
