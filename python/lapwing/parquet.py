"""Parquet files as pieces, some rows at a time: what the engine's reader does for text."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing import tables
from lapwing.named import encode_table
from lapwing.pieces import Piece, Progress, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from lapwing import _core

MAGIC = b"PAR1"
BAD = 2
"""Marks the label of a row that has none of the known ones."""


def is_parquet(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        # The engine has the sentence for a file that cannot be read.
        return False


def parquet_pieces(
    paths: list[str], known: _core.Encoder, encoder: _core.Encoder, wanted: Wanted
) -> Iterator[Piece]:
    """The rows of Parquet files, for a model that knows what is `known`, by the `encoder`.

    What cannot be opened is told before the first row.
    """
    files = [_open(path) for path in paths]
    sizes = [Path(path).stat().st_size for path in paths]
    return _pieces(list(zip(paths, files, sizes, strict=True)), known, encoder.in_use(), wanted)


def _pieces(
    files: list[tuple[str, Any, int]], before: _core.Encoder, encoder: _core.Encoder, wanted: Wanted
) -> Iterator[Piece]:
    progress = Progress(0, sum(size for *_, size in files), 0, 0, None)
    of_first = None
    for path, file, size in files:
        columns = list(file.schema_arrow.names)
        with _place(path):
            tables.check_names(columns)
            _check_same(columns, of_first)
            label = encoder.find_label(wanted.label, columns, wanted.learns)
            labelled = encoder if label is None else encoder.with_label(label.text)
            features = labelled.features_among(columns, wanted.learns)
        of_first = of_first or columns
        first, bytes_before = 0, progress.bytes_read
        for part in _parts(path, file, wanted.rows, features, label):
            total, here = max(file.metadata.num_rows, 1), part.num_rows
            with _place(path):
                labels, bad = _labels(part, label, first, skips=wanted.skip_bad_rows)
            if bad:
                part = part.take(np.flatnonzero(labels != BAD))
                labels = labels[labels != BAD]
            first += here
            progress = progress._replace(
                bytes_read=bytes_before + size * first // total,
                bad_rows=progress.bad_rows + len(bad),
                first_bad=progress.first_bad or (f"{path}, {bad[0]}" if bad else None),
            )
            for begin, end in _between_cuts(progress.rows, len(labels), wanted.cuts):
                here_labels = labels[begin:end]
                learned = (here_labels != 0) & wanted.learns
                with _place(path):
                    rows = part.slice(begin, end - begin)
                    encoded = encode_table(rows, features, labelled, wanted.dtype, learned)
                progress = progress._replace(rows=progress.rows + end - begin)
                weights = np.asarray(here_labels != 0, dtype=np.float64)
                after = encoded.encoder if wanted.learns else encoder
                batch, new_names = encoded.batch, encoded.new_names
                yield Piece(batch, here_labels, weights, progress, before, after, new_names)
                before = encoder = after
                labelled = encoder if label is None else encoder.with_label(label.text)
            if bad and not wanted.skip_bad_rows:
                raise ValueError(f"{path}, {bad[0]}")
    if progress.rows == 0:
        names = " and ".join(path for path, *_ in files)
        reason = f": {progress.first_bad}" if progress.first_bad else ""
        raise ValueError(f"{names}: there are no rows{reason}")


def _check_same(columns: list[str], of_first: list[str] | None) -> None:
    """As CSV files: a column more or less is a slip rather than wanted."""
    if of_first is None or set(columns) == set(of_first):
        return
    rule = "every file has the same columns, in any order"
    for name in of_first:
        if name not in columns:
            raise ValueError(f'there is no column "{name}", which the first file has; {rule}')
    name = next(name for name in columns if name not in of_first)
    raise ValueError(f'there is a column "{name}", which the first file has not; {rule}')


def _between_cuts(done: int, rows: int, cuts: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The rows of a part, which comes after `done` rows, from cut to cut."""
    begin, (first, every) = 0, cuts
    if rows == 0:
        yield 0, 0
    while begin < rows:
        beyond = done + begin - first
        if beyond < 0:
            to_next = -beyond
        elif every > 0:
            to_next = every - beyond % every
        else:
            to_next = rows
        yield begin, min(rows, begin + to_next)
        begin += to_next


def _labels(
    part: pa.Table, label: _core.Label | None, first: int, *, skips: bool
) -> tuple[NDArray[np.int8], list[str]]:
    """The labels of rows, and what is wrong with those that are `BAD`.

    Without `skips`, the first of them and all behind it are.
    """
    if label is None:
        return np.zeros(part.num_rows, dtype=np.int8), []
    column = tables.label_column(part, label.column)
    try:
        return label.read(column, first), []
    except ValueError:
        labels, bad = np.full(part.num_rows, BAD, dtype=np.int8), []
    # One row after the other, until the bad ones are told.
    for row in range(part.num_rows):
        cell = tables.label_column(part.slice(row, 1), label.column)
        try:
            labels[row] = label.read(cell, first + row)[0]
        except ValueError as error:
            bad.append(str(error))
            if not skips:
                break
    return labels, bad


def _open(path: str) -> Any:
    tables.need_pyarrow()
    from pyarrow import parquet

    if path == "-":
        raise ValueError("Parquet is not read from standard input: give the file's name")
    if Path(path).is_dir():
        raise IsADirectoryError(f"{path} is a folder; give the files in it")
    with _place(path):
        return parquet.ParquetFile(path)


def _parts(
    path: str, file: Any, rows: int, features: list[str], label: _core.Label | None
) -> Iterator[pa.Table]:
    pa = tables.need_pyarrow()
    columns = features if label is None else [*features, label.column]
    batches = file.iter_batches(batch_size=rows, columns=columns)
    while True:
        with _place(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield pa.Table.from_batches([batch])


@contextmanager
def _place(path: str) -> Iterator[None]:
    """Errors within tell the file, in one line."""
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file") from None
    except (pa.ArrowException, OSError) as reason:
        message = (str(reason).splitlines() or ["nothing is told"])[0]
        raise ValueError(f"{path} cannot be read as Parquet: {message}") from None
    except (TypeError, ValueError) as reason:
        raise type(reason)(f"{path}, {reason}") from None
