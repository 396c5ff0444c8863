"""Lapwing, from its Python face."""

from __future__ import annotations

import sys

NAME = "lapwing"
SCRIPT = """
import sys, lapwing
learned = lapwing.Model(bits=24).learn_files(sys.argv[1])
print(f"average loss = {learned.metrics.log_loss:.6f}")
"""


def command(path: str) -> list[str] | None:
    return [sys.executable, "-c", SCRIPT, path]
