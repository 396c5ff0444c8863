"""The table of weights says what the model believes."""

import csv
import pickle

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import lapwing

ROWS = [{"user": "anna", "price": 0.5}, {"user": 'ben, "b"', "price": 2.0}] * 50
LABELS = [1, 0] * 50


@pytest.fixture
def named():
    model = lapwing.Model(names=True)
    model.learn(ROWS, LABELS)
    return model


@pytest.fixture
def numbered():
    X, y, _ = lapwing.synthetic.RandomStream(features=300, active=30, seed=3).draw(500)
    model = lapwing.Model()
    model.learn(X, y)
    return model


def test_the_numbers_are_the_models(numbered):
    weights = numbered.weights()
    assert np.array_equal(weights.mean, numbered.mean[weights.feature])
    assert np.array_equal(weights.std, np.sqrt(numbered.variance[weights.feature]))
    assert weights.rows is None


def test_features_nobody_has_seen_are_left_out():
    model = lapwing.Model(size=1000)
    assert len(model.weights()) == 0
    model.learn(lapwing.Batch([0, 2], [3, 999], [1.0, 2.0], 1000), [1])
    assert model.weights().feature.tolist() == [3, 999]


def test_names_and_the_rows_they_were_learned_with(named):
    weights = {w.feature: w for w in named.weights()}
    assert set(weights) == {"user=anna", 'user=ben, "b"', "price", "constant"}
    assert [weights[name].rows for name in ("user=anna", "price")] == [50, 100]
    assert weights["user=anna"].mean > 0 > weights['user=ben, "b"'].mean
    assert type(weights["price"].mean) is float


@pytest.mark.parametrize("cut", [0, 1, 50, 99, 100])
def test_names_and_counts_go_on_after_save_and_load(named, cut):
    parts = lapwing.Model(names=True)
    parts.learn(ROWS[:cut], LABELS[:cut])
    parts = pickle.loads(pickle.dumps(parts))
    for row in range(cut, len(ROWS)):
        parts.learn(ROWS[row : row + 1], LABELS[row : row + 1])
    assert pickle.dumps(parts) == pickle.dumps(named)


def test_rows_of_weight_zero_are_not_counted():
    model = lapwing.Model(names=True)
    model.learn([{"a": 1.0}, {"b": 1.0}], [1, 1], [0.0, 1.0])
    assert {w.feature: w.rows for w in model.weights()} == {"b": 1, "constant": 1}


def test_a_failed_call_counts_nothing(named):
    before = pickle.dumps(named)
    with pytest.raises(ValueError, match="labels"):
        named.learn([{"new": 1.0}], [1, 0])
    assert pickle.dumps(named) == before


def test_numbered_rows_are_counted_too():
    model = lapwing.Model(names=True)
    model.learn([[1.0, 0.0], [1.0, 1.0]], [1, 0])
    assert [(w.feature, w.rows) for w in model.weights()] == [(0, 2), (1, 1)]


def table(mean, std, rows):
    feature = np.arange(len(mean), dtype=np.uint32)
    return lapwing.Weights(feature, np.array(mean), np.array(std), np.array(rows, dtype=np.uint64))


def test_orders():
    weights = table([0.9, -1.5, 1.0, 0.9], [0.5, 0.1, 0.01, 0.5], [7, 9, 8, 9])
    assert weights.strongest(3).feature.tolist() == [1, 2, 0]
    assert weights.most_uncertain(2).feature.tolist() == [0, 3]
    assert weights.most_frequent(3).feature.tolist() == [1, 3, 2]
    assert len(weights.strongest(100)) == 4
    assert len(weights.strongest(0)) == 0
    with pytest.raises(ValueError, match="n is -1"):
        weights.strongest(-1)


def test_what_a_model_does_not_know_is_told(numbered):
    with pytest.raises(ValueError, match="only a model with names=True counts the rows"):
        numbered.weights().most_frequent()
    model = lapwing.Model("adagrad")
    model.learn([[1.0]], [1])
    assert model.weights().std is None
    with pytest.raises(ValueError, match="this model keeps no variance"):
        model.weights().most_uncertain()


def test_dense_models_have_weights():
    model = lapwing.DenseModel(3)
    model.learn([[1.0, 0.0, 2.0]], [1])
    weights = model.weights()
    np.testing.assert_allclose(weights.std**2, np.diag(model.covariance))
    assert np.array_equal(weights.mean, model.mean)


def test_the_printed_table_is_aligned_and_short(numbered, named):
    assert repr(named.weights()).splitlines()[:2] == [
        "Weights of 4 features",
        "feature           mean     std  rows",
    ]
    lines = repr(numbered.weights()).splitlines()
    assert lines[0] == "Weights of 300 features, of which these 20 are the strongest"
    assert len(lines) == 22
    odd = lapwing.Weights(np.array(["a\x1b[31m\n" + "b" * 100], dtype=object), np.array([1.0]))
    assert repr(odd).splitlines()[2].startswith("a�[31m�bbb")
    assert "b…  1.0000" in repr(odd)


def test_export_as_csv_is_exact(named, numbered, tmp_path):
    path = tmp_path / "weights.csv"
    for model in (named, numbered):
        model.export(path)
        weights = model.weights()
        with path.open(newline="") as file:
            read = list(csv.DictReader(file))
        assert [line["feature"] for line in read] == [str(f) for f in weights.feature]
        means = np.array([line["mean"] for line in read], dtype=np.float32)
        assert np.array_equal(means, weights.mean)


def test_export_as_parquet_is_exact(named, tmp_path):
    path = tmp_path / "weights.PARQUET"
    named.export(path)
    read = parquet.read_table(path)
    assert read.equals(named.weights().to_arrow())
    assert read.schema.names == ["feature", "mean", "std", "rows"]


def test_export_needs_a_name_that_says_what_it_is(named, tmp_path):
    with pytest.raises(ValueError, match=r"weights\.txt must end in \.csv or \.parquet"):
        named.export(tmp_path / "weights.txt")
    with pytest.raises(FileNotFoundError, match=r"the folder .* does not exist"):
        named.export(tmp_path / "none" / "weights.csv")


def test_frames_of_every_kind(named):
    weights = named.weights()
    expected = weights.to_arrow()
    assert pa.table(weights).equals(expected)
    assert weights.to_polars().to_dict(as_series=False) == expected.to_pydict()
    assert pl.DataFrame(weights).to_dict(as_series=False) == expected.to_pydict()
    assert weights.to_pandas().to_dict("list") == expected.to_pydict()
