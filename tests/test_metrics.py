"""Metrics are scikit-learn's, collected row by row."""

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from lapwing import Metrics


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    logits = random.normal(-1, 2, 20_000)
    p = 1 / (1 + np.exp(-logits))
    y = (random.uniform(size=len(p)) < p).astype(int)
    return y, p, random.uniform(0, 3, len(p)) * (random.uniform(size=len(p)) < 0.9)


def collected(y, p, weights=None):
    metrics = Metrics()
    metrics.add(y, p, weights)
    return metrics


@pytest.mark.parametrize("weighted", [False, True])
def test_they_agree_with_scikit_learn(rows, weighted):
    y, p, weights = rows
    found = collected(y, p, weights if weighted else None)
    same = {"sample_weight": weights} if weighted else {}
    assert found.log_loss == pytest.approx(log_loss(y, p, **same), rel=1e-12)
    assert found.auc == pytest.approx(roc_auc_score(y, p, **same), abs=1e-5)
    assert found.base_rate == pytest.approx(np.average(y, weights=same.get("sample_weight")))
    constant = np.full(len(y), found.base_rate)
    assert found.constant_loss == pytest.approx(log_loss(y, constant, **same), rel=1e-12)
    assert found.normalized_entropy == found.log_loss / found.constant_loss
    assert found.rows == (int((weights > 0).sum()) if weighted else len(y))


def test_adding_in_parts_is_adding_at_once(rows):
    y, p, weights = rows
    parts, whole = Metrics(), collected(y, p, weights)
    for start in range(0, len(y), 777):
        part = slice(start, start + 777)
        parts.add(y[part], p[part], weights[part])
    for name in ("rows", "weight", "total_loss", "log_loss", "auc", "mean_prediction"):
        assert getattr(parts, name) == getattr(whole, name), name
    np.testing.assert_array_equal(parts.reliability(), whole.reliability())


def test_groups_of_calibrated_predictions_lie_on_the_diagonal(rows):
    y, p, _ = rows
    groups = collected(y, p).reliability(10)
    error = np.sqrt(groups.weight) * 0.5
    assert len(groups.weight) == 10
    assert (np.abs(groups.positive - groups.predicted) < 4 * error).all()
    steps = collected(y, p).histogram(10)
    np.testing.assert_allclose(steps.weight, np.histogram(p, 10, (0, 1))[0], atol=20)


def test_nothing_is_added_by_a_call_that_fails(rows):
    y, p, _ = rows
    metrics = collected(y, p)
    before = metrics.total_loss
    with pytest.raises(ValueError, match="the prediction of row 1 is NaN; it must be a prob"):
        metrics.add([1, 0], [0.5, np.nan])
    with pytest.raises(ValueError, match="there are 2 rows and 1 labels"):
        metrics.add([1], [0.5, 0.5])
    assert metrics.total_loss == before
