"""Beliefs that forget: streams drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array


def forget(
    mu: Array, v: Array, prior_mean: Array, prior_variance: Array, touches: float
) -> tuple[Array, Array]:
    """lambda <- (1 - e) lambda + e lambda_0, and lambda mu likewise, with e = 1 / touches

    The belief's natural parameters go a little towards the prior's: what was learned `touches`
    touches ago counts for 1/e of what it was.
    """
    e = 1 / touches
    precision = (1 - e) / v + e / prior_variance
    return ((1 - e) * mu / v + e * prior_mean / prior_variance) / precision, 1 / precision
