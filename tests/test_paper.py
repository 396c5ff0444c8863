"""The paper's experiments at their smallest size."""

import csv
import gzip
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

import lapwing
from lapwing import Batch, rules
from lapwing.command_line import main
from lapwing.metrics import log_loss
from lapwing.paper import experiments, fig1, summary, table1
from lapwing.paper.execute import execute
from lapwing.paper.flights import ROWS, flights
from lapwing.paper.information import information_limit
from lapwing.paper.plan import Experiment, Panel, Size, ada_grad, by_prior
from lapwing.paper.recorded import Recorded
from lapwing.paper.run import checkpoints
from lapwing.paper.store import Store
from lapwing.paper.times import measured
from lapwing.synthetic import CriteoStream

LEARNED = sorted(set(experiments()) - {"fig3"})


def run(*arguments):
    return CliRunner().invoke(main, ["paper", *arguments], catch_exceptions=False)


def lines(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", LEARNED)
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
    known = {panel.name: panel.deviation is not None for panel in experiment.panels}
    for line in table:
        quality = "regret_over_log" if known[line["panel"]] else "percent_of_best_sgd"
        assert np.isfinite(float(line[quality]))
    best = [(line["panel"], line["method"]) for line in table if line["best"]]
    assert sorted(best) == sorted({name[:2] for name in wanted})
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"{name}.svg").read_text()[:1000]


def test_losses_on_real_data_are_relative_to_the_best_adagrad(tmp_path):
    """The best AdaGrad itself is at zero."""
    X = Batch(np.arange(301), np.zeros(300, dtype=int), np.ones(300), 1)
    y = np.resize([1, -1, -1], 300)
    methods = (ada_grad((0.1, 0.4)), by_prior("Gauss", rules.Gauss("laplace"), (0.5, 1.0)))
    panel = Panel(
        "coin", "coin", lambda _: Recorded(X, y), methods, deviation=None, most=Size(300, 1)
    )
    experiment = Experiment("coin", "coin", "", (panel,), {"tiny": Size(500, 2)})
    execute(experiment, "tiny", tmp_path, Console(quiet=True), jobs=1)
    table = lines(tmp_path / "coin.csv")
    losses = {(line["method"], line["setting"]): float(line["loss"]) for line in table}
    best = min(loss for (method, _), loss in losses.items() if method == "SGD")
    for line in table:
        assert (line["rows"], line["seeds"], line["regret_over_log"]) == ("300", "1", "")
        relative = 100 * (float(line["loss"]) / best - 1)
        assert float(line["percent_of_best_sgd"]) == pytest.approx(relative, abs=0.01)
    model = lapwing.Model("gauss", prior_variance=0.5, size=1)
    assert losses["Gauss", "prior 0.5"] == pytest.approx(log_loss(y, model.learn(X, y)), abs=1e-5)


def test_criteo_rows_are_learned_from_their_file(tmp_path):
    """In place of the flights, and as `lapwing.read` gives them."""
    path = tmp_path / "train.tsv"
    path.write_bytes(CriteoStream(most_values=100, seed=1).text(1200, format="criteo"))
    out = run("fig2", "--size", "tiny", "--out", str(tmp_path), "--criteo", str(path))
    assert out.exit_code == 0
    table = lines(tmp_path / "tiny/fig2.csv")
    assert {line["panel"] for line in table} == {"long tail", "criteo: train.tsv"}
    found = {(line["panel"], line["method"], line["setting"]): line for line in table}
    line = found["criteo: train.tsv", "ApproxL", "prior 0.1"]
    model = lapwing.Model("approx", prior_variance=0.1, bits=24)
    pieces = list(lapwing.read(path, model=model, rows=1000, format="criteo"))
    loss = log_loss(pieces[0].answers, model.learn(pieces[0]))
    assert line["rows"] == "1000"
    assert float(line["loss"]) == pytest.approx(loss, abs=1e-5)


def test_criteo_files_that_cannot_be_learned_are_told(tmp_path):
    """A day's file has no labels."""
    text = CriteoStream(most_values=100, seed=1).text(1000, format="criteo")
    day, short = tmp_path / "day_0", tmp_path / "short.tsv"
    day.write_bytes(b"".join(line[2:] for line in text.splitlines(keepends=True)))
    short.write_bytes(text[: text.index(b"\n") + 1])
    for path, sentence in (
        (day, "line 1: expected 40 tab-separated columns of which the first is the label"),
        (short, "short.tsv: 1 rows are too few"),
    ):
        out = run("fig2", "--size", "tiny", "--out", str(tmp_path), "--criteo", str(path))
        assert out.exit_code == 1
        assert sentence in " ".join(out.output.split())
    assert "fig2 is not among" in run("fig1", "--criteo", str(day)).output


def test_the_flights_are_those_of_the_package():
    """Of its 336,776 flights the arrival of 327,346 is known."""
    stream = flights()
    drawn = stream.draw(10**6)
    assert (len(drawn.y), ROWS) == (327_346, 327_346)
    assert (drawn.y == 1).mean() == pytest.approx(0.2371, abs=1e-4)
    assert len(stream.draw(1).y) == 0
    again = stream.again().draw(3)
    assert np.array_equal(again.X.features, drawn.X.features[: 3 * 12])


def test_the_numbers_of_the_paper_stand_beside_their_settings(tmp_path):
    """`AppG 0.9`, and Gauss at the prior 1: the others beside the best of their grid."""
    assert run("table1", "--size", "tiny", "--out", str(tmp_path)).exit_code == 0
    small = replace(table1.EXPERIMENT, sizes={"tiny": Size(500, 1)})
    printed = {(*key[:3], 500): value for key, value in small.printed.items() if key[3] == 10**6}
    path = summary.write(
        replace(small, printed=printed), Store(tmp_path / "tiny/curves/table1.csv.gz"), tmp_path
    )
    shown = {
        (line["panel"], line["method"], line["setting"]): float(line["paper"])
        for line in lines(path)
        if line["paper"]
    }
    assert shown["40 active", "ApproxG", "prior 0.9"] == 83.4
    assert shown["40 active", "ApproxG", "prior 1"] == 91.5
    assert ("20 active", "ApproxG", "prior 0.9") not in shown
    assert sum(name[1] == "SGD" for name in shown) == 2


def test_what_has_no_curves_yet_is_left_out(tmp_path):
    """A method that was added to a panel, and a setting to a grid, before they are learned."""
    assert run("fig1", "--size", "tiny", "--out", str(tmp_path)).exit_code == 0
    store = Store(tmp_path / "tiny/curves/fig1.csv.gz")
    panel = fig1.EXPERIMENT.panels[0]
    known = summary.learned(panel, store)
    assert known == panel
    more = by_prior("Gauss", rules.Gauss("laplace"), (0.5, 0.9, 1.0, 1.5, 7.0))
    added = replace(panel, methods=(more, *panel.methods[1:], ada_grad((9.0,))))
    assert summary.learned(added, store) == panel


def test_the_list_says_how_long_and_which_figure():
    text = CliRunner().invoke(main, ["paper", "--list"], env={"COLUMNS": "200"}).output
    for name, experiment in experiments().items():
        assert name in text
        assert experiment.where.split(" (")[0] in text
    assert "2 cores" in text
    assert " h" in text
    assert " min" in text


def test_every_method_has_a_measured_time():
    known = measured().known
    for experiment in experiments().values():
        for panel in getattr(experiment, "panels", ()):
            for method in panel.methods:
                assert (experiment.name, panel.name, method.name) in known
    per_row = measured().per_row
    thousand, hundred = (per_row("table1", "20 active", f"VB-{n}") for n in (1000, 100))
    assert 5 < thousand / hundred < 15


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
    curves = cut / "tiny/curves/fig1.csv.gz"
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
    expected, found = (Store(folder / "tiny/curves/fig1.csv.gz").curves for folder in (whole, cut))
    assert expected.keys() == found.keys()
    for key, curve in expected.items():
        assert np.array_equal(curve.rows, found[key].rows), key
        assert np.array_equal(curve.regret, found[key].regret), key


def test_what_is_in_the_way_is_told(tmp_path):
    curves = tmp_path / "tiny/curves/fig1.csv.gz"
    curves.parent.mkdir(parents=True)
    cut = b"panel,method,setting,seed,rows,regret\n20 active,Gauss\n"
    for content in (b"not compressed", gzip.compress(b"not, a table\n1,2\n"), gzip.compress(cut)):
        curves.write_bytes(content)
        out = run("fig1", "--size", "tiny", "--out", str(tmp_path))
        assert out.exit_code == 1
        assert "fig1.csv.gz is not a table of curves; remove it to start again" in out.output
        assert curves.read_bytes() == content
    out = run("fig3", "--out", "/dev/null/results")
    assert out.exit_code == 1
    assert "cannot write to" in out.output


def test_names_that_are_not_there_are_told(tmp_path):
    out = run("fig99", "--out", str(tmp_path))
    assert out.exit_code == 1
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
