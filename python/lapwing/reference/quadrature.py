"""The sigmoid averaged over a normal weight, to rounding: the judge of `logistic_normal`."""

from __future__ import annotations

import numpy as np
from scipy.special import log_expit, log_ndtr, logsumexp

from lapwing.reference.likelihood import LOGIT, PROBIT
from lapwing.reference.marginal import peak

REACH = 10.0
WIDE = 1e4


def exact_average(z: float, s: float) -> tuple[float, float, float]:
    """log Z, d log Z / dz and -d^2 log Z / dz^2 of Z = E sigmoid(w), w ~ N(z, s)

    With averages over the density in proportion to N(w; z, s) sigmoid(w), and r and k the slope
    and curvature of log sigmoid, the derivatives are E r and E k - Var r. By the trapezoid rule
    around the density's peak, whose error falls exponentially with the step.
    """
    if s < 1e-18:
        at = np.array(z)
        return float(log_expit(z)), float(LOGIT.slope(at)), float(LOGIT.curvature(at))
    if s > WIDE:
        # Seen from so far the sigmoid is a distribution of variance pi^2 / 3, and nothing else.
        k = 1 / np.sqrt(s + np.pi**2 / 3)
        at = np.array(k * z)
        return float(log_ndtr(at)), k * float(PROBIT.slope(at)), k**2 * float(PROBIT.curvature(at))
    centre, deviation = float(peak(np.array(z), np.array(s), LOGIT)), np.sqrt(s)
    step = min(0.4 * deviation, 0.4)
    n = int(np.ceil(REACH * deviation / step))
    # By the distance from z: where s is small, w - z would have lost its digits.
    u = s * LOGIT.slope(np.array(centre)) + step * np.arange(-n, n + 1)
    w = z + u
    log_density = log_expit(w) - 0.5 * u**2 / s
    total = logsumexp(log_density)
    density = np.exp(log_density - total)
    # Var r = Var (1 - r): of the two, the one that is nearly zero keeps its digits.
    q = LOGIT.cdf(w) if centre < 0 else LOGIT.slope(w)
    mean = density @ q
    slope = 1 - mean if centre < 0 else mean
    curvature = density @ LOGIT.curvature(w) - max(density @ q**2 - mean**2, 0)
    log_z = total + np.log(step / np.sqrt(2 * np.pi * s))
    return float(log_z), float(slope), max(float(curvature), 0.0)
