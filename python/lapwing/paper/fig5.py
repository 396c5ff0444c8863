"""Figure 5: values uniform in [0, 1], and 2000 features of which 200 are active."""

from lapwing.paper.plan import Experiment, Panel, Size, full_covariance, standard_methods
from lapwing.synthetic import RandomStream

DEVIATION = 2.0
JOINT_SCALES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

EXPERIMENT = Experiment(
    name="fig5",
    title="Regret with values in [0, 1], and with ten times the features",
    where="Figure 5",
    panels=(
        Panel(
            name="values in [0, 1]",
            title="40 of 200 features active, values uniform in [0, 1], deviation 2",
            stream=lambda seed: RandomStream(
                features=200, active=40, values="uniform", deviation=DEVIATION, seed=seed
            ),
            methods=(
                *standard_methods(DEVIATION, joint_scales=JOINT_SCALES),
                full_covariance(DEVIATION),
            ),
            deviation=DEVIATION,
        ),
        Panel(
            name="2000 features",
            title="200 of 2000 features active, deviation 2",
            stream=lambda seed: RandomStream(
                features=2000, active=200, deviation=DEVIATION, seed=seed
            ),
            methods=standard_methods(DEVIATION, joint_scales=(1.0, 4.0, 16.0, 64.0, 256.0)),
            deviation=DEVIATION,
        ),
    ),
    sizes={"tiny": Size(500, 1), "quick": Size(20_000, 1), "paper": Size(1_000_000, 1)},
)
