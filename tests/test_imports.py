"""The base package is light: what is optional is not imported before it is asked for."""

import subprocess
import sys

import pytest

OPTIONAL = ("sklearn", "river", "pandas", "scipy", "matplotlib")


def imported_by(statement):
    script = f"import sys; {statement}; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(out.stdout.split())


def test_lapwing_imports_nothing_optional():
    assert not imported_by("import lapwing").intersection(OPTIONAL)


def test_help_waits_for_nothing_that_only_commands_need():
    late = {*OPTIONAL, "pyarrow", "rich", "lapwing.learning.run", "lapwing.report", "lapwing.demo"}
    assert not imported_by("import lapwing.command_line").intersection(late)


@pytest.mark.parametrize(("module", "others"), [("sklearn", {"river"}), ("river", {"sklearn"})])
def test_the_estimators_do_not_import_each_others_packages(module, others):
    pytest.importorskip(module)
    assert not imported_by(f"import lapwing.{module}").intersection(others)
