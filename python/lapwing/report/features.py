"""Features and their weights, as rows of a table with a mark for each belief."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapwing.weights import Weight, Weights

SHOWN = 15
WIDTH, HEIGHT = 150, 16
DEVIATIONS = 2.0


def table(heading: str, told: str, weights: Weights) -> str:
    rows = list(weights)
    reach = max((abs(w.mean) + DEVIATIONS * (w.std or 0.0) for w in rows), default=1.0) or 1.0
    heads = ["feature", "mean", "std", "rows", ""]
    has = [True, True, weights.std is not None, weights.rows is not None, True]
    head = "".join(f"<th>{name}</th>" for name, shown in zip(heads, has, strict=True) if shown)
    body = "\n".join(f"<tr>{_cells(weight, reach)}</tr>" for weight in rows)
    return (
        f'<section class="card"><h2>{escape(heading)}</h2><p class="caption">{escape(told)}</p>'
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div></section>"
    )


def _cells(weight: Weight, reach: float) -> str:
    name = escape("".join(c if c.isprintable() else "�" for c in str(weight.feature)))
    cells = [f'<td class="name" title="{name}">{name}</td>', f"<td>{weight.mean:+.3f}</td>"]
    if weight.std is not None:
        cells.append(f"<td>{weight.std:.3f}</td>")
    if weight.rows is not None:
        cells.append(f"<td>{weight.rows:,}</td>")
    return "".join([*cells, f'<td class="mark">{_mark(weight, reach)}</td>'])


def _mark(weight: Weight, reach: float) -> str:
    """The mean as a bar from zero, and two deviations to either side of it."""

    def across(value: float) -> float:
        return WIDTH / 2 * (1 + value / reach)

    middle, zero = HEIGHT / 2, WIDTH / 2
    left, right = sorted((zero, across(weight.mean)))
    kind = "up" if weight.mean >= 0 else "down"
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="belief" aria-hidden="true">',
        f'<rect class="{kind}" x="{left:.1f}" y="4" width="{right - left:.1f}" height="8"/>',
        f'<line class="axis" x1="{zero}" x2="{zero}" y1="0" y2="{HEIGHT}"/>',
    ]
    if weight.std is not None:
        spread = DEVIATIONS * weight.std
        ends = f'x1="{across(weight.mean - spread):.1f}" x2="{across(weight.mean + spread):.1f}"'
        parts.append(f'<line class="range" {ends} y1="{middle}" y2="{middle}"/>')
    return "".join([*parts, "</svg>"])
