"""`lapwing paper`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from lapwing.paper import experiments
from lapwing.paper.plan import Experiment
from lapwing.paper.store import NotCurvesError

if TYPE_CHECKING:
    from pathlib import Path


def run_command(
    names: tuple[str, ...], *, show_list: bool, size: str, out: Path, jobs: int
) -> None:
    console = Console()
    known = experiments()
    if show_list:
        console.print(list_table())
        return
    wanted = list(known) if "all" in names else list(names)
    for name in wanted:
        if name not in known:
            raise click.UsageError(f"there is no experiment {name!r}; there are {', '.join(known)}")
    if not wanted:
        raise click.UsageError(f"which experiment? There are {', '.join(known)}, or all")
    try:
        from lapwing.paper.execute import execute
    except ImportError as error:
        raise click.ClickException(
            f"{error.name} is missing; pip install lapwing[paper] brings what experiments need"
        ) from error
    for name in wanted:
        try:
            written = execute(known[name], size, out / size, console, jobs=jobs)
        except OSError as error:
            raise click.ClickException(f"cannot write to {out}: {error.strerror}") from error
        except NotCurvesError as error:
            raise click.ClickException(str(error)) from error
        for path in written:
            console.print(f"wrote {path}", highlight=False)


def list_table() -> Table:
    table = Table("name", "in the paper", "what", "quick", "paper")
    table.title = "rows x streams of each curve, at --size quick and --size paper"
    for name, experiment in experiments().items():
        shown = ["", ""]
        if isinstance(experiment, Experiment):
            sizes = [experiment.sizes[size] for size in ("quick", "paper")]
            shown = [f"{size.rows:,} x {size.seeds}" for size in sizes]
        table.add_row(name, experiment.where, experiment.title, *shown)
    return table
