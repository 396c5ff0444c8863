"""Streams whose truth is known, for measuring regret (section 4 of the paper).

Every stream is a function of its seed, and drawing a thousand rows twice is drawing two thousand.
"""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from lapwing import _core
from lapwing.arguments import number, number_or_array, one_of, seed_number, whole_number
from lapwing.data import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["CategoryStream", "Draw", "LongTailStream", "RandomStream", "Stream"]

LARGEST_FEATURES = 100_000_000
LARGEST_DRAW = 100_000_000
WEIGHTS = ("normal", "uniform")
LINKS = ("logit", "probit")


class Draw(NamedTuple):
    """Rows, their labels in {-1, 1}, and the log loss of each under the true weights."""

    X: Batch
    y: NDArray[np.int8]
    true_loss: NDArray[np.float64]


class Stream(ABC):
    """What every stream does."""

    _core: _core.Stream

    @property
    def weights(self) -> NDArray[np.float64]:
        """The true weights."""
        return self._core.weights

    def draw(self, rows: int) -> Draw:
        """The next rows."""
        drawn = self._core.draw(whole_number("rows", rows, 0, LARGEST_DRAW))
        starts, features, values, y, true_loss = drawn
        return Draw(Batch(starts, features, values, len(self.weights)), y, true_loss)


class RandomStream(Stream):
    """Features that are active by themselves: of `features`, on average `active` in a row.

    Values of active features are 1, or uniform in (0, 1). The true weights are normal, or uniform
    between two bounds, with mean zero and this `deviation`; an array of deviations gives subsets
    of features priors of their own.

    >>> stream = RandomStream(features=50, active=5, seed=3)
    >>> X, y, true_loss = stream.draw(1000)
    >>> len(X), X.columns, round(len(X.features) / len(X))
    (1000, 50, 5)
    """

    def __init__(
        self,
        *,
        features: int = 200,
        active: float = 20,
        values: Literal["one", "uniform"] = "one",
        deviation: ArrayLike = 1.0,
        weights: Literal["normal", "uniform"] = "normal",
        link: Literal["logit", "probit"] = "logit",
        seed: int = 0,
    ) -> None:
        self._core = _core.Stream.independent(
            whole_number("features", features, 1, LARGEST_FEATURES),
            number("active", active),
            one_of("values", values, ("one", "uniform")) == "uniform",
            np.atleast_1d(number_or_array("deviation", deviation)),
            one_of("weights", weights, WEIGHTS) == "uniform",
            one_of("link", link, LINKS),
            seed_number(seed),
        )


class CategoryStream(Stream):
    """Categories of features, `per_row` different ones of each category active in every row.

    `categories` are the sizes. Within a category features are equally probable, or, with `decay`,
    each that much less probable than the one before it.

    >>> stream = CategoryStream(categories=[200] * 10, per_row=5, decay=0.95, seed=1)
    >>> X, y, true_loss = stream.draw(100)
    >>> X.columns, len(X.features) // len(X)
    (2000, 50)
    """

    def __init__(
        self,
        *,
        categories: Sequence[int] = (200,) * 10,
        per_row: int = 1,
        decay: float | None = None,
        deviation: ArrayLike = 1.0,
        weights: Literal["normal", "uniform"] = "normal",
        link: Literal["logit", "probit"] = "logit",
        seed: int = 0,
    ) -> None:
        self._core = _core.Stream.categories(
            sizes_of(categories),
            whole_number("per_row", per_row, 1, LARGEST_FEATURES),
            "even" if decay is None else "exponential",
            0.0 if decay is None else number("decay", decay),
            np.atleast_1d(number_or_array("deviation", deviation)),
            one_of("weights", weights, WEIGHTS) == "uniform",
            one_of("link", link, LINKS),
            seed_number(seed),
        )


class LongTailStream(Stream):
    """The paper's long tail: category j has 2^j features, one of each category in a row.

    Feature n = 0, 1, ... of a category has a probability in proportion to 1 / (n + 1)^exponent.
    The paper's 22 categories have 8,388,606 features.

    >>> X, y, true_loss = LongTailStream(categories=10, seed=1).draw(100)
    >>> X.columns, len(X.features) // len(X)
    (2046, 10)
    """

    def __init__(
        self,
        *,
        categories: int = 22,
        exponent: float = 1.75,
        deviation: ArrayLike = 2.0,
        weights: Literal["normal", "uniform"] = "normal",
        link: Literal["logit", "probit"] = "logit",
        seed: int = 0,
    ) -> None:
        self._core = _core.Stream.categories(
            2 ** np.arange(1, whole_number("categories", categories, 1, 25) + 1, dtype=np.uint32),
            1,
            "zipf",
            number("exponent", exponent),
            np.atleast_1d(number_or_array("deviation", deviation)),
            one_of("weights", weights, WEIGHTS) == "uniform",
            one_of("link", link, LINKS),
            seed_number(seed),
        )


def sizes_of(categories: Sequence[int]) -> NDArray[np.uint32]:
    sizes = [whole_number("a category's size", size, 1, LARGEST_FEATURES) for size in categories]
    return np.array(sizes, dtype=np.uint32)
