"""The flights that left New York in 2013, as categories."""

from __future__ import annotations

import numpy as np

from lapwing.flights import LATE, day_of, known_flights
from lapwing.paper.recorded import Recorded, categories

ROWS = 327_346


def flights(seed: int = 0) -> Recorded:
    """Does a flight arrive more than 15 minutes late? All whose arrival is known, in order of time.

    Fields: carrier, flight, tail number, origin, destination, hour, month, weekday, route, hour at
    the origin, day. There is one such stream, whatever the seed.
    """
    del seed
    known = known_flights()
    days = [day_of(f) for f in known]
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
