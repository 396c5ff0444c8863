"""`lapwing paper`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from lapwing.paper import experiments, fig2
from lapwing.paper.plan import Experiment
from lapwing.paper.store import NotCurvesError
from lapwing.paper.times import measured

if TYPE_CHECKING:
    from pathlib import Path

SIZES = ("quick", "paper")
CORES = 2


def run_command(
    names: tuple[str, ...],
    *,
    show_list: bool,
    size: str,
    out: Path,
    jobs: int,
    criteo: tuple[Path, ...] = (),
) -> None:
    console = Console()
    check_packages("matplotlib", "scipy")
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
    if criteo:
        known["fig2"] = fig2_of(criteo, size, wanted)
    # Before anything is run that would end without them.
    for name in wanted:
        check_packages(*getattr(known[name], "needs", ()))
    from lapwing.paper.execute import execute

    for name in wanted:
        try:
            written = execute(known[name], size, out / size, console, jobs=jobs)
        except OSError as error:
            raise click.ClickException(f"cannot write to {out}: {error.strerror}") from error
        except NotCurvesError as error:
            raise click.ClickException(str(error)) from error
        for path in written:
            console.print(f"wrote {path}", highlight=False)


def fig2_of(paths: tuple[Path, ...], size: str, wanted: list[str]) -> Experiment:
    """With Criteo's files, which are read once before anything is learned."""
    if "fig2" not in wanted:
        raise click.UsageError("--criteo gives fig2 its rows, and fig2 is not among the names")
    try:
        return fig2.with_criteo(paths, size)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def check_packages(*names: str) -> None:
    for name in names:
        if find_spec(name) is None:
            raise click.ClickException(
                f"{name} is missing; pip install lapwing[paper] brings what experiments need"
            )


def list_table() -> Table:
    table = Table("name", "in the paper", "what", *SIZES)
    table.title = "experiments: rows x streams of each curve, and how long all of them take"
    table.caption = (
        f"Times are those of {CORES} cores, two curves at a time (AVX-512 at 2.7 GHz, measured)."
    )
    for name, experiment in experiments().items():
        shown = ["seconds", "seconds"]
        if isinstance(experiment, Experiment):
            shown = [described(experiment, size) for size in SIZES]
        table.add_row(name, experiment.where, experiment.title, *shown)
    return table


def described(experiment: Experiment, size: str) -> str:
    cut = experiment.sizes[size]
    seconds = measured().seconds(experiment, size) / CORES
    return f"{cut.rows:,} x {cut.seeds}\n{duration(seconds)}"


def duration(seconds: float) -> str:
    """In the unit that reads well."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
