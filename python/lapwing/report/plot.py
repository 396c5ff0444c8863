"""A picture of lines, bars and dots between two axes, as SVG that a page carries in itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lapwing.report.scale import Scale

WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 22, 12, 46


class Plot:
    """Draws into the space between the axes; what is beyond them is cut off."""

    def __init__(self, name: str, x: Scale, y: Scale, x_title: str, y_title: str) -> None:
        self._name, self._x, self._y = name, x, y
        self._titles = (x_title, y_title)
        self._marks: list[str] = []

    def line(self, points: Iterable[tuple[float, float]], kind: str) -> None:
        places = " ".join(f"{self._across(x):.1f},{self._up(y):.1f}" for x, y in points)
        self._marks.append(f'<polyline class="{kind}" points="{places}"/>')

    def bars(
        self, edges: Sequence[float], bottoms: Sequence[float], tops: Sequence[float], kind: str
    ) -> None:
        """One bar between each pair of neighbouring edges."""
        for left, right, low, high in zip(edges, edges[1:], bottoms, tops, strict=False):
            x, width = self._across(left), self._across(right) - self._across(left)
            y, height = self._up(high), self._up(low) - self._up(high)
            if height > 0:
                self._marks.append(
                    f'<rect class="{kind}" x="{x + 0.4:.1f}" y="{y:.1f}" '
                    f'width="{max(width - 0.8, 0.6):.1f}" height="{height:.1f}"/>'
                )

    def dot(self, x: float, y: float, kind: str, told: str) -> None:
        """With a sentence for those who point at it."""
        self._marks.append(
            f'<circle class="{kind}" cx="{self._across(x):.1f}" cy="{self._up(y):.1f}" r="3.6">'
            f"<title>{escape(told)}</title></circle>"
        )

    def svg(self) -> str:
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        clip = f"clip-{self._name}"
        parts = [
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(self._name)}">',
            f'<clipPath id="{clip}"><rect x="{LEFT}" y="{TOP - 5}" width="{wide + 5}" '
            f'height="{high + 5}"/></clipPath>',
            *self._grid(),
            f'<g clip-path="url(#{clip})">',
            *self._marks,
            "</g>",
            f'<text class="title" x="{LEFT + wide / 2}" y="{HEIGHT - 6}" text-anchor="middle">'
            f"{escape(self._titles[0])}</text>",
            f'<text class="title" transform="translate(13 {TOP + high / 2}) rotate(-90)" '
            f'text-anchor="middle">{escape(self._titles[1])}</text>',
            "</svg>",
        ]
        return "\n".join(parts)

    def _grid(self) -> list[str]:
        found, bottom = [], HEIGHT - BOTTOM
        for value, text in self._x.ticks():
            x = self._across(value)
            found.append(
                f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 4}"/>'
            )
            found.append(f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{text}</text>')
        for value, text in self._y.ticks():
            y = self._up(value)
            found.append(
                f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            found.append(f'<text x="{LEFT - 7}" y="{y + 3.5:.1f}" text-anchor="end">{text}</text>')
        found.append(
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>'
        )
        return found

    def _across(self, x: float) -> float:
        return LEFT + self._x.place(x) * (WIDTH - LEFT - RIGHT)

    def _up(self, y: float) -> float:
        return HEIGHT - BOTTOM - self._y.place(y) * (HEIGHT - TOP - BOTTOM)
