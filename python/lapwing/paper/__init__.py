"""The paper's experiments, one file and one command each: ``lapwing paper NAME``.

An experiment is a list of panels; a panel is a stream and the methods that learn it, each over a
grid of settings. `run` turns configurations into regret curves, `store` keeps them as CSV (so that
an interrupted run goes on where it stopped), `figure` draws from that CSV. Needs matplotlib and
SciPy: ``pip install lapwing[paper]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapwing.paper.plan import Drawing, Experiment


def experiments() -> dict[str, Experiment | Drawing]:
    """All experiments by name, in the paper's order."""
    from lapwing.paper import fig1, fig2, fig3, fig4, fig5, fig6, probit, table1

    found = [m.EXPERIMENT for m in (table1, fig1, fig2, fig3, fig4, fig5, fig6, probit)]
    return {experiment.name: experiment for experiment in found}
