"""What is saved is the model, to the last bit, and nothing else is taken for one."""

import copy
import os
import pickle
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import numpy as safetensors

import lapwing
from lapwing import rules
from tests.cases import LINKS, RULES
from tests.test_properties import SIZE, bits, streams

MODELS = {
    "growing": lapwing.Model,
    "fixed": lambda: lapwing.Model("gauss", size=SIZE, link="probit", prior_mean=0.1),
    "double": lambda: lapwing.Model("moments", dtype="float64", prior_variance=1 / 3),
    "adagrad": lambda: lapwing.Model(rules.AdaGrad(learning_rate=0.3, epsilon=1e-7)),
    "samples": lambda: lapwing.Model(rules.VB(samples=7, mean="taylor"), seed=2**64 - 1),
    "a prior each": lambda: lapwing.Model(prior_variance=np.linspace(0.1, 2.0, SIZE)),
    "covariance": lambda: lapwing.DenseModel(SIZE, rule="adf", link="probit"),
    "covariance, single": lambda: lapwing.DenseModel(SIZE, dtype="float32"),
    "precision": lambda: lapwing.DenseModel(SIZE, form="precision", batch=3, prior_variance=0.5),
}
KILLS = 5
every_model = pytest.mark.parametrize("name", list(MODELS))


def content(model):
    return model.__getstate__()


def python_side(model):
    return {k: v for k, v in vars(model).items() if k not in ("_core", "_turn")}


def learned(name="growing"):
    X, y, _ = lapwing.synthetic.RandomStream(features=SIZE, active=3, seed=6).draw(40)
    model = MODELS[name]()
    model.learn(X, y)
    return model


@pytest.fixture
def path(tmp_path):
    return tmp_path / "clicks.lapwing"


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(stream=streams(), cut=st.floats(0, 1))
def test_learning_goes_on_bit_for_bit(rule, link, dtype, stream, cut):
    X, y, weights = stream
    cut = int(cut * len(X))
    once = lapwing.Model(rule, link=link, dtype=dtype, seed=5, prior_variance=0.7)
    p = once.learn(X, y, weights)
    first = lapwing.Model(rule, link=link, dtype=dtype, seed=5, prior_variance=0.7)
    before = first.learn(X[:cut], y[:cut], weights[:cut])
    second = pickle.loads(pickle.dumps(first))
    after = second.learn(X[cut:], y[cut:], weights[cut:])
    assert np.array_equal(p, np.concatenate([before, after]))
    assert content(once) == content(second)
    assert bits(once) == bits(second)


@every_model
@given(stream=streams(scales=(1e-3, 1.0)), cut=st.floats(0, 1))
def test_every_kind_of_model_goes_on_bit_for_bit(name, stream, cut):
    X, y, weights = stream
    # A mini-batch may not be cut: the next call begins another one.
    cut = int(cut * len(X)) // 3 * 3
    once, first = MODELS[name](), MODELS[name]()
    once.learn(X, y, weights)
    first.learn(X[:cut], y[:cut], weights[:cut])
    second = pickle.loads(pickle.dumps(first))
    second.learn(X[cut:], y[cut:], weights[cut:])
    assert content(once) == content(second)
    assert np.array_equal(once.predict(X), second.predict(X))


@every_model
def test_what_is_loaded_is_what_was_saved(name, path):
    model = learned(name)
    model.save(path)
    loaded = lapwing.load(str(path))
    assert type(loaded) is type(model)
    assert repr(loaded) == repr(model)
    assert loaded.rule == model.rule
    assert python_side(loaded) == python_side(model)
    assert bits(loaded) == bits(model)
    loaded.save(path)
    assert path.read_bytes() == content(model)


@every_model
def test_copies_are_models_of_their_own(name):
    model = learned(name)
    before = content(model)
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    copies = [pickle.loads(pickle.dumps(model, protocol)) for protocol in protocols]
    for twin in (copy.copy(model), copy.deepcopy(model), *copies):
        assert content(twin) == before
        twin.learn(np.ones((1, SIZE)), [1])
        assert content(twin) != before
        assert content(model) == before


def test_a_subclass_stays_one():
    model = pickle.loads(pickle.dumps(Named()))
    assert type(model) is Named


class Named(lapwing.Model):
    pass


def test_only_what_was_touched_is_stored():
    model = lapwing.Model()
    model.learn(lapwing.Batch([0, 2], [5, 2**30 - 1], [1.0, 1.0], 2**30), [1])
    assert len(content(model)) < 2000
    assert pickle.loads(pickle.dumps(model)).size == 2**30


def test_any_tool_can_open_it(path):
    model = learned("growing")
    model.save(path)
    arrays = safetensors.load_file(path)
    assert set(arrays) == {"feature", "mean", "variance", "xxh3"}
    assert np.array_equal(arrays["mean"], model.mean[arrays["feature"]])
    assert np.array_equal(arrays["variance"], model.variance[arrays["feature"]])
    learned("adagrad").save(path)
    assert "squared_gradients" in safetensors.load_file(path)
    dense = learned("covariance")
    dense.save(path)
    assert np.array_equal(safetensors.load_file(path)["covariance"], dense.covariance)


FOREIGN = {
    "nothing": (b"", "this file is empty; a Lapwing model was expected"),
    "a byte": (b"x", "this is not a Lapwing model"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "this is not a Lapwing model"),
    "a pickle": (pickle.dumps({"weights": [1.0] * 100}), "this is not a Lapwing model"),
    "text": (b"1 |user anna |ad shoes\n" * 9, "this is not a Lapwing model"),
    "zeros": (bytes(1000), "this is not a Lapwing model"),
    "a long header": ((2**63).to_bytes(8, "little") + bytes(100), "this is not a Lapwing model"),
    "a header cut": ((200).to_bytes(8, "little") + b"{" * 50, "ends in the middle of its header"),
    "other arrays": (
        (8).to_bytes(8, "little") + b"{}      ",
        "this is a safetensors file, but not a Lapwing model",
    ),
}


@pytest.mark.parametrize("name", list(FOREIGN))
def test_foreign_files(name, path):
    content, sentence = FOREIGN[name]
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{path}: .*{sentence}"):
        lapwing.load(path)


def test_damaged_files(path):
    whole = content(learned())
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=f"ends early: {len(whole) - 1} of its {len(whole)} bytes"):
        lapwing.load(path)
    path.write_bytes(whole + b"\n")
    with pytest.raises(ValueError, match=f"has {len(whole) + 1} bytes where it should have"):
        lapwing.load(path)
    path.write_bytes(whole.replace(b'\\"approx\\"', b'\\"gauss\\" '))
    with pytest.raises(ValueError, match="was altered or damaged: its checksum is another one"):
        lapwing.load(path)
    path.write_bytes(whole.replace(b'\\"format\\":1', b'\\"format\\":2'))
    with pytest.raises(ValueError, match=r"has format 2, written by lapwing .*: upgrade Lapwing"):
        lapwing.load(path)


def test_notes_that_are_missing_or_wrong(path):
    model = learned()
    for notes in ({}, {"encoder": "{"}, {"encoder": "{}"}):
        model._core.save(str(path), notes)
        with pytest.raises(ValueError, match=f"^{path}: .*damaged"):
            lapwing.load(path)


def test_places_that_are_no_files(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"none\.lapwing: this cannot be read: No such file"
    ):
        lapwing.load(tmp_path / "none.lapwing")
    with pytest.raises(IsADirectoryError, match="this is a folder; a file was expected"):
        lapwing.load(tmp_path)
    with pytest.raises(OSError, match="/dev/null: this is neither a file nor a link to one"):
        lapwing.load("/dev/null")
    with pytest.raises(TypeError, match=r"path is 3; it must be a string or a pathlib\.Path"):
        lapwing.load(3)
    model = lapwing.Model()
    with pytest.raises(IsADirectoryError, match="this is a folder; a file was expected"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError, match=f"the folder {tmp_path}/none does not exist"):
        model.save(tmp_path / "none" / "clicks.lapwing")
    with pytest.raises(OSError, match="this path names no file"):
        model.save("")
    with pytest.raises(ValueError, match="no path holds a null character"):
        model.save("a\0b")
    with pytest.raises(OSError, match="/dev/full: this cannot be written: No space left on device"):
        learned().save("/dev/full")
    learned().save("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_link_is_followed_and_rights_stay(tmp_path, path):
    path.write_text("old")
    path.chmod(0o640)
    link = tmp_path / "latest"
    link.symlink_to("clicks.lapwing")
    learned().save(link)
    assert link.is_symlink()
    assert bits(lapwing.load(path)) == bits(learned())
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        learned().save(tmp_path / "other")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clicks.lapwing", "latest", "other"]


def test_a_save_that_fails_leaves_the_old_file(path):
    """In a process of its own that may write 4000 bytes to a file: a disk that is full."""
    small = learned()
    small.save(path)
    script = f"""
import resource, signal, lapwing
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
X, y, _ = lapwing.synthetic.RandomStream(features=2000, active=200).draw(30)
model = lapwing.Model()
model.learn(X, y)
try:
    model.save({str(path)!r})
except OSError as error:
    print(error)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.startswith(f"{path}: this cannot be written: File too large")
    assert path.read_bytes() == content(small)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_save_that_is_killed_leaves_the_old_file_or_the_new_one(path):
    """The models saved in turn have learned 1, 2, 3, ... rows."""
    script = f"""
import lapwing
X, y, _ = lapwing.synthetic.RandomStream(features=200_000, active=2000).draw(1000)
model = lapwing.Model(dtype="float64")
for row in range(1000):
    model.learn(X[row : row + 1], y[row : row + 1])
    model.save({str(path)!r})
    if row == 0:
        print("saved", flush=True)
"""
    rng = np.random.default_rng(3)
    for _ in range(KILLS):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"saved\n"
            time.sleep(rng.uniform(0, 0.1))
            process.kill()
        assert lapwing.load(path).rows_learned >= 1
    others = [p.name for p in path.parent.iterdir() if p != path]
    assert all(re.fullmatch(r"\.lapwing-\w+\.unfinished", name) for name in others)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_rights(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="this cannot be written: Permission denied"):
        learned().save(tmp_path / "clicks.lapwing")


def test_the_bytes_of_another_class():
    with pytest.raises(ValueError, match=r"another class \(table\), not of a DenseModel"):
        lapwing.DenseModel(3).__setstate__(content(lapwing.Model()))
