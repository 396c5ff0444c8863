"""The paper's experiments, one file and one command each: ``lapwing paper NAME``.

An experiment is a list of panels; a panel is a stream and the methods that learn it, each over a
grid of settings. `run` turns configurations into regret curves, `store` keeps them as CSV (so that
an interrupted run goes on where it stopped), `figure` draws from that CSV. Needs matplotlib and
SciPy: ``pip install lapwing[paper]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapwing.paper.plan import Experiment


def experiments() -> dict[str, Experiment]:
    """All experiments by name, in the paper's order."""
    from lapwing.paper import fig1, fig4, fig5, fig6, longtail, probit, table1

    modules = (table1, fig1, longtail, fig4, fig5, fig6, probit)
    return {module.EXPERIMENT.name: module.EXPERIMENT for module in modules}
