"""Files that are written little by little, and are there as a whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A file beside the one at `path`, which takes its place if the block ends well.

    A link is followed; what is there and is no file, as ``/dev/null``, is written into.
    """
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        with place.open("wb") as out:
            yield out
        return
    unfinished = place.with_name(f".lapwing-{secrets.token_hex(4)}.unfinished")
    # As any new file, not as a temporary one: who may read it is the user's choice.
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(unfinished, flags, 0o666), "wb", buffering=1 << 20) as out:
        try:
            yield out
            out.flush()
            os.fsync(out.fileno())
        except BaseException:
            out.close()
            with suppress(FileNotFoundError):
                unfinished.unlink()
            raise
    if place.exists():
        unfinished.chmod(place.stat().st_mode & 0o7777)
    unfinished.replace(place)
