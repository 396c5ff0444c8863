"""The `lapwing` command as a user calls it."""

import os
import subprocess
import sys

import lapwing


def lapwing_command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "lapwing", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "160"},
    )


def test_demo_shows_progress_regret_and_weights():
    out = lapwing_command("demo", "--rows", "20000", "--seed", "3")
    assert out.returncode == 0, out.stderr
    for text in ("log loss", "regret / ln rows", "20,000", "truth", "deviation", "90 %"):
        assert text in out.stdout
    again = lapwing_command("demo", "--rows", "20000", "--seed", "3")
    assert without_speed(again.stdout) == without_speed(out.stdout)


def without_speed(text):
    return [line.rsplit(maxsplit=1)[0] for line in text.splitlines() if line.strip()]


def test_version_and_help():
    assert lapwing_command("--version").stdout.strip() == f"lapwing {lapwing.__version__}"
    help_text = lapwing_command("demo", "--help").stdout
    assert "Example" in help_text
    assert "--rows" in help_text


def test_a_mistake_is_one_sentence_and_not_a_traceback():
    out = lapwing_command("demo", "--rows", "none")
    assert out.returncode == 2
    assert "'none' is not a valid integer" in out.stderr
    assert "Traceback" not in out.stderr
