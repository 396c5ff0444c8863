"""`lapwing export`."""

from __future__ import annotations

import click

from lapwing.commands.writing import check_writable

EXAMPLES = """\b
Examples:
  lapwing export clicks.lapwing -o weights.csv
  lapwing export clicks.lapwing -o weights.parquet
"""


@click.command(epilog=EXAMPLES)
@click.argument("model", metavar="MODEL")
@click.option("-o", "--out", required=True, metavar="FILE", help="A file, .csv or .parquet.")
def export(model: str, out: str) -> None:
    """Write what a model has learned about every feature as a table.

    Its columns are the feature (the name where names are kept, and otherwise the number), the mean
    of its weight, its standard deviation, and where names are kept, how many rows had it.
    """
    import lapwing

    check_writable(out, [model])
    found = lapwing.load(model)
    weights = found.weights()
    weights.write(out)
    click.echo(f"{len(weights):,} features in {out}")
