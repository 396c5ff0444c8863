"""The `lapwing` command."""

from __future__ import annotations

import click

import lapwing
from lapwing.commands.demo import demo
from lapwing.commands.export import export
from lapwing.commands.generate import generate
from lapwing.commands.group import Commands
from lapwing.commands.inspect import inspect
from lapwing.commands.learn import learn
from lapwing.commands.paper import paper
from lapwing.commands.predict import predict

EXAMPLES = """\b
Examples:
  lapwing learn clicks.vw.gz --save clicks.lapwing
  lapwing predict clicks.lapwing tomorrow.vw --interval 0.9 > predictions.csv
  lapwing inspect clicks.lapwing
  lapwing demo
"""


@click.group(
    "lapwing",
    cls=Commands,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(lapwing.__version__, prog_name="lapwing", message="%(prog)s %(version)s")
def main() -> None:
    """Online Bayesian logistic and probit regression for sparse streams.

    Learns probabilities from rows of files, in one pass, and knows how sure it is of them. COMMAND
    --help has the options of a command, and examples.
    """


for command in (learn, predict, inspect, export, demo, generate, paper):
    main.add_command(command)
