"""`lapwing inspect`."""

from __future__ import annotations

import click

EXAMPLES = """\b
Examples:
  lapwing inspect clicks.lapwing
  lapwing inspect clicks.lapwing --top 50 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("model", metavar="MODEL")
@click.option(
    "--top", type=click.IntRange(0), default=10, show_default=True, help="Features of each table."
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def inspect(model: str, top: int, as_json: bool) -> None:
    """Show what a model is and what it has learned.

    The tables have its strongest features, whose weights are surely far from zero; the most
    uncertain ones; and where names are kept, the most frequent.
    """
    from lapwing.inspection import Inspection

    found = Inspection.of(model, top)
    click.echo(found.to_json() if as_json else found.to_text())
