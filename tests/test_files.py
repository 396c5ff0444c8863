"""Files: learned in one call, in many, from text of every format, they make one model."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import lapwing
from lapwing import Metrics, Model

STREAMS = {
    "vw": lapwing.synthetic.CategoryStream(per_row=5, seed=1),
    "svmlight": lapwing.synthetic.RandomStream(seed=2),
    "criteo": lapwing.synthetic.CriteoStream(seed=3),
}
FLIGHTS = pd.DataFrame(
    {
        "carrier": ["UA", "AA", "UA", None, "B6", "9E", "DL"] * 43,
        "hour": np.arange(301) % 24,
        "distance": np.linspace(-300.0, 2500.0, 301),
        "delay": [20.0, -3.0, 15.0, 16.0, np.nan, 0.0, 90.0] * 43,
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, stream in STREAMS.items():
        (folder / name).write_bytes(stream.again().text(1500, name))
    parquet.write_table(
        pa.Table.from_pandas(FLIGHTS), folder / "flights.parquet", row_group_size=50
    )
    return folder


def source(folder, kind):
    """A file's paths, and how it is read."""
    if kind == "flights":
        return folder / "flights.parquet", {"label": "delay > 15", "ignore": ["hour"]}
    return folder / kind, {}


def content(model, folder):
    model.save(folder / "model.lapwing")
    return (folder / "model.lapwing").read_bytes()


KINDS = [*STREAMS, "flights"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_one_call_is_many_calls(folder, kind, rows):
    path, options = source(folder, kind)
    crosses = [] if kind == "svmlight" else [("I1", "C2"), ("carrier", "distance")]
    once, parts = (Model(crosses=crosses, names=True) for _ in range(2))
    learned = once.learn_files(path, **options)
    metrics = Metrics()
    for piece in lapwing.read(path, model=parts, rows=rows, **options):
        assert len(piece) <= rows
        metrics.add(piece, parts.learn(piece))
    assert metrics.log_loss == learned.metrics.log_loss
    assert metrics.rows == learned.metrics.rows == once.rows_learned
    assert piece.progress == learned.progress
    assert piece.progress.bytes_read == piece.progress.total_bytes == path.stat().st_size
    assert content(parts, folder) == content(once, folder)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(data=st.data())
def test_saved_and_resumed_at_any_row(folder, kind, data):
    path, options = source(folder, kind)
    once = Model()
    once.learn_files(path, **options)
    pieces = list(lapwing.read(path, model=Model(), rows=1, **options))
    cut = data.draw(st.integers(0, len(pieces)))
    model = Model()
    for piece in pieces[:cut]:
        model.learn(piece)
    model.save(folder / "half.lapwing")
    model = lapwing.load(folder / "half.lapwing")
    for piece in pieces[cut:]:
        model.learn(piece)
    assert content(model, folder) == content(once, folder)


@pytest.mark.parametrize("kind", KINDS)
def test_predicting_a_row_is_what_learning_it_would_have_predicted(folder, kind):
    path, options = source(folder, kind)
    model = Model(dtype="float64")
    for piece in lapwing.read(path, model=model, rows=100, **options):
        first = piece.batch[:1]
        assert model.predict(piece)[0] == model.predict(first)[0] == model.learn(piece)[0]
    before = content(model, folder)
    pieces = list(lapwing.read(path, model=model, learn=False, rows=64))
    p = np.concatenate([model.predict(piece) for piece in pieces])
    assert len(p) == pieces[-1].progress.rows
    assert content(model, folder) == before
    low, high = model.interval(pieces[0])
    assert (low < high).all()
