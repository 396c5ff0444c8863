"""What users have, as what the engine takes: rows, labels, weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.arguments import whole_number

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

LARGEST_FEATURE = 2**32 - 1
LARGEST_VALUE = 1e9
LARGEST_WEIGHT = 1e6
NUMBERS = "biuf"
ACCEPTED = (
    "X must be a scipy sparse matrix or array, a NumPy matrix of numbers, a list of lists of "
    "numbers, a list of dicts, a data frame, or a lapwing.Batch"
)


RowArrays = tuple[
    "NDArray[np.int64]",
    "NDArray[np.uint32]",
    "NDArray[np.floating[Any]]",
    "NDArray[np.uint32] | None",
    bool,
]


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows in compressed form: what every other kind of `X` becomes.

    Row ``i`` has the features ``features[starts[i]:starts[i + 1]]`` with the values at the same
    places. A feature that comes twice in a row has its values added.

    >>> X = Batch(starts=[0, 2, 3], features=[0, 4, 1], values=[1.0, 0.5, 2.0], columns=5)
    >>> len(X)
    2
    """

    starts: NDArray[np.int64]
    features: NDArray[np.uint32]
    values: NDArray[np.floating[Any]]
    columns: int
    named: bool = False
    """Whether the feature numbers are hashes of names."""
    fields: NDArray[np.uint32] | None = None
    """The field that each feature belongs to, where rows tell it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", _whole(self.starts, "starts").astype(np.int64))
        object.__setattr__(self, "features", _features(_whole(self.features, "features")))
        object.__setattr__(self, "values", _numeric(self.values, "values"))
        whole_number("columns", self.columns, 0, LARGEST_FEATURE + 1)

    def __len__(self) -> int:
        return max(len(self.starts) - 1, 0)

    def __getitem__(self, rows: slice) -> Batch:
        """Some of the rows, in a row."""
        first, last, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"a slice of a Batch has step {step}; it must be 1")
        starts = self.starts[first : max(first, last) + 1]
        place = slice(starts[0], starts[-1])
        return Batch(
            starts - starts[0],
            self.features[place],
            self.values[place],
            self.columns,
            self.named,
            None if self.fields is None else self.fields[place],
        )

    def arrays(self, dtype: DTypeLike) -> RowArrays:
        """The arrays with the values in a model's precision."""
        values = np.ascontiguousarray(self.values)
        if values.dtype != dtype:
            with np.errstate(over="ignore"):
                values = values.astype(dtype)
            self._check_cast(values)
        starts, features = np.ascontiguousarray(self.starts), np.ascontiguousarray(self.features)
        return starts, features, values, self.fields, self.named

    def _check_cast(self, cast: NDArray[np.floating[Any]]) -> None:
        """What was finite and is not in single precision was too large in the first place."""
        lost = ~np.isfinite(cast) & np.isfinite(self.values)
        if lost.any():
            place = int(lost.argmax())
            row = int(np.searchsorted(self.starts, place, side="right")) - 1
            raise ValueError(
                f"row {row}: the value of feature {self.features[place]} is "
                f"{self.values[place]:g}; values may be at most {LARGEST_VALUE:.0f} in magnitude: "
                "scale the feature"
            )


def rows_of(X: Any) -> Batch:
    """Any kind of `X` that is accepted, as a batch."""
    if isinstance(X, Batch):
        return X
    if hasattr(X, "tocsr"):
        return _from_sparse(X)
    if isinstance(X, (list, tuple, np.ndarray)):
        return _from_matrix(_array(X, "X"))
    raise TypeError(f"X is a {type(X).__name__}; {ACCEPTED}")


def _from_sparse(X: Any) -> Batch:
    if len(X.shape) != 2:
        raise ValueError(f"X has {len(X.shape)} dimension(s); it must have 2, rows and columns")
    X = X.tocsr()
    _check_columns(X.shape[1])
    return Batch(X.indptr, X.indices, X.data, int(X.shape[1]))


def _from_matrix(X: NDArray[Any]) -> Batch:
    if X.size == 0 and X.ndim < 2:
        X = X.reshape(0, 0)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s); it must have 2, rows and columns")
    _numeric(X, "X")
    _check_columns(X.shape[1])
    rows, columns = np.nonzero(X)
    starts = np.searchsorted(rows, np.arange(len(X) + 1))
    return Batch(starts, columns.astype(np.uint32), X[rows, columns], X.shape[1])


def labels_of(y: Any) -> NDArray[np.int8]:
    """Labels in {0, 1}, {-1, 1} or bool, as -1 and 1."""
    y = _array(y, "y")
    if y.ndim != 1:
        raise ValueError(f"y has {y.ndim} dimension(s); it must have 1, a label for every row")
    _numeric(y, "y")
    positive = y == 1
    negative = y[~positive]
    if not ((negative == 0).all() or (negative == -1).all()):
        allowed = "labels must be 0 and 1, -1 and 1, or bool"
        odd = ~positive & (y != 0) & (y != -1)
        if odd.any():
            row = int(odd.argmax())
            raise ValueError(f"row {row}: the label is {y[row]}; {allowed}")
        raise ValueError(f"y holds both 0 and -1; {allowed}")
    return np.asarray(2 * positive.astype(np.int8) - 1, dtype=np.int8)


def weights_of(sample_weight: Any) -> NDArray[np.float64] | None:
    """Row weights; their values are the engine's to check."""
    if sample_weight is None:
        return None
    weights = _array(sample_weight, "sample_weight")
    if weights.ndim != 1:
        raise ValueError(
            f"sample_weight has {weights.ndim} dimension(s); it must have 1, a weight for every row"
        )
    return np.ascontiguousarray(_numeric(weights, "sample_weight"), dtype=np.float64)


def row_weights(
    rows: int, labels: NDArray[np.int8], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """A weight for every row, checked: rows without a label have none."""
    for given, what in ((labels, "labels"), (weights, "weights")):
        if given is not None and len(given) != rows:
            raise ValueError(
                f"there are {rows} rows and {len(given)} {what}; there must be one for every row"
            )
    if weights is None:
        return np.asarray(labels != 0, dtype=np.float64)
    wrong = ~((weights >= 0) & (weights <= LARGEST_WEIGHT))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"the weight of row {row} is {weights[row]:g}; weights must be between 0 and "
            f"{LARGEST_WEIGHT:.0f}"
        )
    return np.asarray(np.where(labels != 0, weights, 0.0), dtype=np.float64)


def _array(given: Any, name: str) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} is not an array: its rows differ in length") from error


def _numeric(given: Any, name: str) -> NDArray[Any]:
    array = _array(given, name)
    if array.dtype.kind not in NUMBERS and array.size > 0:
        raise TypeError(f"{name} has dtype {array.dtype}; it must hold real numbers")
    return array if array.dtype.kind in NUMBERS else array.astype(np.float64)


def _whole(given: Any, name: str) -> NDArray[Any]:
    array = _array(given, name)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimension(s); it must have 1")
    if array.dtype.kind not in "iu" and array.size > 0:
        raise TypeError(f"{name} has dtype {array.dtype}; it must hold whole numbers")
    return array if array.dtype.kind in "iu" else array.astype(np.int64)


def _features(indices: NDArray[Any]) -> NDArray[np.uint32]:
    if indices.dtype == np.uint32 or indices.size == 0:
        return indices.astype(np.uint32, copy=False)
    lowest, highest = int(indices.min()), int(indices.max())
    if lowest < 0:
        raise ValueError(f"a feature index is {lowest}; indices start at 0")
    if highest > LARGEST_FEATURE:
        raise ValueError(f"a feature index is {highest}; the largest possible is {LARGEST_FEATURE}")
    # An int32 that is not negative is the same four bytes.
    return indices.view(np.uint32) if indices.dtype == np.int32 else indices.astype(np.uint32)


def _check_columns(columns: int) -> None:
    if columns > LARGEST_FEATURE + 1:
        raise ValueError(f"X has {columns} columns; at most {LARGEST_FEATURE + 1} are possible")
