"""`lapwing learn --report`: what a run came to, as one page that can be sent to somebody."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapwing import _core
from lapwing.report import features, pictures
from lapwing.report.page import page

if TYPE_CHECKING:
    from lapwing.learning.run import Ended, Run
    from lapwing.report.recent import Recent
    from lapwing.weights import Weights


def write(
    path: str, run: Run, ended: Ended, found: dict[str, Any], weights: Weights, recent: Recent
) -> None:
    """Writes the page. The file is replaced as a whole."""
    title = " + ".join(Path(name).name if name != "-" else "standard input" for name in run.files)
    text = page(
        title,
        f"{run.model!r}",
        _notice(ended),
        _figures(found),
        _pictures(run, ended, found, recent, keeps_variance=weights.std is not None),
        _tables(weights),
        _foot(run),
    )
    _core.replace(path, text.encode())


def _figures(found: dict[str, Any]) -> list[tuple[str, str]]:
    def shown(name: str, digits: int) -> str:
        return "-" if found[name] is None else f"{found[name]:,.{digits}f}"

    return [
        ("rows", shown("rows", 0)),
        ("log loss", shown("log_loss", 5)),
        ("of the best constant", shown("constant_loss", 5)),
        ("normalized entropy", shown("normalized_entropy", 4)),
        ("AUC", shown("auc", 4)),
        ("calibration", shown("calibration", 4)),
        ("features", shown("features", 0)),
        ("seconds", shown("seconds", 2)),
    ]


def _pictures(
    run: Run, ended: Ended, found: dict[str, Any], recent: Recent, *, keeps_variance: bool
) -> list[pictures.Picture]:
    metrics = ended.curve.metrics
    if metrics.rows == 0:
        return []
    drawn = [
        pictures.loss(ended.curve.points, found["constant_loss"]),
        pictures.reliability(metrics),
        pictures.predictions(metrics),
    ]
    if keeps_variance:
        drawn.append(pictures.uncertainty(*recent.intervals(run.model)))
    return [picture for picture in drawn if picture is not None]


def _tables(weights: Weights) -> list[str]:
    found = []
    if len(weights) > 0:
        told = "Surely far from zero: by the mean's magnitude, less two standard deviations."
        found.append(features.table("Strongest features", told, weights.strongest(features.SHOWN)))
    if len(weights) > 0 and weights.std is not None:
        told = "Least known: by the standard deviation."
        uncertain = weights.most_uncertain(features.SHOWN)
        found.append(features.table("Most uncertain features", told, uncertain))
    return found


def _notice(ended: Ended) -> str | None:
    parts = []
    if ended.interrupted is not None:
        parts.append("The run was interrupted: these are the rows before.")
    if ended.rows_before:
        parts.append(f"The model had learned {ended.rows_before:,} rows of these files before.")
    if ended.progress.bad_rows:
        bad, first = ended.progress.bad_rows, ended.progress.first_bad
        parts.append(f"{bad:,} bad rows were passed over; the first: {first}.")
    return " ".join(parts) or None


def _foot(run: Run) -> str:
    import lapwing

    encoder = run.model._encoder
    is_hint = encoder.is_in_use and not encoder.keeps_names
    names = " With --names features are told by their names." if is_hint else ""
    files = " ".join(f"<code>{escape(name)}</code>" for name in run.files)
    return f"Lapwing {lapwing.__version__}, {files}.{escape(names)}"
