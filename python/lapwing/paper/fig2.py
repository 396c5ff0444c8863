"""Figure 2, left: 22 categories, category j with 2^j features, Zipf within each."""

from lapwing.paper.plan import Experiment, Panel, Size, standard_methods
from lapwing.synthetic import LongTailStream

DEVIATION = 2.0

EXPERIMENT = Experiment(
    name="fig2",
    title="Regret on a long tail of 8.4 million features",
    where="Figure 2, left",
    panels=(
        Panel(
            name="long tail",
            title="22 categories, 8.4 million features, deviation 2",
            stream=lambda seed: LongTailStream(deviation=DEVIATION, seed=seed),
            methods=standard_methods(DEVIATION, joint_scales=(0.25, 0.5, 1.0, 2.0)),
            deviation=DEVIATION,
        ),
    ),
    sizes={"tiny": Size(1000, 1), "quick": Size(50_000, 1), "paper": Size(10_000_000, 1)},
    columns=1,
)
