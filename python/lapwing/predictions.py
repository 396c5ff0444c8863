"""Predictions on their way out, as CSV or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from lapwing import tables

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

ROWS_OF_A_GROUP = 2**17


class Writer(Protocol):
    """Takes columns, some rows at a time."""

    def write(self, columns: dict[str, NDArray[Any]]) -> None: ...
    def close(self) -> None: ...


def writer(path: str | None, out: BinaryIO, names: list[str]) -> Writer:
    """By how the name ends; without one, CSV."""
    return Parquet(out) if path is not None and is_parquet(path) else Csv(out, names)


def is_parquet(path: str) -> bool:
    lower = path.lower()
    if not lower.endswith((".csv", ".parquet")):
        raise ValueError(f"{path} must end in .csv or .parquet, to say what it shall be")
    return lower.endswith(".parquet")


class Csv:
    """Numbers have the shortest digits that stand for them exactly."""

    def __init__(self, out: BinaryIO, names: list[str]) -> None:
        self._out = out
        self._out.write((",".join(names) + "\n").encode())

    def write(self, columns: dict[str, NDArray[Any]]) -> None:
        cells = zip(*(map(repr, column.tolist()) for column in columns.values()), strict=True)
        self._out.write("".join(",".join(row) + "\n" for row in cells).encode())

    def close(self) -> None:
        self._out.flush()


class Parquet:
    """Pieces are gathered into groups of rows that other programs read well."""

    def __init__(self, out: BinaryIO) -> None:
        tables.need_pyarrow()
        self._out = out
        self._writer: Any = None
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def write(self, columns: dict[str, NDArray[Any]]) -> None:
        table = tables.from_columns(columns)
        self._waiting.append(table)
        self._rows += table.num_rows
        if self._rows >= ROWS_OF_A_GROUP:
            self._write_group()

    def close(self) -> None:
        if self._waiting:
            self._write_group()
        if self._writer is not None:
            self._writer.close()

    def _write_group(self) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.concat_tables(self._waiting)
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._out, table.schema)
        self._writer.write_table(table)
        self._waiting, self._rows = [], 0
