"""What is run: experiments, their panels, and the methods with their grids."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from lapwing import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from lapwing.synthetic import Draw

Link: TypeAlias = Literal["logit", "probit"]


class Rows(Protocol):
    """What is learned: a synthetic stream, or recorded rows."""

    @property
    def features(self) -> int: ...
    def draw(self, rows: int) -> Draw:
        """The next rows, or some of them: none only where there are no more."""
        ...

    def again(self) -> Rows: ...


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


@dataclass(frozen=True)
class Size:
    """How many rows each stream has, and how many streams there are."""

    rows: int
    seeds: int


@dataclass(frozen=True)
class Panel:
    """A stream, made from a seed, and the methods that learn it."""

    name: str
    title: str
    stream: Callable[[int], Rows]
    methods: tuple[Method, ...]
    deviation: float | None
    """Of the true weights: the information limit is that of the matching prior. None where the
    truth is not known: then losses are compared with those of the best AdaGrad."""
    link: Link = "logit"
    most: Size | None = None
    """What there is of recorded rows."""

    def cut(self, method: Method, size: Size) -> Size:
        """The rows and seeds that a method gets of a size."""
        rows = [size.rows, method.most_rows, self.most and self.most.rows]
        seeds = [size.seeds, method.most_seeds, self.most and self.most.seeds]
        return Size(min(n for n in rows if n), min(n for n in seeds if n))


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
    printed: dict[tuple[str, str, str, int], float] = field(default_factory=dict)
    """What the paper prints, by panel, method, setting (or "best") and rows."""
    needs: tuple[str, ...] = ()
    """Packages with data, of the extra `paper`."""

    def work(self, size: str) -> Iterator[tuple[Panel, Method, Setting, int, int]]:
        """All curves: panel, method, setting, seed and rows of each.

        Stream after stream: of a run that is stopped, the first streams are whole.
        """
        for seed in range(self.sizes[size].seeds):
            for panel in self.panels:
                for method in panel.methods:
                    cut = panel.cut(method, self.sizes[size])
                    for setting in method.settings:
                        if seed < cut.seeds:
                            yield panel, method, setting, seed, cut.rows


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


RATES = (0.05, 0.1, 0.2, 0.4, 0.8)


def standard_methods(
    deviation: float, *, joint_scales: tuple[float, ...], rates: tuple[float, ...] = RATES
) -> tuple[Method, ...]:
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
        ada_grad(rates),
    )
