"""Streams whose truth is known, for measuring regret (section 4 of the paper).

Every stream is a function of its seed, and drawing a thousand rows twice is drawing two thousand.
"""

from __future__ import annotations

from abc import ABC
from copy import copy
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from lapwing import _core
from lapwing.arguments import number, number_or_array, one_of, seed_number, whole_number
from lapwing.data import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["CategoryStream", "CriteoStream", "Draw", "LongTailStream", "RandomStream", "Stream"]

LARGEST_FEATURES = 100_000_000
LARGEST_DRAW = 100_000_000
WEIGHTS = ("normal", "uniform")
LARGEST_TEXT = 10_000_000
MOST_VALUES = 2**32 - 1
LINKS = ("logit", "probit")
FORMATS = ("vw", "svmlight", "criteo")


class Draw(NamedTuple):
    """Rows, their labels in {-1, 1}, and the log loss of each under the true weights."""

    X: Batch
    y: NDArray[np.int8]
    true_loss: NDArray[np.float64]


class Stream(ABC):
    """What every stream does."""

    _core: _core.Stream

    @property
    def features(self) -> int:
        """How many there are."""
        return self._core.features

    @property
    def weights(self) -> NDArray[np.float64]:
        """The true weights, a copy of them."""
        return self._core.weights

    def draw(self, rows: int) -> Draw:
        """The next rows."""
        drawn = self._core.draw(whole_number("rows", rows, 0, LARGEST_DRAW))
        starts, features, values, y, true_loss = drawn
        return Draw(Batch(starts, features, values, self.features), y, true_loss)

    def text(self, rows: int, format: Literal["vw", "svmlight", "criteo"] = "vw") -> bytes:  # noqa: A002
        """The next rows as lines of text: the same that `draw` would give.

        In "vw", features are named by their numbers; in "svmlight" they count from 1. "criteo" is
        for `CriteoStream` alone. `lapwing generate` writes any number of rows.

        >>> RandomStream(features=50, active=5, seed=3).text(1)
        b'1 | 9 17 18 26 31 32\\n'
        """
        rows = whole_number("rows", rows, 0, LARGEST_TEXT)
        return self._core.text(rows, one_of("format", format, FORMATS))

    def again(self) -> Stream:
        """The same stream from its first row on; the true weights are shared, not drawn again."""
        same = copy(self)
        same._core = self._core.again()
        return same


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


class CriteoStream(Stream):
    """Rows shaped like the Criteo display advertising challenge: 13 integers and 26 categories.

    A row has a constant (feature 0) and one feature of every field: its missing value, the class of
    its integer (up to 2 the number itself, above it those with the same ``floor(ln(x)^2)``), or its
    category. Numbers of values (33.8 million in all), missing values and which fields miss them
    together, the click rate of 25.6 %, and the means, deviations and maxima of the integers are
    those published of the 45,840,617 real rows (sources: `synthetic/criteo/published.rs` of the
    engine). That integers are log-normal and categories have a Zipf tail of exponent 1.1 is chosen
    here. True weights have mean zero and this `deviation`; the constant's gives the click rate.

    `most_values` cuts large fields, so that the weights are drawn faster than in a second.

    >>> stream = CriteoStream(most_values=1000, seed=1)
    >>> X, y, true_loss = stream.draw(10_000)
    >>> len(X.features) // len(X), round(float((y == 1).mean()), 2)
    (40, 0.25)
    >>> stream.text(1, format="criteo").count(b"\\t")
    39
    """

    def __init__(
        self,
        *,
        deviation: ArrayLike = 0.25,
        most_values: int | None = None,
        weights: Literal["normal", "uniform"] = "normal",
        link: Literal["logit", "probit"] = "logit",
        seed: int = 0,
    ) -> None:
        most = MOST_VALUES if most_values is None else most_values
        self._core = _core.Stream.criteo(
            whole_number("most_values", most, 2, MOST_VALUES),
            np.atleast_1d(number_or_array("deviation", deviation)),
            one_of("weights", weights, WEIGHTS) == "uniform",
            one_of("link", link, LINKS),
            seed_number(seed),
        )


def sizes_of(categories: Sequence[int]) -> NDArray[np.uint32]:
    sizes = [whole_number("a category's size", size, 1, LARGEST_FEATURES) for size in categories]
    return np.array(sizes, dtype=np.uint32)
