"""Several learners of the same rows, believed by what they foretold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lapwing import _core
from lapwing.arguments import number
from lapwing.head import Head, memory_number, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MEMBERS = 8
SHARE = 1e-4


@dataclass(frozen=True)
class Member:
    """A learner in a panel.

    Parameters
    ----------
    prior_variance, prior_mean : its belief about a feature nobody has seen.
    memory : how many of its touches a feature remembers; all by default.
    head : gains and a bias on top: None, ``"scale"``, ``"fields"`` or a `lapwing.Head`.
    """

    prior_variance: float = 1.0
    prior_mean: float = 0.0
    memory: float | None = None
    head: Head | Literal["scale", "fields"] | None = None

    def __post_init__(self) -> None:
        number("prior_variance", self.prior_variance)
        number("prior_mean", self.prior_mean)
        object.__setattr__(self, "memory", memory_number("memory", self.memory))
        object.__setattr__(self, "head", resolve(self.head))

    def core(self) -> _core.Member:
        head = resolve(self.head)
        core_head = None if head is None else head.core()
        return _core.Member(self.prior_mean, self.prior_variance, self.memory, core_head)


class Standing(NamedTuple):
    """How a member of a panel stood after so many rows."""

    rows: int
    weight: float
    """How far it is believed: the weights of all members add up to 1."""
    loss: float
    """Its average log loss so far."""


@dataclass(frozen=True)
class Judged:
    """A member of a panel, and how it stands now and stood before."""

    member: Member
    weight: float
    loss: float
    history: tuple[Standing, ...]


def judged(members: tuple[Member, ...], core: _core.Model) -> tuple[Judged, ...]:
    """What a panel knows of its members."""
    trust = core.trust()
    if trust is None:
        return ()
    weights, losses, marks = trust
    rows = max(core.rows_learned, 1)
    return tuple(
        Judged(
            member,
            weights[k],
            losses[k] / rows,
            tuple(Standing(n, w[k], total[k] / n) for n, w, total in marks),
        )
        for k, member in enumerate(members)
    )


def checked(members: Any) -> tuple[Member, ...]:
    """Members as a user gives them."""
    wrong = f"members is {members!r}; it must be a list of lapwing.Member"
    try:
        given: Sequence[Any] = list(members)
    except TypeError:
        raise TypeError(wrong) from None
    if not all(isinstance(member, Member) for member in given):
        raise TypeError(wrong)
    if not 1 <= len(given) <= MOST_MEMBERS:
        raise ValueError(
            f"there are {len(given)} members; a panel has between 1 and {MOST_MEMBERS}"
        )
    return tuple(given)


def from_description(description: dict[str, Any]) -> tuple[Member, ...]:
    """The members that a model file describes."""
    return tuple(
        Member(
            told["prior"]["variance"],
            told["prior"]["mean"],
            told["memory"],
            None if told["head"] is None else Head(**told["head"]),
        )
        for told in description["members"]
    )
