"""The `lapwing` command."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="Online Bayesian logistic and probit regression for sparse streams.",
    no_args_is_help=True,
    add_completion=False,
)


def main() -> None:
    app()


def _print_version(wanted: bool) -> None:
    if wanted:
        import lapwing

        typer.echo(f"lapwing {lapwing.__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None: ...


@app.command()
def demo(
    rows: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rows to stream.")] = 1_000_000,
    active: Annotated[
        float, typer.Option(min=0.001, max=200, help="Features of 200 that are active in a row.")
    ] = 20.0,
    seed: Annotated[int, typer.Option(min=0, help="Another seed is another stream.")] = 0,
) -> None:
    """Learn the paper's synthetic stream, whose true weights are known.

    Shows the progressive log loss beside the loss of knowing the truth, the regret, and a few
    weights with their uncertainty beside the truth.

    Example: lapwing demo --rows 100000 --active 40
    """
    from lapwing.demo import run

    run(rows=rows, active=active, seed=seed)
