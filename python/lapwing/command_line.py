"""The `lapwing` command."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

import lapwing


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(lapwing.__version__, prog_name="lapwing", message="%(prog)s %(version)s")
def main() -> None:
    """Online Bayesian logistic and probit regression for sparse streams."""


@main.command(epilog="Example: lapwing demo --rows 100000 --active 40")
@click.option(
    "--rows",
    type=click.IntRange(1, 100_000_000),
    default=1_000_000,
    show_default=True,
    help="Rows to stream.",
)
@click.option(
    "--active",
    type=click.FloatRange(0, 200, min_open=True),
    default=20.0,
    show_default=True,
    help="How many of the 200 features are active in a row, on average.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    help="Another seed is another stream.",
)
def demo(rows: int, active: float, seed: int) -> None:
    """Learn the paper's synthetic stream, whose true weights are known.

    Shows the progressive log loss beside the loss of knowing the truth, the regret, and a few
    weights with their uncertainty beside the truth.
    """
    from lapwing.demo import run

    run(rows=rows, active=active, seed=seed)


@main.command(epilog="Example: lapwing generate criteo --rows 1000000 > day.tsv")
@click.argument("name", type=click.Choice(["random", "categories", "longtail", "criteo"]))
@click.option("--rows", type=click.IntRange(0), default=1000, show_default=True, help="How many.")
@click.option(
    "--format",
    "text_format",
    type=click.Choice(["vw", "svmlight", "criteo"]),
    default=None,
    help="How rows are written; by default vw, and of the criteo stream criteo.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    help="Another seed is another stream.",
)
@click.option("-o", "--out", type=click.File("wb"), default="-", help="A file, not the screen.")
def generate(name: str, rows: int, text_format: str | None, seed: int, out: BinaryIO) -> None:
    """Write rows of a synthetic stream as text.

    \b
    random      200 binary features, about 20 active in a row
    categories  10 categories of 200 features, 5 of each in a row
    longtail    22 categories, 8.4 million features, Zipf within each
    criteo      13 integers and 26 categories as those of Criteo's click data
    """
    from lapwing.generate import write

    write(name, rows, text_format, seed, out)


@main.command(epilog="Example: lapwing paper fig1 --size quick --out results")
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
