"""Runs experiments: two at a time, with progress, each finished curve kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from lapwing.paper import figure, summary
from lapwing.paper.plan import Drawing
from lapwing.paper.run import learn_curve
from lapwing.paper.store import Key, Store

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from lapwing.paper.plan import Experiment, Panel, Setting


def execute(
    experiment: Experiment | Drawing, size: str, folder: Path, console: Console, *, jobs: int
) -> list[Path]:
    """Learns what is not learned yet, then writes the table and draws the figure."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(experiment, Drawing):
        return experiment.draw(folder)
    store = Store(folder / "curves" / f"{experiment.name}.csv")
    work = [
        (Key(panel.name, method.name, setting.label, seed), panel, setting, cut.rows)
        for panel in experiment.panels
        for method in panel.methods
        for cut in (method.cut(experiment.sizes[size]),)
        for seed in range(cut.seeds)
        for setting in method.settings
    ]
    missing = [item for item in work if not store.has(item[0], item[3])]
    if len(missing) < len(work):
        console.print(f"{experiment.name}: {len(work) - len(missing)} curves are there already")
    learn(experiment.name, missing, store, console, jobs=jobs)
    return [summary.write(experiment, store, folder), *figure.draw(experiment, store, folder)]


def learn(
    name: str,
    missing: list[tuple[Key, Panel, Setting, int]],
    store: Store,
    console: Console,
    *,
    jobs: int,
) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=console)
    pool = ThreadPoolExecutor(max_workers=jobs)
    with progress, pool:
        bar = progress.add_task(f"{name}, rows", total=sum(rows for *_, rows in missing))

        def advance(step: int) -> None:
            progress.update(bar, advance=step)

        futures = {
            pool.submit(learn_curve, panel, setting, key.seed, rows, advance): key
            for key, panel, setting, rows in missing
        }
        try:
            for future in as_completed(futures):
                store.add(futures[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
