"""The `lapwing` command."""

from __future__ import annotations

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
