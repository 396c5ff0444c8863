"""Figure 6: 10 categories of 200 features, 5 of each in a row, even and long tailed."""

from functools import partial

from lapwing.paper.plan import RATES, Experiment, Panel, Size, standard_methods
from lapwing.synthetic import CategoryStream

DEVIATION = 2.0
CATEGORIES = (200,) * 10
PER_ROW = 5
JOINT_SCALES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
# The paper does not say how fast its tail falls: here the last feature of a category is e^-10 as
# probable as the first.
DECAY = 0.95


def stream(decay: float | None, seed: int) -> CategoryStream:
    return CategoryStream(
        categories=CATEGORIES, per_row=PER_ROW, decay=decay, deviation=DEVIATION, seed=seed
    )


EXPERIMENT = Experiment(
    name="fig6",
    title="Regret with categories, even and long tailed",
    where="Figure 6",
    panels=tuple(
        Panel(
            name=name,
            title=f"5 of each of 10 categories of 200 features, {name}, deviation 2",
            stream=partial(stream, decay),
            methods=standard_methods(DEVIATION, joint_scales=JOINT_SCALES, rates=(*RATES, 1.6)),
            deviation=DEVIATION,
        )
        for name, decay in (("even", None), ("exponential tail", DECAY))
    ),
    sizes={"tiny": Size(1000, 1), "quick": Size(30_000, 1), "paper": Size(1_000_000, 1)},
)
