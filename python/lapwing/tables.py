"""Data frames of any kind, through Arrow, as columns that the engine reads in place."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

ROWS = 65_536
"""So many rows of a frame become features at once: memory does not grow with the frame."""

Text = tuple["NDArray[np.int64]", "NDArray[np.uint8]"]


class Column(NamedTuple):
    """One column's cells: numbers, text, or places in a dictionary of text."""

    values: NDArray[np.float64] | NDArray[np.int64] | NDArray[np.int32] | None
    missing: NDArray[np.bool_] | None = None
    text: Text | None = None
    """Where each text begins and the last one ends, and their bytes."""


def is_table(X: Any) -> bool:
    """Whether it is a data frame, of pandas, polars, pyarrow, or whatever speaks Arrow."""
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__") or _is_pandas(X)


def arrow_table(X: Any) -> pa.Table:
    """The frame as a table of pyarrow, without copying where that is possible."""
    pa = need_pyarrow()
    try:
        if _is_pandas(X):
            table = pa.Table.from_pandas(X, preserve_index=False)
        elif isinstance(X, pa.RecordBatch):
            table = pa.Table.from_batches([X])
        else:
            table = pa.table(X)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError) as reason:
        message = str(reason).splitlines()[0]
        raise TypeError(f"X is a {type(X).__name__} that Arrow does not take: {message}") from None
    check_names(table.column_names)
    return table


def from_columns(columns: dict[str, NDArray[Any]]) -> pa.Table:
    """A table of pyarrow, of columns side by side."""
    return need_pyarrow().table(columns)


def parquet_of(table: pa.Table) -> bytes:
    """The bytes of a Parquet file."""
    from pyarrow import parquet

    content = io.BytesIO()
    parquet.write_table(table, content)
    return content.getvalue()


def check_names(names: list[str]) -> None:
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise ValueError(f"two columns are called {twice!r}; names of columns must differ")


def parts(table: pa.Table, rows: int = ROWS) -> Iterator[tuple[int, pa.Table]]:
    """The table in parts, each with the number of its first row."""
    for first in range(0, table.num_rows, rows):
        yield first, table.slice(first, rows)


def column(table: pa.Table, name: str, *, is_category: bool = False) -> Column:
    """One column of a table as the engine takes it."""
    import pyarrow.compute as pc

    pa = need_pyarrow()
    chunks = table.column(name)
    types, kind = pa.types, chunks.type
    if types.is_dictionary(kind):
        if _is_text(kind.value_type):
            return _coded(chunks)
        chunks = chunks.cast(kind.value_type)
        kind = chunks.type
    if types.is_boolean(kind):
        return _text(chunks.cast(pa.string()))
    if types.is_uint64(kind) and (pc.max(chunks).as_py() or 0) >= 2**63:
        return _text(chunks.cast(pa.string())) if is_category else _floats(chunks)
    if types.is_integer(kind):
        missing = _missing(chunks)
        whole = chunks.cast(pa.int64())
        return Column(_numpy(whole if missing is None else pc.fill_null(whole, 0)), missing)
    if types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
        return _floats(chunks)
    if types.is_duration(kind):
        return _floats(chunks.cast(pa.duration("ns")).cast(pa.int64()), scale=1e-9)
    if types.is_temporal(kind):
        return _text(_time(chunks))
    if _is_text(kind):
        return _text(chunks)
    raise TypeError(
        f"column {name!r} holds {kind}; a column must hold numbers, text, bools, dates or times"
    )


def label_column(table: pa.Table, name: str) -> Column:
    """The same, where True and False are 1 and 0."""
    pa = need_pyarrow()
    if not pa.types.is_boolean(table.column(name).type):
        return column(table, name)
    return column(pa.table({name: table.column(name).cast(pa.int64())}), name)


def columns(
    table: pa.Table, names: list[str], categories: frozenset[str] = frozenset()
) -> list[tuple[str, Column]]:
    return [(name, column(table, name, is_category=name in categories)) for name in names]


def _is_pandas(X: Any) -> bool:
    """Its index is no column, and its NaN is missing: pandas' own stream says otherwise."""
    return type(X).__name__ == "DataFrame" and type(X).__module__.split(".")[0] == "pandas"


def need_pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError(
            'data frames and Parquet need pyarrow: pip install "lapwing[tables]"'
        ) from None
    return pa


def _is_text(kind: pa.DataType) -> bool:
    types = need_pyarrow().types
    return any(
        test(kind)
        for test in (
            types.is_string,
            types.is_large_string,
            types.is_string_view,
            types.is_binary,
            types.is_large_binary,
            types.is_binary_view,
            types.is_fixed_size_binary,
        )
    )


def _missing(chunks: pa.ChunkedArray) -> NDArray[np.bool_] | None:
    return None if chunks.null_count == 0 else _numpy(chunks.is_null())


def _numpy(chunks: pa.ChunkedArray) -> NDArray[Any]:
    return np.ascontiguousarray(chunks.to_numpy())


def _floats(chunks: pa.ChunkedArray, scale: float = 1.0) -> Column:
    """Where a cell is null, NaN."""
    values = _numpy(chunks.cast(need_pyarrow().float64(), safe=False)).astype(
        np.float64, copy=False
    )
    return Column(values if scale == 1.0 else values * scale)


def _text(chunks: pa.ChunkedArray) -> Column:
    return Column(None, _missing(chunks), _texts(_combined(chunks)))


def _coded(chunks: pa.ChunkedArray) -> Column:
    import pyarrow.compute as pc

    pa = need_pyarrow()
    array = _combined(chunks.unify_dictionaries())
    places = pc.fill_null(array.indices.cast(pa.int32()), -1)
    return Column(np.ascontiguousarray(places.to_numpy()), None, _texts(array.dictionary))


def _combined(chunks: pa.ChunkedArray) -> pa.Array:
    array = chunks.combine_chunks()
    return array.combine_chunks() if isinstance(array, need_pyarrow().ChunkedArray) else array


def _texts(array: pa.Array) -> Text:
    pa = need_pyarrow()
    if pa.types.is_string(array.type) or pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    array = array.cast(pa.large_binary())
    _, starts, content = array.buffers()
    if len(array) == 0 or starts is None:
        return np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint8)
    places = np.frombuffer(starts, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    empty = np.zeros(0, dtype=np.uint8)
    return places, empty if content is None else np.frombuffer(content, dtype=np.uint8)


def _time(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dates and times as text, with no more of the second than is said: the unit is no matter."""
    import pyarrow.compute as pc

    text = chunks.cast(need_pyarrow().string())
    text = pc.replace_substring_regex(text, r"(\.\d*?)0+(Z?)$", r"\1\2")
    return pc.replace_substring_regex(text, r"\.(Z?)$", r"\1")
