"""`lapwing paper`."""

from __future__ import annotations

from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  lapwing paper --list
  lapwing paper fig1 --size quick --out results
"""


@click.command(epilog=EXAMPLES)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--list", "show_list", is_flag=True, help="Say what there is, and do nothing.")
@click.option(
    "--size",
    type=click.Choice(["tiny", "quick", "paper"]),
    default="quick",
    show_default=True,
    help="How long the streams are: to see that it works, to see its shape, or as in the paper.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("paper-results"),
    show_default=True,
    help="The folder for tables, figures and curves.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="Curves at a time."
)
@click.option(
    "--criteo",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Criteo's rows for fig2, with their labels; may be given several times, and compressed.",
)
def paper(
    names: tuple[str, ...],
    show_list: bool,
    size: str,
    out: Path,
    jobs: int,
    criteo: tuple[Path, ...],
) -> None:
    """Repeat experiments of the paper: NAME... or all.

    Each writes a table NAME.csv with the whole grid of every method, the curves behind it, and a
    figure (SVG and PNG). An interrupted run goes on at the last finished curve.
    """
    from lapwing.paper.command import run_command

    run_command(names, show_list=show_list, size=size, out=out, jobs=jobs, criteo=criteo)
