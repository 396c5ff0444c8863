"""Rows whose features have names: frames and dicts, as batches of hashed features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing import _core, tables
from lapwing.arguments import whole_number
from lapwing.data import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray


class Encoded(NamedTuple):
    """A batch, and what is known of names and columns after its rows."""

    batch: Batch
    encoder: _core.Encoder
    new_names: list[tuple[int, str]]


def new_encoder(bits: Any, crosses: Any, names: Any) -> _core.Encoder:
    """What a model knows about names and columns before its first row."""
    return _core.Encoder(whole_number("bits", bits, 1, 32), _crosses(crosses), bool(names))


def is_dicts(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)


def encode_dicts(rows: Any, encoder: _core.Encoder, dtype: str) -> Encoded:
    arrays = encoder.dicts(list(rows), dtype)
    return Encoded(named_batch(arrays, encoder.bits), encoder, arrays[-1])


def encode_table(
    table: pa.Table,
    names: list[str],
    encoder: _core.Encoder,
    dtype: str,
    learned: NDArray[np.bool_] | None,
) -> Encoded:
    """The rows of a table, by these columns of it. Rows that are not learned move no column."""
    categories = frozenset(name for name in names if encoder.is_category(name))
    columns = tables.columns(table, names, categories)
    arrays, after = encoder.table(list(columns), table.num_rows, learned, dtype)
    return Encoded(named_batch(arrays, encoder.bits), after, arrays[-1])


def frozen_batches(X: Any, encoder: _core.Encoder, dtype: str) -> Iterator[Batch]:
    """A frame's rows, none of which is learned."""
    table = tables.arrow_table(X)
    names = encoder.features_among(table.column_names, learns=False)
    for _, part in tables.parts(table):
        learned = np.zeros(part.num_rows, dtype=np.bool_)
        yield encode_table(part, names, encoder, dtype, learned).batch


def table_labels(table: pa.Table, wanted: str) -> tuple[_core.Label, NDArray[np.int8]]:
    """The label's column, and -1, 1 or 0 (missing) for every row."""
    label = _core.Label(wanted, list(table.column_names))
    read = [np.zeros(0, dtype=np.int8)]
    for first, part in tables.parts(table):
        read.append(label.read(tables.label_column(part, label.column), first))
    return label, np.concatenate(read)


def named_batch(arrays: _core._NamedArrays, bits: int) -> Batch:
    starts, features, values, fields, _ = arrays
    return Batch(starts, features, values, 2**bits, named=True, fields=fields)


def _crosses(crosses: Any) -> list[list[str]]:
    wrong = f'crosses is {crosses!r}; it must be pairs or triples of fields, as [("user", "item")]'
    if isinstance(crosses, str) or not isinstance(crosses, Sequence):
        raise TypeError(wrong)
    for cross in crosses:
        if isinstance(cross, str) or not isinstance(cross, Sequence):
            raise TypeError(wrong)
        if not all(isinstance(field, str) for field in cross):
            raise TypeError(wrong)
    return [list(cross) for cross in crosses]
