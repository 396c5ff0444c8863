"""The pictures of a report: each says one thing about a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing.metrics import MOST_GROUPS
from lapwing.report.plot import Plot
from lapwing.report.scale import Linear, Log, around, short

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.learning.curve import Point
    from lapwing.metrics import Metrics

SETTLED = 1000
"""Rows after which a loss says something of the stream; the axis is chosen for those."""
GROUPS = 20
STEPS = 50
DRAWN = 0.995
"""The share of rows in a picture of their distribution: the last few would squeeze the rest."""
TWO_SIDED = 1.96
"""Deviations that hold 95 % of a normal distribution."""


class Picture(NamedTuple):
    """With its heading, what its marks are, and a sentence about it."""

    heading: str
    svg: str
    keys: list[tuple[str, str]]
    """Kinds of marks and what they are."""
    caption: str


def loss(points: list[Point], constant: float | None) -> Picture | None:
    if len(points) < 2:
        return None
    settled = [point for point in points if point.rows >= SETTLED] or points
    seen = [loss for point in settled for loss in (point.average, point.since_last)]
    seen += [] if constant is None else [constant]
    x = Log(points[0].rows, points[-1].rows)
    plot = Plot("loss", x, around(seen), "rows", "log loss")
    if constant is not None:
        plot.line([(points[0].rows, constant), (points[-1].rows, constant)], "dashed")
    plot.line([(point.rows, point.since_last) for point in points], "second")
    plot.line([(point.rows, point.average) for point in points], "first")
    keys = [("first", "average so far"), ("second", "since the last point")]
    keys += [] if constant is None else [("dashed", "best constant")]
    caption = "Every row was predicted before it was learned."
    return Picture("Loss over rows", plot.svg(), keys, caption)


def reliability(metrics: Metrics) -> Picture | None:
    groups = metrics.reliability(GROUPS)
    weight = groups.weight
    if len(weight) < 2:
        return None
    predicted, observed = groups.predicted / weight, groups.positive / weight
    reach = TWO_SIDED * np.sqrt(predicted * (1 - predicted) / weight)
    ends = np.concatenate([predicted, observed, predicted + reach])
    axis = Linear(0.0, min(1.0, float(ends.max()) * 1.06), percent=True)
    plot = Plot("reliability", axis, axis, "predicted", "observed")
    plot.line([(0.0, 0.0), (axis.high, axis.high)], "dashed")
    for p, rate, spread, rows in zip(predicted, observed, reach, weight, strict=True):
        plot.line([(p, max(p - spread, 0.0)), (p, min(p + spread, 1.0))], "range")
        plot.dot(p, rate, "dot", f"{rows:,.0f} rows: predicted {p:.2%}, observed {rate:.2%}")
    keys = [("dot", "a group of rows"), ("range", "where 95 % of such groups are, if all is right")]
    caption = (
        f"{len(weight)} groups by prediction, of {short(weight.min())} to {short(weight.max())} "
        f"rows. Calibration {metrics.calibration:.4f}."
    )
    return Picture("Reliability", plot.svg(), keys, caption)


def predictions(metrics: Metrics) -> Picture:
    # Rare events have all their predictions near zero, and the picture is about those.
    fine = metrics.histogram(MOST_GROUPS).weight
    reach = (np.searchsorted(fine.cumsum(), DRAWN * fine.sum()) + 1) / MOST_GROUPS
    steps = min(int(STEPS / reach), MOST_GROUPS)
    bins, end = metrics.histogram(steps), min(STEPS, steps)
    share = bins.weight[:end] / bins.weight.sum()
    edges = (np.arange(end + 1) / steps).tolist()
    positive = (bins.positive[:end] / bins.weight.sum()).tolist()
    y = Linear(0.0, float(share.max()) * 1.06, percent=True)
    x = Linear(0.0, edges[-1], percent=True)
    plot = Plot("predictions", x, y, "predicted", "share of rows")
    plot.bars(edges, [0.0] * end, positive, "positive")
    plot.bars(edges, positive, share.tolist(), "negative")
    keys = [("negative", "label 0"), ("positive", "label 1")]
    caption = (
        f"Mean prediction {metrics.mean_prediction:.4f}, share of label 1 {metrics.base_rate:.4f}."
        + (f" The highest {1 - DRAWN:.1%} are not drawn." if edges[-1] < 1 else "")
    )
    return Picture("Predictions", plot.svg(), keys, caption)


def uncertainty(low: NDArray[Any], high: NDArray[Any], level: float) -> Picture | None:
    """Of rows that the model is asked about once it has learned all."""
    widths = high - low
    if len(widths) == 0:
        return None
    end = max(float(np.quantile(widths, DRAWN)), 1e-9)
    counts, edges = np.histogram(widths, bins=40, range=(0.0, end))
    share = (counts / len(widths)).tolist()
    x = Linear(0.0, end, percent=True)
    y = Linear(0.0, max(share) * 1.06, percent=True)
    named = f"{100 * level:g} % interval"
    plot = Plot("uncertainty", x, y, f"width of the {named}", "share of rows")
    plot.bars(edges.tolist(), [0.0] * len(share), share, "width")
    caption = (
        f"The last {len(widths):,} rows, asked about when all were learned. Half of the intervals "
        f"are narrower than {100 * float(np.median(widths)):.2f} %; "
        f"the widest {1 - DRAWN:.1%} are not drawn."
    )
    return Picture("Uncertainty", plot.svg(), [("width", named)], caption)
