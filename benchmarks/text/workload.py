"""Files of rows in VW's text, from a seed: `python -m benchmarks.text.workload KIND ROWS FILE`."""

from __future__ import annotations

import string
import sys
from pathlib import Path

import lapwing

FEATURES = 35
CATEGORIES = 20_000
ROWS_AT_ONCE = 20_000
NAMESPACES = string.ascii_letters[:FEATURES]


def namespaces(rows: int, path: Path) -> None:
    """35 columns of rows like Criteo's, a namespace each: `1 |a 5 |b 68fd1e64 ...`."""
    stream = lapwing.synthetic.CriteoStream(seed=1)
    with path.open("w") as file:
        for done in range(0, rows, ROWS_AT_ONCE):
            text = stream.text(min(ROWS_AT_ONCE, rows - done), "criteo").decode()
            file.writelines(map(_line, text.splitlines()))


def numbers(rows: int, path: Path) -> None:
    """35 of 700,000 numbers in one namespace: `1 | 7215 38028 ...`.

    Vowpal Wabbit does not hash such names; Lapwing does.
    """
    stream = lapwing.synthetic.CategoryStream(
        categories=[CATEGORIES] * FEATURES, deviation=0.3, seed=1
    )
    with path.open("wb") as file:
        for done in range(0, rows, ROWS_AT_ONCE):
            file.write(stream.text(min(ROWS_AT_ONCE, rows - done), "vw"))


def _line(row: str) -> str:
    label, *cells = row.split("\t")
    named = zip(NAMESPACES, cells[-FEATURES:], strict=True)
    features = " ".join(f"|{name} {cell}" for name, cell in named if cell)
    return f"{'1' if label == '1' else '-1'} {features}\n"


if __name__ == "__main__":
    write = {"namespaces": namespaces, "numbers": numbers}[sys.argv[1]]
    write(int(sys.argv[2]), Path(sys.argv[3]))
