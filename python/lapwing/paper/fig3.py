"""Figure 3: the logistic distribution beside the normal of variance 8/pi (Appendix A).

No stream is learned: three panels of curves, drawn from their table.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from lapwing.paper.plan import Drawing
from lapwing.reference.likelihood import LOGIT

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

DEVIATION = np.sqrt(8 / np.pi)
REACH = 10.0
POINTS = 801


def curves() -> dict[str, NDArray[np.float64]]:
    """Densities (eq. logistic_pdf, sig_gauss) and distribution functions, and their differences."""
    w = np.linspace(-REACH, REACH, POINTS)
    logistic, normal = LOGIT.curvature(w), norm.pdf(w, scale=DEVIATION)
    sigmoid, cdf = LOGIT.cdf(w), norm.cdf(w, scale=DEVIATION)
    return {
        "w": w,
        "logistic": logistic,
        "normal": normal,
        "logistic - normal": logistic - normal,
        "sigmoid": sigmoid,
        "normal CDF": cdf,
        "sigmoid - normal CDF": sigmoid - cdf,
    }


def draw(folder: Path) -> list[Path]:
    from matplotlib.figure import Figure

    from lapwing.paper.figure import save

    table = curves()
    path = folder / "fig3.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows([f"{x:.8g}" for x in line] for line in zip(*table.values(), strict=True))

    figure = Figure(figsize=(14, 4.2))
    left, middle, right = figure.subplots(1, 3)
    panels = (
        (left, "densities", ("logistic", "normal", "logistic - normal")),
        (middle, "distribution functions", ("sigmoid", "normal CDF", "sigmoid - normal CDF")),
        (right, "differences, larger", ("logistic - normal", "sigmoid - normal CDF")),
    )
    colours = dict(zip(list(table)[1:], ("C0", "C1", "C2", "C0", "C1", "C4"), strict=True))
    for axis, title, names in panels:
        for name in names:
            axis.plot(table["w"], table[name], label=name, color=colours[name])
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("w")
        axis.grid(alpha=0.25)
        axis.legend(fontsize=8)
    figure.suptitle(EXPERIMENT.title)
    return [path, *save(figure, folder, "fig3")]


EXPERIMENT = Drawing(
    name="fig3",
    title="The logistic distribution and the normal of variance 8/pi",
    where="Figure 3",
    draw=draw,
)
