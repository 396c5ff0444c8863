"""Options of every command that reads files."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from lapwing.files import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., Any]")


class Reading(NamedTuple):
    """How files are read: the words of `lapwing.read`."""

    format: str = "auto"
    label: str | None = None
    columns: list[str] | None = None
    ignore: list[str] | None = None
    categories: list[str] | None = None
    skip_bad_rows: bool = False


def names(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> Any:
    """Names with commas between them, in one option or several; quotes keep a comma."""
    found = [name for text in given for name in next(csv.reader([text]), [])]
    return found or None


def files(command: Command) -> Command:
    return click.argument("files", nargs=-1, required=True, metavar="FILE...")(command)


def reading_options(command: Command) -> Command:
    """What every command that reads files may be told about them."""
    return _all(_READING, command)


def column_options(command: Command) -> Command:
    """What a model is told about columns when it learns them first, and knows from then on."""
    return _all(_COLUMNS, command)


def _all(options: list[Callable[[Command], Command]], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


_READING: list[Callable[[Any], Any]] = [
    click.option(
        "--format",
        "format",
        type=click.Choice(FORMATS),
        default="auto",
        show_default=True,
        help="What the files are; auto looks at the first one.",
    ),
    click.option(
        "--label",
        metavar="COLUMN",
        help='Of files with columns: the label\'s, or a comparison as "delay > 15". By default '
        "what the model learned with, or a column called label, y, target or click, or the first.",
    ),
    click.option(
        "--skip-bad-rows", is_flag=True, help="Pass over rows that cannot be read, and count them."
    ),
]

_COLUMNS: list[Callable[[Any], Any]] = [
    click.option(
        "--columns",
        multiple=True,
        callback=names,
        metavar="NAME,...",
        help="The columns that are features; by default all but the label's.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        callback=names,
        metavar="NAME,...",
        help="Columns that are not.",
    ),
    click.option(
        "--categories",
        multiple=True,
        callback=names,
        metavar="NAME,...",
        help="Columns whose numbers are names, as those of flights.",
    ),
]
