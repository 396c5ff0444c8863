"""What no learner can beat: the lower bound, and the information limit of a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array, diags_array

from lapwing.paper.run import at_first
from lapwing.reference.likelihood import LOGIT, PROBIT
from lapwing.synthetic import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.paper.plan import Panel

LARGEST_SIZE = 2500
ROWS = 100_000


def information_limit(
    panel: Panel, seed: int, rows: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """0.5 logdet(I + v F_t) + (theta'theta / v - d) / 2: the regret of exact Bayes for this draw.

    An approximation, good once there are several rows for every feature.

    v is the true weights' variance and F_t = sum p (1 - p) x x' the Fisher information of t rows,
    here t times its mean over the first rows (a hundred thousand, or as many as are shown). None
    where there are too many features, or the truth is not known.
    """
    if panel.deviation is None:
        return None
    stream = at_first(panel.stream, seed).again()
    d = stream.features
    if not isinstance(stream, Stream) or d > LARGEST_SIZE:
        return None
    theta = stream.weights
    n = min(ROWS, max(int(rows[-1]), 5000))
    drawn = stream.draw(n)
    X = csr_array(
        (
            drawn.X.values.astype(np.float64),
            drawn.X.features.astype(np.int64),
            drawn.X.starts,
        ),
        shape=(n, d),
    )
    score = np.asarray(X @ theta)
    weighted = csr_array(diags_array(information(score, panel.link)) @ X)
    fisher = csr_array(X.T @ weighted).toarray() / n
    eigenvalues = np.linalg.eigvalsh(fisher)
    v = panel.deviation**2
    fit = 0.5 * (theta @ theta / v - d)
    return np.array([0.5 * np.log1p(v * t * eigenvalues).sum() + fit for t in rows])


def information(score: NDArray[np.float64], link: str) -> NDArray[np.float64]:
    """Of a label about its score: the expected curvature of -log F."""
    F = {"logit": LOGIT, "probit": PROBIT}[link]
    positive, negative = F.cdf(score), F.cdf(-score)
    return positive * F.curvature(score) + negative * F.curvature(-score)
