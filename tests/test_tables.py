"""Frames and dicts: the same rows are the same features, whatever they come in."""

import datetime as dt
import decimal
import json
import pickle
import re
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lapwing
from lapwing import DenseModel, Model, _core

FLIGHTS = pd.DataFrame(
    {
        "carrier": ["UA", "AA", "UA", None, "B6"] * 20,
        "hour": np.arange(100) % 24,
        "distance": np.linspace(-300.0, 2500.0, 100),
        "delay": [20.0, -3.0, 15.0, 16.0, np.nan] * 20,
    }
)


def state(model):
    beliefs = b"".join(array.tobytes() for array in model._core.beliefs())
    return beliefs, model._encoder.to_json(), model.rows_learned


def features(X, **settings):
    """The features of each row, named, as learning them makes them."""
    encoder = _core.Encoder(22, settings.get("crosses", []), True)
    table = lapwing.tables.arrow_table(X)
    names = table.column_names
    rows, told = [], {}
    for place in range(table.num_rows):
        part = table.slice(place, 1)
        encoded = lapwing.named.encode_table(part, names, encoder, "float64", None)
        encoder = encoded.encoder
        told.update(encoded.new_names)
        batch = encoded.batch
        values = zip(batch.features.tolist(), batch.values.tolist(), strict=True)
        rows.append({told[feature]: value for feature, value in values})
    return rows


cells = {
    "text": st.one_of(st.none(), st.sampled_from(["UA", "AA", " b ", "7", "007", "NA", ""])),
    "whole": st.integers(-40, 40),
    "wide": st.integers(-(2**63), 2**63 - 1),
    "real": st.one_of(st.just(np.nan), st.floats(allow_infinity=False), st.integers(0, 9)),
    "flag": st.booleans(),
}


@st.composite
def frames(draw):
    rows = draw(st.integers(0, 60))
    kinds = draw(st.lists(st.sampled_from(list(cells)), min_size=1, max_size=4))
    content = {}
    for place, kind in enumerate(kinds):
        values = draw(st.lists(cells[kind], min_size=rows, max_size=rows))
        types = {"text": "str", "whole": "int64", "wide": "int64", "flag": "bool"}
        content[f"{kind}{place}"] = pd.Series(values, dtype=types.get(kind, "float64"))
    labels = draw(st.lists(st.sampled_from([0, 1]), min_size=rows, max_size=rows))
    return pd.DataFrame(content), np.array(labels, dtype=int)


def crossed(**settings):
    return Model(bits=16, crosses=[("text0", "whole1"), ("flag0", "real1")], **settings)


@given(frame=frames(), cuts=st.lists(st.integers(0, 60), max_size=3), seed=st.integers(0, 9))
def test_once_in_parts_row_by_row_and_every_kind_of_frame_are_one_model(frame, cuts, seed):
    X, y = frame
    w = np.random.default_rng(seed).choice([0.0, 0.5, 1.0, 2.0], len(X))
    once = crossed()
    p = once.learn(X, y, w)
    for kind in (pl.from_pandas, lambda X: pa.Table.from_pandas(X, preserve_index=False)):
        other = crossed()
        assert np.array_equal(other.learn(kind(X), y, w), p)
        assert state(other) == state(once)
    for places in (sorted({min(cut, len(X)) for cut in cuts}), range(1, len(X))):
        parts = crossed()
        pieces = zip([0, *places], [*places, len(X)], strict=True)
        q = [parts.learn(X[a:b], y[a:b], w[a:b]) for a, b in pieces]
        assert np.array_equal(np.concatenate(q), p)
        assert state(parts) == state(once)


@given(frame=frames())
def test_predicting_a_row_is_what_learning_it_would_have_predicted(frame):
    X, y = frame
    model = crossed(dtype="float64")
    for row in range(len(X)):
        here = slice(row, row + 1)
        before = state(model)
        p = model.predict(X[here])
        assert state(model) == before
        assert np.array_equal(model.learn(X[here], y[here]), p)


@given(frame=frames())
def test_rows_of_weight_zero_and_rows_without_a_label_change_nothing(frame):
    X, y = frame
    kept = np.arange(len(X)) % 3 > 0
    assume(kept.any())
    only_kept, weighted, unlabelled = (crossed() for _ in range(3))
    only_kept.learn(X[kept], y[kept])
    weighted.learn(X, y, kept.astype(float))
    assert state(weighted) == state(only_kept)
    labelled = X.assign(label=pd.Series(y, dtype="float64").where(kept))
    assert len(unlabelled.learn(labelled, "label")) == len(X)
    assert unlabelled._core.rows_learned == kept.sum()
    assert state(unlabelled)[0] == state(only_kept)[0]


def test_columns_in_another_order_are_the_same_features():
    turned = FLIGHTS[FLIGHTS.columns[::-1]]
    assert features(turned) == features(FLIGHTS)


def test_a_cell_becomes_what_the_page_says():
    frame = pd.DataFrame({"a": [1.0, 2.5, 5.0, np.nan, -0.0], "b": ["x", "NA", None, " y ", "1"]})
    assert features(frame) == [
        {"a=1": 1.0, "b=x": 1.0, "constant": 1.0},
        {"a": 1.0, "a~2.38..2.83": 1.0, "b=NA": 1.0, "constant": 1.0},
        {"a": 1.0, "a~4.76..5.66": 1.0, "b=NA": 1.0, "constant": 1.0},
        {"a=NA": 1.0, "b=y": 1.0, "constant": 1.0},
        {"a~0": 1.0, "b=1": 1.0, "constant": 1.0},
    ]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([True, None]), ["c=true", "c=NA"]),
        (pa.array([dt.date(2013, 1, 5), None]), ["c=2013-01-05", "c=NA"]),
        (pa.array([dt.datetime(2013, 1, 5, 6)], pa.timestamp("us")), ["c=2013-01-05 06:00:00"]),
        (pa.array([dt.datetime(2013, 1, 5, 6)], pa.timestamp("s")), ["c=2013-01-05 06:00:00"]),
        (pa.array([1500], pa.timestamp("ms")), ["c=1970-01-01 00:00:01.5"]),
        (pa.array([1500], pa.timestamp("ms", "UTC")), ["c=1970-01-01 00:00:01.5Z"]),
        (pa.array([dt.time(6, 30)]), ["c=06:30:00"]),
        (pa.array([2000], pa.duration("ms")), ["c=2"]),
        (pa.array([None, None]), ["c=NA", "c=NA"]),
        (pa.array([7, None], pa.int8()), ["c=7", "c=NA"]),
        (pa.array([7, None], pa.uint64()), ["c=7", "c=NA"]),
        (pa.array([2**53 + 1]), ["c=9007199254740993"]),
        (pa.array([decimal.Decimal(7), None], pa.decimal128(5, 2)), ["c=7", "c=NA"]),
        (pa.array([7, np.nan], pa.float32()), ["c=7", "c=NA"]),
        (pa.array([np.inf, -np.inf]), ["c=inf", "c=-inf"]),
        (pa.array(["é", None, "x"][1:], pa.string_view()), ["c=NA", "c=x"]),
        (pa.array([b"\xff"], pa.binary()), ["c=�"]),
        (pa.array(["u", None, "v", "u"]).dictionary_encode(), ["c=u", "c=NA", "c=v", "c=u"]),
        (pa.array([5, None, 5]).dictionary_encode(), ["c=5", "c=NA", "c=5"]),
        (pa.array([], pa.string()), []),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else None,
)
def test_every_type_of_column(column, expected):
    rows = features(pa.table({"c": column}))
    assert [next(iter(row)) for row in rows] == expected


def test_slices_of_a_table_begin_where_they_say():
    table = pa.table(
        {"t": ["a", "bb", None, "ccc"], "d": pa.array(list("xyzx")).dictionary_encode()}
    )
    assert features(table.slice(1)) == features(pa.Table.from_pylist(table.slice(1).to_pylist()))


def test_numbers_beyond_64_bits_are_exact_as_categories():
    model = Model(names=True)
    model._encoder = model._encoder.with_categories(["id"])
    table = pa.table({"id": pa.array([2**64 - 1, 2**64 - 2], pa.uint64())})
    encoded = lapwing.named.encode_table(table, ["id"], model._encoder, "float32", None)
    assert [name for _, name in encoded.new_names][::2] == [
        "id=18446744073709551615",
        "id=18446744073709551614",
    ]


def test_labels_are_an_array_a_column_or_a_comparison():
    late = (FLIGHTS["delay"] > 15).to_numpy()
    known = FLIGHTS["delay"].notna().to_numpy()
    array, compared, column = (Model(bits=16) for _ in range(3))
    array.learn(FLIGHTS[known].drop(columns="delay"), late[known])
    p = compared.learn(FLIGHTS, "delay > 15")
    assert len(p) == len(FLIGHTS)
    assert state(compared)[0] == state(array)[0]
    column.learn(FLIGHTS[known].drop(columns="delay").assign(late=late[known]), "late")
    assert state(column)[0] == state(array)[0]
    # The label's column is no feature afterwards either.
    without = FLIGHTS.drop(columns="delay")
    assert np.array_equal(compared.predict(FLIGHTS), compared.predict(without))
    assert json.loads(compared._encoder.to_json())["label"] == "delay > 15"


def test_missing_and_unknown_columns_are_no_error_when_predicting():
    model = Model(bits=16)
    model.learn(FLIGHTS, "delay > 15")
    p = model.predict(FLIGHTS[["hour"]].assign(unknown="x"))
    assert np.all((p > 0) & (p < 1))


def test_interval_sample_and_logit_take_frames_of_any_length(monkeypatch):
    monkeypatch.setattr(lapwing.tables, "ROWS", 7)
    model = Model(bits=16, prior_variance=0.3)
    model.learn(FLIGHTS, "delay > 15")
    low, high = model.interval(FLIGHTS, 0.8)
    mean, variance = model.predict_logit(FLIGHTS)
    p, draw = model.predict(FLIGHTS), model.sample(FLIGHTS, seed=3)
    assert all(len(array) == 100 for array in (low, high, mean, variance, p, draw))
    assert np.all((low < p) & (p < high))
    assert model.predict(FLIGHTS[:0]).shape == (0,)
    assert model.interval(FLIGHTS[:0])[0].shape == (0,)


def test_dicts_are_features_as_they_are():
    encoder = _core.Encoder(22, [["user", "price"]], True)
    row = {"user": "anna", "price": 3.5, "new": True, "old": False, "gone": None, 7: 1, "q": ""}
    _, features, values, _, names = encoder.dicts([row], "float64")
    named = {dict(names)[f]: x for f, x in zip(features.tolist(), values.tolist(), strict=True)}
    assert named == {
        "user=anna": 1.0,
        "price": 3.5,
        "new": 1.0,
        "gone=NA": 1.0,
        "7": 1.0,
        "q=NA": 1.0,
        "constant": 1.0,
        "user=anna*price": 3.5,
    }


def test_dicts_of_text_are_the_frame_of_the_same_text():
    rows = [{"a": "x", "b": "y"}, {"a": "z", "b": None}] * 5
    y = [0, 1] * 5
    frame, dicts, one_by_one = (Model(bits=16, crosses=[("a", "b")]) for _ in range(3))
    p = frame.learn(pd.DataFrame(rows), y)
    assert np.array_equal(dicts.learn(rows, y), p)
    for row, label in zip(rows, y, strict=True):
        one_by_one.learn([row], [label])
    assert state(frame)[0] == state(dicts)[0] == state(one_by_one)[0]


@pytest.mark.parametrize(
    "value",
    [3, 3.0, np.float32(3), np.int8(3), np.float64(3), decimal.Decimal(3)],
    ids=lambda value: type(value).__name__,
)
def test_numbers_of_every_kind_in_dicts(value):
    encoder = _core.Encoder(22, [], False)
    assert encoder.dicts([{"a": value}], "float64")[2].tolist() == [3.0, 1.0]


@pytest.mark.parametrize("value", [None, np.nan, pd.NA, pd.NaT, np.float32("nan")])
def test_missing_values_in_dicts(value):
    encoder = _core.Encoder(22, [], True)
    assert encoder.dicts([{"a": value}], "float64")[4][0][1] == "a=NA"


BAD = {
    "dict within": ([{"a": {"b": 1}}], TypeError, "row 0: 'a' is a dict; it must be a number"),
    "list within": ([{"a": 1}, {"a": [1]}], TypeError, "row 1: 'a' is a list; it must be a number"),
    "array within": ([{"a": np.ones(1)}], TypeError, "'a' is a ndarray"),
    "large": ([{"a": 1e10}], ValueError, "row 0: 'a' is 10000000000.0; values may be at most"),
    "infinite": (
        [{"a": np.inf}],
        ValueError,
        "row 0: 'a' is inf; values may be at most 1000000000",
    ),
    "huge": ([{"a": 10**400}], ValueError, "row 0: 'a' is inf; values may be at most"),
    "key": (
        [{("a", "b"): 1}],
        TypeError,
        "row 0: a feature is called .* names must be text or whole",
    ),
    "mixed": ([{"a": 1}, [1.0]], TypeError, "row 1 is a list; where the first row is a dict, all"),
    "nested": (
        pa.table({"a": [[1]]}),
        TypeError,
        "column 'a' holds list<item: int64>; a column must",
    ),
    "twice": (
        pa.table([[1], [2]], names=["a", "a"]),
        ValueError,
        "two columns are called 'a'; names of columns must differ",
    ),
    "objects": (
        pd.DataFrame({"a": [1, "x"]}, dtype=object),
        TypeError,
        "DataFrame that Arrow does",
    ),
    "series": (pl.Series("a", [1]), TypeError, "X is a Series that Arrow does not take"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_bad_rows_are_sentences_and_leave_the_model_as_it_was(name):
    X, kind, sentence = BAD[name]
    model = Model(bits=16)
    model.learn(FLIGHTS, "delay > 15")
    before = state(model)
    y = np.zeros(len(X))
    for call in (lambda: model.learn(X, y), lambda: model.predict(X)):
        with pytest.raises(kind, match=sentence.replace("'", "['\"]")):
            call()
    assert state(model) == before


@pytest.mark.parametrize(
    ("y", "weights", "sentence"),
    [
        ("dela > 15", None, 'there is no column "dela"; the columns are carrier, hour, distance'),
        ("carrier", None, 'row 0: the label is "UA"; labels are 0 and 1'),
        ("carrier > 15", None, 'row 0: expected a number in "carrier", to compare with 15'),
        ("hour", None, 'row 2: the label is "2"'),
        ("delay >", None, 'label is "delay >"; it must be a column, or a comparison'),
        (np.zeros(99), None, "there are 100 rows and 99 labels"),
        (np.full(100, 2), None, "row 0: the label is 2"),
        (np.zeros(100), np.ones(3), "there are 100 rows and 3 weights"),
        (
            np.zeros(100),
            [1.0] * 99 + [-1.0],
            "the weight of row 99 is -1; weights must be between 0",
        ),
        (np.zeros(100), [1.0] * 99 + [np.nan], "the weight of row 99 is nan; weights must be"),
    ],
)
def test_bad_answers_are_sentences_and_leave_the_model_as_it_was(monkeypatch, y, weights, sentence):
    monkeypatch.setattr(lapwing.tables, "ROWS", 7)
    model = Model(bits=16)
    before = state(model)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        model.learn(FLIGHTS, y, weights)
    assert state(model) == before


def test_named_and_numbered_features_do_not_mix():
    named, numbered, sized = Model(bits=16), Model(), Model(size=3)
    named.learn(FLIGHTS, "delay > 15")
    numbered.learn([[1.0]], [1])
    with pytest.raises(
        ValueError, match="X has numbered features, and this model learned named ones"
    ):
        named.predict([[1.0]])
    with pytest.raises(
        ValueError, match="X has named features, and this model learned numbered ones"
    ):
        numbered.learn(FLIGHTS, "delay > 15")
    with pytest.raises(ValueError, match="this model has a size for numbered ones: leave size out"):
        sized.learn([{"a": 1}], [1])
    other = lapwing.Batch([0, 1], [0], [1.0], 2**20, named=True)
    with pytest.raises(ValueError, match="put into 1048576 places, and this model has bits=16"):
        named.predict(other)
    for X in (FLIGHTS, [{"a": 1}], other):
        with pytest.raises(TypeError, match="a DenseModel keeps the covariance of numbered ones"):
            DenseModel(3).predict(X)


@pytest.mark.parametrize(
    ("settings", "kind", "sentence"),
    [
        ({"bits": 33}, ValueError, "bits is 33; it must be between 1 and 32"),
        ({"bits": 2.0}, TypeError, "bits is 2.0; it must be a whole number"),
        ({"crosses": ["ab"]}, TypeError, "it must be pairs or triples of fields"),
        ({"crosses": "ab"}, TypeError, "it must be pairs or triples of fields"),
        ({"crosses": [("a",)]}, ValueError, "a cross is a; it must be two or three fields"),
        ({"crosses": [("a", 3)]}, TypeError, "it must be pairs or triples of fields"),
    ],
)
def test_settings_of_names(settings, kind, sentence):
    with pytest.raises(kind, match=sentence):
        Model(**settings)


def test_without_pyarrow_a_frame_is_a_sentence_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'need pyarrow: pip install "lapwing\[tables\]"'):
        Model().predict(FLIGHTS)


def test_frames_are_learned_while_others_predict():
    from concurrent.futures import ThreadPoolExecutor

    model, alone = Model(bits=16), Model(bits=16)
    with ThreadPoolExecutor(4) as pool:
        learning = [pool.submit(model.learn, FLIGHTS, "delay > 15") for _ in range(6)]
        answers = [pool.submit(model.predict, FLIGHTS) for _ in range(6)]
        assert all(len(future.result()) == 100 for future in learning + answers)
    for _ in range(6):
        alone.learn(FLIGHTS, "delay > 15")
    assert state(model) == state(alone)


@given(frame=frames(), cut=st.integers(0, 60))
def test_saving_and_loading_goes_on_as_if_it_had_not_been(frame, cut):
    X, y = frame
    through, once = crossed(names=True), crossed(names=True)
    once.learn(X[:cut], y[:cut])
    p = once.learn(X[cut:], y[cut:])
    through.learn(X[:cut], y[:cut])
    through = pickle.loads(pickle.dumps(through))
    assert np.array_equal(through.learn(X[cut:], y[cut:]), p)
    assert state(through) == state(once)
    touched = once._core.touched()[0]
    assert through._core.named(touched) == once._core.named(touched)


def test_names_are_kept_where_asked_for():
    model = Model(bits=18, names=True)
    model.learn(FLIGHTS, "delay > 15")
    touched = model._core.touched()[0]
    names, rows = model._core.named(touched)
    counted = dict(zip(names, rows, strict=True))
    assert counted["constant"] == 80
    assert counted["carrier=UA"] == 40
    assert any(name.startswith("distance~") for name in names)
