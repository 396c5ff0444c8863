"""The paper's experiments at their smallest size."""

import csv
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

from lapwing.command_line import main
from lapwing.paper import experiments
from lapwing.paper.information import information_limit
from lapwing.paper.run import checkpoints
from lapwing.paper.store import Store

# The long tail has 8.4 million true weights to draw for each of its curves.
SMALL = sorted(set(experiments()) - {"fig2", "fig3"})


def run(*arguments):
    return CliRunner().invoke(main, ["paper", *arguments], catch_exceptions=False)


def lines(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", SMALL)
def test_an_experiment_writes_its_table_its_curves_and_its_figure(name, tmp_path):
    assert run(name, "--size", "tiny", "--out", str(tmp_path)).exit_code == 0
    folder = tmp_path / "tiny"
    table = lines(folder / f"{name}.csv")
    experiment = experiments()[name]
    wanted = {
        (panel.name, method.name, setting.label)
        for panel in experiment.panels
        for method in panel.methods
        for setting in method.settings
    }
    assert {(line["panel"], line["method"], line["setting"]) for line in table} == wanted
    assert all(np.isfinite(float(line["regret_over_log"])) for line in table)
    best = [(line["panel"], line["method"]) for line in table if line["best"]]
    assert sorted(best) == sorted({name[:2] for name in wanted})
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"{name}.svg").read_text()[:1000]


def test_figure_3_is_drawn_from_its_table(tmp_path):
    """The difference of the distribution functions is bounded by 0.02, as the paper says."""
    assert run("fig3", "--out", str(tmp_path)).exit_code == 0
    table = lines(tmp_path / "quick/fig3.csv")
    gaps = [float(line["sigmoid - normal CDF"]) for line in table]
    assert 0.01 < max(gaps) < 0.02
    for line in table:
        left, right = float(line["logistic"]), float(line["normal"])
        assert float(line["logistic - normal"]) == pytest.approx(left - right, abs=1e-7)
    assert (tmp_path / "quick/fig3.png").exists()


def test_a_run_that_is_killed_again_and_again_ends_the_same(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    curves = cut / "tiny/curves/fig1.csv"
    command = [sys.executable, "-m", "lapwing", "paper", "fig1", "--size", "tiny", "--out", cut]
    there = 0
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and len(Store(curves).curves) <= there:
            time.sleep(0.005)
        process.kill()
        process.wait()
        there = len(Store(curves).curves)
    assert there > 0
    assert "curves are there already" in run("fig1", "--size", "tiny", "--out", str(cut)).output
    run("fig1", "--size", "tiny", "--out", str(whole))
    expected, found = (Store(folder / "tiny/curves/fig1.csv").curves for folder in (whole, cut))
    assert expected.keys() == found.keys()
    for key, curve in expected.items():
        assert np.array_equal(curve.rows, found[key].rows), key
        assert np.array_equal(curve.regret, found[key].regret), key


def test_what_is_in_the_way_is_told(tmp_path):
    curves = tmp_path / "tiny/curves/fig1.csv"
    curves.parent.mkdir(parents=True)
    for text in ("not, a table\n1,2\n", "panel,method,setting,seed,rows,regret\n20 active,Gauss\n"):
        curves.write_text(text)
        out = run("fig1", "--size", "tiny", "--out", str(tmp_path))
        assert out.exit_code == 1
        assert "fig1.csv is not a table of curves; remove it to start again" in out.output
        assert curves.read_text() == text
    out = run("fig3", "--out", "/dev/null/results")
    assert out.exit_code == 1
    assert "cannot write to" in out.output


def test_names_that_are_not_there_are_told(tmp_path):
    out = run("fig99", "--out", str(tmp_path))
    assert out.exit_code == 2
    assert "there is no experiment 'fig99'; there are table1, fig1" in out.output
    assert run("--list").output.count("Figure") >= 3


def test_checkpoints_hold_whole_decades():
    for rows in (1000, 100_000, 10_000_000):
        points = checkpoints(rows)
        assert points[0] == 100
        assert points[-1] == rows
        assert {1000, rows} <= set(points.tolist())


def test_the_information_limit_of_one_feature_is_its_closed_form():
    """One feature that is always on: 0.5 log(1 + v t p(1-p)) + (theta^2 / v - 1) / 2."""
    from lapwing.paper.plan import Panel
    from lapwing.synthetic import RandomStream

    panel = Panel("one", "one", lambda seed: RandomStream(features=1, active=1, seed=seed), (), 1.0)
    theta = panel.stream(3).weights[0]
    p = 1 / (1 + np.exp(-theta))
    t = np.array([1000, 10**6])
    expected = 0.5 * np.log1p(t * p * (1 - p)) + 0.5 * (theta**2 - 1)
    limit = information_limit(panel, 3, t)
    assert limit is not None
    np.testing.assert_allclose(limit, expected, rtol=1e-12)
