"""`python -m paper.page`: writes docs/paper.md from its text, `paper/page.md`, and kept results.

In the text, ``{{name argument|argument}}`` stands for what a function of this file says: no number
that was measured is typed by hand. `tests/test_page.py` holds the page to the tables, and these to
the curves.
"""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lapwing.paper import experiments, table1
from lapwing.paper.plan import Experiment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).parent.parent
TEXT = ROOT / "paper/page.md"
PAGE = ROOT / "docs/paper.md"
RESULTS = ROOT / "paper/results"
KEPT = RESULTS / "paper"
ABSENT = "-"
MARK = re.compile(r"\{\{(\w+) ?([^}]*)\}\}")


@lru_cache
def lines(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def found(experiment: str, **wanted: str) -> dict[str, str] | None:
    """The line of a kept table; of setting "best", the one that is marked."""
    for line in lines(KEPT / f"{experiment}.csv"):
        plain = all(line[name] == value for name, value in wanted.items() if value != "best")
        if plain and ("best" not in wanted.values() or line["best"]):
            return line
    return None


def cell(experiment: str, panel: str, rows: str, method: str, setting: str, column: str) -> str:
    line = found(experiment, panel=panel, rows=rows, method=method, setting=setting)
    return ABSENT if line is None else line[column]


def r(experiment: str, panel: str, rows: str, method: str, setting: str) -> str:
    """R_T / log T."""
    return cell(experiment, panel, rows, method, setting, "regret_over_log")


def each(experiment: str, panel: str, rows: str, method: str) -> str:
    """The same with every stream at the setting that is best for it alone."""
    return cell(experiment, panel, rows, method, "best", "each_stream_at_its_best")


def setting(experiment: str, panel: str, rows: str, method: str) -> str:
    return cell(experiment, panel, rows, method, "best", "setting")


def percent(panel: str, rows: str, method: str) -> str:
    """Of figure 2: how many percent more is lost than by the best AdaGrad."""
    return f"{float(cell('fig2', panel, rows, method, 'best', 'percent_of_best_sgd')):+.2f}"


def apart(experiment: str, panel: str, rows: str, first: str, second: str, one: str) -> str:
    """How many percent lie between two methods at the same setting."""
    a, b = (float(r(experiment, panel, rows, method, one)) for method in (first, second))
    return f"{100 * abs(a / b - 1):.2f}"


def seconds(experiment: str, panel: str, rows: str, method: str, one: str) -> str:
    """Of generating and of learning, apart."""
    line = found(experiment, panel=panel, rows=rows, method=method, setting=one)
    return ABSENT if line is None else f"{line['drawing_seconds']} + {line['learning_seconds']} s"


def faster(panel: str, rows: str, method: str, one: str) -> str:
    """Than the paper: its seconds over generating and learning together."""
    line = found("table1", panel=panel, rows=rows, method=method, setting=one)
    of_paper = table1.PRINTED_SECONDS[panel]
    # The paper has Approx with one of its variances.
    printed = of_paper["ApproxG" if method == "ApproxL" else method][rows_place(rows)]
    if line is None or not printed:
        return ABSENT
    total = float(line["drawing_seconds"]) + float(line["learning_seconds"])
    return f"{printed / total:.0f}"


def rows_place(rows: str) -> int:
    return (1_000_000, 10_000_000).index(int(rows))


def table(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    head = list(head)
    whole = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in whole)


def regrets(panel: str) -> str:
    """Of Table 1, the paper's beside ours."""
    head = ["", "paper, 10^6", "ours, 10^6", "paper, 10^7", "ours, 10^7"]
    shown = [(method, "best") for method in ("SGD", "ADF", "DimGauss")]
    shown += [("Gauss", "prior 1"), ("ApproxG", "prior 1"), ("ApproxG", "prior 0.9")]
    shown += [("ApproxL", "prior 1"), ("VB-100", "best"), ("VB-1000", "best")]
    body = []
    for method, one in shown:
        line = [method if one == "best" else f"{method}, {one}"]
        for rows in ("1000000", "10000000"):
            printed = table1.EXPERIMENT.printed.get((panel, method, one, int(rows)))
            line += [
                ABSENT if printed is None else f"{printed:g}",
                regret(panel, rows, method, one),
            ]
        body.append(line)
    return table(head, body)


def regret(panel: str, rows: str, method: str, one: str) -> str:
    line = found("table1", panel=panel, rows=rows, method=method, setting=one)
    if line is None:
        return ABSENT
    spread = f" ± {line['deviation_over_seeds']}" if int(line["seeds"]) > 1 else ""
    edge = ", the grid's edge" if line["best"] == "edge of grid" else ""
    return (
        line["regret_over_log"] + spread + (f" ({line['setting']}{edge})" if one == "best" else "")
    )


def times(panel: str) -> str:
    """Of Table 1: the paper's, which are of both together, and ours of generating + learning."""
    head = ["", "paper, 10^6", "ours, 10^6", "paper, 10^7", "ours, 10^7"]
    body = []
    for method, printed in table1.PRINTED_SECONDS[panel].items():
        one = "best" if method in ("SGD", "ADF", "DimGauss") else "prior 1"
        line = [method]
        for rows, of_paper in zip(("1000000", "10000000"), printed, strict=True):
            line += [f"{of_paper} s" if of_paper else ABSENT]
            line += [seconds("table1", panel, rows, method, one)]
        body.append(line)
    return table(head, body)


def best(name: str) -> str:
    """Every method at the best of its grid, panel by panel."""
    experiment = experiments()[name]
    assert isinstance(experiment, Experiment)
    panels = [panel for panel in experiment.panels if panel.deviation is not None]
    methods = list(dict.fromkeys(method.name for panel in panels for method in panel.methods))
    body = []
    for method in methods:
        line = [method]
        for panel in panels:
            at_end = [x for x in lines(KEPT / f"{name}.csv") if x["panel"] == panel.name]
            of_method = [x for x in at_end if x["method"] == method and x["best"]]
            line.append(
                f"{of_method[-1]['regret_over_log']} ({of_method[-1]['setting']})"
                if of_method
                else ABSENT
            )
        body.append(line)
    return table(["", *(panel.name for panel in panels)], body)


def losses(panel: str) -> str:
    """Of real data: each method at its best, and percent of the best AdaGrad."""
    shown = [x for x in lines(KEPT / "fig2.csv") if x["panel"] == panel and x["best"]]
    body = [
        [x["method"], x["setting"], x["loss"], f"{float(x['percent_of_best_sgd']):+.2f} %"]
        for x in shown
    ]
    return table(["", "best setting", "log loss", "beside the best AdaGrad"], body)


def figure(name: str, title: str) -> str:
    folder = "../paper/results/paper"
    return (
        f"[![{title}]({folder}/{name}.png)]({folder}/{name}.svg)\n\n"
        f"`lapwing paper {name} --size paper`: [table]({folder}/{name}.csv)"
        + ("" if name == "fig3" else f", [curves]({folder}/curves/{name}.csv.gz)")
    )


def measured(name: str) -> str:
    """A table that a script of this folder wrote, whole."""
    body = lines(RESULTS / f"{name}.csv")
    return table((column.replace("_", " ") for column in body[0]), (line.values() for line in body))


def value(name: str, key: str, column: str) -> str:
    """Of such a table, the line whose first cell is the key."""
    return next(line[column] for line in lines(RESULTS / f"{name}.csv") if key in line.values())


SAID: dict[str, Callable[..., str]] = {
    one.__name__: one
    for one in (
        r, each, setting, percent, apart, seconds, faster, regrets, times, best, losses, figure,
        measured, value,
    )
}  # fmt: skip


def page() -> str:
    def said(mark: re.Match[str]) -> str:
        arguments = [part.strip() for part in mark[2].split("|") if part.strip()]
        return SAID[mark[1]](*arguments)

    return MARK.sub(said, TEXT.read_text())


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE.relative_to(ROOT)}")
