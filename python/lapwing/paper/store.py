"""Finished curves, kept as CSV: one line per checkpoint. A run goes on where it was interrupted."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lapwing.paper.run import Curve

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = (
    "panel", "method", "setting", "seed", "rows", "regret", "learning_seconds", "drawing_seconds"
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Key:
    panel: str
    method: str
    setting: str
    seed: int


class Store:
    """The curves of one experiment at one size."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.curves: dict[Key, Curve] = {}
        if path.exists():
            self._read()
        path.parent.mkdir(parents=True, exist_ok=True)

    def has(self, key: Key, rows: int) -> bool:
        """Whether a curve is there up to its last row: what was interrupted is made again."""
        return key in self.curves and int(self.curves[key].rows[-1]) == rows

    def add(self, key: Key, curve: Curve) -> None:
        self.curves[key] = curve
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(COLUMNS)
            writer.writerows(self._lines(key, curve))

    def tidy(self) -> None:
        """Writes what is there in order, and once."""
        unfinished = self.path.with_suffix(".part")
        with unfinished.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for key in sorted(self.curves):
                writer.writerows(self._lines(key, self.curves[key]))
        unfinished.replace(self.path)

    @staticmethod
    def _lines(key: Key, curve: Curve) -> list[tuple[object, ...]]:
        seconds = f"{curve.learning_seconds:.3f}", f"{curve.drawing_seconds:.3f}"
        pairs = zip(curve.rows.tolist(), curve.regret.tolist(), strict=True)
        name = key.panel, key.method, key.setting, key.seed
        return [(*name, rows, f"{regret:.3f}", *seconds) for rows, regret in pairs]

    def _read(self) -> None:
        lines: dict[Key, list[dict[str, str]]] = {}
        with self.path.open(newline="") as file:
            for line in csv.DictReader(file):
                key = Key(line["panel"], line["method"], line["setting"], int(line["seed"]))
                lines.setdefault(key, []).append(line)
        for key, found in lines.items():
            whole = [line for line in found if line["drawing_seconds"]]
            if whole:
                self.curves[key] = Curve(
                    np.array([int(line["rows"]) for line in whole]),
                    np.array([float(line["regret"]) for line in whole]),
                    float(whole[-1]["learning_seconds"]),
                    float(whole[-1]["drawing_seconds"]),
                )
