"""Figure 1 with probit regression (Appendix B): labels and learners by the normal CDF."""

from functools import partial

from lapwing.paper.plan import Experiment, Panel, Size, full_covariance, standard_methods
from lapwing.synthetic import RandomStream

FEATURES = 200
ACTIVE = (20, 40)
# The logistic's deviation 1, in the units of the probit (eq. sigmoid_normal).
DEVIATION = 0.6


def stream(active: int, seed: int) -> RandomStream:
    return RandomStream(
        features=FEATURES, active=active, deviation=DEVIATION, link="probit", seed=seed
    )


EXPERIMENT = Experiment(
    name="probit",
    title="Probit regression: regret on random binary features, 20 and 40 active of 200",
    where="Appendix B (the paper shows no figure)",
    panels=tuple(
        Panel(
            name=f"{active} active",
            title=f"probit, {active} of {FEATURES} features active, deviation {DEVIATION}",
            stream=partial(stream, active),
            methods=(
                *standard_methods(DEVIATION, joint_scales=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)),
                full_covariance(DEVIATION),
            ),
            deviation=DEVIATION,
            link="probit",
        )
        for active in ACTIVE
    ),
    sizes={"tiny": Size(1000, 1), "quick": Size(30_000, 1), "paper": Size(1_000_000, 3)},
)
