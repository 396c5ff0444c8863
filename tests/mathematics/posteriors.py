"""Random marginal posteriors, seeded, for the tests of marginal rules."""

import numpy as np

from lapwing.reference.likelihood import LOGIT, PROBIT
from lapwing.reference.marginal import Marginal

LIKELIHOODS = [LOGIT, PROBIT]


def posteriors(likelihood, n=200, weights=(1.0,)):
    """Rows of five features with (mu, v, x, y) at random, the scale of v over four decades."""
    rng = np.random.default_rng(7)
    for _ in range(n):
        mu, x = rng.normal(0, 1.5, 5), rng.normal(0, 1, 5)
        v = 10 ** rng.uniform(-3, 1, 5)
        y, weight = rng.choice([-1.0, 1.0]), rng.choice(weights)
        yield Marginal(mu, v, x, x @ mu, x**2 @ v, y, likelihood, weight)
