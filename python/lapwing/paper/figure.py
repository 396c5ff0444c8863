"""Figures of regret, drawn from the stored curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from lapwing.paper.information import information_limit
from lapwing.paper.summary import best_setting, mean_regret

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


def draw(experiment: Experiment, store: Store, folder: Path) -> list[Path]:
    lines = -(-len(experiment.panels) // experiment.columns)
    shape = (6.2 * experiment.columns, 4.4 * lines)
    figure = Figure(figsize=shape)
    axes = figure.subplots(lines, experiment.columns, squeeze=False)
    for axis, panel in zip(axes.flat, experiment.panels, strict=False):
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
    longest = np.zeros(0, dtype=np.int64)
    for method in panel.methods:
        setting = best_setting(panel, method, store)
        rows, regret = mean_regret(panel, method.name, setting, store)
        shown = rows >= min(FIRST_ROW, rows[-1] // 2)
        longest = max(longest, rows[shown], key=len)
        normalised = regret[shown] / np.log(rows[shown])
        finals.append(normalised[-1])
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
    axis.set_ylim(0, 1.15 * min(max(finals), 3.5 * np.median(finals)))
    axis.set_title(panel.title, fontsize=10)
    axis.set_xlabel("rows t")
    axis.set_ylabel("regret / log t")
    axis.grid(alpha=0.25)
    axis.legend(fontsize=7, loc="best")


def draw_limits(axis: Axes, panel: Panel, rows: NDArray[np.int64], store: Store) -> None:
    """What the paper's figures do not have: the bound, and the limit for these very draws."""
    seeds = sorted({key.seed for key in store.curves if key.panel == panel.name})
    limits = [information_limit(panel, seed, rows) for seed in seeds]
    known = [limit for limit in limits if limit is not None]
    if known:
        normalised = np.mean(known, axis=0) / np.log(rows)
        axis.plot(rows, normalised, color="black", linewidth=1, label="information limit")
        d = len(panel.stream(0).weights)
        axis.axhline(d / 2, color="grey", linestyle=":", linewidth=1, label="d/2 log t")
