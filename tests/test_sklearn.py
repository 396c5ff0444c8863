"""What scikit-learn expects of a classifier, and that it is `lapwing.Model` inside."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import _get_check_estimator_ids, estimator_checks_generator

import lapwing
from lapwing import rules
from lapwing.sklearn import LapwingClassifier

ONLINE = (
    "the check shuffles the rows and replaces a weight by repetitions; one pass over the rows "
    "depends, a little, on their order, and a step of weight two is not two steps"
)
EXPECTED_TO_FAIL = {
    "check_sample_weight_equivalence_on_dense_data": ONLINE,
    "check_sample_weight_equivalence_on_sparse_data": ONLINE,
}
UNUSUAL = LapwingClassifier("moments", link="probit", fit_intercept=False, dtype="float64")


CHECKS = [
    checked
    for model in (LapwingClassifier(), UNUSUAL)
    for checked in estimator_checks_generator(
        model, expected_failed_checks=EXPECTED_TO_FAIL, mark="xfail"
    )
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=_get_check_estimator_ids)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def drawn(rows=60, columns=5, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.6)
    scores = X @ rng.normal(size=(columns, classes)) + rng.gumbel(size=(rows, classes))
    return X, np.array(["ant", "bee", "cat", "dog"])[:classes][scores.argmax(axis=1)]


def state(model):
    parts = [model.coef_, model.intercept_, model.coef_std_, model.intercept_std_]
    return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


@pytest.mark.parametrize("rule", ["approx", rules.VB(samples=10), "moments"], ids=str)
@given(
    cuts=st.sets(st.integers(1, 59)),
    classes=st.integers(2, 4),
    intercept=st.booleans(),
    is_sparse=st.booleans(),
)
def test_learning_in_parts_is_learning_at_once(rule, cuts, classes, intercept, is_sparse):
    X, y = drawn(classes=classes)
    X = sparse.csr_array(X) if is_sparse else X
    names, weights = np.unique(y), np.random.default_rng(1).choice([0.0, 0.5, 1.0, 2.0], len(y))
    once, parts = (LapwingClassifier(rule, fit_intercept=intercept) for _ in range(2))
    once.fit(X, y, sample_weight=weights)
    for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), 60], strict=True):
        parts.partial_fit(X[a:b], y[a:b], classes=names, sample_weight=weights[a:b])
    assert state(once) == state(parts)


@pytest.mark.parametrize("dtype", ["float32", np.float64])
def test_two_classes_are_a_model_with_a_column_of_ones_before_the_others(dtype):
    X, y = drawn()
    model = LapwingClassifier(rules.VB(samples=10), random_state=7, dtype=dtype).fit(X, y)
    inside = lapwing.Model(rules.VB(samples=10), seed=7, dtype=dtype)
    with_ones = np.hstack([np.ones((len(X), 1)), X])
    inside.learn(with_ones, y == "bee")
    assert np.array_equal(np.hstack([model.intercept_, model.coef_[0]]), inside.mean)
    assert np.array_equal(model.coef_std_[0], np.sqrt(inside.variance[1:]))
    p = inside.predict(with_ones)
    assert np.array_equal(model.predict_proba(X), np.column_stack([1 - p, p]))
    assert np.array_equal(model.predict_interval(X, 0.5), inside.interval(with_ones, 0.5))
    np.testing.assert_allclose(model.decision_function(X), np.log(p / (1 - p)), atol=1e-12)
    assert np.array_equal(model.predict(X), np.where(p > 0.5, "bee", "ant"))


def test_more_classes_are_one_against_the_rest_divided_by_the_sum():
    X, y = drawn(classes=3)
    model = LapwingClassifier(fit_intercept=False).fit(X, y)
    p, intervals = [], []
    for name in ("ant", "bee", "cat"):
        inside = lapwing.Model()
        inside.learn(X, y == name)
        p.append(inside.predict(X))
        intervals.append(inside.interval(X, 0.9))
    p = np.column_stack(p)
    np.testing.assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True))
    assert np.array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    low, high = model.predict_interval(X)
    shares = model.predict_proba(X)
    assert np.all((low <= shares) & (shares <= high) & (high <= 1))
    np.testing.assert_allclose(low[:, 2], intervals[2][0] / p.sum(axis=1))
    assert model.coef_.shape == model.coef_std_.shape == (3, 5)
    assert model.intercept_.tolist() == model.intercept_std_.tolist() == [0, 0, 0]


@pytest.mark.parametrize("classes", [2, 3])
def test_columns_that_come_later_were_zero_before(classes):
    X, y = drawn(columns=9, classes=classes)
    X[:20, 3:] = 0
    X[20:40, 6:] = 0
    padded = LapwingClassifier().fit(X, y)
    grown = LapwingClassifier(grow=True)
    for rows, columns in ((slice(20), 3), (slice(20, 40), 6), (slice(40, 60), 9)):
        grown.partial_fit(X[rows, :columns], y[rows], classes=np.unique(y))
        assert grown.n_features_in_ == grown.coef_.shape[1] == columns
    assert state(grown) == state(padded)
    narrow = np.hstack([X[:, :2], np.zeros((60, 7))])
    assert np.array_equal(grown.predict_proba(X[:, :2]), padded.predict_proba(narrow))
    wide = np.hstack([X, np.zeros((60, 1))])
    assert np.array_equal(grown.predict_proba(wide), padded.predict_proba(X))
    grown.partial_fit(X[:1, :2], y[:1])
    assert grown.n_features_in_ == 9
    grown.fit(X[:, :2], y)
    assert grown.n_features_in_ == grown.coef_.shape[1] == 2


def test_columns_with_names_grow_at_the_end_only():
    X, y = drawn()
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = LapwingClassifier(grow=True)
    model.partial_fit(frame[["a", "b"]], y, classes=np.unique(y))
    model.partial_fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abcde")
    model.predict(frame[["a", "b", "c"]])
    before = state(model)
    for call in (model.partial_fit, lambda X, _: model.predict(X)):
        with pytest.raises(ValueError, match="column 1 is 'c', and was 'b'; columns may be added"):
            call(frame[["a", "c"]], y)
    assert state(model) == before
    fixed = LapwingClassifier().fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        fixed.partial_fit(frame[list("abced")], y)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
def test_sparse_matrices_with_wide_indices_are_the_same_rows(make):
    X, y = drawn()
    dense = LapwingClassifier().fit(X, y)
    wide = sparse.csr_array(make(X))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for kind in (make(X), wide):
        model = LapwingClassifier().fit(kind, y)
        assert state(model) == state(dense)
        assert np.array_equal(model.predict_proba(kind), dense.predict_proba(X))


def test_a_column_too_many_for_an_intercept_is_told():
    starts, columns = np.array([0, 1]), np.array([2**32 - 1])
    X = sparse.csr_array((np.ones(1), columns, starts), shape=(1, 2**32))
    model = LapwingClassifier(grow=True).partial_fit([[1.0]], [0], classes=[0, 1])
    with pytest.raises(ValueError, match="feature index is 4294967295; beside an intercept"):
        model.predict(X)


def test_a_weight_of_zero_is_a_row_left_out():
    X, y = drawn(classes=3)
    weights = np.arange(60) % 3 / 2
    weighted = LapwingClassifier().fit(X, y, sample_weight=weights)
    kept = weights > 0
    assert state(weighted) == state(LapwingClassifier().fit(X[kept], y[kept], weights[kept]))
    before = state(weighted)
    weighted.partial_fit(X, y, sample_weight=np.zeros(60))
    assert state(weighted) == before


def test_what_scikit_learn_builds_on_classifiers_works():
    X, y = drawn(rows=300, classes=3)
    model = make_pipeline(StandardScaler(), LapwingClassifier())
    grid = {
        "lapwingclassifier__rule": ["approx", rules.Gauss("height")],
        "lapwingclassifier__prior_variance": [0.1, 1.0],
    }
    search = GridSearchCV(model, grid, scoring="neg_log_loss").fit(X, y)
    assert search.best_score_ > -np.log(3)
    calibrated = CalibratedClassifierCV(LapwingClassifier(), method="isotonic").fit(X, y)
    assert calibrated.score(X, y) > 0.5
    categories = np.array([["a", "x"], ["b", "x"], ["a", "z"]] * 20)
    y = np.array([True, False, True] * 20)
    one_hot = make_pipeline(OneHotEncoder(), LapwingClassifier()).fit(categories, y)
    assert one_hot.predict(categories).tolist() == y.tolist()


def test_a_clone_is_new_and_a_pickle_goes_on_where_it_was():
    X, y = drawn(classes=3)
    model = LapwingClassifier(rules.VB(samples=10)).fit(X[:30], y[:30])
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    revived = pickle.loads(pickle.dumps(model))
    assert state(model.partial_fit(X[30:], y[30:])) == state(revived.partial_fit(X[30:], y[30:]))


def test_a_call_that_fails_leaves_the_classifier_as_it_was():
    X, y = drawn()
    model = LapwingClassifier().fit(X, y)
    before, p = state(model), model.predict_proba(X)
    bad = [
        ("partial_fit", X, np.where(np.arange(60) == 7, "elk", y), "row 7: the label is.*elk"),
        ("partial_fit", X[:, :4], y, "X has 4 features"),
        ("partial_fit", X, y[:-1], "inconsistent numbers of samples"),
        ("partial_fit", X * 1e12, y, "at most 1000000000 in magnitude"),
        ("partial_fit", np.where(X == 0, np.nan, X), y, "NaN"),
        ("fit", X[:, :4] * 1e12, y, "at most 1000000000 in magnitude"),
        ("fit", X, ["ant"] * 60, r"there is one class, \['ant'\]"),
        ("fit", X, np.linspace(0, 1, 60), "Unknown label type"),
    ]
    for method, rows, labels, sentence in bad:
        with pytest.raises(ValueError, match=sentence):
            getattr(model, method)(rows, labels)
        assert state(model) == before
        assert np.array_equal(model.predict_proba(X), p)
    for weights, sentence in ((np.zeros(60), "all of sample_weight is zero"), (-np.ones(60), "-1")):
        with pytest.raises(ValueError, match=sentence):
            model.fit(X, y, sample_weight=weights)
        assert state(model) == before


def test_changing_settings_is_for_the_next_fit():
    X, y = drawn()
    model = LapwingClassifier().fit(X[:, :3], y)
    p = model.predict_proba(X[:, :3])
    model.set_params(fit_intercept=False, rule="adf")
    assert np.array_equal(model.predict_proba(X[:, :3]), p)
    assert state(model.fit(X, y)) == state(LapwingClassifier("adf", fit_intercept=False).fit(X, y))


def test_classes_are_told_first_and_stay():
    X, y = drawn()
    model = LapwingClassifier()
    with pytest.raises(ValueError, match="must be told all classes"):
        model.partial_fit(X, y)
    model.partial_fit(X[:1], y[:1], classes=["bee", "ant"])
    model.partial_fit(X, y, classes=["ant", "bee"])
    with pytest.raises(ValueError, match=r"classes of the first call were \['ant', 'bee'\]"):
        model.partial_fit(X, y, classes=["ant", "cat"])


def test_a_rule_without_variance_has_no_deviations():
    X, y = drawn()
    model = LapwingClassifier("adagrad").fit(X, y)
    assert not hasattr(model, "coef_std_")
    assert not hasattr(LapwingClassifier(), "coef_")
    with pytest.raises(ValueError, match="interval needs a variance"):
        model.predict_interval(X)
    with pytest.raises(ValueError, match="level is 90"):
        LapwingClassifier().fit(X, y).predict_interval(X, 90)


def test_no_random_state_draws_other_samples_every_time():
    X, y = drawn()
    first, second = (
        LapwingClassifier(rules.VB(samples=2), random_state=given).fit(X, y)
        for given in (None,) * 2
    )
    assert state(first) != state(second)
