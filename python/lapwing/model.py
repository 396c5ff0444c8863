"""Models: learn from rows, predict probabilities, say how sure they are."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lapwing import _core, rules
from lapwing.arguments import (
    level_number,
    number,
    number_or_array,
    one_of,
    path_text,
    seed_number,
    whole_number,
)
from lapwing.data import Batch, labels_of, rows_of, weights_of

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from lapwing._core import Model as CoreModel

LINKS = ("logit", "probit")
LARGEST_SIZE = 2**32


class OnlineModel(ABC):
    """What every model does; `Model` and `DenseModel` differ in the beliefs they keep."""

    _core: _core.Model
    _dtype: np.dtype[Any]
    _fixed_size: int | None
    rule: rules.Rule
    link: str

    @classmethod
    @abstractmethod
    def _holds(cls, kind: str) -> bool:
        """Whether beliefs of this kind, in the words of model files, are those of the class."""

    def learn(self, X: Any, y: Any, sample_weight: Any = None) -> NDArray[np.float64]:
        """Predict P(y=1) of every row, each before learning it, and learn them all.

        `y` is in {0, 1}, {-1, 1} or bool. A `sample_weight` raises a row's likelihood to a power:
        a row of weight 2 counts twice, a row of weight 0 is only predicted. A call that fails
        leaves the model as it was.
        """
        batch, labels, weights = self._rows(X), labels_of(y), weights_of(sample_weight)
        return self._core.learn(batch.arrays(self._dtype), batch.columns, labels, weights)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """P(y=1) of every row, averaged over what is not known about the weights."""
        return self._core.predict(self._rows(X).arrays(self._dtype))

    def predict_logit(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of every row's total weight, the argument of the link."""
        return self._core.predict_logit(self._rows(X).arrays(self._dtype))

    def interval(
        self, X: Any, level: float = 0.9
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The bounds between which P(y=1) of every row lies with this probability."""
        self._need_variance("interval")
        return self._core.interval(self._rows(X).arrays(self._dtype), level_number(level))

    def sample(self, X: Any, seed: int) -> NDArray[np.float64]:
        """P(y=1) of every row under one draw of the weights (a Thompson draw).

        The draw belongs to the seed: all rows, in this call and in others, see the same weights.
        """
        self._need_variance("sample")
        return self._core.sample(self._rows(X).arrays(self._dtype), seed_number(seed))

    @property
    def mean(self) -> NDArray[np.floating[Any]]:
        """The mean of every feature's weight."""
        return self._core.beliefs()[0]

    @property
    def variance(self) -> NDArray[np.floating[Any]]:
        """The variance of every feature's weight."""
        self._need_variance("variance")
        return self._core.beliefs()[1]

    @property
    def size(self) -> int:
        """The number of features the model speaks of."""
        return self._core.size

    @property
    def rows_learned(self) -> int:
        """How many rows were learned; those of weight zero were not."""
        return self._core.rows_learned

    @property
    def dtype(self) -> str:
        """The precision the beliefs are kept in."""
        return str(self._dtype.name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which `lapwing.load` reads and with which learning goes on exactly.

        It is a safetensors file: arrays and a description, nothing that can execute. It replaces
        the old file as a whole: whenever that is interrupted, the old one or the new one is there.
        """
        self._core.save(path_text(path), self._notes())

    def __getstate__(self) -> bytes:
        return self._core.to_bytes(self._notes())

    def __setstate__(self, content: bytes) -> None:
        core, description = _core.Model.from_bytes(content)
        self._restore(core, json.loads(description))

    def _notes(self) -> dict[str, str]:
        """What Python keeps with a model, as model files hold it."""
        return {}

    def _restore(self, core: CoreModel, description: dict[str, Any]) -> None:
        """Become the model of a file, whatever the object was."""
        kind = description["beliefs"]["kind"]
        if not self._holds(kind):
            raise ValueError(
                f"these are the beliefs of another class ({kind}), not of a {type(self).__name__}"
            )
        self._core = core
        self._dtype = np.dtype(description["dtype"])
        self.rule = rules.from_description(description["settings"]["rule"])
        self.link = description["settings"]["link"]
        self._fixed_size = None if description["beliefs"].get("grows") else core.size

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(rule={self.rule}, link={self.link!r}, dtype={self.dtype!r}, "
            f"size={self.size}, rows_learned={self.rows_learned})"
        )

    def _rows(self, X: Any) -> Batch:
        batch = rows_of(X)
        if self._fixed_size is not None and batch.columns > self._fixed_size:
            raise ValueError(
                f"X has {batch.columns} columns; this model has size {self._fixed_size}"
            )
        return batch

    def _need_variance(self, what: str) -> None:
        if not self.rule.keeps_variance:
            raise ValueError(f"{what} needs a variance, and {self.rule} keeps none")


class Model(OnlineModel):
    """Online Bayesian regression with a mean and a variance for every feature.

    Parameters
    ----------
    rule : how a row moves the beliefs: a name or an object of `lapwing.rules`.
    link : ``"logit"`` or ``"probit"``.
    prior_mean, prior_variance : the belief about a feature nobody has seen; numbers, or arrays
        with one entry for every feature.
    size : the number of features; without it the model grows with the columns of `X`.
    dtype : the precision beliefs are kept in, ``"float32"`` (8 bytes a feature) or ``"float64"``.
    seed : for rules that sample (`lapwing.rules.VB`).

    >>> import lapwing
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> model = lapwing.Model()
    >>> p = model.learn(X, y)
    >>> print(f"log loss {lapwing.log_loss(y, p):.4f}")
    log loss 0.3226
    >>> low, high = model.interval(X[:1], 0.9)
    >>> print(f"{low[0]:.3f} to {high[0]:.3f}")
    0.997 to 0.999
    """

    def __init__(
        self,
        rule: str | rules.Rule = "approx",
        *,
        link: Literal["logit", "probit"] = "logit",
        prior_mean: ArrayLike = 0.0,
        prior_variance: ArrayLike = 1.0,
        size: int | None = None,
        dtype: DTypeLike = "float32",
        seed: int = 0,
    ) -> None:
        self.rule = rules.resolve(rule)
        self.link = one_of("link", link, LINKS)
        self._dtype = precision(dtype)
        self._fixed_size = None if size is None else whole_number("size", size, 0, LARGEST_SIZE)
        if np.ndim(prior_mean) == 0 and np.ndim(prior_variance) == 0:
            self._core = _core.Model.numbered(
                self.rule.core(),
                self.link,
                number("prior_mean", prior_mean),
                number("prior_variance", prior_variance),
                self._fixed_size,
                self._dtype.name,
                seed_number(seed),
                False,
            )
        else:
            means, variances = priors(prior_mean, prior_variance, self._fixed_size)
            self._fixed_size = len(means)
            self._core = _core.Model.with_priors(
                self.rule.core(), self.link, means, variances, self._dtype.name, seed_number(seed)
            )

    @classmethod
    def _holds(cls, kind: str) -> bool:
        return kind == "table"


def precision(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found not in (np.float32, np.float64):
        raise ValueError(f'dtype is {dtype!r}; it must be "float32" or "float64"')
    return found


def priors(
    mean: ArrayLike, variance: ArrayLike, size: int | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A mean and a variance for each of `size` features, or of as many as the arrays have."""
    means, variances = (
        number_or_array("prior_mean", mean),
        number_or_array("prior_variance", variance),
    )
    given = {len(array) for array in (means, variances) if array.ndim == 1}
    given |= set() if size is None else {size}
    if len(given) > 1:
        found = " and ".join(str(length) for length in sorted(given))
        raise ValueError(f"prior arrays and size disagree on the number of features: {found}")
    shape = (given.pop(),)
    return (
        np.ascontiguousarray(np.broadcast_to(means, shape)),
        np.ascontiguousarray(np.broadcast_to(variances, shape)),
    )
