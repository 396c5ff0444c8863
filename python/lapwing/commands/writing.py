"""Where commands may write: told before the work, and not after it."""

from __future__ import annotations

import os
from pathlib import Path

import click


def check_writable(path: str | None) -> None:
    """Refuses a path that could not be written at the end."""
    if path is None:
        return
    place = Path(path)
    folder = place.parent
    if place.is_dir():
        raise click.ClickException(f"{path} is a folder; give the name of a file")
    if not folder.is_dir():
        raise click.ClickException(f"{path}: there is no folder {folder}")
    if not os.access(folder if not place.exists() else place, os.W_OK):
        raise click.ClickException(f"{path} may not be written")
