"""`lapwing generate`: rows of a synthetic stream as text, for other programs and for measuring."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import click

from lapwing.synthetic import CategoryStream, CriteoStream, LongTailStream, RandomStream

if TYPE_CHECKING:
    from lapwing.synthetic import Stream

ROWS_AT_ONCE = 20_000


def stream(name: str, seed: int) -> Stream:
    if name == "criteo":
        return CriteoStream(seed=seed)
    if name == "longtail":
        return LongTailStream(seed=seed)
    if name == "categories":
        return CategoryStream(per_row=5, seed=seed)
    return RandomStream(seed=seed)


def write(name: str, rows: int, text_format: str | None, seed: int, out: BinaryIO) -> None:
    """A part at a time, so that memory does not grow with the rows."""
    if text_format == "criteo" and name != "criteo":
        raise click.UsageError(f"{name} rows have no fields; --format vw or svmlight writes them")
    source = stream(name, seed)
    kind = text_format or ("criteo" if name == "criteo" else "vw")
    for done in range(0, rows, ROWS_AT_ONCE):
        out.write(source._core.text(min(ROWS_AT_ONCE, rows - done), kind))
