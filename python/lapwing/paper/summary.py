"""The best of every grid, and the table of what was found."""

from __future__ import annotations

import csv
from dataclasses import replace
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
    "seeds", "each_stream_at_its_best", "paper", "loss", "percent_of_best_sgd", "learning_seconds",
    "drawing_seconds",
)  # fmt: skip
BASELINE = "SGD"


def learned(panel: Panel, store: Store) -> Panel:
    """The panel as far as there are curves: kept results may be older than a plan."""
    known = {(key.method, key.setting) for key in store.curves if key.panel == panel.name}
    methods = []
    for method in panel.methods:
        settings = tuple(one for one in method.settings if (method.name, one.label) in known)
        if settings:
            methods.append(replace(method, settings=settings))
    return replace(panel, methods=tuple(methods))


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


def each_at_its_best(panel: Panel, method: Method, at: int, store: Store) -> NDArray[np.float64]:
    """The least regret of the grid for every stream by itself, as who has one stream finds it."""
    grid = [curves_of(panel, method.name, one.label, store) for one in method.settings]
    regrets = np.array([[curve.regret[at] for curve in curves] for curves in grid])
    return np.asarray(regrets.min(axis=0), dtype=np.float64)


def relative_to_best_sgd(
    panel: Panel, method: str, setting: str, store: Store
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """How many percent more is lost than by the best AdaGrad, where the truth is not known."""
    baseline = next(one for one in panel.methods if one.name == BASELINE)
    rows, least = mean_regret(panel, BASELINE, best_setting(panel, baseline, store), store)
    _, loss = mean_regret(panel, method, setting, store)
    return rows, 100 * (loss / least - 1)


def write(experiment: Experiment, store: Store, folder: Path) -> Path:
    """Regret over log t for every panel, method and setting: the whole grid, its best marked."""
    path = folder / f"{experiment.name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for panel in experiment.panels:
            panel = learned(panel, store)
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
            is_best = best == setting.label
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
                    described(method, best) if is_best else "",
                    *quality(experiment, panel, method, setting.label, is_best, at, store),
                    *(f"{value:.2f}" for value in seconds),
                )
            )
    return lines


def described(method: Method, best: str) -> str:
    """How the best setting is marked: at its grid's edge, a wider grid may have a better one."""
    labels = [setting.label for setting in method.settings]
    return "edge of grid" if len(labels) > 1 and best in (labels[0], labels[-1]) else "yes"


def quality(
    experiment: Experiment,
    panel: Panel,
    method: Method,
    setting: str,
    is_best: bool,
    at: int,
    store: Store,
) -> tuple[object, ...]:
    """The columns from `regret_over_log` on: of the regret, or of the loss where that is known."""
    curves = curves_of(panel, method.name, setting, store)
    rows = int(curves[0].rows[at])
    totals = np.array([curve.regret[at] for curve in curves])
    if panel.deviation is None:
        relative = relative_to_best_sgd(panel, method.name, setting, store)[1][at]
        return "", "", len(curves), "", "", f"{totals.mean() / rows:.5f}", f"{relative:.3f}"
    regrets = totals / np.log(rows)
    each = ""
    # The paper names a prior for some of its numbers; the others are of its best setting.
    printed = experiment.printed.get((panel.name, method.name, setting, rows), "")
    if is_best:
        each = f"{each_at_its_best(panel, method, at, store).mean() / np.log(rows):.2f}"
        best = experiment.printed.get((panel.name, method.name, "best", rows), "")
        printed = printed if best == "" else best
    mean, spread = f"{regrets.mean():.2f}", f"{regrets.std():.2f}"
    return mean, spread, len(curves), each, printed, "", ""
