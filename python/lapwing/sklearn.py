"""Lapwing as a scikit-learn classifier.

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.model_selection import cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from lapwing.sklearn import LapwingClassifier
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = make_pipeline(StandardScaler(), LapwingClassifier())
>>> scores = cross_val_score(model, X, y, scoring="neg_log_loss")
>>> print(f"log loss {-scores.mean():.4f}")
log loss 0.0758
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from lapwing import rules
from lapwing.data import weights_of
from lapwing.model import LINKS, Model
from lapwing.one_versus_rest import OneVersusRest

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_array, check_random_state, check_X_y
    from sklearn.utils._param_validation import Interval, Options, StrOptions
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "lapwing.sklearn needs scikit-learn 1.6 or newer: pip install lapwing[sklearn]"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

__all__ = ["LapwingClassifier"]

LARGEST_PRIOR = 1e6
SMALLEST_VARIANCE = 1e-12
ROWS: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}


class LapwingClassifier(ClassifierMixin, BaseEstimator):
    """Online Bayesian regression as a scikit-learn classifier.

    `fit` learns the rows once, in their order; `partial_fit` goes on from there. Rows learned in
    one call, in many, or one by one give the same model, bit for bit. As the order of rows tells,
    a row of weight 2 is not quite the same as the row twice.

    More than two classes are learned one versus the rest: each has a model of its own that sees
    all rows, and `predict_proba` divides the models' probabilities by their sum.

    Parameters
    ----------
    rule : how a row moves the beliefs: a name or an object of `lapwing.rules`.
    link : ``"logit"`` or ``"probit"``.
    prior_mean, prior_variance : the belief about a weight before any row; the intercept's too.
    fit_intercept : whether every row has a feature of value 1 besides its own. It lies before the
        first column, and so stays where it is when columns are added.
    grow : whether `partial_fit` may bring columns that were not there before. Columns that a row
        lacks are zeros, and a column nobody has learned has the prior.
    dtype : the precision beliefs are kept in, ``"float32"`` (8 bytes a feature) or ``"float64"``.
    random_state : for rules that sample (`lapwing.rules.VB`).

    Attributes
    ----------
    classes_ : the labels, sorted.
    n_features_in_, feature_names_in_ : the columns seen (names if all of them are text).
    coef_, intercept_ : the means of the weights, a row for each class; for two classes, one row,
        about the second. Alike `coef_std_` and `intercept_std_`, their deviations.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> order = np.random.default_rng(1).permutation(len(y))
    >>> model = LapwingClassifier(prior_variance=10.0).fit(X[order], y[order])
    >>> model.predict_proba(X[:1]).round(2)
    array([[0.98, 0.02, 0.  ]])
    >>> low, high = model.predict_interval(X[:1], level=0.9)
    >>> for bounds in zip(low[0], high[0], strict=True):
    ...     print("%.3f to %.3f" % bounds)
    0.967 to 0.992
    0.008 to 0.043
    0.000 to 0.000
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "rule": [StrOptions(set(rules.NAMED)), rules.Rule],
        "link": [StrOptions(set(LINKS))],
        "prior_mean": [Interval(Real, -LARGEST_PRIOR, LARGEST_PRIOR, closed="both")],
        "prior_variance": [Interval(Real, SMALLEST_VARIANCE, LARGEST_PRIOR, closed="both")],
        "fit_intercept": ["boolean"],
        "grow": ["boolean"],
        "dtype": [StrOptions({"float32", "float64"}), Options(type, {np.float32, np.float64})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        rule: str | rules.Rule = "approx",
        *,
        link: Literal["logit", "probit"] = "logit",
        prior_mean: float = 0.0,
        prior_variance: float = 1.0,
        fit_intercept: bool = True,
        grow: bool = False,
        dtype: DTypeLike = "float32",
        random_state: Any = 0,
    ) -> None:
        self.rule = rule
        self.link = link
        self.prior_mean = prior_mean
        self.prior_variance = prior_variance
        self.fit_intercept = fit_intercept
        self.grow = grow
        self.dtype = dtype
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LapwingClassifier:
        """Learn the rows once, in their order, and forget what was learned before."""
        self._validate_params()
        rows, labels, weights = self._checked(X, y, sample_weight)
        if weights is not None and not weights.any():
            raise ValueError("all of sample_weight is zero: there is no row to learn")
        return self._begin(np.unique(labels), X, rows, labels, weights)

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> LapwingClassifier:
        """Learn these rows too. The first call must be told all `classes`."""
        if not hasattr(self, "_learners"):
            self._validate_params()
            rows, labels, weights = self._checked(X, y, sample_weight)
            if classes is None:
                raise ValueError("the first call of partial_fit must be told all classes: classes=")
            return self._begin(np.unique(np.asarray(classes)), X, rows, labels, weights)
        rows, labels, weights = self._checked(X, y, sample_weight)
        if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(
                f"classes is {classes!r}; the classes of the first call were "
                f"{self.classes_.tolist()}"
            )
        names = self._check_columns(X)
        self._learners.learn(rows, labels, weights)
        if rows.shape[1] > self.n_features_in_:
            self._know_columns(rows.shape[1], names)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The log odds of each class against the rest; of the second class, if there are two.

        They are those of the predicted probability, in which the uncertainty is taken into
        account: zero where both sides are as probable.
        """
        p = self._fitted().probabilities(self._rows(X))
        odds: NDArray[np.float64] = np.log(p) - np.log1p(-p)
        return odds[:, 0] if len(self.classes_) == 2 else odds

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row."""
        odds = self.decision_function(X)
        best = (odds > 0).astype(np.intp) if odds.ndim == 1 else odds.argmax(axis=1)
        found: NDArray[Any] = self.classes_[best]
        return found

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of every class, averaged over what is not known about the weights."""
        p = self._fitted().probabilities(self._rows(X))
        if len(self.classes_) == 2:
            return np.hstack([1 - p, p])
        shares: NDArray[np.float64] = p / p.sum(axis=1, keepdims=True)
        return shares

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of `predict_proba`."""
        logs: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logs

    def predict_interval(
        self, X: Any, level: float = 0.9
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The bounds between which a class's probability lies with probability `level`.

        With two classes, two arrays: the bounds of the second one's probability. With more, two
        matrices with a column for every class, divided as `predict_proba` is: by the sum of the
        models' probabilities, whose own uncertainty is left out.
        """
        learners, rows = self._fitted(), self._rows(X)
        low, high = learners.intervals(rows, level)
        if len(self.classes_) == 2:
            return low[:, 0], high[:, 0]
        total = learners.probabilities(rows).sum(axis=1, keepdims=True)
        return np.minimum(low / total, 1.0), np.minimum(high / total, 1.0)

    @property
    def coef_(self) -> NDArray[np.floating[Any]]:
        return self._fitted().weights("mean")

    @property
    def intercept_(self) -> NDArray[np.floating[Any]]:
        return self._fitted().intercepts("mean")

    @property
    def coef_std_(self) -> NDArray[np.floating[Any]]:
        deviations: NDArray[np.floating[Any]] = np.sqrt(self._with_variance().weights("variance"))
        return deviations

    @property
    def intercept_std_(self) -> NDArray[np.floating[Any]]:
        deviations: NDArray[np.floating[Any]] = np.sqrt(
            self._with_variance().intercepts("variance")
        )
        return deviations

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _begin(
        self,
        classes: NDArray[Any],
        X: Any,
        rows: Any,
        labels: NDArray[Any],
        weights: NDArray[np.float64] | None,
    ) -> LapwingClassifier:
        check_classification_targets(labels)
        names = _column_names(X)
        learners = OneVersusRest.start(classes, self._new_models(), self.fit_intercept)
        learners.learn(rows, labels, weights)
        self._learners, self.classes_ = learners, classes
        self._know_columns(rows.shape[1], names)
        return self

    def _new_models(self) -> Callable[[], Model]:
        seed = _seed(self.random_state)
        return lambda: Model(
            self.rule,
            link=self.link,
            prior_mean=float(self.prior_mean),
            prior_variance=float(self.prior_variance),
            dtype=self.dtype,
            seed=seed,
        )

    def _checked(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[Any], NDArray[np.float64] | None]:
        rows, labels = check_X_y(X, y, estimator=self, **ROWS)
        return rows, labels, weights_of(sample_weight)

    def _fitted(self) -> OneVersusRest:
        check_is_fitted(self)
        return self._learners

    def _with_variance(self) -> OneVersusRest:
        learners = self._fitted()
        rule = learners.models[0].rule
        if not rule.keeps_variance:
            raise AttributeError(f"{rule} keeps no variance, so there are no deviations")
        return learners

    def _rows(self, X: Any) -> Any:
        rows = check_array(X, estimator=self, input_name="X", **ROWS)
        self._check_columns(X)
        return rows

    def _check_columns(self, X: Any) -> NDArray[Any] | None:
        """Columns are those seen; where they may grow, as many as both have are the same.

        Returns the names, where columns may grow.
        """
        if not self.grow:
            validate_data(self, X, skip_check_array=True, reset=False)
            return None
        names, known = _column_names(X), getattr(self, "feature_names_in_", None)
        if names is not None and known is not None:
            for column, (name, expected) in enumerate(zip(names, known, strict=False)):
                if name != expected:
                    raise ValueError(
                        f"column {column} is {name!r}, and was {expected!r}; columns may be added "
                        "after the last one only"
                    )
        return names

    def _know_columns(self, columns: int, names: NDArray[Any] | None) -> None:
        self.n_features_in_ = columns
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_


def _seed(random_state: Any) -> int:
    """A whole number is the model's seed itself, so that the same model can be made without us."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def _column_names(X: Any) -> NDArray[Any] | None:
    """The names of the columns, where all of them are text."""
    seen = BaseEstimator()
    validate_data(seen, X, skip_check_array=True)
    return getattr(seen, "feature_names_in_", None)
