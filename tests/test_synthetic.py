"""Streams know their truth, and their text is their rows."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from lapwing.reference.likelihood import LOGIT, PROBIT
from lapwing.synthetic import CategoryStream, CriteoStream, LongTailStream, RandomStream

STREAMS = {
    "random": lambda **options: RandomStream(features=50, active=8, **options),
    "values": lambda **options: RandomStream(features=50, active=8, values="uniform", **options),
    "uniform weights": lambda **options: RandomStream(
        features=50, active=8, weights="uniform", **options
    ),
    "several deviations": lambda **options: RandomStream(
        features=50, active=8, deviation=np.linspace(0, 2, 50), **options
    ),
    "even": lambda **options: CategoryStream(categories=[40, 30], per_row=3, **options),
    "tailed": lambda **options: CategoryStream(categories=[40], per_row=4, decay=0.9, **options),
    "long tail": lambda **options: LongTailStream(categories=12, **options),
    "criteo": lambda **options: CriteoStream(most_values=500, **options),
}
every_stream = pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)


def matrix(X):
    return csr_array((X.values.astype(float), X.features, X.starts), shape=(len(X), X.columns))


@every_stream
@pytest.mark.parametrize(("link", "F"), [("logit", LOGIT), ("probit", PROBIT)])
def test_the_true_loss_is_that_of_the_true_weights(make, link, F):
    stream = make(link=link, seed=5)
    X, y, true_loss = stream.draw(3000)
    total = matrix(X) @ stream.weights
    np.testing.assert_allclose(true_loss, -np.log(F.cdf(y * total)), rtol=1e-9, atol=1e-12)


@every_stream
def test_svmlight_text_is_the_rows(make, tmp_path):
    stream = make(seed=2)
    X, y, _ = stream.draw(500)
    path = tmp_path / "rows.svm"
    path.write_bytes(stream.again().text(500, format="svmlight"))
    read, labels = load_svmlight_file(str(path), n_features=X.columns, zero_based=False)
    assert np.array_equal(labels, y)
    # Single precision is written with as many digits as it needs.
    assert np.array_equal(read.indices, X.features)
    assert np.array_equal(read.data.astype(np.float32), X.values)


@every_stream
def test_text_in_parts_is_text_at_once(make):
    parts, whole = make(seed=1), make(seed=1)
    assert parts.text(30) + parts.text(70) == whole.text(100)


@every_stream
def test_another_seed_is_another_stream(make):
    assert make(seed=1).text(50) != make(seed=2).text(50)


def test_beginning_again_shares_the_truth_and_repeats_the_rows():
    stream = RandomStream(seed=3)
    first = stream.draw(200)
    again = stream.again()
    assert np.array_equal(again.weights, stream.weights)
    assert np.array_equal(again.draw(200).X.features, first.X.features)
    assert not np.array_equal(stream.draw(200).X.features, first.X.features)


def test_only_criteo_rows_are_written_as_criteo():
    with pytest.raises(ValueError, match='must be "vw" or "svmlight" for this stream'):
        RandomStream().text(1, format="criteo")
    with pytest.raises(ValueError, match="most_values is 1; it must be between 2 and"):
        CriteoStream(most_values=1)


def generate(*arguments):
    command = [sys.executable, "-m", "lapwing", "generate", *arguments]
    return subprocess.run(command, capture_output=True, check=False)


def test_the_command_writes_the_rows_of_the_stream(tmp_path):
    expected = RandomStream(seed=4).text(25_000)
    assert generate("random", "--rows", "25000", "--seed", "4").stdout == expected
    path = tmp_path / "rows.svm"
    generate("categories", "--rows", "10", "--format", "svmlight", "-o", str(path))
    assert path.read_bytes() == CategoryStream(per_row=5).text(10, format="svmlight")
    wrong = generate("random", "--format", "criteo")
    assert wrong.returncode == 1
    assert b"random rows have no fields" in wrong.stderr
