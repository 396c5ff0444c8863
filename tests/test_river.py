"""What River expects of a classifier, and that it is `lapwing.Model` inside."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("river", reason="River 0.26 needs Python 3.11")

from river import checks, compose, datasets, evaluate, linear_model, metrics, preprocessing

import lapwing
from lapwing import rules
from lapwing.river import LapwingClassifier

MODELS = [
    LapwingClassifier(),
    LapwingClassifier("moments", link="probit", prior_variance=0.5, bits=18, dtype="float64"),
    LapwingClassifier(rules.VB(samples=5), crosses=(("https", "is_popular"),)),
]
CHECKS = [
    pytest.param(model, check, id=f"{number}-{check.__name__}-{place}")
    for number, model in enumerate(MODELS)
    for place, check in enumerate(checks.yield_checks(model))
]

keys = st.sampled_from(["user", "hour", "price", "größe", ""])
cells = st.one_of(
    st.floats(-1e3, 1e3), st.integers(-9, 9), st.booleans(), st.none(), st.sampled_from("abc")
)
streams = st.lists(
    st.tuples(st.dictionaries(keys, cells), st.booleans(), st.sampled_from([0.0, 0.5, 1.0, 2.0])),
    max_size=30,
)


@pytest.mark.parametrize(("model", "check"), CHECKS)
def test_checks_of_river(model, check):
    check(model.clone())


def state(model):
    return pickle.dumps(model.model)


@given(stream=streams)
def test_a_row_at_a_time_is_a_model_that_learns_all(stream):
    model, inside = LapwingClassifier(), lapwing.Model(bits=22)
    for x, y, w in stream:
        model.predict_proba_one(x)
        model.learn_one(x, y, w)
    if stream:
        rows, labels, weights = (list(column) for column in zip(*stream, strict=True))
        inside.learn(rows, labels, weights)
        assert np.array_equal(
            inside.predict(rows), [model.predict_proba_one(x)[True] for x in rows]
        )
    assert state(model) == pickle.dumps(inside)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_its_rows_one_after_the_other(kind):
    make = {"pandas": pd.DataFrame, "polars": "DataFrame", "pyarrow": "table"}[kind]
    if isinstance(make, str):
        make = getattr(pytest.importorskip(kind), make)
    columns = {
        "day": ["mon", "sat", None, "mon"],
        "hours": [8.0, float("nan"), 2.5, 0.0],
        "staff": [3, 1, 2, 3],
        "open": [True, False, True, True],
    }
    X, labels = make(columns), pd.Series([True, False, False, True], name="busy")
    one, many = LapwingClassifier(), LapwingClassifier()
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for x, y in zip(rows, labels, strict=True):
        one.learn_one(x, y, w=2.0)
    many.learn_many(X, labels, w=2.0)
    assert state(one) == state(many)
    p = np.asarray(many.predict_proba_many(X))[:, 1]
    assert np.array_equal(p, [one.predict_proba_one(x)[True] for x in rows])
    assert np.array_equal(np.asarray(many.predict_many(X)), p > 0.5)


def test_frames_may_be_empty():
    one, many = LapwingClassifier(), LapwingClassifier()
    many.learn_many(pd.DataFrame({"a": []}), pd.Series([], dtype=bool))
    many.learn_many(pd.DataFrame(index=range(2)), pd.Series([True, False]))
    assert many.predict_proba_many(pd.DataFrame({"a": []})).shape == (0, 2)
    one.learn_one({}, True)
    one.learn_one({}, False)
    assert state(one) == state(many)


def test_names_are_kept_whatever_way_the_rows_come():
    rows = [{"user": "anna", "price": 2.0}, {"user": "ben"}, {"user": "anna"}]
    once, single = (lapwing.Model(names=True) for _ in range(2))
    once.learn(rows, [1, 0, 1])
    for row, label in zip(rows, (True, False, True), strict=True):
        single._predict_one(row)
        with pytest.raises(ValueError, match="weight of row 0 is -1"):
            single._learn_one({"refused": "first"}, label, -1.0)
        single._learn_one(row, label, 1.0)
    assert pickle.dumps(once) == pickle.dumps(single)
    single._learn_one({"refused": "first"}, True, 1.0)
    once.learn([{"refused": "first"}], [1])
    assert pickle.dumps(once) == pickle.dumps(single)


def test_reading_a_row_may_learn_another():
    """A value's own code runs while a row is read."""
    model = LapwingClassifier()

    class Price:
        def __float__(self):
            model.learn_one({"price": 1.0}, True)
            return 2.0

    other = LapwingClassifier()
    for x in ({"a": 1}, {"price": 1.0}, {"price": 2.0}):
        other.learn_one(x, True)
    model.learn_one({"a": 1}, True)
    model.predict_proba_one({"price": Price()})
    model.learn_one({"price": 2.0}, True)
    assert state(model) == state(other)


def test_more_keys_than_are_remembered_are_learned_alike():
    """A cache of keys starts afresh after some number of them."""
    model, inside = LapwingClassifier(bits=18), lapwing.Model(bits=18)
    rows = [{f"key {row * 700 + i}": 1.0 for i in range(700)} for row in range(100)]
    for row in rows:
        model.learn_one(row, True)
    inside.learn(rows, [True] * 100)
    assert state(model) == pickle.dumps(inside)


def test_predictions_of_a_pandas_frame_keep_its_index():
    X = pd.DataFrame({"a": [1.0, 2.0]}, index=["x", "y"])
    model = LapwingClassifier()
    assert model.predict_proba_many(X).index.tolist() == ["x", "y"]
    assert model.predict_proba_many(X).columns.tolist() == [False, True]
    assert model.predict_many(X).index.tolist() == ["x", "y"]


def test_text_is_categories_and_crosses_are_told_apart():
    stream = [({"a": a, "b": b}, a == b) for a, b in itertools.product("xy", repeat=2)] * 50
    plain, crossed = LapwingClassifier(), LapwingClassifier(crosses=(("a", "b"),))
    losses = []
    for model in (plain, crossed):
        for x, y in stream:
            model.learn_one(x, y)
        losses.append(np.mean([-np.log(model.predict_proba_one(x)[y]) for x, y in stream]))
    assert losses[0] > 0.5
    assert losses[1] < 0.1


def test_it_is_better_than_rivers_logistic_regression_without_scaling():
    losses = [
        evaluate.progressive_val_score(datasets.Phishing(), model, metrics.LogLoss()).get()
        for model in (
            LapwingClassifier(),
            linear_model.LogisticRegression(),
        )
    ]
    assert losses[0] < 0.7 * losses[1]


def test_it_works_in_pipelines():
    model = (
        compose.TransformerUnion(
            compose.Select("https") | preprocessing.OneHotEncoder(),
            compose.Discard("https") | preprocessing.StandardScaler(),
        )
        | LapwingClassifier()
    )
    score = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert score.get() > 0.85


def test_a_clone_is_new_and_a_copy_is_not():
    model = LapwingClassifier(rules.Gauss("height"), prior_variance=2.0)
    x = {"a": 1.0, "b": "text"}
    model.learn_one(x, True)
    assert model.clone().predict_proba_one(x)[True] == 0.5
    assert str(model.clone().rule) == "Gauss(variance='height')"
    copied = copy.deepcopy(model)
    copied.learn_one(x, True)
    assert 0.5 < model.predict_proba_one(x)[True] < copied.predict_proba_one(x)[True]


@pytest.mark.parametrize("y", [-1, 2, "yes", None, float("nan")])
def test_labels_are_told(y):
    model = LapwingClassifier()
    before = state(model)
    with pytest.raises(ValueError, match=r"the label is .*; labels must be bool"):
        model.learn_one({"a": 1.0}, y)
    assert state(model) == before


@pytest.mark.parametrize(
    ("x", "w"), [({"a": float("inf")}, 1.0), ({"a": [1.0]}, 1.0), ({"a": 1e10}, 1.0), ({}, -1.0)]
)
def test_a_row_that_is_refused_changes_nothing(x, w):
    model = LapwingClassifier()
    model.learn_one({"a": 1.0}, True)
    before = state(model)
    with pytest.raises((TypeError, ValueError)):
        model.learn_one(x, True, w)
    assert state(model) == before


def test_intervals_hold_the_prediction():
    model = LapwingClassifier()
    for x, y in datasets.Phishing().take(300):
        low, high = model.predict_interval_one(x)
        assert low <= model.predict_proba_one(x)[True] <= high
        model.learn_one(x, y)
        assert high - low < 1
