"""Files: learned in one call, in many, from text of every format, they make one model."""

import gzip

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
    FLIGHTS.to_csv(folder / "flights.csv", index=False)
    return folder


def source(folder, kind):
    """A file's paths, and how it is read."""
    if kind.startswith("flights"):
        return folder / kind, {"label": "delay > 15", "ignore": ["hour"]}
    return folder / kind, {}


def content(model, folder):
    model.save(folder / "model.lapwing")
    return (folder / "model.lapwing").read_bytes()


def content_path(model, folder):
    content(model, folder)
    return folder / "model.lapwing"


KINDS = [*STREAMS, "flights.csv", "flights.parquet"]


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


def learned(path, folder, **options):
    model = Model()
    model.learn_files(path, **options)
    return content(model, folder)


def test_a_table_as_csv_as_parquet_and_as_a_frame_is_one_model(folder):
    path, options = source(folder, "flights.csv")
    as_csv = learned(path, folder, **options)
    assert learned(folder / "flights.parquet", folder, **options) == as_csv
    frame = Model()
    frame.learn(FLIGHTS.drop(columns="hour"), "delay > 15")
    rest = lapwing.load(folder / "model.lapwing")
    rest.learn_files(path, **options)
    frame.learn(FLIGHTS.drop(columns="hour"), "delay > 15")
    assert np.array_equal(frame.mean, rest.mean)
    assert np.array_equal(frame.variance, rest.variance)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("quoting", [0, 1, 2])
def test_csv_is_the_same_however_it_is_written(folder, delimiter, quoting):
    path, options = source(folder, "flights.csv")
    as_it_is = learned(path, folder, **options)
    odd = folder / "odd"
    text = FLIGHTS.to_csv(index=True, sep=delimiter, quoting=quoting, lineterminator="\r\n")
    odd.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    # What has a bar in its first line would be VW's.
    kind = "csv" if delimiter == "|" else "auto"
    assert learned(odd, folder, format=kind, **options) == as_it_is


@pytest.mark.parametrize("name", ["a.csv", "a.CSV.gz", "a.tsv.zst", "b"])
def test_csv_is_known_by_its_name_or_by_its_lines(tmp_path, name):
    text = b"id,late\n7,1\n" if name == "b" else b"late\n1\n0\n"
    (tmp_path / name).write_bytes(text)
    (piece,) = lapwing.read(tmp_path / name, label="late")
    assert piece.labels[0] == 1


@pytest.mark.parametrize("name", ["day.tsv", "day.txt", "day"])
def test_criteos_rows_are_known_whatever_the_file_is_called(tmp_path, name):
    """They have tabs and no header, and as CSV the first row would be taken for one."""
    (tmp_path / name).write_bytes(lapwing.synthetic.CriteoStream(seed=3).text(20, "criteo"))
    (piece,) = lapwing.read(tmp_path / name)
    assert len(piece) == 20
    assert set(np.diff(piece.batch.starts)) == {40}


CELLS = {
    "text": st.one_of(
        st.none(), st.sampled_from(["UA", " b ", "007", "NA", 'a "b"', "x,y", "é|\t"])
    ),
    "whole": st.one_of(st.integers(-40, 40), st.integers(-(2**63), 2**63 - 1)),
    "real": st.one_of(st.just(np.nan), st.floats(allow_infinity=False), st.integers(0, 9)),
    "label": st.sampled_from([0.0, 1.0, np.nan]),
}


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 50))
    kinds = ["label", *draw(st.lists(st.sampled_from(list(CELLS)[:3]), max_size=4))]
    types = {"text": "str", "whole": "int64", "real": "float64", "label": "float64"}
    draw_column = lambda kind: draw(st.lists(CELLS[kind], min_size=rows, max_size=rows))  # noqa: E731
    return pd.DataFrame(
        {
            f"{kind}{place or ''}": pd.Series(draw_column(kind), dtype=types[kind])
            for place, kind in enumerate(kinds)
        }
    )


def write_csv(table, path):
    table.to_csv(path, index=False)


def write_parquet(table, path):
    parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)


@pytest.mark.parametrize("write", [write_csv, write_parquet])
@settings(max_examples=30)
@given(table=tables(), data=st.data())
def test_rows_one_by_one_in_one_call_and_broken_off_are_one_model(folder, write, table, data):
    path, cut = folder / "table", data.draw(st.integers(0, len(table)))
    crosses = [("text1", "real2"), ("whole1", "text2", "real3")]
    kind = {"format": "csv"} if write is write_csv else {}
    write(table, path)
    in_one, by_rows, in_two, frame = (Model(bits=16, crosses=crosses, names=True) for _ in range(4))
    in_one.learn_files(path, **kind)
    for place, piece in enumerate(lapwing.read(path, model=by_rows, rows=1, **kind)):
        if place == cut:
            by_rows = lapwing.load(content_path(by_rows, folder))
        by_rows.learn(piece)
    assert content(by_rows, folder) == content(in_one, folder)
    for part in (table[:cut], table[cut:]):
        if len(part):
            write(part, path)
            in_two.learn_files(path, **kind)
            in_two = lapwing.load(content_path(in_two, folder))
    assert content(in_two, folder) == content(in_one, folder)
    for row in range(len(table)):
        frame.learn(table[row : row + 1], "label")
    assert content(frame, folder) == content(in_one, folder)


def test_further_files_have_the_same_columns_in_any_order(tmp_path):
    first, second, third = (tmp_path / name for name in ("first.csv", "second.csv", "third.csv"))
    FLIGHTS[:100].to_csv(first, index=False)
    FLIGHTS[100:][["delay", "hour", "distance", "carrier"]].to_csv(second, sep=";", index=False)
    FLIGHTS[100:].to_csv(third, header=False, index=False)
    pieces = list(lapwing.read([first, second], label="delay > 15"))
    assert sum(map(len, pieces)) == len(FLIGHTS)
    model = Model()
    with pytest.raises(ValueError, match=r"third.csv, line 1: there is no column \"carrier\""):
        model.learn_files([first, third], label="delay > 15", skip_bad_rows=True)
    assert model.rows_learned == FLIGHTS["delay"][:100].notna().sum()
    for table, path in ((FLIGHTS[:100], first), (FLIGHTS.drop(columns="hour"), third)):
        path = path.with_suffix(".parquet")
        parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
    paths = [first.with_suffix(".parquet"), third.with_suffix(".parquet")]
    with pytest.raises(ValueError, match=r"third.parquet, .* no column \"hour\", which the first"):
        Model().learn_files(paths, label="delay > 15")


def test_declared_categories_stay_names_and_are_kept(folder):
    path, options = source(folder, "flights.csv")
    model = Model(names=True)
    model.learn_files(path, categories=["distance"], **options)
    names = model.weights().feature
    assert "distance=-300" in names
    assert not any(name.startswith("distance~") for name in names)
    before = len(names)
    model = lapwing.load(content_path(model, folder))
    model.learn_files(path, **options)
    assert len(model.weights().feature) == before
    with pytest.raises(ValueError, match='there is no column "distanc"; the columns are'):
        Model().learn_files(path, categories=["distanc"], **options)
