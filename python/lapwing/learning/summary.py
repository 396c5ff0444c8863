"""What a run came to, as figures and as lines of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lapwing.learning.curve import is_line

if TYPE_CHECKING:
    from lapwing.learning.curve import Point
    from lapwing.learning.run import Ended

HEAD = "       rows   average loss   since last   mean prediction   base rate        rows/s"


def table_line(point: Point, since_last: float) -> str:
    return (
        f"{point.rows:11,} {point.average:14.5f} {since_last:12.5f} "
        f"{point.mean_prediction:17.5f} {point.base_rate:11.5f} "
        f"{point.rows_per_second:13,.0f}"
    )


def figures(ended: Ended, features: int) -> dict[str, Any]:
    """All of it, for machines. What cannot be said is None."""
    metrics = ended.curve.metrics
    found = {
        "rows": metrics.rows,
        "features": features,
        "seconds": round(ended.seconds, 3),
        "log_loss": metrics.log_loss,
        "constant_loss": metrics.constant_loss if metrics.rows > 0 else None,
        "normalized_entropy": metrics.normalized_entropy,
        "auc": metrics.auc,
        "calibration": metrics.calibration,
        "mean_prediction": metrics.mean_prediction,
        "base_rate": metrics.base_rate,
        "weight": metrics.weight,
        "unlabelled_rows": ended.unlabelled,
        "rows_before": ended.rows_before,
        "bad_rows": ended.progress.bad_rows,
        "first_bad_row": ended.progress.first_bad,
        "interrupted": ended.interrupted is not None,
        "lines": [
            {
                "rows": point.rows,
                "average_loss": point.average,
                "mean_prediction": point.mean_prediction,
                "base_rate": point.base_rate,
            }
            for point in ended.curve.points
            if is_line(point.rows)
        ],
    }
    return {name: None if _is_unknown(value) else value for name, value in found.items()}


def lines(found: dict[str, Any]) -> list[str]:
    """All of it, for people."""
    rows = [("rows", f"{found['rows']:,}")]
    if found["rows"] == 0 and found["unlabelled_rows"]:
        return [f"no row has a label: none of {found['unlabelled_rows']:,} is learned"]
    if found["rows_before"]:
        rows.append(("learned before", f"{found['rows_before']:,} rows of the same files"))
    if found["unlabelled_rows"]:
        rows.append(("without a label", f"{found['unlabelled_rows']:,}"))
    rows += [
        ("features", f"{found['features']:,}"),
        ("seconds", f"{found['seconds']:.2f}"),
        ("log loss", _number(found["log_loss"], 5)),
        ("of the best constant", _number(found["constant_loss"], 5)),
        ("normalized entropy", _number(found["normalized_entropy"], 5)),
        ("AUC", _number(found["auc"], 4)),
        ("calibration", _number(found["calibration"], 4)),
    ]
    if found["bad_rows"]:
        rows.append(
            ("bad rows skipped", f"{found['bad_rows']:,}; the first: {found['first_bad_row']}")
        )
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _is_unknown(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
