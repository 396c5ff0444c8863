"""Runs experiments: two curves at a time, with progress, each finished curve kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lapwing.paper import figure, summary
from lapwing.paper.plan import Drawing
from lapwing.paper.run import learn_curve
from lapwing.paper.store import Key, Store, path_of
from lapwing.paper.times import measured

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from lapwing.paper.plan import Experiment, Panel, Setting
    from lapwing.paper.run import Curve


@dataclass(frozen=True)
class Work:
    """A curve that is to be learned."""

    key: Key
    panel: Panel
    setting: Setting
    rows: int
    per_row: float
    """What a row costs: one of a thousand samples costs a thousand others."""


def execute(
    experiment: Experiment | Drawing, size: str, folder: Path, console: Console, *, jobs: int
) -> list[Path]:
    """Learns what is not learned yet, then writes the table and draws the figure."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(experiment, Drawing):
        return experiment.draw(folder)
    store = Store(path_of(folder, experiment.name))
    work = [
        Work(
            Key(panel.name, method.name, setting.label, seed),
            panel,
            setting,
            rows,
            measured().per_row(experiment.name, panel.name, method.name),
        )
        for panel, method, setting, seed, rows in experiment.work(size)
    ]
    missing = [item for item in work if not store.has(item.key, item.rows)]
    if len(missing) < len(work):
        console.print(f"{experiment.name}: {len(work) - len(missing)} curves are there already")
    learn(experiment.name, missing, store, console, jobs=jobs)
    # As they are in the file: the table is then that of the curves, to the last digit.
    store = Store(store.path)
    return [summary.write(experiment, store, folder), *figure.draw(experiment, store, folder)]


def learn(name: str, missing: list[Work], store: Store, console: Console, *, jobs: int) -> None:
    # The time left is foretold from the last minutes: long enough for rows of any method.
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=console, speed_estimate_period=300)
    pool = ThreadPoolExecutor(max_workers=jobs)
    with progress, pool:
        bar = progress.add_task(name, total=sum(item.rows * item.per_row for item in missing))
        running: list[str] = []
        done = 0

        def tell() -> None:
            now = "; ".join(sorted(running))
            progress.update(bar, description=f"{name}, {done} of {len(missing)} curves: {now}")

        def run(item: Work) -> Curve:
            key = item.key
            label = f"{key.panel}, {key.method} ({key.setting}), stream {key.seed}"
            running.append(label)
            tell()
            try:
                return learn_curve(
                    item.panel,
                    item.setting,
                    key.seed,
                    item.rows,
                    lambda rows: progress.update(bar, advance=rows * item.per_row),
                )
            finally:
                running.remove(label)

        futures = {pool.submit(run, item): item.key for item in missing}
        try:
            for future in as_completed(futures):
                store.add(futures[future], future.result())
                done += 1
                tell()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
