"""One table of cases: every rule meets each of them, in the engine and in the reference."""

from dataclasses import dataclass, field

import numpy as np

from lapwing import Batch, rules

RULES = [
    rules.Gauss("laplace"),
    rules.Gauss("height"),
    rules.Approx("laplace"),
    rules.Approx("height"),
    rules.DimGauss("newton"),
    rules.DimGauss("taylor"),
    rules.ADF(),
    rules.Moments(),
    rules.VB(samples=30),
    rules.VB(samples=30, mean="taylor"),
    rules.TwoPoint(),
    rules.LeastSquares(),
    rules.AdaGrad(),
]
LINKS = ["logit", "probit"]


@dataclass
class Case:
    """Rows as (features, values), labels, and everything else a learner is told."""

    name: str
    rows: list
    y: np.ndarray
    size: int
    weights: np.ndarray | None = None
    prior_mean: np.ndarray | float = 0.0
    prior_variance: np.ndarray | float = 1.0
    batch: Batch = field(init=False)

    def __post_init__(self):
        self.rows = [(np.array(i, dtype=np.int64), np.array(x, dtype=float)) for i, x in self.rows]
        self.y = np.array(self.y, dtype=float)
        self.batch = batch(self.rows, self.size)


def batch(rows, columns):
    starts = np.cumsum([0, *(len(features) for features, _ in rows)])
    features = np.concatenate([np.zeros(0, dtype=np.int64), *(i for i, _ in rows)])
    return Batch(starts, features, np.concatenate([np.zeros(0), *(x for _, x in rows)]), columns)


def single_rows():
    """Cases of one row, for the comparison after one step."""
    three = ([0, 2, 3], [1.0, 0.5, -1.5])
    means, variances = np.array([0.3, 9.0, -1.2, 0.7]), np.array([0.5, 9.0, 2.0, 0.1])
    for y in (1, -1):
        yield Case(f"empty row, y={y}", [([], [])], [y], 4)
        yield Case(f"one feature, y={y}", [([1], [1.0])], [y], 4)
        yield Case(f"prior arrays, y={y}", [three], [y], 4, None, means, variances)
        yield Case(f"feature twice, y={y}", [([2, 1, 2], [1.0, 0.5, 0.25])], [y], 4)
        yield Case(f"feature cancelled, y={y}", [([2, 1, 2], [1.0, 0.5, -1.0])], [y], 4)
        yield Case(f"x negative, y={y}", [([0, 1], [-2.0, -0.3])], [y], 4, None, means, variances)
        yield Case(f"x zero, y={y}", [([0, 1], [0.0, 1.0])], [y], 4, None, means, variances)
        for variance in (1e-8, 1e-3, 1e2, 1e4):
            yield Case(f"variance {variance:g}, y={y}", [three], [y], 4, None, means, variance)
        for mean in (-500.0, -40.0, -6.0, 6.0, 40.0, 500.0):
            prior = np.array([mean, 0.0, 0.0, 0.0])
            yield Case(f"m = {mean:g}, y={y}", [([0, 1], [1.0, 1.0])], [y], 4, None, prior, 0.7)
        for weight in (0.0, 0.25, 3.0, 100.0):
            weights = np.array([weight])
            yield Case(f"weight {weight:g}, y={y}", [three], [y], 4, weights, means, variances)


def stream(n=10_007, size=40, seed=20):
    """Rows of up to 8 features with repetitions, labels of a true model, weights 0 to 3."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=size)
    rows, y = [], []
    for _ in range(n):
        k = rng.integers(0, 9)
        features, values = rng.integers(0, size, k), rng.choice([1.0, 0.0, -1.0, 0.5, 2.5], k)
        score = values @ truth[features]
        rows.append((features, values))
        y.append(1 if rng.random() < 1 / (1 + np.exp(-score)) else -1)
    weights = rng.choice([0.0, 0.5, 1.0, 1.0, 1.0, 3.0], n)
    return Case("stream", rows, y, size, weights, prior_variance=rng.uniform(0.1, 3.0, size))
