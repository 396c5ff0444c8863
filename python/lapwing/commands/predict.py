"""`lapwing predict`."""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from lapwing.commands.reading_options import Reading, files, reading_options
from lapwing.commands.writing import check_writable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from lapwing.learning.bar import Bar
    from lapwing.metrics import Metrics
    from lapwing.model import Model
    from lapwing.pieces import Piece, Progress

EXAMPLES = """\b
Examples:
  lapwing predict clicks.lapwing wednesday.vw > predictions.csv
  lapwing predict clicks.lapwing wednesday.vw --interval 0.9 -o predictions.parquet
"""


@click.command(epilog=EXAMPLES)
@click.argument("model", metavar="MODEL")
@files
@reading_options
@click.option(
    "-o", "--out", metavar="FILE", help="A file, .csv or .parquet, instead of standard output."
)
@click.option(
    "--interval",
    "level",
    type=float,
    metavar="LEVEL",
    help="Also the bounds between which the probability is, with this probability; as 0.9.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing of how good the predictions are.")
def predict(
    model: str,
    files: tuple[str, ...],
    format: str,  # noqa: A002
    label: str | None,
    skip_bad_rows: bool,
    out: str | None,
    level: float | None,
    quiet: bool,
) -> None:
    """Predict the probability of every row of files: P(y = 1), one line for each.

    Rows need no labels. Where they have them, standard error tells how good the predictions are.
    Columns are read as the model learned them.
    """
    from lapwing.arguments import level_number
    from lapwing.files import read
    from lapwing.learning.checkpoint import load
    from lapwing.metrics import Metrics
    from lapwing.predictions import writer

    check_writable(out, [model, *files])
    if level is not None:
        level_number(level)
    found, _ = load(model)
    reading = Reading(format, label, skip_bad_rows=skip_bad_rows)
    pieces = read(list(files), model=found, learn=False, **reading._asdict())
    metrics, progress = Metrics(), None
    names = ["probability"] if level is None else ["probability", "low", "high"]
    with _opened(out) as file, _bar(is_seen=out is not None and not quiet) as bar:
        written = writer(out, file, names)
        for piece in pieces:
            predicted = _predicted(found, piece, level)
            written.write(predicted)
            metrics.add(piece, predicted["probability"])
            progress = piece.progress
            if bar is not None:
                bar.show(progress, "predicting")
        written.close()
    if not quiet:
        _tell(metrics, progress)


def _opened(path: str | None) -> AbstractContextManager[BinaryIO]:
    from lapwing.replacing import replacing

    return nullcontext(sys.stdout.buffer) if path is None else replacing(path)


@contextmanager
def _bar(*, is_seen: bool) -> Iterator[Bar | None]:
    from lapwing.learning.bar import Bar

    if not (is_seen and sys.stderr.isatty()):
        yield None
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


def _predicted(model: Model, piece: Piece, level: float | None) -> dict[str, NDArray[Any]]:
    found = {"probability": model.predict(piece)}
    if level is not None:
        found["low"], found["high"] = model.interval(piece, level)
    return found


def _tell(metrics: Metrics, progress: Progress | None) -> None:
    if metrics.rows > 0:
        click.echo(
            f"{metrics.rows:,} rows with a label: log loss {metrics.log_loss:.5f}, of the best "
            f"constant {metrics.constant_loss:.5f}, AUC {metrics.auc:.4f}, calibration "
            f"{metrics.calibration:.4f}",
            err=True,
        )
    if progress is not None and progress.bad_rows:
        click.echo(
            f"{progress.bad_rows:,} bad rows passed over; the first: {progress.first_bad}", err=True
        )
