"""The page itself: one file that needs no other, light or dark as its reader's screen."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapwing.report.pictures import Picture

STYLE = Path(__file__).with_name("style.css")


def page(
    title: str,
    about: str,
    notice: str | None,
    figures: list[tuple[str, str]],
    pictures: list[Picture],
    tables: list[str],
    foot: str,
) -> str:
    tiles = "\n".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in figures
    )
    warning = f'<p class="notice">{escape(notice)}</p>' if notice else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<main>
<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>
{warning}
<dl class="figures">
{tiles}
</dl>
<div class="cards">
{"".join(map(card, pictures))}
{"".join(tables)}
</div>
<footer>{foot}</footer>
</main>
</body>
</html>
"""


def card(picture: Picture) -> str:
    keys = "".join(f"<li>{mark(kind)}{escape(text)}</li>" for kind, text in picture.keys)
    return (
        f'<section class="card"><h2>{escape(picture.heading)}</h2><ul class="keys">{keys}</ul>\n'
        f'{picture.svg}\n<p class="caption">{escape(picture.caption)}</p></section>\n'
    )


def mark(kind: str) -> str:
    """A small picture of a mark."""
    if kind == "dot":
        inner = '<circle class="dot" cx="11" cy="5" r="4"/>'
    elif kind in ("positive", "negative", "width"):
        inner = f'<rect class="{kind}" x="3" y="0" width="16" height="10"/>'
    else:
        inner = f'<polyline class="{kind}" points="0,5 22,5"/>'
    return f'<svg viewBox="0 0 22 10" aria-hidden="true">{inner}</svg>'
