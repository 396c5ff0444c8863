"""What is seen while files are learned: a table, and where a person looks on, a bar."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from lapwing.learning.bar import Bar
from lapwing.learning.curve import is_line, since
from lapwing.learning.summary import HEAD, table_line

if TYPE_CHECKING:
    from types import TracebackType

    from lapwing.learning.curve import Point
    from lapwing.pieces import Progress


class Screen:
    """The table goes to `out`. The bar goes to standard error if that is a terminal.

    Nobody has to read the table: if `out` is closed, the bar and the learning go on.
    """

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._bar: Bar | None = None
        self._last: Point | None = None
        self._shown: Point | None = None
        self._has_head = False
        self.is_broken = False

    def __enter__(self) -> Screen:
        if self._out is not None and sys.stderr.isatty():
            self._bar = Bar()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close_bar()

    def close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def point(self, point: Point) -> None:
        self._last = point
        if is_line(point.rows):
            self._line(point)

    def end(self) -> None:
        """The table's last line is about all rows."""
        if self._last is not None and self._last != self._shown:
            self._line(self._last)

    def progress(self, progress: Progress, *, learns: bool) -> None:
        if self._bar is not None:
            self._bar.show(progress, "learning" if learns else "passing over rows learned before")

    def print(self, text: str = "") -> None:
        if self._out is None or self.is_broken:
            return
        try:
            if self._bar is not None and self._out.isatty():
                self._bar.print(text)
            else:
                print(text, file=self._out, flush=True)
        except BrokenPipeError:
            self.is_broken = True

    def _line(self, point: Point) -> None:
        if not self._has_head:
            self.print(HEAD)
            self._has_head = True
        self.print(table_line(point, since(self._shown, point.weight, point.total_loss)))
        self._shown = point
