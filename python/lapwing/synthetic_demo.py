"""`lapwing demo --synthetic`: the paper's synthetic stream through the paper's method."""

from __future__ import annotations

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from lapwing.metrics import log_losses
from lapwing.model import Model
from lapwing.synthetic import RandomStream

FEATURES = 200
FIRST_CHECK = 1000
WEIGHTS_SHOWN = 8


def run(*, rows: int, active: float, seed: int) -> None:
    console = Console()
    stream = RandomStream(features=FEATURES, active=active, seed=seed)
    model = Model(rule="approx", prior_variance=1.0, size=FEATURES)
    console.print(
        f"[bold]Learning {rows:,} rows[/]: {FEATURES} binary features, about {active:g} of them "
        "active in a row, true weights from N(0, 1). Each row is predicted before it is learned.\n"
    )
    learn(console, stream, model, rows)
    console.print()
    console.print(weights_table(stream, model))
    inside = np.abs(stream.weights - model.mean) < 1.645 * np.sqrt(model.variance)
    console.print(
        f"The central 90 % of the belief holds the true weight of {inside.sum()} of {FEATURES} "
        "features: without covariances between features, a belief about one weight grows surer "
        "than it should."
    )


def learn(console: Console, stream: RandomStream, model: Model, rows: int) -> None:
    """Streams the rows through the model; a line at 1, 2, 4, ... thousand rows."""
    console.print(
        "[dim]       rows   log loss   of the truth   regret   regret / ln rows   rows/s[/]"
    )
    loss = truth = seconds = 0.0
    done = 0
    while done < rows:
        step = min(max(done, FIRST_CHECK), rows - done)
        X, y, true_loss = stream.draw(step)
        started = time.perf_counter()
        p = model.learn(X, y)
        seconds += time.perf_counter() - started
        done += step
        loss += log_losses(y, p).sum()
        truth += true_loss.sum()
        regret = loss - truth
        console.print(
            f"{done:11,} {loss / done:10.4f} {truth / done:14.4f} {regret:8.1f} "
            f"{regret / np.log(max(done, 2)):18.1f} {done / seconds:8,.0f}",
            highlight=False,
        )


def weights_table(stream: RandomStream, model: Model) -> Table:
    table = Table(title="Some weights: the truth, and what was learned", title_justify="left")
    for name in ("feature", "truth", "mean", "deviation", "truth within 2 deviations"):
        table.add_column(name, justify="right")
    mean, deviation = model.mean, np.sqrt(model.variance)
    for feature in range(0, FEATURES, FEATURES // WEIGHTS_SHOWN):
        truth = stream.weights[feature]
        within = abs(truth - mean[feature]) < 2 * deviation[feature]
        table.add_row(
            str(feature),
            f"{truth:+.3f}",
            f"{mean[feature]:+.3f}",
            f"{deviation[feature]:.3f}",
            "yes" if within else "no",
        )
    return table
