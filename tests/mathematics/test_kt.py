"""One binary feature that is always on, prior N(0, 2 pi): the KT estimator (section 2)."""

import numpy as np
import pytest

import lapwing
from lapwing import rules

ROWS = 10_000


@pytest.mark.parametrize("theta", [0.5, 0.3, 0.2])
@pytest.mark.parametrize("rule", [rules.Gauss("laplace"), rules.Gauss("height")], ids=str)
def test_predictions_track_the_kt_estimator(rule, theta):
    """Within 0.07 from the first row on, 0.01 after a hundred, and one nat in all."""
    for seed in range(3):
        y = (np.random.default_rng(seed).random(ROWS) < theta).astype(int)
        seen, ones = np.arange(ROWS), np.cumsum(y) - y
        kt = (ones + 0.5) / (seen + 1)
        model = lapwing.Model(rule, prior_variance=2 * np.pi, dtype="float64")
        p = model.learn(np.ones((ROWS, 1)), y)
        assert np.abs(p - kt).max() < 0.07
        assert np.abs(p - kt)[100:].max() < 0.01
        assert abs(lapwing.log_loss(y, p) - lapwing.log_loss(y, kt)) * ROWS < 1.0
