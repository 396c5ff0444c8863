"""`lapwing generate`."""

from __future__ import annotations

from typing import BinaryIO

import click

EXAMPLES = """\b
Examples:
  lapwing generate criteo --rows 1000000 > day.tsv
  lapwing generate random --rows 100000 | lapwing learn -
"""


@click.command(epilog=EXAMPLES)
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
