"""`python -m paper.speed`: are streams faster than what they feed, and how large is the long tail?

Writes `paper/results/speed.csv` and `paper/results/memory.csv`. Drawing and learning (`Approx`, the
default) take turns, on a fresh model every round; the best of nine rounds counts, and the ratio is
what to read. Memory is the largest resident set of a process that draws and learns ten million rows
of the long tail.
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import lapwing
from lapwing.paper import fig5, fig6, probit
from lapwing.paper.fig1 import stream as random_binary
from lapwing.synthetic import CriteoStream, LongTailStream

if TYPE_CHECKING:
    from lapwing.paper.plan import Link, Rows

RESULTS = Path(__file__).parent / "results"
# As many as experiments draw at once: arrays of these sizes are made of memory that is there.
ROWS = 20_000
ROUNDS = 9
LONG_TAIL_ROWS = 10_000_000
CHUNK = 20_000


def streams() -> dict[str, tuple[Rows, Link]]:
    """Those of the experiments, with the link of the learner."""
    values, many = (panel.stream(0) for panel in fig5.EXPERIMENT.panels)
    even, tailed = (panel.stream(0) for panel in fig6.EXPERIMENT.panels)
    found: dict[str, Rows] = {
        "20 of 200 active": random_binary(20, 0),
        "40 of 200 active": random_binary(40, 0),
        "40 of 200, values in [0, 1]": values,
        "200 of 2000 active": many,
        "5 of each of 10 categories, even": even,
        "5 of each of 10 categories, exponential tail": tailed,
        "long tail of 8.4 million features": LongTailStream(seed=0),
        "Criteo-shaped, 33.8 million features": CriteoStream(seed=0),
    }
    with_links: dict[str, tuple[Rows, Link]] = {
        name: (stream, "logit") for name, stream in found.items()
    }
    return {**with_links, "20 of 200 active, probit": (probit.stream(20, 0), "probit")}


def best_times(stream: Rows, link: Link) -> tuple[float, float]:
    """Of the processor: seconds of drawing the rows, and of learning them."""
    drawing, learning = [], []
    for _ in range(ROUNDS):
        model = lapwing.Model("approx", link=link, size=stream.features)
        started = time.thread_time()
        X, y, _ = stream.draw(ROWS)
        drawn = time.thread_time()
        model.learn(X, y)
        drawing.append(drawn - started)
        learning.append(time.thread_time() - drawn)
    return min(drawing), min(learning)


def learn_the_long_tail() -> None:
    stream = LongTailStream(seed=0)
    model = lapwing.Model("approx", prior_variance=4.0, size=stream.features)
    for _ in range(0, LONG_TAIL_ROWS, CHUNK):
        X, y, _ = stream.draw(CHUNK)
        model.learn(X, y)
    # In kibibytes on Linux, in bytes elsewhere.
    unit = 1024 if sys.platform == "linux" else 1
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def write(name: str, columns: tuple[str, ...], lines: list[tuple[object, ...]]) -> None:
    with (RESULTS / name).open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(lines)


def main() -> None:
    lines: list[tuple[object, ...]] = []
    for name, (stream, link) in streams().items():
        drawing, learning = (1e9 * seconds / ROWS for seconds in best_times(stream, link))
        lines.append((name, f"{drawing:.0f}", f"{learning:.0f}", f"{learning / drawing:.2f}"))
        print(*lines[-1])
    write("speed.csv", ("stream", "drawing_ns_per_row", "learning_ns_per_row", "ratio"), lines)
    command = [sys.executable, "-m", "paper.speed", "long tail"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    gigabytes = int(out) / 1e9
    print(f"long tail: {gigabytes:.2f} GB")
    write(
        "memory.csv",
        ("stream", "rows", "gigabytes"),
        [("long tail", LONG_TAIL_ROWS, f"{gigabytes:.2f}")],
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["long tail"]:
        learn_the_long_tail()
    else:
        main()
