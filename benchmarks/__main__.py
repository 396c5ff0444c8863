"""`make bench`: rows learned per second, Lapwing beside scikit-learn, in one run.

The workload is the paper's: 200 binary features, about 20 active in a row, a million rows in
memory, single precision, one core. Every round runs every contestant once, in the same order, on a
fresh model; the best round counts, and the ratio is what to read.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import SGDClassifier

import lapwing
from lapwing import rules

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 1_000_000
FEATURES = 200
ACTIVE = 20
ROUNDS = 5
RIVAL = "SGDClassifier.partial_fit, one call"


def contestants() -> dict[str, Callable[[], object]]:
    """Each builds its model and learns all rows."""
    X, y, _ = lapwing.synthetic.RandomStream(features=FEATURES, active=ACTIVE, seed=1).draw(ROWS)
    shape = (len(X), FEATURES)
    for_sklearn = csr_array(
        (X.values.astype(np.float64), X.features.astype(np.int32), X.starts.astype(np.int32)), shape
    )

    def sgd() -> object:
        return SGDClassifier(loss="log_loss").partial_fit(for_sklearn, y, classes=[-1, 1])

    def learner(rule: rules.Rule) -> Callable[[], object]:
        return lambda: lapwing.Model(rule, size=FEATURES).learn(X, y)

    ours = [
        rules.Approx("laplace"),
        rules.Approx("height"),
        rules.Gauss("laplace"),
        rules.DimGauss("newton"),
        rules.ADF(),
        rules.Moments(),
        rules.AdaGrad(),
    ]
    return {RIVAL: sgd} | {f"lapwing {rule}": learner(rule) for rule in ours}


def main() -> None:
    runs = contestants()
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - started)
    print(
        f"{ROWS:,} rows, {ACTIVE} of {FEATURES} binary features, float32, best of {ROUNDS} rounds"
    )
    print(f"{'':58} {'rows/s':>10} {'ratio':>6}")
    for name, seconds in best.items():
        print(f"{name:58} {ROWS / seconds:10,.0f} {best[RIVAL] / seconds:6.2f}")


main()
