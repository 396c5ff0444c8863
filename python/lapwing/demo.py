"""`lapwing demo`: a year of flights, learned with the very commands that anybody can type."""

from __future__ import annotations

import csv
import shlex
from datetime import date
from typing import TYPE_CHECKING

import click

from lapwing.flights import LATE, day_of, known_flights

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LAST_DAY = "2013-12-31"
SHOWN = 12
COLUMNS = ("date", "weekday", "month", "hour", "carrier", "flight", "tailnum", "origin", "dest")
LABEL = "arr_delay"


def run(folder: Path) -> None:
    """Writes the flights, learns all but the last day's, and predicts those."""
    flights = known_flights()
    folder.mkdir(parents=True, exist_ok=True)
    year, last = (folder / name for name in ("flights.csv", "last-day.csv"))
    last_flights = [flight for flight in flights if day_of(flight) == LAST_DAY]
    write(year, flights[: -len(last_flights)])
    write(last, last_flights)
    click.echo(
        "The flights that left New York in 2013, in order of time. Which of them arrive more than "
        f"{LATE} minutes late?"
    )
    model, report, predictions = (
        folder / name for name in ("flights.lapwing", "report.html", "predictions.csv")
    )
    crosses = ["--cross", "origin,dest", "--cross", "origin,hour"]
    label = f"{LABEL} > {LATE}"
    learning = ["learn", str(year), "--label", label, *crosses, "--names", "--save", str(model)]
    command([*learning, "--report", str(report)])
    command(["predict", str(model), str(last), "--interval", "0.9", "-o", str(predictions)])
    click.echo(
        f"\nSome flights of {LAST_DAY}, which the model has not seen, and what came of them:\n"
    )
    with predictions.open(newline="") as file:
        bounds = list(csv.DictReader(file))
    every = max(len(bounds) // SHOWN, 1)
    for flight, found in list(zip(last_flights, bounds, strict=True))[::every]:
        click.echo("  " + sentence(flight, found))
    command(["inspect", str(model), "--top", "5"])
    click.echo(f"\nThe report is {report}; a browser shows it.")


def command(arguments: Sequence[str]) -> None:
    """Shows a command as it would be typed, and does it."""
    from lapwing.command_line import main

    click.secho(f"\n$ lapwing {shlex.join(arguments)}", bold=True)
    context = main.make_context("lapwing", list(arguments))
    with context:
        main.invoke(context)


def write(path: Path, flights: list[dict[str, str]]) -> None:
    with path.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*COLUMNS, LABEL])
        for flight in flights:
            day = date.fromisoformat(day_of(flight))
            name = flight["carrier"] + flight["flight"]
            rest = [flight["tailnum"], flight["origin"], flight["dest"], flight[LABEL]]
            when = [day.isoformat(), f"{day:%a}", f"{day:%b}", flight["hour"]]
            table.writerow([*when, flight["carrier"], name, *rest])


def sentence(flight: dict[str, str], found: dict[str, str]) -> str:
    """As `UA 1545 EWR-IAH, 05:15:  12 % (9 to 16 %), came 11 min late`."""
    at = int(flight["sched_dep_time"])
    what = f"{flight['carrier']} {flight['flight']:>4} {flight['origin']}-{flight['dest']}"
    p, low, high = (100 * float(found[name]) for name in ("probability", "low", "high"))
    delay = int(flight[LABEL])
    came = f"{delay} min late" if delay > 0 else f"{-delay} min early" if delay < 0 else "in time"
    return (
        f"{what}, {at // 100:02}:{at % 100:02}: {p:4.0f} % ({low:.0f} to {high:.0f} %), came {came}"
    )
