"""Files as streams of rows: text in VW's, svmlight's and Criteo's formats, CSV, and Parquet.

A thread reads ahead while a model learns, and no file is held in memory. `Model.learn_files` learns
whole files in one call:

>>> import lapwing, pathlib, tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> path = pathlib.Path(folder.name, "clicks.vw")
>>> stream = lapwing.synthetic.RandomStream(seed=1)
>>> _ = path.write_bytes(stream.text(20_000, "vw"))
>>> model = lapwing.Model()
>>> learned = model.learn_files(path)
>>> print(f"{learned.progress.rows} rows, log loss {learned.metrics.log_loss:.4f}")
20000 rows, log loss 0.3227

`read` gives the rows piece by piece. A piece has its labels and weights in it, and learning piece
by piece is the same, to the last bit, as learning in one call:

>>> by_pieces = lapwing.Model()
>>> for piece in lapwing.read(path, model=by_pieces, rows=777):
...     p = by_pieces.learn(piece)       # P(y=1) of each row, made before it was learned
>>> bool((by_pieces.mean == model.mean).all())
True

Rows that are only predicted need no labels:

>>> pieces = lapwing.read(path, model=model, learn=False)
>>> print(f"{sum(model.predict(piece).sum() for piece in pieces) / 20_000:.3f}")
0.474
>>> folder.cleanup()

What the model knows about names and columns (`bits`, `crosses`, `names`, the label, which columns
are features and what they have shown) is kept by the model and saved with it, so that files are
read the same way when they are predicted or when learning is resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing import _core
from lapwing.arguments import one_of, path_text, whole_number
from lapwing.data import Batch
from lapwing.metrics import Metrics
from lapwing.named import named_batch, new_encoder
from lapwing.parquet import is_parquet, parquet_pieces
from lapwing.pieces import Piece, Progress, Wanted

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from lapwing.model import Model

    Path = str | os.PathLike[str]

FORMATS = ("auto", "vw", "svmlight", "criteo", "csv", "parquet")
ROWS = 2048
"""Rows of a piece: few enough to stay in a processor's cache until they are learned."""
MOST_ROWS = 2**24
BITS = 22


class Learned(NamedTuple):
    """What `Model.learn_files` has done."""

    metrics: Metrics
    """How good the predictions were that were made before each row was learned."""
    progress: Progress


def read(
    paths: Path | Sequence[Path],
    *,
    model: Model | None = None,
    learn: bool = True,
    format: str = "auto",  # noqa: A002
    label: str | None = None,
    columns: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    categories: Sequence[str] | None = None,
    bits: int | None = None,
    crosses: Sequence[Sequence[str]] | None = None,
    names: bool | None = None,
    skip_bad_rows: bool = False,
    rows: int = ROWS,
    cuts: tuple[int, int] = (0, 0),
) -> Iterator[Piece]:
    """The rows of files, piece by piece, as they come.

    Parameters
    ----------
    paths : a path or several; ``"-"`` is standard input. Text may be compressed by gzip or zstd.
    model : the model that the rows are for. Names and columns are read as it knows them. Without
        one, as a new ``Model()`` would, or one with these `bits`, `crosses` and `names`.
    learn : whether the rows are to be learned. If not, they need no label, and every row is read by
        what the model knows now.
    format : told by the first file's name or content if not given. Files of a call have one format.
    label : where rows have columns, the one that is the label, or a comparison: ``"delay > 15"``.
        By default what the model learned with; of a new model a column called label, y, target or
        click, and otherwise the first.
    columns, ignore : the columns that are features, or those that are not.
    categories : columns whose numbers are names, as those of flights or zip codes. The model keeps
        them, and `docs/columns.md` says what becomes of the others.
    skip_bad_rows : pass over rows that cannot be read, and count them.
    rows : how many rows a piece has. It changes no result.
    cuts : ``(first, every)``: a piece also ends after the first so many rows of all, and every so
        many rows from there. So a model can be saved after a round number of rows, and the files
        read again from there.
    """
    known = encoder = _encoder(model, bits, crosses, names)
    if columns is not None or ignore is not None:
        only = None if columns is None else _names("columns", columns)
        encoder = encoder.with_choice(only, _names("ignore", ignore or ()))
    if categories is not None:
        encoder = encoder.with_categories(_names("categories", categories))
    wanted = Wanted(
        _label(label),
        whole_number("rows", rows, 1, MOST_ROWS),
        _cuts(cuts),
        bool(learn),
        bool(skip_bad_rows),
        "float32" if model is None else model.dtype,
    )
    kind = one_of("format", format, FORMATS)
    found = _paths(paths)
    if kind == "parquet" or (kind == "auto" and found and is_parquet(found[0])):
        return parquet_pieces(found, known, encoder, wanted)
    core = _core.Reader(
        found,
        None if kind == "auto" else kind,
        encoder,
        wanted.label,
        wanted.rows,
        wanted.cuts,
        wanted.learns,
        wanted.skip_bad_rows,
        wanted.dtype,
    )
    return _text_pieces(core, known)


def learn_files(
    model: Model,
    pieces: Iterator[Piece],
    on_piece: Callable[[Piece, NDArray[np.float64]], Any] | None,
) -> Learned:
    """Learns all of them. The reader's thread is a piece ahead."""
    metrics, progress = Metrics(), Progress(0, None, 0, 0, None)
    for piece in pieces:
        p = model.learn(piece)
        metrics.add(piece, p)
        progress = piece.progress
        if on_piece is not None:
            on_piece(piece, p)
    return Learned(metrics, progress)


def _text_pieces(core: _core.Reader, before: _core.Encoder) -> Iterator[Piece]:
    while (found := core.next()) is not None:
        arrays, labels, weights, after, progress = found
        if after is None:
            starts, features, values, *_ = arrays
            columns = int(features.max()) + 1 if len(features) else 0
            batch = Batch(starts, features, values, columns)
        else:
            batch = named_batch(arrays, after.bits)
        yield Piece(
            batch,
            labels,
            np.where(labels != 0, weights, 0.0),
            Progress(*progress),
            before,
            after,
            arrays[-1],
        )
        before = before if after is None else after


def _encoder(
    model: Model | None,
    bits: int | None,
    crosses: Sequence[Sequence[str]] | None,
    names: bool | None,
) -> _core.Encoder:
    from lapwing.model import Model

    if model is None:
        return new_encoder(BITS if bits is None else bits, crosses or (), bool(names))
    if not isinstance(model, Model):
        raise TypeError(f"model is a {type(model).__name__}; it must be a lapwing.Model")
    if (bits, crosses, names) != (None, None, None):
        raise ValueError("bits, crosses and names are the model's own: leave them out with model=")
    return model._encoder


def _paths(given: Any) -> list[str]:
    several = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
    return [path_text(path) for path in (given if several else [given])]


def _names(what: str, given: Any) -> list[str]:
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"{what} is {given!r}; it must be a list of names of columns")
    return list(given)


def _cuts(given: Any) -> tuple[int, int]:
    first, every = given
    return whole_number("cuts", first, 0, 2**63), whole_number("cuts", every, 0, 2**63)


def _label(given: Any) -> str | None:
    if given is not None and not isinstance(given, str):
        raise TypeError(f'label is {given!r}; it must be a column or a comparison, "delay > 15"')
    return given
