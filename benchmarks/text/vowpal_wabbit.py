"""Vowpal Wabbit, `pip install vowpalwabbit`: here, or for the Python that VW_PYTHON names."""

from __future__ import annotations

import os
import subprocess
import sys

NAME = "vowpal wabbit"


def command(path: str) -> list[str] | None:
    python = os.environ.get("VW_PYTHON", sys.executable)
    found = subprocess.run([python, "-c", "import vowpalwabbit"], capture_output=True, check=False)
    if found.returncode != 0:
        return None
    return [python, "-m", "vowpalwabbit", "--loss_function", "logistic", "-b", "24", "-d", path]
