"""`python -m paper.few_samples`: does VB lose more if it draws its samples once, for all rows?

Writes `paper/results/few_samples.csv`: regret beyond that of Gauss on the same rows, by how the
samples of Appendix D.3 are drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import lapwing
from lapwing.metrics import log_losses
from lapwing.paper.fig1 import stream
from paper.speed import write

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# A tenth of the samples shows sooner what a hundred do.
ROWS = {10: 100_000, 100: 300_000}
SHRINK = np.pi / 8

STEPS = 20
THRESHOLD = 1e-5
FIXED_STEPS = 4

READINGS = {
    # Where samples come from, and the seed of their draw.
    "anew for every row": ("row", 1),
    "anew for every step of Newton's method": ("step", 1),
    "once, first draw": ("once", 1),
    "once, second draw": ("once", 2),
    "once, third draw": ("once", 3),
}


def learn(rows: list[tuple[NDArray[np.uint32], int]], reading: str, samples: int) -> float:
    """The log loss of all rows, by undamped joint Newton steps as the paper prints them."""
    source, seed = READINGS[reading]
    random = np.random.default_rng(seed)
    s = random.standard_normal(samples)
    mean, deviation = np.zeros(200), np.ones(200)
    loss = 0.0
    for active, y in rows:
        if source == "row":
            s = random.standard_normal(samples)
        mu, sd = mean[active], deviation[active]
        m, variance = mu.sum(), sd @ sd
        loss += float(np.logaddexp(0, -y * m / np.sqrt(1 + SHRINK * variance)))
        alpha = y / np.sqrt(1 + SHRINK * (variance - sd * sd))
        others = m - mu
        mu_plus, sd_plus = mu.copy(), sd.copy()
        for _ in range(STEPS if source != "step" else FIXED_STEPS):
            if source == "step":
                s = random.standard_normal(samples)
            step = newton(others, alpha, mu, sd, mu_plus, sd_plus, s)
            moving = np.maximum(abs(step[0]), abs(step[1])) > THRESHOLD
            if not moving.any():
                break
            mu_plus -= moving * step[0]
            # A deviation is positive, whatever the step.
            sd_plus = np.maximum(sd_plus - moving * step[1], 0.1 * sd_plus)
        mean[active], deviation[active] = mu_plus, sd_plus
    return loss


def newton(
    others: Floats, alpha: Floats, mu: Floats, sd: Floats, mu_plus: Floats, sd_plus: Floats,
    s: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """H^-1 g of Appendix D.3."""
    z = alpha[:, None] * ((others + mu_plus)[:, None] + np.outer(sd_plus, s))
    p = 1 / (1 + np.exp(-z))
    missing, curvature = 1 - p, p * (1 - p)
    n = len(s)
    v = sd * sd
    g = (
        (mu_plus - mu) / v - alpha * missing.mean(1),
        sd_plus / v - 1 / sd_plus - (alpha * (missing @ s) / n),
    )
    square = alpha * alpha / n
    a = 1 / v + square * curvature.sum(1)
    b = square * (curvature @ s)
    c = 1 / v + 1 / sd_plus**2 + square * (curvature @ (s * s))
    determinant = a * c - b * b
    return (c * g[0] - b * g[1]) / determinant, (a * g[1] - b * g[0]) / determinant


def main() -> None:
    X, y, _ = stream(20, 0).draw(max(ROWS.values()))
    losses = np.cumsum(log_losses(y, lapwing.Model("gauss", size=200).learn(X, y)))
    rows = [
        (X.features[start:end], int(label))
        for start, end, label in zip(X.starts[:-1], X.starts[1:], y, strict=True)
    ]
    lines: list[tuple[object, ...]] = []
    for reading in READINGS:
        excess = [learn(rows[:n], reading, samples) - losses[n - 1] for samples, n in ROWS.items()]
        lines.append((reading, *(f"{x:.0f}" for x in excess)))
        print(*lines[-1], flush=True)
    columns = (f"{samples}_samples, {n}_rows" for samples, n in ROWS.items())
    write("few_samples.csv", ("samples_drawn", *columns), lines)


if __name__ == "__main__":
    main()
