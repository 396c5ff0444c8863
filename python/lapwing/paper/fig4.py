"""Figure 4: the grid of 5, 20 and 40 active of 200 features and deviations 1, 2 and 3."""

from functools import partial

from lapwing.paper.plan import RATES, Experiment, Panel, Size, full_covariance, standard_methods
from lapwing.synthetic import RandomStream

FEATURES = 200
ACTIVE = (5, 20, 40)
DEVIATIONS = (1, 2, 3)
JOINT_SCALES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)


def stream(active: int, deviation: float, seed: int) -> RandomStream:
    return RandomStream(features=FEATURES, active=active, deviation=deviation, seed=seed)


EXPERIMENT = Experiment(
    name="fig4",
    title="Regret over active features and deviations",
    where="Figure 4",
    panels=tuple(
        Panel(
            name=f"{active} active, deviation {deviation}",
            title=f"{active} active, deviation {deviation}",
            stream=partial(stream, active, deviation),
            methods=(
                *standard_methods(deviation, joint_scales=JOINT_SCALES, rates=(*RATES, 1.6)),
                full_covariance(deviation),
            ),
            deviation=deviation,
        )
        for active in ACTIVE
        for deviation in DEVIATIONS
    ),
    sizes={"tiny": Size(1000, 1), "quick": Size(30_000, 1), "paper": Size(1_000_000, 1)},
    columns=3,
)
