"""What a model file says: of the model, and of its features."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapwing.model import Model
from lapwing.model_file import load_described

if TYPE_CHECKING:
    from collections.abc import Callable

    from lapwing.dense import DenseModel
    from lapwing.weights import Weights

KINDS = ("name", "form")
"""What of a description says itself what it is."""


@dataclass(frozen=True)
class Inspection:
    """Facts about a model, and tables of some of its features, by what they are chosen for."""

    facts: dict[str, Any]
    members: list[dict[str, Any]]
    """Of a panel: what each is, how far it is believed, and its loss."""
    tables: dict[str, Weights]

    @classmethod
    def of(cls, path: str, top: int) -> Inspection:
        model, description = load_described(path)
        weights = model.weights()
        facts = {
            "file": path,
            "bytes": Path(path).stat().st_size,
            "written by": description["written_by"],
            **settings(description["settings"]),
            "beliefs": description["beliefs"]["kind"],
            "dtype": description["dtype"],
            "rows learned": model.rows_learned,
            "features": len(weights),
            "size": model.size,
            **columns(model),
            **unfinished(description["notes"]),
        }
        if found := members(model):
            # Every member has its own.
            del facts["prior"]
        return cls(facts, found, chosen(weights, top))

    def to_text(self) -> str:
        width = max(map(len, self.facts))
        lines = [f"{name:<{width}}  {_shown(value)}" for name, value in self.facts.items()]
        if self.members:
            lines += ["", "members", *("  " + line for line in _aligned(self.members))]
        for name, weights in self.tables.items():
            lines += ["", name, *("  " + line for line in weights.lines())]
        if self.facts.get("names kept") is False:
            lines += ["", "Names are kept, and the rows of features counted, by learn --names."]
        return "\n".join(lines)

    def to_json(self) -> str:
        tables = {
            name: [_finite(weight._asdict()) for weight in weights]
            for name, weights in self.tables.items()
        }
        members = {"members": self.members} if self.members else {}
        return json.dumps({**self.facts, **members, **tables})


def settings(found: dict[str, Any]) -> dict[str, Any]:
    """Those of the description, with what belongs together in a line."""
    return {name.replace("_", " "): value for name, value in found.items() if value is not None}


def columns(model: Model | DenseModel) -> dict[str, Any]:
    """What a model of named features knows about their names."""
    if not isinstance(model, Model) or not model._encoder.is_in_use:
        return {}
    encoder = json.loads(model._encoder.to_json())
    found = {
        "bits": encoder["naming"]["bits"],
        "names kept": encoder["naming"]["keeps_names"],
        "crosses": [" x ".join(cross) for cross in encoder["naming"]["crosses"]],
        "label": encoder["label"],
        "columns": encoder["choice"],
    }
    return {name: value for name, value in found.items() if value not in (None, [], "all")}


def members(model: Model | DenseModel) -> list[dict[str, Any]]:
    if not isinstance(model, Model):
        return []
    return [
        {"weight": judged.weight, "loss": judged.loss, **asdict(judged.member)}
        for judged in model.members
    ]


def unfinished(notes: dict[str, str]) -> dict[str, Any]:
    from lapwing.learning.checkpoint import NOTE, Unfinished

    if NOTE not in notes:
        return {}
    note = Unfinished.from_json(notes[NOTE])
    return {"unfinished": f"{note.rows} rows of {', '.join(note.files)} are done"}


def chosen(weights: Weights, top: int) -> dict[str, Weights]:
    """The tables that can be made; a model that keeps no variance has no uncertain features."""
    orders: dict[str, Callable[[int], Weights]] = {"strongest": weights.strongest}
    if weights.std is not None:
        orders["most uncertain"] = weights.most_uncertain
    if weights.rows is not None:
        orders["most frequent"] = weights.most_frequent
    return {name: order(top) for name, order in orders.items()}


def _aligned(rows: list[dict[str, Any]]) -> list[str]:
    """A table whose columns are what differs, in as many letters as they need."""
    heads = [name.replace("_", " ") for name in rows[0]]
    cells = [[_cell(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = (zip(line, widths, strict=True) for line in (heads, *cells))
    return ["  ".join(f"{cell:<{width}}" for cell, width in line).rstrip() for line in lines]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        parts = ((option.replace("_", " "), v) for option, v in value.items() if v is not None)
        return ", ".join(_shown(v) if o in KINDS else f"{o} {_shown(v)}" for o, v in parts)
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,g}" if isinstance(value, float) else str(value)


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
