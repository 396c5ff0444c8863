"""What a model believes about its features, as a table."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing import _core, tables
from lapwing.arguments import path_text, whole_number

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

SHOWN = 20
WIDEST_NAME = 60


class Weight(NamedTuple):
    """The belief about one feature."""

    feature: int | str
    mean: float
    std: float | None
    rows: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Weights:
    """Features and the beliefs about their weights, in columns side by side.

    `feature` holds numbers, or names where the model keeps them; `std` is None for a rule that
    keeps no variance. `rows` says how many rows were learned with each feature, where names are
    kept.

    >>> import lapwing
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> model = lapwing.Model()
    >>> p = model.learn(X, y)
    >>> model.weights().strongest(3)
    Weights of 3 features
    feature     mean     std
        100  -3.4301  0.0911
        164   2.7159  0.0840
         72  -2.3602  0.0835
    """

    feature: NDArray[Any]
    mean: NDArray[np.floating[Any]]
    std: NDArray[np.floating[Any]] | None = None
    rows: NDArray[np.uint64] | None = None

    @classmethod
    def of(cls, core: _core.Model, *, has_variance: bool) -> Weights:
        """Of the features whose beliefs are not the prior."""
        features, mean, second = core.touched()
        # A full covariance that rounding has worn may have a hair below zero on its diagonal.
        std = np.sqrt(np.maximum(second, 0)) if has_variance else None
        named = core.named(features)
        if named is None:
            return cls(features, mean, std)
        names, rows = named[0], np.array(named[1], dtype=np.uint64)
        if all(name is None for name in names):
            return cls(features, mean, std, rows)
        pairs = zip(names, features, strict=True)
        told = [f"#{feature}" if name is None else name for name, feature in pairs]
        return cls(np.array(told, dtype=object), mean, std, rows)

    def __len__(self) -> int:
        return len(self.feature)

    def __iter__(self) -> Iterator[Weight]:
        return (self._weight(place) for place in range(len(self)))

    def __getitem__(self, places: Any) -> Weights:
        """Some of the features: a slice, a mask, or their places."""
        std = None if self.std is None else self.std[places]
        rows = None if self.rows is None else self.rows[places]
        return Weights(self.feature[places], self.mean[places], std, rows)

    def strongest(self, n: int = SHOWN) -> Weights:
        """The features whose weights are surely far from zero.

        They are ordered by the magnitude of the mean less two standard deviations: a large mean
        that one row has made comes after a smaller one that is well known.
        """
        sure = np.abs(self.mean.astype(np.float64))
        if self.std is not None:
            sure -= 2 * self.std
        return self._first(n, sure)

    def most_uncertain(self, n: int = SHOWN) -> Weights:
        """The features whose weights are least known."""
        if self.std is None:
            raise ValueError("this model keeps no variance, so all weights look equally certain")
        return self._first(n, self.std)

    def most_frequent(self, n: int = SHOWN) -> Weights:
        """The features that most rows were learned with."""
        if self.rows is None:
            raise ValueError("only a model with names=True counts the rows of its features")
        return self._first(n, self.rows)

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns that there are, by name."""
        every = {"feature": self.feature, "mean": self.mean, "std": self.std, "rows": self.rows}
        return {name: column for name, column in every.items() if column is not None}

    def to_arrow(self) -> pa.Table:
        """As a table of pyarrow."""
        return tables.from_columns(self.columns)

    def to_pandas(self) -> pd.DataFrame:
        """As a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def to_polars(self) -> pl.DataFrame:
        """As a data frame of polars."""
        import polars as pl

        return pl.DataFrame({name: pl.Series(column) for name, column in self.columns.items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a table as CSV or Parquet, as the name ends. The file is replaced as a whole."""
        name = path_text(path)
        if name.lower().endswith(".csv"):
            content = self._csv()
        elif name.lower().endswith(".parquet"):
            content = tables.parquet_of(self.to_arrow())
        else:
            raise ValueError(f"{name} must end in .csv or .parquet, to say what it shall be")
        _core.replace(name, content)

    def __repr__(self) -> str:
        if len(self) <= SHOWN:
            return "\n".join([f"Weights of {len(self):,} features", *self.lines()])
        head = f"Weights of {len(self):,} features, of which these {SHOWN} are the strongest"
        return "\n".join([head, *self.strongest().lines()])

    def _first(self, n: int, by: NDArray[Any]) -> Weights:
        n = whole_number("n", n, 0, 2**32)
        # Of equals the first feature comes first.
        return self[np.argsort(-by.astype(np.float64), kind="stable")[:n]]

    def _weight(self, place: int) -> Weight:
        return Weight(
            self.feature[place] if self.feature.dtype == object else int(self.feature[place]),
            float(self.mean[place]),
            None if self.std is None else float(self.std[place]),
            None if self.rows is None else int(self.rows[place]),
        )

    def lines(self) -> list[str]:
        """The table as text: a head and a line for each."""
        names = [_short(str(feature)) for feature in self.feature]
        is_named = self.feature.dtype == object
        columns = [("feature", names, is_named), ("mean", [f"{x:.4f}" for x in self.mean], False)]
        if self.std is not None:
            columns.append(("std", [f"{x:.4f}" for x in self.std], False))
        if self.rows is not None:
            columns.append(("rows", [f"{count:,}" for count in self.rows], False))
        aligned = []
        for head, cells, to_the_left in columns:
            width = max(map(len, [head, *cells]))
            side = "<" if to_the_left else ">"
            aligned.append([f"{cell:{side}{width}}" for cell in [head, *cells]])
        return ["  ".join(line).rstrip() for line in zip(*aligned, strict=True)]

    def _csv(self) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        # The shortest digits that stand for each number in its precision.
        writer.writerows(zip(*(map(str, column) for column in self.columns.values()), strict=True))
        return text.getvalue().encode()


def _short(name: str) -> str:
    printable = "".join(letter if letter.isprintable() else "�" for letter in name)
    return printable if len(printable) <= WIDEST_NAME else printable[: WIDEST_NAME - 1] + "…"
