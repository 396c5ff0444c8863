"""Figure 1: R_t / log t for 20 and 40 active of 200 binary features, true weights N(0, 1)."""

from functools import partial

from lapwing.paper.plan import Experiment, Panel, Size, full_covariance, standard_methods
from lapwing.synthetic import RandomStream

FEATURES = 200
ACTIVE = (20, 40)
JOINT_SCALES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def stream(active: int, seed: int) -> RandomStream:
    return RandomStream(features=FEATURES, active=active, seed=seed)


EXPERIMENT = Experiment(
    name="fig1",
    title="Regret on random binary features, 20 and 40 active of 200",
    where="Figure 1",
    panels=tuple(
        Panel(
            name=f"{active} active",
            title=f"{active} of {FEATURES} features active, deviation 1",
            stream=partial(stream, active),
            methods=(*standard_methods(1.0, joint_scales=JOINT_SCALES), full_covariance(1.0)),
            deviation=1.0,
        )
        for active in ACTIVE
    ),
    sizes={"tiny": Size(2000, 1), "quick": Size(100_000, 2), "paper": Size(1_000_000, 5)},
)
