"""From values to places along an axis, and the values that are written beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class Scale(Protocol):
    """An axis from one value to another."""

    def place(self, value: float) -> float:
        """0 at its beginning, 1 at its end."""
        ...

    def ticks(self) -> list[tuple[float, str]]:
        """Values along it, as they are written."""
        ...


@dataclass(frozen=True)
class Linear:
    """Equal steps."""

    low: float
    high: float
    percent: bool = False
    wanted: int = 7

    def place(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        step = round_step((self.high - self.low) / self.wanted)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        factor = 100.0 if self.percent else 1.0
        digits = max(0, -math.floor(math.log10(step * factor) + 1e-9))
        if step * factor * 10**digits % 1 > 1e-6:
            digits += 1
        unit = " %" if self.percent else ""
        values = [number * step for number in range(first, last + 1)]
        return [(value, f"{value * factor:,.{digits}f}{unit}") for value in values]


@dataclass(frozen=True)
class Log:
    """Equal factors."""

    low: float
    high: float

    def place(self, value: float) -> float:
        return math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self) -> list[tuple[float, str]]:
        steps = (1, 2, 5) if self.high / self.low < 3000 else (1,)
        exponents = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [step * 10.0**exponent for exponent in exponents for step in steps]
        return [(value, short(value)) for value in values if self.low <= value <= self.high]


def round_step(step: float) -> float:
    """The next larger step that is written with few digits."""
    unit = 10.0 ** math.floor(math.log10(step))
    return unit * next(s for s in STEPS if s * unit >= step * (1 - 1e-9))


def around(values: list[float], *, percent: bool = False) -> Linear:
    """An axis with a little room on both sides of the values."""
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return Linear(max(low - room, 0.0) if low >= 0 else low - room, high + room, percent)


def short(count: float) -> str:
    """A count in few letters: 950, 12k, 3.4M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.3g}{unit}"
    return f"{count:.3g}"
