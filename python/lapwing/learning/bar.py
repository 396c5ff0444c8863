"""A bar on standard error: how much of the input is read, and how long the rest takes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lapwing.pieces import Progress

SECONDS_BETWEEN = 0.1
"""A bar that moves more often is not read any better."""


class Bar:
    """It is there once the first progress is shown, if the size of the input is known."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        columns: list[Any] = [
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            DownloadColumn(),
            TimeRemainingColumn(compact=True),
        ]
        self._bars = Progress(*columns, console=self._console, transient=True)
        self._task: Any = None
        self._shown_at = 0.0

    def show(self, progress: Progress, what: str) -> None:
        if progress.total_bytes is None:
            return
        if self._task is None:
            self._bars.start()
            self._task = self._bars.add_task(what, total=progress.total_bytes)
        now = time.perf_counter()
        if now - self._shown_at >= SECONDS_BETWEEN:
            self._bars.update(self._task, completed=progress.bytes_read, description=what)
            self._shown_at = now

    def print(self, text: str) -> None:
        self._console.print(text, markup=False)

    def close(self) -> None:
        self._bars.stop()
