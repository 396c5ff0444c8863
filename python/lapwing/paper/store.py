"""Finished curves, kept as CSV: one line per checkpoint. A run goes on where it was stopped.

The file is compressed: those of the paper's size are kept in the repository.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lapwing.paper.run import Curve

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".csv.gz"
COLUMNS = (
    "panel", "method", "setting", "seed", "rows", "regret", "learning_seconds", "drawing_seconds"
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Key:
    panel: str
    method: str
    setting: str
    seed: int


class NotCurvesError(ValueError):
    """The file of curves holds something else."""


BROKEN = (KeyError, TypeError, ValueError, EOFError, gzip.BadGzipFile, zlib.error)


def path_of(folder: Path, experiment: str) -> Path:
    """Where the curves of an experiment are."""
    return folder / "curves" / f"{experiment}{SUFFIX}"


class Store:
    """The curves of one experiment at one size."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.curves: dict[Key, Curve] = {}
        if path.exists():
            try:
                self._read()
            except BROKEN as error:
                raise NotCurvesError(
                    f"{path} is not a table of curves; remove it to start again"
                ) from error
        path.parent.mkdir(parents=True, exist_ok=True)

    def has(self, key: Key, rows: int) -> bool:
        """Whether a curve is there, of as many rows as wanted."""
        return key in self.curves and int(self.curves[key].rows[-1]) == rows

    def add(self, key: Key, curve: Curve) -> None:
        """The file is replaced as a whole: whenever a run is killed, all of its lines are whole."""
        self.curves[key] = curve
        unfinished = self.path.with_suffix(".part")
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        for present in sorted(self.curves):
            writer.writerows(self._lines(present, self.curves[present]))
        unfinished.write_bytes(gzip.compress(text.getvalue().encode(), 6, mtime=0))
        unfinished.replace(self.path)

    @staticmethod
    def _lines(key: Key, curve: Curve) -> list[tuple[object, ...]]:
        seconds = f"{curve.learning_seconds:.3f}", f"{curve.drawing_seconds:.3f}"
        pairs = zip(curve.rows.tolist(), curve.regret.tolist(), strict=True)
        name = key.panel, key.method, key.setting, key.seed
        return [(*name, rows, f"{regret:.3f}", *seconds) for rows, regret in pairs]

    def _read(self) -> None:
        lines: dict[Key, list[dict[str, str]]] = {}
        with gzip.open(self.path, "rt", encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file):
                key = Key(line["panel"], line["method"], line["setting"], int(line["seed"]))
                lines.setdefault(key, []).append(line)
        for key, found in lines.items():
            self.curves[key] = Curve(
                np.array([int(line["rows"]) for line in found]),
                np.array([float(line["regret"]) for line in found]),
                float(found[-1]["learning_seconds"]),
                float(found[-1]["drawing_seconds"]),
            )
