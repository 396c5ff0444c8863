"""A model for every class, or one for two classes, over columns with an intercept before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lapwing.data import LARGEST_FEATURE, Batch, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from lapwing.model import Model


@dataclass(frozen=True, eq=False)
class OneVersusRest:
    """Each model learns all rows: whether a row is of its class. Two classes need only one model,
    for the second class.

    Feature 0 is the intercept, if there is one, and column `i` is feature `i + 1`: so the intercept
    stays where it is when columns are added.
    """

    classes: NDArray[Any]
    models: list[Model]
    has_intercept: bool

    @staticmethod
    def start(
        classes: NDArray[Any], new_model: Callable[[], Model], has_intercept: bool
    ) -> OneVersusRest:
        if len(classes) < 2:
            raise ValueError(
                f"there is one class, {classes.tolist()}; a classifier needs two or more "
                "(partial_fit is told of those to come by classes=)"
            )
        models = [new_model() for _ in range(len(classes) if len(classes) > 2 else 1)]
        return OneVersusRest(classes, models, has_intercept)

    def learn(self, X: Any, labels: NDArray[Any], weights: NDArray[np.float64] | None) -> None:
        known = np.isin(labels, self.classes)
        if not known.all():
            row = int(known.argmin())
            raise ValueError(
                f"row {row}: the label is {labels[row]!r}; the classes are {self.classes.tolist()}"
            )
        batch = self._rows(X)
        for model, positive in zip(self.models, self.classes[-len(self.models) :], strict=True):
            model.learn(batch, labels == positive, weights)

    def probabilities(self, X: Any) -> NDArray[np.float64]:
        """What each model says, in a column of its own."""
        batch = self._rows(X)
        return np.column_stack([model.predict(batch) for model in self.models])

    def intervals(self, X: Any, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        batch = self._rows(X)
        bounds = [model.interval(batch, level) for model in self.models]
        return (
            np.column_stack([low for low, _ in bounds]),
            np.column_stack([high for _, high in bounds]),
        )

    def weights(self, what: Literal["mean", "variance"]) -> NDArray[np.floating[Any]]:
        """The columns' weights, a row for every model."""
        return self._all_weights(what)[:, int(self.has_intercept) :]

    def intercepts(self, what: Literal["mean", "variance"]) -> NDArray[np.floating[Any]]:
        first = self._all_weights(what)[:, 0]
        return first if self.has_intercept else np.zeros_like(first)

    def _all_weights(self, what: Literal["mean", "variance"]) -> NDArray[np.floating[Any]]:
        return np.stack([getattr(model, what) for model in self.models])

    def _rows(self, X: Any) -> Batch:
        batch = rows_of(X)
        if not self.has_intercept:
            return batch
        features = batch.features + np.uint32(1)
        if not features.all():
            raise ValueError(
                f"a feature index is {LARGEST_FEATURE}; beside an intercept, the largest possible "
                f"is {LARGEST_FEATURE - 1}"
            )
        starts = batch.starts + np.arange(len(batch.starts))
        of_columns = np.ones(starts[-1], dtype=bool)
        of_columns[starts[:-1]] = False
        return Batch(
            starts,
            _spread(features, of_columns, 0),
            _spread(batch.values, of_columns, 1),
            batch.columns + 1,
        )


def _spread(entries: NDArray[Any], places: NDArray[np.bool_], between: int) -> NDArray[Any]:
    spread = np.full(len(places), between, dtype=entries.dtype)
    spread[places] = entries
    return spread
