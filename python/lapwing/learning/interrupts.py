"""Ctrl-C between two pieces: what is learned is whole when it comes through."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Somebody wants the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


class Interrupts:
    """Holds back Ctrl-C, and the signal that ends programs, but while `allowed`.

    Waiting for input can be interrupted at once; learning a piece and writing a model cannot.
    """

    def __init__(self) -> None:
        self._is_allowed = False
        self._came: int | None = None

    @contextmanager
    def held_back(self) -> Iterator[None]:
        # Python gives signals to its first thread only.
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._handle) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        self._is_allowed = True
        try:
            if self._came is not None:
                raise Interrupted(self._came)
            yield
        finally:
            self._is_allowed = False

    def _handle(self, number: int, _frame: Any) -> None:
        self._came = number
        if self._is_allowed:
            self._is_allowed = False
            raise Interrupted(number)
