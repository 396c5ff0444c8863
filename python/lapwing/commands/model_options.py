"""Options that say what a model is, and the model they make: they are turned into one here only."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lapwing import rules
from lapwing.head import FORMS
from lapwing.model import LINKS, Model, Panel
from lapwing.panel import Member

if TYPE_CHECKING:
    from collections.abc import Callable

OF_MEMBERS = ("prior_variance", "prior_mean", "memory", "head")
Command = TypeVar("Command", bound="Callable[..., Any]")


def model_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def new_model(options: dict[str, Any]) -> Model:
    """A model with these of its options; the others are the library's defaults."""
    said = given(options)
    members = said.pop("members", None)
    if members is None:
        return Model(**said)
    own = {name: said[name] for name in OF_MEMBERS if name in said}
    if own:
        raise click.UsageError(
            f"{flags(own)} differ from member to member: --member 0.2,memory=1000,head=fields"
        )
    return Panel(members, **said)


def given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def flags(options: dict[str, Any]) -> str:
    """The options as a user writes them: to tell that they have no place."""
    written = {"crosses": "--cross", "members": "--member"}
    return " and ".join(written.get(n, "--" + n.replace("_", "-")) for n in given(options))


def _rule(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """A rule by its name, and its options behind a colon."""
    if text is None:
        return None
    name, _, rest = text.partition(":")
    if name not in rules.NAMED:
        raise click.BadParameter(f"{name!r} is none of {', '.join(rules.NAMED)}.")
    known = {field.name for field in fields(rules.NAMED[name])}  # type: ignore[arg-type]
    options = {}
    for part in filter(None, rest.split(",")):
        option, _, value = part.partition("=")
        if option not in known:
            takes = ", ".join(sorted(known)) or "none"
            raise click.BadParameter(f"{name} has no option {option!r}; its options are: {takes}.")
        options[option] = _number_or_text(value)
    try:
        return rules.NAMED[name](**options)
    except (TypeError, ValueError) as error:
        raise click.BadParameter(str(error)) from error


def _number_or_text(text: str) -> int | float | str:
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        return float(text)
    return text


def _crosses(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> Any:
    return [text.split(",") for text in texts] or None


def _members(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> Any:
    return [_member(text) for text in texts] or None


def _member(text: str) -> Member:
    """A prior variance, and what else is told of the member behind commas."""
    variance, *rest = text.split(",")
    told: dict[str, Any] = {"prior_variance": _number_or_text(variance)}
    for part in rest:
        option, _, value = part.partition("=")
        if option not in OF_MEMBERS[1:]:
            raise click.BadParameter(
                f"{part!r} is told of no member; it may be {', '.join(OF_MEMBERS[1:])}."
            )
        told[option] = _number_or_text(value)
    try:
        return Member(**told)
    except (TypeError, ValueError) as error:
        raise click.BadParameter(str(error)) from error


def _if_set(_context: click.Context, _option: click.Parameter, flag: bool) -> Any:
    return flag or None


_OPTIONS = [
    click.option(
        "--rule",
        callback=_rule,
        metavar="RULE",
        help=f"How a row moves the beliefs: {', '.join(rules.NAMED)}; with options as "
        "approx:variance=height or adagrad:learning_rate=0.05.",
    ),
    click.option("--link", type=click.Choice(LINKS), help="From a total weight to a probability."),
    click.option(
        "--prior-variance", type=float, metavar="NUMBER", help="Of the weight of a new feature."
    ),
    click.option(
        "--prior-mean", type=float, metavar="NUMBER", help="Of the weight of a new feature."
    ),
    click.option(
        "--memory",
        type=float,
        metavar="TOUCHES",
        help="How many of its rows a feature remembers; all by default.",
    ),
    click.option(
        "--head",
        type=click.Choice(FORMS),
        help="Gains on top of the features: one for all of them, or one for every field.",
    ),
    click.option(
        "--member",
        "members",
        multiple=True,
        callback=_members,
        metavar="VARIANCE,...",
        help="Several of these make a panel of learners, believed by what they foretold: each with "
        "a prior variance of its own, and as in 0.2,memory=1000,head=fields.",
    ),
    click.option(
        "--dtype", type=click.Choice(["float32", "float64"]), help="The precision of beliefs."
    ),
    click.option("--seed", type=int, metavar="NUMBER", help="For rules that sample."),
    click.option(
        "--bits", type=int, metavar="NUMBER", help="Named features live in a table of 2^bits."
    ),
    click.option(
        "--cross",
        "crosses",
        multiple=True,
        callback=_crosses,
        metavar="FIELD,FIELD",
        help="Take features of two or three fields also together. May be repeated.",
    ),
    click.option(
        "--names",
        is_flag=True,
        callback=_if_set,
        help="Keep the names of features and count their rows.",
    ),
]
