"""The best of every grid, and the table of what was found."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lapwing.paper.plan import Experiment, Panel
    from lapwing.paper.store import Key, Store

COLUMNS = (
    "panel", "method", "setting", "best", "rows", "regret_over_log", "spread_over_seeds", "seeds",
    "learning_seconds", "drawing_seconds",
)  # fmt: skip


def seeds_of(panel: Panel, method: str, setting: str, store: Store) -> list[Key]:
    name = (panel.name, method, setting)
    return sorted(key for key in store.curves if (key.panel, key.method, key.setting) == name)


def mean_regret(
    panel: Panel, method: str, setting: str, store: Store
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    curves = [store.curves[key] for key in seeds_of(panel, method, setting, store)]
    return curves[0].rows, np.mean([curve.regret for curve in curves], axis=0)


def best_settings(panel: Panel, store: Store) -> dict[str, str]:
    """Of each method, the setting with the least regret at the end."""
    best = {}
    for method in panel.methods:
        labels = [setting.label for setting in method.settings]
        ends = [mean_regret(panel, method.name, label, store)[1][-1] for label in labels]
        best[method.name] = labels[int(np.argmin(ends))]
    return best


def write(experiment: Experiment, store: Store, folder: Path) -> Path:
    """One line per panel, method and setting: regret over log T at the end, its grid shown."""
    path = folder / f"{experiment.name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for panel in experiment.panels:
            best = best_settings(panel, store)
            for method in panel.methods:
                for setting in method.settings:
                    keys = seeds_of(panel, method.name, setting.label, store)
                    curves = [store.curves[key] for key in keys]
                    ends = [curve.regret[-1] / np.log(curve.rows[-1]) for curve in curves]
                    writer.writerow(
                        (
                            panel.name,
                            method.name,
                            setting.label,
                            "yes" if best[method.name] == setting.label else "",
                            int(curves[0].rows[-1]),
                            f"{np.mean(ends):.2f}",
                            f"{np.std(ends):.2f}",
                            len(ends),
                            f"{np.mean([curve.learning_seconds for curve in curves]):.2f}",
                            f"{np.mean([curve.drawing_seconds for curve in curves]):.2f}",
                        )
                    )
    return path
