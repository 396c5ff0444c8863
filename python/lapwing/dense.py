"""The model that keeps every covariance."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from lapwing import _core, rules
from lapwing.arguments import one_of, whole_number
from lapwing.data import Batch
from lapwing.model import LINKS, OnlineModel, precision, priors
from lapwing.named import is_dicts
from lapwing.tables import is_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

LARGEST_SIZE = 16_384


class DenseModel(OnlineModel):
    """Online Bayesian regression with the full covariance, for up to a few thousand features.

    A row costs `size` squared operations where `Model` needs as many as the row has values; in
    return features that come together are told apart (App. D.1, end).

    Parameters
    ----------
    size : the number of features.
    rule : a joint rule: `lapwing.rules.DimGauss`, or `lapwing.rules.ADF` in covariance form.
    link, prior_mean, prior_variance, dtype : as for `Model`.
    form : ``"covariance"`` updates the covariance row by row; ``"precision"`` adds up precisions
        over mini-batches, each solved as a whole.
    batch : rows in a mini-batch of the precision form. A call's last batch may be smaller, and
        all rows of a batch are predicted before it is learned.

    >>> import lapwing
    >>> X, y, _ = lapwing.synthetic.RandomStream(features=50, active=5, seed=1).draw(5000)
    >>> model = lapwing.DenseModel(size=50)
    >>> p = model.learn(X, y)
    >>> print(f"log loss {lapwing.log_loss(y, p):.4f}")
    log loss 0.5148
    """

    def __init__(
        self,
        size: int,
        rule: str | rules.Rule = "dimgauss",
        *,
        link: Literal["logit", "probit"] = "logit",
        prior_mean: ArrayLike = 0.0,
        prior_variance: ArrayLike = 1.0,
        form: Literal["covariance", "precision"] = "covariance",
        batch: int = 1,
        dtype: DTypeLike = "float64",
    ) -> None:
        self.rule = rules.resolve(rule)
        self.link = one_of("link", link, LINKS)
        self.form = one_of("form", form, ("covariance", "precision"))
        self.batch = whole_number("batch", batch, 1, 2**32)
        if self.form == "covariance" and batch != 1:
            raise ValueError(
                f'batch is {batch}, but covariances do not add up; use form="precision"'
            )
        self._dtype = precision(dtype)
        self._fixed_size = whole_number("size", size, 0, LARGEST_SIZE)
        means, variances = priors(prior_mean, prior_variance, self._fixed_size)
        self._turn = Lock()
        self._core = _core.Model.dense(
            self.rule.core(),
            self.link,
            means,
            variances,
            self.batch if self.form == "precision" else None,
            self._dtype.name,
        )

    @classmethod
    def _holds(cls, kind: str) -> bool:
        return kind in ("covariance", "precision")

    def _restore(self, core: _core.Model, description: dict[str, Any]) -> None:
        super()._restore(core, description)
        self.form = description["beliefs"]["kind"]
        self.batch = description["beliefs"].get("batch", 1)

    def _rows(self, X: Any) -> Batch:
        if is_table(X) or is_dicts(X) or (isinstance(X, Batch) and X.named):
            raise TypeError(
                "X has named features; a DenseModel keeps the covariance of numbered ones: give it "
                "a matrix"
            )
        return super()._rows(X)

    @property
    def covariance(self) -> NDArray[np.floating[Any]]:
        """The covariance of all weights."""
        entries = self._core.covariance()
        assert entries is not None, "a dense model keeps its covariance"
        return entries.reshape(self.size, self.size)
