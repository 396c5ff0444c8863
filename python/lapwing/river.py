"""Lapwing as a River classifier.

>>> from river import datasets, evaluate, metrics
>>> from lapwing.river import LapwingClassifier
>>> model, loss = LapwingClassifier(prior_variance=5.0), metrics.LogLoss()
>>> print(f"log loss {evaluate.progressive_val_score(datasets.Phishing(), model, loss).get():.4f}")
log loss 0.2968
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lapwing.model import Model

try:
    from river import base
    from river.utils import dataframe
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "lapwing.river needs River 0.26 or newer: pip install lapwing[river]"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike, NDArray

    from lapwing import rules

__all__ = ["LapwingClassifier"]


class LapwingClassifier(base.MiniBatchClassifier):
    """Online Bayesian regression as a River classifier of two classes.

    A number is the value of the feature that its key names; text is a category, a feature of its
    own for every text; None and NaN are a category too. Every row has a constant besides. Features
    that come for the first time have the prior, and those that a row lacks are zeros: nothing need
    be scaled, encoded or declared before.

    `learn_many` learns the rows of a frame one after the other, each as `learn_one` does. Labels
    are bool, or 0 and 1. A weight `w` raises a row's likelihood to a power.

    Parameters
    ----------
    rule : how a row moves the beliefs: a name or an object of `lapwing.rules`.
    link : ``"logit"`` or ``"probit"``.
    prior_mean, prior_variance : the belief about a feature nobody has seen.
    bits : there are ``2**bits`` places for features, found by their hash. Memory is taken where
        features are.
    crosses : pairs or triples of keys whose features are also taken together.
    dtype : the precision beliefs are kept in, ``"float32"`` (8 bytes a feature) or ``"float64"``.
    seed : for rules that sample (`lapwing.rules.VB`).

    Attributes
    ----------
    model : the `lapwing.Model` inside.

    >>> model = LapwingClassifier()
    >>> for day in ["mon", "sat", "sun", "tue"] * 50:
    ...     model.learn_one({"day": day, "hours": 8.0}, day in ("sat", "sun"))
    >>> print(f"{model.predict_proba_one({'day': 'sat'})[True]:.3f}")
    0.928
    >>> low, high = model.predict_interval_one({"day": "sat"}, level=0.9)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.866 to 0.971
    """

    def __init__(
        self,
        rule: str | rules.Rule = "approx",
        link: Literal["logit", "probit"] = "logit",
        prior_mean: float = 0.0,
        prior_variance: float = 1.0,
        bits: int = 22,
        crosses: Sequence[Sequence[str]] | None = None,
        dtype: DTypeLike = "float32",
        seed: int = 0,
    ) -> None:
        self.rule = rule
        self.link = link
        self.prior_mean = prior_mean
        self.prior_variance = prior_variance
        self.bits = bits
        self.crosses = crosses
        self.dtype = dtype
        self.seed = seed
        self.model = Model(
            rule,
            link=link,
            prior_mean=prior_mean,
            prior_variance=prior_variance,
            bits=bits,
            crosses=crosses or (),
            dtype=dtype,
            seed=seed,
        )

    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        self.model._learn_one(x, _is_positive(y), w)

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        p = self.model._predict_one(x)
        return {False: 1.0 - p, True: p}

    def predict_interval_one(self, x: dict[Any, Any], level: float = 0.9) -> tuple[float, float]:
        """The bounds between which the probability of True lies with probability `level`."""
        low, high = self.model.interval([x], level)
        return float(low[0]), float(high[0])

    def learn_many(self, X: Any, y: Any, w: Any = 1.0) -> None:
        """Learn the rows of a frame of pandas, polars or pyarrow."""
        rows = _rows(dataframe.into_frame(X))
        labels = [_is_positive(label) for label in dataframe.into_series(y).to_list()]
        weights = np.full(len(rows), w) if np.ndim(w) == 0 else np.asarray(w)
        self.model.learn(rows, labels, weights)

    def predict_proba_many(self, X: Any) -> Any:
        frame = dataframe.into_frame(X)
        p = self.model.predict(_rows(frame))
        return dataframe.to_native_frame({False: 1.0 - p, True: p}, like=frame)

    def predict_many(self, X: Any) -> Any:
        frame = dataframe.into_frame(X)
        p: NDArray[np.float64] = self.model.predict(_rows(frame))
        return dataframe.to_native_series(p > 0.5, name=None, like=frame)


def _rows(frame: Any) -> list[dict[Any, Any]]:
    """A narwhals frame as dicts; its own way to tell rows is several times as slow."""
    names, columns = frame.columns, [frame[name].to_list() for name in frame.columns]
    if not names:
        return [{} for _ in range(len(frame))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _is_positive(y: Any) -> bool:
    if y in (0, 1):
        return bool(y)
    raise ValueError(f"the label is {y!r}; labels must be bool, or 0 and 1")
