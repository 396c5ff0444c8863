"""The best of every grid, and the table of what was found."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lapwing.paper.plan import Experiment, Method, Panel
    from lapwing.paper.run import Curve
    from lapwing.paper.store import Store

COLUMNS = (
    "panel", "rows", "method", "setting", "best", "regret_over_log", "deviation_over_seeds",
    "seeds", "paper", "learning_seconds", "drawing_seconds",
)  # fmt: skip


def curves_of(panel: Panel, method: str, setting: str, store: Store) -> list[Curve]:
    """One for each seed."""
    name = (panel.name, method, setting)
    keys = sorted(key for key in store.curves if (key.panel, key.method, key.setting) == name)
    return [store.curves[key] for key in keys]


def mean_regret(
    panel: Panel, method: str, setting: str, store: Store
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    curves = curves_of(panel, method, setting, store)
    return curves[0].rows, np.mean([curve.regret for curve in curves], axis=0)


def best_setting(panel: Panel, method: Method, store: Store, *, at: int = -1) -> str:
    """The one with the least regret at a checkpoint, the last if none is said."""
    labels = [setting.label for setting in method.settings]
    ends = [mean_regret(panel, method.name, label, store)[1][at] for label in labels]
    return labels[int(np.argmin(ends))]


def write(experiment: Experiment, store: Store, folder: Path) -> Path:
    """Regret over log t for every panel, method and setting: the whole grid, its best marked."""
    path = folder / f"{experiment.name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for panel in experiment.panels:
            for method in panel.methods:
                for line in method_lines(experiment, panel, method, store):
                    writer.writerow(line)
    return path


def method_lines(
    experiment: Experiment, panel: Panel, method: Method, store: Store
) -> list[tuple[object, ...]]:
    lines: list[tuple[object, ...]] = []
    checkpoints = mean_regret(panel, method.name, method.settings[0].label, store)[0]
    reported = sorted({*experiment.report_at, int(checkpoints[-1])} & set(checkpoints.tolist()))
    for rows in reported:
        at = int(np.searchsorted(checkpoints, rows))
        best = best_setting(panel, method, store, at=at)
        for setting in method.settings:
            curves = curves_of(panel, method.name, setting.label, store)
            regrets = [curve.regret[at] / np.log(rows) for curve in curves]
            # Times are of whole streams, and in proportion before their end.
            share = rows / checkpoints[-1]
            seconds = [
                share * np.mean([curve.learning_seconds for curve in curves]),
                share * np.mean([curve.drawing_seconds for curve in curves]),
            ]
            lines.append(
                (
                    panel.name,
                    rows,
                    method.name,
                    setting.label,
                    "yes" if best == setting.label else "",
                    f"{np.mean(regrets):.2f}",
                    f"{np.std(regrets):.2f}",
                    len(regrets),
                    experiment.printed.get((panel.name, method.name, rows), ""),
                    *(f"{value:.2f}" for value in seconds),
                )
            )
    return lines
