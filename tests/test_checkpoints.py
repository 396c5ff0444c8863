"""Learning that was broken off goes on, and ends where it would have ended."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import lapwing
from lapwing.command_line import main
from lapwing.commands.reading_options import Reading
from lapwing.learning import checkpoint

KILLS = int(os.environ.get("LAPWING_KILLS", "5"))
ROWS = 20_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same rows in formats whose columns move on with every row, and in others."""
    folder = tmp_path_factory.mktemp("checkpoints")
    criteo = lapwing.synthetic.CriteoStream(seed=3)
    (folder / "day.criteo").write_bytes(criteo.text(ROWS, "criteo"))
    (folder / "day.svm").write_bytes(lapwing.synthetic.RandomStream(seed=3).text(ROWS, "svmlight"))
    rng = np.random.default_rng(7)
    size = np.exp(rng.normal(size=ROWS) * 3)
    frame = pd.DataFrame(
        {
            "late": rng.random(ROWS) < 1 / (1 + size),
            "size": size,
            "hour": rng.integers(0, 24, ROWS),
            "who": [f"u{i}" for i in rng.integers(0, 5000, ROWS)],
        }
    )
    frame.to_csv(folder / "day.csv", index=False)
    frame.to_parquet(folder / "day.parquet", row_group_size=7000)
    return folder


def run(*arguments):
    return CliRunner().invoke(main, ["learn", *map(str, arguments), "-q"], catch_exceptions=False)


OPTIONS = ("--rule", "moments", "--head", "fields", "--memory", "3000", "--names")
"""A model that keeps all that a model can keep."""
FILES = ["day.criteo", "day.svm", "day.csv", "day.parquet"]


@pytest.fixture(params=FILES)
def source(request, folder):
    return folder / request.param


def uninterrupted(source, tmp_path):
    whole = tmp_path / "whole.lapwing"
    assert run(source, *OPTIONS, "--save", whole).exit_code == 0
    return whole.read_bytes()


def unfinished_after(source, path, rows):
    """A model file as a run leaves it that is killed when it has so many rows."""
    model = lapwing.Model("moments", head="fields", memory=3000.0, names=True)
    passed = checkpoint.Passed()
    reading = Reading()._asdict()
    encoder = model._encoder.to_json()
    for piece in lapwing.read(source, model=model, cuts=(rows, 0)):
        if piece.progress.rows > rows:
            break
        model.learn(piece)
        passed.add(piece)
    assert passed.rows == rows
    note = checkpoint.Unfinished(passed.as_dict(), [str(source)], reading, encoder)
    checkpoint.save(model, str(path), note)


@pytest.mark.parametrize("rows", [1, 777, 8192, 12_345, ROWS])
def test_going_on_after_any_row_ends_with_the_same_bytes(source, tmp_path, rows):
    path = tmp_path / "m.lapwing"
    unfinished_after(source, path, rows)
    assert run(source, "--resume", path, "--save", path).exit_code == 0
    assert path.read_bytes() == uninterrupted(source, tmp_path)


@pytest.mark.parametrize("every", [1000, 7777, 30_000])
def test_checkpoints_change_nothing_and_are_after_the_rows_that_were_asked_for(
    source, tmp_path, every, monkeypatch
):
    seen = []
    save = checkpoint.save
    monkeypatch.setattr(
        checkpoint,
        "save",
        lambda model, path, note: (seen.append(note.rows), save(model, path, note)),
    )
    path = tmp_path / "m.lapwing"
    assert run(source, *OPTIONS, "--save", path, "--checkpoint-every", every).exit_code == 0
    assert seen == list(range(every, ROWS + 1, every))
    assert path.read_bytes() == uninterrupted(source, tmp_path)


def command(*arguments):
    return [sys.executable, "-m", "lapwing", "learn", *map(str, arguments), "-q"]


def stamp(path):
    return path.stat().st_mtime_ns if path.exists() else None


def test_killed_at_random_moments_a_model_is_readable_and_goes_on_to_the_same_end(folder, tmp_path):
    source, path = folder / "day.criteo", tmp_path / "m.lapwing"
    whole = uninterrupted(source, tmp_path)
    arguments = ("--save", path, "--checkpoint-every", 500)
    moment, seen = random.Random(11), []
    for _ in range(KILLS):
        resumes = ("--resume", path) if path.exists() else OPTIONS
        process = subprocess.Popen(command(source, *resumes, *arguments))
        before = stamp(path)
        # While it starts or passes over rows now and then, and otherwise while it learns or writes.
        soon = resumes[0] == "--resume" and moment.random() < 0.2
        patience = time.monotonic() + (0.5 * moment.random() if soon else 60.0)
        while stamp(path) == before and process.poll() is None and time.monotonic() < patience:
            time.sleep(0.0005)
        time.sleep(moment.random() * 0.1)
        process.kill()
        process.wait()
        model, begun = checkpoint.load(str(path))
        if begun is None:
            assert path.read_bytes() == whole
            path.unlink()
        else:
            seen.append(begun.rows)
            assert model.rows_learned == begun.rows
    assert len(set(seen)) >= KILLS / 3
    if path.exists():
        assert run(source, "--resume", path, "--save", path).exit_code == 0
        assert path.read_bytes() == whole


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_saves_the_model_so_far_and_going_on_ends_the_same(folder, tmp_path, number, code):
    source, path = folder / "day.criteo", tmp_path / "m.lapwing"
    lines = source.read_bytes().splitlines(keepends=True)
    # Standard input that stays open: the command waits for rows when the signal comes.
    arguments = ("-", "--format", "criteo", *OPTIONS, "--save", path, "--checkpoint-every", 9000)
    with subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as p:
        p.stdin.write(b"".join(lines[:17_000]))
        p.stdin.flush()
        while not path.exists():
            time.sleep(0.01)
        p.send_signal(number)
        assert p.wait(timeout=60) == code
        assert b"Traceback" not in p.stderr.read()
        with contextlib.suppress(BrokenPipeError):
            p.stdin.close()
    _, begun = checkpoint.load(str(path))
    assert 9000 <= begun.rows <= 17_000
    out = run(source, "--format", "criteo", "--resume", path, "--save", path)
    assert out.exit_code == 0, out.output
    assert path.read_bytes() == uninterrupted(source, tmp_path)


def test_rows_before_a_bad_one_are_saved_and_once_it_is_mended_learning_goes_on(folder, tmp_path):
    good = (folder / "day.criteo").read_bytes().splitlines(keepends=True)
    source, path = tmp_path / "day.criteo", tmp_path / "m.lapwing"
    source.write_bytes(b"".join([*good[:9000], b"1\tbroken\n", *good[9000:]]))
    out = run(source, *OPTIONS, "--save", path)
    assert out.exit_code == 1
    assert f"{source}, line 9001: " in out.stderr
    assert "the 9,000 rows before it are learned and saved in" in out.stderr
    assert lapwing.load(path).rows_learned == 9000
    source.write_bytes(b"".join(good))
    assert run(source, "--resume", path, "--save", path).exit_code == 0
    assert path.read_bytes() == uninterrupted(source, tmp_path)


def test_a_finished_model_learns_all_rows_of_what_comes(folder, tmp_path):
    source, path = folder / "day.svm", tmp_path / "m.lapwing"
    assert run(source, "--save", path).exit_code == 0
    assert run(source, "--resume", path, "--save", path).exit_code == 0
    assert lapwing.load(path).rows_learned == 2 * ROWS
    twice = lapwing.Model()
    twice.learn_files(source)
    twice.learn_files(source)
    twice.save(tmp_path / "twice")
    assert (tmp_path / "twice").read_bytes() == path.read_bytes()


def test_other_files_are_not_taken_for_those_a_model_has_begun_with(folder, tmp_path):
    path, other = tmp_path / "m.lapwing", tmp_path / "other.svm"
    unfinished_after(folder / "day.svm", path, 5000)
    before = path.read_bytes()
    rows = (folder / "day.svm").read_bytes().splitlines(keepends=True)
    for content in (rows[:4000], rows[1:], rows[:100] + rows[101:]):
        other.write_bytes(b"".join(content))
        out = run(other, "--resume", path, "--save", path)
        assert out.exit_code == 1
        assert "has learned the first 5,000 rows of" in out.stderr
        assert path.read_bytes() == before
    assert run(other, "--resume", path, "--save", path, "--no-skip").exit_code == 0
    assert lapwing.load(path).rows_learned == 5000 + ROWS - 1


def test_an_unfinished_run_is_read_as_it_began(folder, tmp_path):
    source, path = folder / "day.parquet", tmp_path / "m.lapwing"
    options = ("--label", "size > 1", "--ignore", "hour,late")
    assert run(source, *options, "--save", path).exit_code == 0
    whole = path.read_bytes()
    model = lapwing.Model()
    reading = Reading(label="size > 1", ignore=["hour", "late"])._asdict()
    passed, encoder = checkpoint.Passed(), model._encoder.to_json()
    piece = next(lapwing.read(source, model=model, **reading))
    model.learn(piece)
    passed.add(piece)
    note = checkpoint.Unfinished(passed.as_dict(), [str(source)], reading, encoder)
    checkpoint.save(model, str(path), note)
    out = run(source, "--label", "late", "--resume", path)
    assert out.exit_code == 1
    assert "--label is not what the unfinished" in out.stderr
    assert run(source, "--resume", path, "--save", path).exit_code == 0
    assert path.read_bytes() == whole


def test_a_damaged_note_is_a_sentence(folder, tmp_path):
    path = tmp_path / "m.lapwing"
    model = lapwing.Model()
    model.learn_files(folder / "day.svm")
    for note in ("", "[]", "{}", json.dumps({"passed": {"rows": -1}})):
        model._core.save(str(path), {**model._notes(), checkpoint.NOTE: note})
        out = run(folder / "day.svm", "--resume", path)
        assert out.exit_code == 1
        assert "what it tells of the rows that are done is damaged" in out.stderr


@pytest.mark.parametrize("cuts", [(0, 300), (7, 0), (1000, 8192), (8192, 1)])
def test_pieces_end_at_cuts(source, cuts):
    first, every = cuts
    ends = [p.progress.rows for p in lapwing.read(source, cuts=cuts) if len(p) > 0]
    wanted = {first} if first else set()
    wanted |= set(range(first + every, ROWS + 1, every)) if every else set()
    assert wanted <= set(ends)
    assert ends[-1] == ROWS
