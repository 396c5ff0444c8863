"""The `lapwing` command as a user calls it."""

import contextlib
import csv
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from pyarrow import parquet

import lapwing
from lapwing import Member
from lapwing.command_line import main

SPEED = re.compile(r" [\d,]+$|^seconds.*", re.MULTILINE)


def lapwing_command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "lapwing", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "160"},
        **options,
    )


def run(*arguments):
    """The same in this process."""
    return CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)


def without_speed(text):
    return "".join(SPEED.sub("", text).split(" ")).split("modelin")[0]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.vw"
    path.write_bytes(lapwing.synthetic.RandomStream(seed=5).text(5000, "vw"))
    return path


@pytest.fixture(scope="module")
def model(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.lapwing"
    assert run("learn", rows, "--names", "--save", path).exit_code == 0
    return path


def test_learn_shows_a_table_and_a_summary(rows):
    out = run("learn", rows)
    lines = out.stdout.splitlines()
    assert lines[0].split("  ")[-1].strip() == "rows/s"
    assert [line.split()[0] for line in lines[1:5]] == ["1,000", "2,000", "4,000", "5,000"]
    learned = lapwing.Model().learn_files(rows)
    summary = dict(re.split(r"  +", line, maxsplit=1) for line in lines[6:])
    assert summary["rows"] == "5,000"
    assert summary["features"] == "201"
    assert summary["log loss"] == f"{learned.metrics.log_loss:.5f}"
    assert summary["of the best constant"] == f"{learned.metrics.constant_loss:.5f}"
    assert summary["normalized entropy"] == f"{learned.metrics.normalized_entropy:.5f}"
    assert summary["AUC"] == f"{learned.metrics.auc:.4f}"
    assert summary["calibration"] == f"{learned.metrics.calibration:.4f}"
    assert lines[4].split()[1] == summary["log loss"]
    assert out.stderr == ""


def test_lines_of_the_table_are_about_exactly_their_rows(rows):
    lines = run("learn", rows).stdout.splitlines()[1:5]
    model = lapwing.Model()
    metrics, since = lapwing.Metrics(), lapwing.Metrics()
    ends = iter([1000, 2000, 4000, 5000])
    end = next(ends)
    for piece in lapwing.read(rows, model=model, rows=1):
        p = model.learn(piece)
        metrics.add(piece, p)
        since.add(piece, p)
        if metrics.rows == end:
            found = [metrics.log_loss, since.log_loss, metrics.mean_prediction, metrics.base_rate]
            assert lines.pop(0).split()[1:5] == [f"{x:.5f}" for x in found]
            since, end = lapwing.Metrics(), next(ends, 0)
    assert not lines


def test_what_is_learned_does_not_depend_on_what_is_shown(rows, tmp_path):
    found = set()
    for shown in ([], ["-q"], ["--json"], ["--checkpoint-every", "300"]):
        assert run("learn", rows, "--save", tmp_path / "m", *shown).exit_code == 0
        found.add((tmp_path / "m").read_bytes())
    once = lapwing.Model()
    once.learn_files(rows)
    once.save(tmp_path / "m")
    assert found == {(tmp_path / "m").read_bytes()}


def test_json_is_all_of_standard_output(rows):
    out = run("learn", rows, "--json")
    found = json.loads(out.stdout)
    learned = lapwing.Model().learn_files(rows)
    assert found["log_loss"] == learned.metrics.log_loss
    assert found["rows"] == 5000
    assert [line["rows"] for line in found["lines"]] == [1000, 2000, 4000]
    assert "average loss" in out.stderr
    assert run("learn", rows, "--json", "-q").stderr == ""
    assert run("learn", rows, "-q").output == ""
    # One class only: what cannot be said is null, and no number that JSON does not know.
    rows_of_one_class = "1 |a b\n1 |a c\n"
    lonely = json.loads(
        lapwing_command("learn", "-", "--json", "-q", input=rows_of_one_class).stdout
    )
    assert lonely["auc"] is None
    assert lonely["normalized_entropy"] is None


def test_options_make_the_model(rows, tmp_path):
    options = {
        "--rule": "moments",
        "--link": "probit",
        "--prior-variance": 0.5,
        "--prior-mean": 0.1,
        "--memory": 5000,
        "--head": "fields",
        "--dtype": "float64",
        "--seed": 3,
        "--bits": 20,
        "--cross": "user,item",
    }
    flat = [str(part) for pair in options.items() for part in pair]
    out = run("learn", rows, *flat, "--cross", "a,b,c", "--names", "--save", tmp_path / "cli", "-q")
    assert out.exit_code == 0, out.output
    model = lapwing.Model(
        lapwing.rules.Moments(),
        link="probit",
        prior_variance=0.5,
        prior_mean=0.1,
        memory=5000,
        head="fields",
        dtype="float64",
        seed=3,
        bits=20,
        crosses=[("user", "item"), ("a", "b", "c")],
        names=True,
    )
    model.learn_files(rows)
    model.save(tmp_path / "python")
    assert (tmp_path / "cli").read_bytes() == (tmp_path / "python").read_bytes()


def test_members_make_a_panel(rows, tmp_path):
    members = ["0.02", "1", "0.2,memory=1000,head=fields"]
    command = [word for member in members for word in ("--member", member)]
    out = run("learn", rows, *command, "--cross", "a,b", "--save", tmp_path / "cli", "-q")
    assert out.exit_code == 0, out.output
    made = [Member(0.02), Member(1), Member(0.2, memory=1000, head="fields")]
    panel = lapwing.Panel(made, crosses=[("a", "b")])
    panel.learn_files(rows)
    panel.save(tmp_path / "python")
    assert (tmp_path / "cli").read_bytes() == (tmp_path / "python").read_bytes()
    found = json.loads(run("inspect", tmp_path / "cli", "--json").stdout)["members"]
    assert [member["weight"] for member in found] == [m.weight for m in panel.members]
    assert "prior variance" in run("inspect", tmp_path / "cli").stdout.split("\nmembers\n")[1]
    assert run("learn", rows, *command, "--report", tmp_path / "r.html").exit_code == 0


def test_rows_without_labels_and_bad_rows_are_counted():
    text = "1 |a b\n|a c\nwhat is this\n0 |a c\n"
    out = lapwing_command("learn", "-", "--format", "vw", "--skip-bad-rows", input=text)
    assert out.returncode == 0, out.stderr
    assert re.search(r"^rows +2$", out.stdout, re.MULTILINE)
    assert re.search(r"^without a label +1$", out.stdout, re.MULTILINE)
    assert "bad rows skipped" in out.stdout
    assert "1; the first: standard input, line 3: " in out.stdout


def test_rows_without_any_label_are_no_learning():
    out = lapwing_command("learn", "-", "--format", "vw", input="|a b\n|a c\n")
    assert out.returncode == 0
    assert "no row has a label: none of 2 is learned" in out.stdout
    assert "nan" not in out.stdout


MISTAKES = [
    (["learn"], "Missing argument 'FILE...'"),
    (["learn", "nowhere.vw"], "nowhere.vw: there is no such file"),
    (["learn", "{rows}", "--bit", "3"], "No such option '--bit'"),
    (["learn", "{rows}", "--bits", "99"], "bits is 99; it must be between 1 and 32"),
    (["learn", "{rows}", "--prior-variance", "-1"], "prior_variance"),
    (["learn", "{rows}", "--rule", "magic"], "'magic' is none of gauss, approx"),
    (["learn", "{rows}", "--rule", "gauss:shape=3"], "gauss has no option 'shape'"),
    (["learn", "{rows}", "--rule", "gauss:variance=3"], "variance is 3; it must be"),
    (["learn", "{rows}", "--cross", "a"], "a cross is a; it must be two or three fields"),
    (["learn", "{rows}", "--member", "1,size=3"], "'size=3' is told of no member"),
    (["learn", "{rows}", "--member", "1,head=big"], "head is 'big'; it must be"),
    (["learn", "{rows}", "--member", "much"], "prior_variance is 'much'"),
    (["learn", "{rows}", "--member", "1", "--memory", "9"], "--memory differ from member to"),
    (["learn", "{rows}", "--member", "1", "--rule", "approx"], "joint"),
    (["learn", "{rows}", "--checkpoint-every", "5"], "--checkpoint-every needs --save"),
    (["learn", "{rows}", "--no-skip"], "it needs --resume"),
    (["learn", "{rows}", "--save", "nowhere/m"], "nowhere/m: there is no folder nowhere"),
    (["learn", "{rows}", "--save", "."], ". is a folder; give the name of a file"),
    (["learn", "{rows}", "--save", "{rows}"], "rows.vw is read: writing there would lose it"),
    (["learn", "{rows}", "--report", "{rows}"], "rows.vw is read: writing there would lose it"),
    (["learn", "{rows}", "--resume", "{rows}"], "rows.vw"),
    (["learn", "{rows}", "--resume", "{model}", "--bits", "8"], "--bits would make another model"),
    (["learn", "{rows}", "--format", "parquet"], "cannot be read as Parquet"),
    (["predict", "{model}"], "Missing argument 'FILE...'"),
    (["predict", "{model}", "{rows}", "--interval", "90"], "level is 90.0; it must be between"),
    (["predict", "{model}", "{rows}", "-o", "p.txt"], "p.txt must end in .csv or .parquet"),
    (["predict", "{rows}", "{rows}"], "rows.vw"),
    (["inspect", "nowhere"], "nowhere"),
    (["inspect", "{rows}"], "rows.vw"),
    (["export", "{model}"], "Missing option '-o' / '--out'"),
    (["export", "{model}", "-o", "{model}"], "m.lapwing is read"),
    (["predict", "{model}", "{rows}", "-o", "{rows}"], "rows.vw is read"),
    (["export", "{model}", "-o", "w.txt"], "w.txt must end in .csv or .parquet"),
    (["demo", "--rows", "none"], "'none' is not a valid integer"),
    (["nothing"], "No such command 'nothing'"),
]


@pytest.mark.parametrize(
    ("arguments", "sentence"), MISTAKES, ids=[" ".join(m[0]) for m in MISTAKES]
)
def test_a_mistake_is_one_sentence_and_exit_code_1(rows, model, arguments, sentence):
    out = run(*(argument.format(rows=rows, model=model) for argument in arguments))
    assert out.exit_code == 1
    assert sentence in out.stderr
    assert out.stderr.count("\n") == 1
    assert out.stderr.startswith("Error: ")
    assert out.stdout == ""


def test_predict_writes_what_python_predicts(rows, model, tmp_path):
    loaded = lapwing.load(model)
    pieces = list(lapwing.read(rows, model=loaded, learn=False))
    p = np.concatenate([loaded.predict(piece) for piece in pieces])
    low, high = map(np.concatenate, zip(*(loaded.interval(q, 0.8) for q in pieces), strict=True))
    out = run("predict", model, rows)
    assert out.stdout.splitlines()[0] == "probability"
    assert [float(line) for line in out.stdout.splitlines()[1:]] == p.tolist()
    assert "5,000 rows with a label: log loss" in out.stderr
    for name in ("p.csv", "p.parquet"):
        path = tmp_path / name
        path.write_text("old")
        out = run("predict", model, rows, "--interval", 0.8, "-o", path, "-q")
        assert (out.exit_code, out.output) == (0, "")
        if name.endswith(".csv"):
            head, *lines = csv.reader(path.read_text().splitlines())
            table = dict(zip(head, np.array(lines, dtype=float).T, strict=True))
        else:
            table = parquet.read_table(path).to_pydict()
        assert list(table) == ["probability", "low", "high"]
        for column, wanted in zip(table.values(), (p, low, high), strict=True):
            assert np.array_equal(column, wanted)


def test_a_prediction_that_fails_leaves_the_old_file(model, tmp_path):
    path, bad = tmp_path / "p.csv", tmp_path / "bad.vw"
    path.write_text("old")
    bad.write_text("1 |a b\nwhat is this\n")
    out = run("predict", model, bad, "-o", path)
    assert out.exit_code == 1
    assert "bad.vw, line 2: " in out.stderr
    assert path.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [bad, path]
    out = run("predict", model, bad, "-o", path, "--skip-bad-rows")
    assert out.exit_code == 0
    assert "1 bad rows passed over" in out.stderr
    assert len(path.read_text().splitlines()) == 2


def test_inspect_tells_what_a_model_is(model):
    out = run("inspect", model, "--top", 4).stdout
    for line in (
        r"rows learned +5,000",
        r"features +201",
        r"bits +22",
        r"names kept +yes",
        r"bytes +" + f"{model.stat().st_size:,}",
    ):
        assert re.search("^" + line + "$", out, re.MULTILINE), line
    weights = lapwing.load(model).weights()
    for name in ("strongest", "most uncertain", "most frequent"):
        wanted = getattr(weights, name.replace(" ", "_"))(4)
        assert "\n".join("  " + line for line in wanted.lines()) in out.split(name)[1]
    found = json.loads(run("inspect", model, "--top", 2, "--json").stdout)
    assert found["rows learned"] == 5000
    assert [row["feature"] for row in found["strongest"]] == list(weights.strongest(2).feature)


def test_inspect_knows_all_kinds_of_models(rows, tmp_path):
    path = tmp_path / "m.lapwing"
    assert run("learn", rows, "--rule", "adagrad:learning_rate=0.05", "--save", path).exit_code == 0
    out = run("inspect", path).stdout
    assert "learning rate 0.05" in out
    assert "strongest" in out
    assert "uncertain" not in out
    assert "keeps none" in run("predict", path, rows, "--interval", 0.9).stderr
    lapwing.DenseModel(5).save(path)
    assert "covariance" in run("inspect", path).stdout
    assert "reads no files" in run("predict", path, rows).stderr
    lapwing.Model().save(path)
    assert json.loads(run("inspect", path, "--json").stdout)["features"] == 0


def test_export_writes_the_table_of_weights(model, tmp_path):
    for name in ("w.csv", "w.parquet"):
        out = run("export", model, "-o", tmp_path / name)
        assert out.exit_code == 0
        assert "201 features in" in out.stdout
        lapwing.load(model).export(tmp_path / ("python-" + name))
        assert (tmp_path / name).read_bytes() == (tmp_path / ("python-" + name)).read_bytes()


def test_nobody_has_to_read_the_table(rows, model, tmp_path):
    """`lapwing ... | head -1` says nothing of a broken pipe, and what was asked for is saved."""
    many = tmp_path / "many.vw"
    many.write_bytes(rows.read_bytes() * 20)
    for arguments in (["learn", many, "--save", tmp_path / "m"], ["predict", model, many]):
        command = [sys.executable, "-m", "lapwing", *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode in (0, 141)
    assert lapwing.load(tmp_path / "m").rows_learned == 100_000


@pytest.mark.parametrize("arguments", [["learn"], ["predict", "{model}", "-o", "{out}"]])
def test_a_bar_is_shown_to_those_who_look_on(rows, model, tmp_path, arguments):
    pty = pytest.importorskip("pty", reason="there are terminals of another kind")
    many = tmp_path / "many.vw"
    many.write_bytes(rows.read_bytes() * 20)
    words = [word.format(model=model, out=tmp_path / "p.csv") for word in arguments]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lapwing", *words, str(many)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        # A terminal whose other end is closed is an error on Linux.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                shown += part
        table = process.stdout.read().decode()
    os.close(ours)
    assert process.returncode == 0
    assert re.search(rb"(learn|predict)ing .*\d+%.*MB", shown)
    if arguments == ["learn"]:
        assert without_speed(table) == without_speed(run("learn", many).stdout)
    else:
        assert table == ""


def test_standard_input_is_a_stream_like_any_other(rows, tmp_path):
    out = lapwing_command("learn", "-", "--save", tmp_path / "m", input=rows.read_text())
    assert out.returncode == 0, out.stderr
    assert without_speed(out.stdout) == (
        without_speed(run("learn", rows, "--save", tmp_path / "n").stdout)
    )
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_demo_learns_flights_and_predicts_those_of_the_last_day(tmp_path):
    out = run("demo", "--out", tmp_path / "demo")
    assert out.exit_code == 0, out.output
    assert len(re.findall(r"^\$ lapwing (?:learn|predict|inspect) ", out.stdout, re.MULTILINE)) == 3
    flights = re.findall(
        r"^  (.*), (\d\d:\d\d): +\d+ % \(\d+ to \d+ %\), came ", out.stdout, re.MULTILINE
    )
    assert len(flights) >= 10
    assert flights == sorted(flights, key=lambda flight: flight[1])
    written = {path.name for path in (tmp_path / "demo").iterdir()}
    assert written == {
        "flights.csv",
        "last-day.csv",
        "flights.lapwing",
        "report.html",
        "predictions.csv",
    }
    days = [line[:10] for line in (tmp_path / "demo/flights.csv").read_text().splitlines()[1:]]
    assert days == sorted(days)
    assert days[-1] == "2013-12-30"
    summary = json.loads(run("inspect", tmp_path / "demo/flights.lapwing", "--json").stdout)
    assert summary["rows learned"] == len(days) == 326_587


def test_the_synthetic_demo_shows_progress_regret_and_weights():
    out = lapwing_command("demo", "--synthetic", "--rows", "20000", "--seed", "3")
    assert out.returncode == 0, out.stderr
    for text in ("log loss", "regret / ln rows", "20,000", "truth", "deviation", "90 %"):
        assert text in out.stdout


def test_version_and_help():
    assert lapwing_command("--version").stdout.strip() == f"lapwing {lapwing.__version__}"
    assert lapwing_command().returncode == 1
    fastest = min(timed_help() for _ in range(5))
    assert fastest < 0.3


def timed_help():
    """Seconds of the processor: a busy machine makes no command slow."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "learn" in lapwing_command("--help").stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
