"""Figures of regret, drawn from the stored curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from lapwing.paper.information import information_limit
from lapwing.paper.run import at_first
from lapwing.paper.summary import (
    BASELINE,
    best_setting,
    learned,
    mean_regret,
    relative_to_best_sgd,
)

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from lapwing.paper.plan import Experiment, Panel
    from lapwing.paper.store import Store

COLOURS = {
    "Gauss": "#1b6ca8",
    "ApproxG": "#3fa7d6",
    "ApproxL": "#59cd90",
    "DimGauss": "#b8860b",
    "ADF": "#a05195",
    "SGD": "#d1495b",
    "full covariance": "#e07a1f",
    "VB-100": "#7a7a7a",
    "VB-1000": "#222831",
}
DASHES = {"ApproxG": (0, (6, 2)), "ApproxL": (0, (2, 2))}
FIRST_ROW = 1000
LEGEND_HEIGHT = 0.2
ROWS_PER_FEATURE = 10


def draw(experiment: Experiment, store: Store, folder: Path) -> list[Path]:
    lines = -(-len(experiment.panels) // experiment.columns)
    shape = (6.2 * experiment.columns, 4.4 * lines)
    figure = Figure(figsize=shape)
    axes = figure.subplots(lines, experiment.columns, squeeze=False)
    for axis, panel in zip(axes.flat, experiment.panels, strict=False):
        panel = learned(panel, store)
        if panel.deviation is None:
            draw_relative(axis, panel, store)
        else:
            draw_panel(axis, panel, store)
    figure.suptitle(experiment.title)
    return save(figure, folder, experiment.name)


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """As SVG and PNG, the same bytes for the same figure."""
    figure.tight_layout()
    paths = [folder / f"{name}.{kind}" for kind in ("svg", "png")]
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=110)
    return paths


def draw_panel(axis: Axes, panel: Panel, store: Store) -> None:
    finals = []
    lowest = float("inf")
    longest = np.zeros(0, dtype=np.int64)
    for method in panel.methods:
        setting = best_setting(panel, method, store)
        rows, regret = mean_regret(panel, method.name, setting, store)
        shown = rows >= min(FIRST_ROW, rows[-1] // 2)
        longest = max(longest, rows[shown], key=len)
        normalised = regret[shown] / np.log(rows[shown])
        finals.append(normalised[-1])
        lowest = min(lowest, float(normalised.min()))
        axis.plot(
            rows[shown],
            normalised,
            label=f"{method.name} ({setting})",
            color=COLOURS.get(method.name),
            linestyle=DASHES.get(method.name, "-"),
        )
    draw_limits(axis, panel, longest, store)
    axis.set_xscale("log")
    # What runs off the top is far worse than the rest, and would flatten it.
    top = 1.15 * min(max(finals), 3.5 * np.median(finals))
    axis.set_ylim(0, top)
    axis.set_title(panel.title, fontsize=10)
    axis.set_xlabel("rows t")
    axis.set_ylabel("regret / log t")
    axis.grid(alpha=0.25)
    # Below the curves, where there is room between them and zero.
    if lowest > LEGEND_HEIGHT * top:
        axis.legend(fontsize=6.5, loc="lower center", ncols=3, columnspacing=1.0)
    else:
        axis.legend(fontsize=6.5, loc="upper left")


def draw_relative(axis: Axes, panel: Panel, store: Store) -> None:
    """Loss relative to the best AdaGrad, which is the line at zero."""
    late = []
    for method in panel.methods:
        setting = best_setting(panel, method, store)
        rows, percent = relative_to_best_sgd(panel, method.name, setting, store)
        shown = rows >= min(FIRST_ROW, rows[-1] // 2)
        late.extend(percent[rows >= rows[-1] / 20])
        axis.plot(
            rows[shown],
            percent[shown],
            label=f"{method.name} ({setting})" + (", the zero" if method.name == BASELINE else ""),
            color=COLOURS.get(method.name),
            linestyle=DASHES.get(method.name, "-"),
        )
    # What the first rows did is noise, and runs off the panel.
    low, high = min(late), max(late)
    margin = 0.2 * max(high - low, 0.1)
    axis.set_ylim(low - margin, high + margin)
    axis.set_xscale("log")
    axis.set_title(panel.title, fontsize=10)
    axis.set_xlabel("rows t")
    axis.set_ylabel("loss relative to the best AdaGrad, %")
    axis.grid(alpha=0.25)
    axis.legend(fontsize=7, loc="best")


def draw_limits(axis: Axes, panel: Panel, rows: NDArray[np.int64], store: Store) -> None:
    """What the paper's figures do not have: the bound, and the limit for these very draws."""
    seeds = sorted({key.seed for key in store.curves if key.panel == panel.name})
    limits = [information_limit(panel, seed, rows) for seed in seeds]
    known = [limit for limit in limits if limit is not None]
    if known:
        d = at_first(panel.stream, 0).features
        # It is a limit once the data say more than the prior: with fewer rows it can be more than
        # guessing costs.
        told = rows >= ROWS_PER_FEATURE * d
        normalised = np.mean(known, axis=0)[told] / np.log(rows[told])
        axis.plot(rows[told], normalised, color="black", linewidth=1, label="information limit")
        axis.axhline(d / 2, color="grey", linestyle=":", linewidth=1, label="d/2 log t")
