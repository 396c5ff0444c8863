"""The loop: pieces come, are learned, are shown, and are safe at every checkpoint."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from lapwing.files import read
from lapwing.learning import checkpoint
from lapwing.learning.checkpoint import Passed, Unfinished
from lapwing.learning.curve import Curve, Point
from lapwing.learning.interrupts import Interrupted, Interrupts
from lapwing.pieces import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lapwing.model import Model
    from lapwing.pieces import Piece

NOTHING_READ = Progress(0, None, 0, 0, None)


class Watcher(Protocol):
    """Somebody looks on. What is learned does not depend on it."""

    def point(self, point: Point) -> None: ...
    def progress(self, progress: Progress, *, learns: bool) -> None: ...


@dataclass
class Run:
    """A model and the files it is to learn."""

    model: Model
    files: list[str]
    reading: dict[str, Any]
    save: str | None = None
    every: int = 0
    """A checkpoint comes after so many rows; 0 for none."""
    begun: Unfinished | None = None
    """How far the model came with these files when it was saved."""
    origin: str = ""
    """The file it was in."""
    on_piece: Callable[[Piece], object] | None = None


@dataclass
class Ended:
    """What a run has done, to whatever end it came."""

    curve: Curve
    state: Unfinished
    progress: Progress = NOTHING_READ
    rows_before: int = 0
    """Rows that had been learned from the same files before."""
    unlabelled: int = 0
    seconds: float = 0.0
    error: Exception | None = None
    interrupted: Interrupted | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the files were read to the end."""
        return self.error is None and self.interrupted is None

    @property
    def has_learned(self) -> bool:
        return self.progress.rows > self.rows_before


def learn(run: Run, watcher: Watcher) -> Ended:
    """Learns all rows, or those before the first that cannot be read, or those before Ctrl-C.

    A model whose run has not come to its end is saved with a note of how far it is.
    """
    passed = Passed()
    start = run.begun or Unfinished(
        passed.as_dict(), run.files, run.reading, run.model._encoder.to_json()
    )
    ended = Ended(Curve(watcher.point), start, rows_before=start.rows)
    interrupts = Interrupts()
    with interrupts.held_back():
        try:
            _learn(run, ended, passed, watcher, interrupts)
        except Interrupted as interrupted:
            ended.interrupted = interrupted
        except (OSError, TypeError, ValueError, MemoryError) as error:
            ended.error = error
        ended.curve.end()
        if run.save is not None:
            if ended.is_whole:
                run.model.save(run.save)
            elif ended.has_learned:
                checkpoint.save(run.model, run.save, ended.state)
    return ended


def _learn(
    run: Run, ended: Ended, passed: Passed, watcher: Watcher, interrupts: Interrupts
) -> None:
    started = time.perf_counter()
    pieces = _pieces(run)
    while True:
        with interrupts.allowed():
            piece = next(pieces, None)
        if piece is None:
            break
        passed.add(piece)
        if passed.rows <= ended.rows_before:
            if passed.rows == ended.rows_before:
                _check(run, passed)
            watcher.progress(piece.progress, learns=False)
            started = time.perf_counter()
            continue
        p = run.model.learn(piece)
        ended.seconds = time.perf_counter() - started
        ended.curve.add(piece, p, ended.seconds)
        ended.unlabelled += int((piece.labels == 0).sum())
        ended.state = replace(ended.state, passed=passed.as_dict())
        ended.progress = piece.progress
        if run.on_piece is not None:
            run.on_piece(piece)
        watcher.progress(piece.progress, learns=True)
        if run.every > 0 and run.save is not None and _is_due(run, passed, piece):
            checkpoint.save(run.model, run.save, ended.state)
    if passed.rows < ended.rows_before:
        _check(run, passed)


def _pieces(run: Run) -> Iterator[Piece]:
    if run.begun is not None:
        return checkpoint.read_again(run.begun, run.files, run.model, run.every)
    return read(run.files, model=run.model, cuts=(0, run.every), **run.reading)


def _is_due(run: Run, passed: Passed, piece: Piece) -> bool:
    first = run.begun.rows if run.begun is not None else 0
    return len(piece) > 0 and (passed.rows - first) % run.every == 0


def _check(run: Run, passed: Passed) -> None:
    """Refuses other files than those the model has begun with."""
    begun = run.begun
    if begun is not None and passed.as_dict() != begun.passed:
        raise ValueError(
            f"{run.origin} has learned the first {begun.rows:,} rows of {', '.join(begun.files)}, "
            "and these files do not begin with them; give the same files, or --no-skip to learn "
            "all rows of these"
        )
