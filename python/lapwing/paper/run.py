"""One configuration: a stream learned once, as a curve of regret."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from lapwing.dense import DenseModel
from lapwing.metrics import log_losses
from lapwing.model import Model

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from lapwing.model import OnlineModel
    from lapwing.paper.plan import Link, Panel, Rows, Setting

LARGEST_CHUNK = 20_000
POINTS_PER_DECADE = 20


@dataclass(frozen=True)
class Curve:
    """Regret against the true weights after `rows` rows, and the processor's time that it took.

    Where the truth is not known, it is the loss itself. The time is the thread's alone: other
    curves and programs beside it hardly change it.
    """

    rows: NDArray[np.int64]
    regret: NDArray[np.float64]
    learning_seconds: float
    drawing_seconds: float


def checkpoints(rows: int) -> NDArray[np.int64]:
    """From a hundred rows on, evenly on the logarithm."""
    count = int(POINTS_PER_DECADE * np.log10(rows / 100)) + 1
    return np.unique(np.geomspace(100, rows, count).round().astype(np.int64))


def new_model(setting: Setting, link: Link, features: int) -> OnlineModel:
    variance = setting.prior_variance
    if setting.dense:
        return DenseModel(features, setting.rule, link=link, prior_variance=variance)
    return Model(setting.rule, link=link, prior_variance=variance, size=features)


@lru_cache(maxsize=4)
def at_first(stream: Callable[[int], Rows], seed: int) -> Rows:
    """A panel's stream: its curves share the true weights, millions of which take a second."""
    return stream(seed)


def learn_curve(
    panel: Panel, setting: Setting, seed: int, rows: int, advance: Callable[[int], None]
) -> Curve:
    """Streams the panel's rows through a fresh model."""
    stream = at_first(panel.stream, seed).again()
    model = new_model(setting, panel.link, stream.features)
    ends = checkpoints(rows)
    regret = np.zeros(len(ends))
    total = learning = drawing = 0.0
    done = 0
    for i, end in enumerate(ends):
        while done < end:
            step = min(LARGEST_CHUNK, int(end) - done)
            started = time.thread_time()
            X, y, true_loss = stream.draw(step)
            drawn = time.thread_time()
            if len(y) == 0:
                raise EOFError(f"{panel.name} ended after {done} of {rows} rows")
            p = model.learn(X, y)
            learning += time.thread_time() - drawn
            drawing += drawn - started
            total += float(log_losses(y, p).sum() - true_loss.sum())
            done += len(y)
            advance(len(y))
        regret[i] = total
    return Curve(ends, regret, learning, drawing)
