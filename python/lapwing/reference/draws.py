"""The engine's random numbers: SplitMix64, as a function of a seed and a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lapwing.reference.arrays import Array

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function (Steele, Lea & Flood 2014)"""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def uniforms(seed: int, place: int, n: int) -> Array:
    """The first n uniforms of the stream that belongs to a place."""
    with np.errstate(over="ignore"):
        start = mix(mix(np.uint64(seed) + GOLDEN) ^ (np.uint64(place) * GOLDEN))
        counter = np.arange(1, n + 1, dtype=np.uint64)
        bits = mix(start + counter * GOLDEN)
    return ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * np.float64(2.0**-53)


def normals(seed: int, place: int, n: int) -> Array:
    """The first n standard normals, in pairs (Box & Muller 1958)"""
    u = uniforms(seed, place, n + n % 2)
    radius, angle = np.sqrt(-2 * np.log(u[::2])), 2 * np.pi * u[1::2]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:n]
