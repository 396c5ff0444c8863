"""Arguments as a user gives them, checked: what is refused is told with what is allowed."""

from __future__ import annotations

import os
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LARGEST_SEED = 2**64 - 1


def whole_number(name: str, given: Any, low: int, high: int) -> int:
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise TypeError(f"{name} is {given!r}; it must be a whole number")
    if not low <= int(given) <= high:
        raise ValueError(f"{name} is {given}; it must be between {low} and {high}")
    return int(given)


def number(name: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, Real):
        raise TypeError(f"{name} is {given!r}; it must be a number")
    return float(given)


def number_or_array(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """A number for all features, or one for each."""
    array = np.asarray(given)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}; it must be a number or an array of them")
    if array.ndim > 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; it must have one entry per feature")
    return array.astype(np.float64)


def one_of(name: str, given: Any, allowed: tuple[str, ...]) -> str:
    if given not in allowed:
        choices = " or ".join(f'"{choice}"' for choice in allowed)
        raise ValueError(f"{name} is {given!r}; it must be {choices}")
    return str(given)


def path_text(given: Any) -> str:
    if not isinstance(given, (str, bytes, os.PathLike)):
        raise TypeError(f"path is {given!r}; it must be a string or a pathlib.Path")
    path = os.fsdecode(given)
    if "\0" in path:
        raise ValueError(f"path is {path!r}; no path holds a null character")
    return path


def seed_number(given: Any) -> int:
    return whole_number("seed", given, 0, LARGEST_SEED)


def level_number(given: Any) -> float:
    level = number("level", given)
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; it must be between 0 and 1, as 0.9 for 90 %")
    return level
