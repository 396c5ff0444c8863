"""The sigmoid averaged over a normal weight, in closed form: what moment matching needs.

Z(z, s) = E sigmoid(w) for w ~ N(z, s). `probability` is Z, `slope_and_curvature` are the first
derivative of log Z in z and the second one's negative. For every s and |z| <= 40 the relative error
of Z and of the slope is below 2e-4, of the curvature below 5e-4 (tests/mathematics).

Because sigmoid(w) = e^w sigmoid(-w), and e^w turns N(z, s) into e^(z + s/2) N(z + s, s),

    Z(z) = e^(z + s/2) Z(-(z + s)),

so the curvature is symmetric about -s/2, and the slope is one minus its reflection. With
Z(-z) = 1 - Z(z) this brings every tail to a place where a few normals in place of the sigmoid are
right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from lapwing.reference.arrays import Array

P = np.array([0.107007, 0.476727, 0.372024, 0.044242])
C = np.array([0.953596, 2.076228, 4.643953, 10.617705])
"""sigmoid(w) is close to sum_k P_k Phi(w / sqrt(C_k)), as in Monahan & Stefanski (1992).

Four normals, fitted to Z, slope and curvature where `Centre.of_normals` is asked for them: in
|u| <= s/2 by relative error, to the right of it by error relative to one; for s from SMALL to 1000,
by least squares with the weights of the larger errors raised until all were about equal.
"""

SMALL = 0.15
"""The variance up to which the series in it is used."""

MILLS = (
    0.999999833,
    3.50001896,
    11.2527406,
    32.1109651,
    87.7616211,
    24.7189067,
    1138.35623,
    -4800.076,
    4818.18837,
)
"""Phi(-x) / phi(x) is this polynomial in 1 / (x + 3.5), times that, within 2e-7 for x >= 0.

Fitted as the normals were, by relative error.
"""


def mills(x: Array) -> Array:
    t = 1 / (x + 3.5)
    return t * np.polynomial.polynomial.polyval(t, MILLS)


class Average(NamedTuple):
    Z: float
    slope: float
    curvature: float

    def reflected(self) -> tuple[float, float]:
        """Slope and curvature as far to the other side of -s/2."""
        return 1 - self.slope, self.curvature


class Centre(NamedTuple):
    """For u >= 0: Z(-u), dZ/du and |d^2 Z / du^2|, each divided by `scale`, which may underflow."""

    tail: float
    density: float
    bend: float
    scale: float

    @staticmethod
    def of_normals(u: float, s: float) -> Centre:
        """The average of sum_k P_k Phi(w / sqrt(C_k)): normals become wider by s."""
        r = 1 / np.sqrt(s + C)
        x = u * r
        # exp(-x^2 / 2), the widest normal's divided out: u may be many deviations.
        weights = P * np.exp(-0.5 * (x * r[-1]) ** 2 * (C[-1] - C))
        scale = np.exp(-0.5 * x[-1] ** 2) / np.sqrt(2 * np.pi)
        tail, density, bend = weights @ mills(x), weights @ r, weights @ (r**2 * x)
        return Centre(float(tail), float(density), float(bend), float(scale))

    @staticmethod
    def of_series(u: float, s: float) -> Centre:
        """Z = sum_k (s/2)^k / k! sigmoid^(2k)(u), up to k = 3; every term falls like e^-u."""
        e = np.exp(-u)
        p = 1 / (1 + e)
        q = e * p
        c, d, t = p * q, p - q, s / 2
        tail = t + t**2 / 2 * (1 - 12 * c) + t**3 / 6 * (1 - 60 * c + 360 * c**2)
        density = (
            1
            + t * (1 - 6 * c)
            + t**2 / 2 * (1 - 30 * c + 120 * c**2)
            + t**3 / 6 * (1 - 126 * c + 1680 * c**2 - 5040 * c**3)
        )
        bend = (
            1
            + t * (1 - 12 * c)
            + t**2 / 2 * (1 - 60 * c + 360 * c**2)
            + t**3 / 6 * (1 - 252 * c + 5040 * c**2 - 20160 * c**3)
        )
        return Centre(q + c * d * tail, c * density, c * d * bend, scale=1.0)

    def left(self) -> Average:
        """At -u."""
        slope = self.density / self.tail
        return Average(self.scale * self.tail, slope, slope**2 - self.bend / self.tail)

    def right(self) -> Average:
        """At u."""
        Z = 1 - self.scale * self.tail
        slope = self.scale * self.density / Z
        return Average(Z, slope, slope**2 + self.scale * self.bend / Z)


def by_normals(u: float, s: float) -> Average:
    centre = Centre.of_normals(abs(u), s)
    return centre.left() if u < 0 else centre.right()


def beyond(z: float, s: float) -> tuple[float, Average]:
    """Z(-z) and all at z, for z > s/2: the normals' own tail is wrong there, not at z - s."""
    Z, slope, curvature = by_normals(z - s, s)
    tail = float(np.exp(s / 2 - z)) * Z
    density = tail * (1 - slope)
    bend = tail * ((1 - slope) ** 2 - curvature)
    slope = density / (1 - tail)
    return tail, Average(1 - tail, slope, slope**2 + bend / (1 - tail))


def right(z: float, s: float) -> Average:
    """To the right of -s/2, where no tail cancels."""
    if s <= SMALL:
        centre = Centre.of_series(abs(z), s)
        return centre.left() if z < 0 else centre.right()
    return by_normals(z, s) if z <= s / 2 else beyond(z, s)[1]


def slope_and_curvature(z: float, s: float) -> tuple[float, float]:
    """d log Z / dz and -d^2 log Z / dz^2

    The curvature is at most 1 / (4 + s): no likelihood bends more sharply than 1/4, so the
    posterior's variance is at least 1 / (1/s + 1/4).
    """
    if z < -s / 2:
        slope, curvature = right(-(z + s), s).reflected()
    else:
        _, slope, curvature = right(z, s)
    return slope, min(max(curvature, 0.0), 1 / (4 + s))


def probability(m: float, s: float) -> float:
    """Z(m), for m < 0 as what is left of Z(-m)"""
    u = abs(m)
    if s > SMALL and u > s / 2:
        tail = beyond(u, s)[0]
    else:
        centre = Centre.of_series(u, s) if s <= SMALL else Centre.of_normals(u, s)
        tail = centre.scale * centre.tail
    return tail if m < 0 else 1 - tail
