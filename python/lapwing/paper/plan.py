"""What is run: experiments, their panels, and the methods with their grids."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from lapwing import rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lapwing.synthetic import Stream

Link: TypeAlias = Literal["logit", "probit"]


@dataclass(frozen=True)
class Setting:
    """A rule with a prior variance (for AdaGrad, its learning rate is the setting)."""

    label: str
    rule: rules.Rule
    prior_variance: float = 1.0
    dense: bool = False


@dataclass(frozen=True)
class Method:
    """A line of a figure: the best of a grid of settings."""

    name: str
    settings: tuple[Setting, ...]
    most_rows: int | None = None
    """Where a whole stream would take hours."""
    most_seeds: int | None = None

    def cut(self, size: Size) -> Size:
        """The rows and seeds that this method gets of a size."""
        rows = size.rows if self.most_rows is None else min(size.rows, self.most_rows)
        seeds = size.seeds if self.most_seeds is None else min(size.seeds, self.most_seeds)
        return Size(rows, seeds)


@dataclass(frozen=True)
class Panel:
    """A stream, made from a seed, and the methods that learn it."""

    name: str
    title: str
    stream: Callable[[int], Stream]
    methods: tuple[Method, ...]
    deviation: float
    """Of the true weights: the information limit is that of the matching prior."""
    link: Link = "logit"


@dataclass(frozen=True)
class Size:
    """How many rows each stream has, and how many streams there are."""

    rows: int
    seeds: int


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    where: str
    """Which figure or table of the paper it is."""
    panels: tuple[Panel, ...]
    sizes: dict[str, Size]
    columns: int = 2
    report_at: tuple[int, ...] = ()
    """Row counts, beside the last, at which the table gives the regret."""
    printed: dict[tuple[str, str, int], float] = field(default_factory=dict)
    """What the paper prints, by panel, method and rows."""


@dataclass(frozen=True)
class Drawing:
    """A figure of functions, for which nothing is learned."""

    name: str
    title: str
    where: str
    draw: Callable[[Path], list[Path]]


def by_prior(name: str, rule: rules.Rule, variances: tuple[float, ...]) -> Method:
    return Method(name, tuple(Setting(f"prior {v:g}", rule, v) for v in variances))


def ada_grad(rates: tuple[float, ...]) -> Method:
    settings = (Setting(f"rate {r:g}", rules.AdaGrad(learning_rate=r)) for r in rates)
    return Method("SGD", tuple(settings))


def full_covariance(deviation: float) -> Method:
    """What the paper's figures do not have: exact moments, and no covariance thrown away."""
    variance = deviation**2
    setting = Setting(f"prior {variance:g}", rules.Moments(), variance, dense=True)
    return Method("full covariance", (setting,))


def standard_methods(deviation: float, *, joint_scales: tuple[float, ...]) -> tuple[Method, ...]:
    """The paper's methods, priors in multiples of the true variance."""
    variance = deviation**2
    near = tuple(scale * variance for scale in (0.5, 0.9, 1.0, 1.5))
    wide = tuple(scale * variance for scale in joint_scales)
    return (
        by_prior("Gauss", rules.Gauss("laplace"), near),
        by_prior("ApproxG", rules.Approx("height"), near),
        by_prior("ApproxL", rules.Approx("laplace"), near),
        by_prior("DimGauss", rules.DimGauss("newton"), wide),
        by_prior("ADF", rules.ADF(), wide),
        ada_grad((0.05, 0.1, 0.2, 0.4, 0.8)),
    )
