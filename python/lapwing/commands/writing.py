"""Where commands may write: told before the work, and not after it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_writable(path: str | None, read: Iterable[str]) -> None:
    """Refuses a path that could not be written at the end, or is one of those that are read."""
    if path is None:
        return
    place = Path(path)
    if place.exists() and any(Path(name).exists() and place.samefile(name) for name in read):
        raise click.ClickException(f"{path} is read: writing there would lose it")
    folder = place.parent
    if place.is_dir():
        raise click.ClickException(f"{path} is a folder; give the name of a file")
    if not folder.is_dir():
        raise click.ClickException(f"{path}: there is no folder {folder}")
    if not os.access(folder if not place.exists() else place, os.W_OK):
        raise click.ClickException(f"{path} may not be written")
