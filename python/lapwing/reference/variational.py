"""Marginal variational Bayes: the normal nearest to each feature's posterior (App. D.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.reference.arrays import Array
    from lapwing.reference.marginal import Marginal


def divergence(
    q: Marginal,
    mu_plus: Array,
    d_plus: Array,
    samples: Array,
) -> Array:
    """KL(N(mu+, d+^2) || posterior) without its constants    (eq. vb_kl)"""
    log_f = q.likelihood.log_cdf(score_of_samples(q, mu_plus, d_plus, samples))
    from_prior = 0.5 * (d_plus**2 + (mu_plus - q.mu) ** 2) / q.v
    return from_prior - np.log(d_plus) - q.weight * log_f.mean(axis=0)


def score_of_samples(
    q: Marginal,
    mu_plus: Array,
    d_plus: Array,
    samples: Array,
) -> Array:
    """The scores of w = mu+ + s_j d+, whose probabilities are p_ijt+; one line per sample."""
    return q.score(mu_plus + samples[:, None] * d_plus)


def gradient_and_hessian(
    q: Marginal,
    mu_plus: Array,
    d_plus: Array,
    samples: Array,
) -> tuple[Array, Array]:
    """The joint gradient and Hessian in (mu+, d+), features last    (eq. muito_vb, App. D.3)"""
    z = score_of_samples(q, mu_plus, d_plus, samples)
    s = samples[:, None]
    slope, curvature = q.likelihood.slope(z), q.likelihood.curvature(z)
    first, second = q.weight * q.a, q.weight * q.a**2
    gradient = np.array(
        [
            (mu_plus - q.mu) / q.v - first * slope.mean(axis=0),
            -1 / d_plus + d_plus / q.v - first * (s * slope).mean(axis=0),
        ]
    )
    across = second * (s * curvature).mean(axis=0)
    hessian = np.array(
        [
            [1 / q.v + second * curvature.mean(axis=0), across],
            [across, 1 / d_plus**2 + 1 / q.v + second * (s**2 * curvature).mean(axis=0)],
        ]
    )
    return gradient, hessian


def newton(
    q: Marginal, samples: Array, tolerance: float = 1e-8, iterations: int = 50
) -> tuple[Array, Array]:
    """The mean and variance of the minimum, by the joint Newton's method.

    A feature is done when a step moves its mean by less than `tolerance` prior deviations and its
    deviation by less than that share of itself, or after `iterations` steps. A step that would
    make the deviation negative or the divergence worse is halved.
    """
    mu, d = q.mu.copy(), np.sqrt(q.v)
    prior_d = np.sqrt(q.v)
    active = np.ones(len(mu), dtype=bool)
    for _ in range(iterations):
        gradient, hessian = gradient_and_hessian(q, mu, d, samples)
        step = -np.linalg.solve(hessian.transpose(2, 0, 1), gradient.T[:, :, None])[:, :, 0].T
        last = (np.abs(step[0]) <= tolerance * prior_d) & (np.abs(step[1]) <= tolerance * d)
        size = damping(q, mu, d, step, samples, active & ~last)
        mu, d = mu + active * size * step[0], d + active * size * step[1]
        active &= ~last
        if not active.any():
            break
    return mu, d**2


def damping(
    q: Marginal,
    mu: Array,
    d: Array,
    step: Array,
    samples: Array,
    wanted: NDArray[np.bool_],
) -> Array:
    """The largest of 1, 1/2, 1/4, ... at which the divergence is no worse, for each feature.

    The prior's part alone bends by |step|^2 / v along the step: where the slope at its end is up to
    half of that, the descent before it was more.
    """
    size = np.ones_like(mu)
    present = divergence(q, mu, d, samples)
    for _ in range(40):
        ahead_d = d + size * step[1]
        possible = np.where(ahead_d > 0, ahead_d, d)
        gradient, _ = gradient_and_hessian(q, mu + size * step[0], possible, samples)
        falling = (gradient * step).sum(axis=0) <= 0.5 * size * (step**2).sum(axis=0) / q.v
        no_worse = divergence(q, mu + size * step[0], possible, samples) <= present
        bad = wanted & ~((ahead_d > 0) & (falling | no_worse))
        if not bad.any():
            return size
        size = np.where(bad, size / 2, size)
    return np.where(bad, 0.0, size)


def taylor(q: Marginal, samples: Array) -> tuple[Array, Array]:
    """Mean and variance with p_ijt+ replaced by its two-dimensional Taylor series at the prior.

    The slopes become slope_j - curvature_j a (mu+ - mu + s_j (d+ - d)). The first condition is
    then linear in mu+; put into the second, it leaves A d+^2 + B d+ = 1 with one positive root.
    """
    d = np.sqrt(q.v)
    z = score_of_samples(q, q.mu, d, samples)
    s = samples[:, None]
    slope, curvature = q.likelihood.slope(z), q.likelihood.curvature(z)
    first, second = q.weight * q.a, q.weight * q.a**2
    r, sr = first * slope.mean(axis=0), first * (s * slope).mean(axis=0)
    k, sk = second * curvature.mean(axis=0), second * (s * curvature).mean(axis=0)
    ssk = second * (s**2 * curvature).mean(axis=0)
    h = 1 / q.v + k
    A = 1 / q.v + ssk - sk**2 / h
    B = sk * (r + sk * d) / h - ssk * d - sr
    root = np.sqrt(B**2 + 4 * A)
    d_plus = np.where(B > 0, 2 / (B + root), (root - B) / (2 * A))
    return q.mu + (r - sk * (d_plus - d)) / h, d_plus**2
