"""How long experiments take: processor time per row of every method, kept beside them as data.

``python -m lapwing.paper.times FOLDER`` measures again, from the curves of a run in that folder.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lapwing.paper.store import SUFFIX, Store

if TYPE_CHECKING:
    from lapwing.paper.plan import Experiment

TABLE = Path(__file__).with_name("times.csv")
COLUMNS = ("experiment", "panel", "method", "microseconds_per_row")
# For what was never measured.
UNKNOWN = 3.0
# Of true weights, information limits and figures.
BESIDE_CURVES = 5.0


@dataclass(frozen=True)
class Times:
    """Microseconds of drawing and learning a row."""

    known: dict[tuple[str, str, str], float]

    def per_row(self, experiment: str, panel: str, method: str) -> float:
        return self.known.get((experiment, panel, method), UNKNOWN)

    def seconds(self, experiment: Experiment, size: str) -> float:
        """Of one processor, for everything."""
        return BESIDE_CURVES + 1e-6 * sum(
            rows * self.per_row(experiment.name, panel.name, method.name)
            for panel, method, _, _, rows in experiment.work(size)
        )


@lru_cache(maxsize=1)
def measured() -> Times:
    with TABLE.open(newline="") as file:
        lines = list(csv.DictReader(file))
    keys = ("experiment", "panel", "method")
    return Times(
        {
            (e, p, m): float(line[COLUMNS[3]])
            for line in lines
            for e, p, m in [[line[k] for k in keys]]
        }
    )


def measure(folder: Path) -> None:
    """From curves, of which those in `folder` replace what was known of their methods."""
    times = dict(measured().known) if TABLE.exists() else {}
    for path in sorted((folder / "curves").glob(f"*{SUFFIX}")):
        seconds: defaultdict[tuple[str, str, str], float] = defaultdict(float)
        rows: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        for key, curve in Store(path).curves.items():
            name = (path.name.removesuffix(SUFFIX), key.panel, key.method)
            seconds[name] += curve.learning_seconds + curve.drawing_seconds
            rows[name] += int(curve.rows[-1])
        times |= {name: 1e6 * seconds[name] / rows[name] for name in seconds}
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((*name, f"{value:.3g}") for name, value in sorted(times.items()))


if __name__ == "__main__":
    measure(Path(sys.argv[1]))
