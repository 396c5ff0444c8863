"""`partial_fit`, a loop of rows, the command line, and save and resume at any row: one model."""

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import lapwing
from lapwing.command_line import main
from lapwing.sklearn import LapwingClassifier


@st.composite
def rows(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, columns = draw(st.integers(2, 25)), draw(st.integers(1, 5))
    X = rng.normal(size=(n, columns)) * draw(st.sampled_from([1e-4, 1.0, 50.0]))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return X, y, draw(st.integers(1, n - 1))


def as_text(X, y):
    """The intercept is feature 0, and column i is feature i + 1."""
    values = [[1.0, *row] for row in X.tolist()]
    lines = (" ".join(f"{i}:{x!r}" for i, x in enumerate(row)) for row in values)
    return "".join(f"{label} {line}\n" for label, line in zip(y, lines, strict=True))


def learn(*arguments):
    out = CliRunner().invoke(main, ["learn", *map(str, arguments), "-q"], catch_exceptions=False)
    assert out.exit_code == 0, out.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("one")


@pytest.mark.parametrize("rule", ["approx", "gauss", "moments", "adagrad", "vb"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@settings(max_examples=8)
@given(drawn=rows())
def test_every_way_makes_the_same_bytes(folder, rule, dtype, drawn):
    X, y, cut = drawn
    options = ("--rule", rule, "--dtype", dtype, "--seed", 7)
    paths = [folder / name for name in ("once", "parts")]
    whole, first, second = (folder / f"{name}.svm" for name in ("whole", "first", "second"))
    whole.write_text(as_text(X, y))
    first.write_text(as_text(X[:cut], y[:cut]))
    second.write_text(as_text(X[cut:], y[cut:]))

    learn(whole, *options, "--save", paths[0])

    learn(first, *options, "--save", paths[1])
    learn(second, "--resume", paths[1], "--save", paths[1])

    model = lapwing.Model(rule, dtype=dtype, seed=7)
    for row, label in zip(X, y, strict=True):
        model.learn([[1.0, *row]], [label])

    classifier = LapwingClassifier(rule, dtype=dtype, random_state=7)
    classifier.partial_fit(X[:cut], y[:cut], classes=[0, 1])
    classifier.partial_fit(X[cut:], y[cut:])

    contents = [path.read_bytes() for path in paths]
    contents += [model.__getstate__(), classifier._learners.models[0].__getstate__()]
    assert len(set(contents)) == 1
