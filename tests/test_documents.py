"""The documents tell the truth: their examples run, and what they name is there."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import click
import pytest

import lapwing
from lapwing.command_line import main
from tests import command_line_page

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(lapwing.__path__, "lapwing.")
    if not module.name.endswith(("__main__", "_core"))
)
EQUATIONS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in (ROOT / "docs/equations.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| equation")
]


@pytest.mark.parametrize("module", ["lapwing", *MODULES])
def test_docstrings(module):
    if module == "lapwing.river":
        pytest.importorskip("river", reason="River 0.26 needs Python 3.11")
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/columns.md"])
def test_pages(name):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, name, None, 0)
    assert len(test.examples) > 5
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


def test_the_page_about_the_command_line_has_the_help_of_every_command():
    page = command_line_page.PAGE.read_text()
    assert command_line_page.filled(page) == page, "make docs writes it"
    assert set(re.findall(r"^\$ lapwing (\w+) --help$", page, re.MULTILINE)) == set(main.commands)


@pytest.mark.parametrize("name", list(main.commands))
def test_every_command_has_an_example_and_a_help_for_every_option(name):
    command = main.commands[name]
    assert f"lapwing {name}" in command.epilog
    for parameter in command.params:
        assert isinstance(parameter, click.Argument) or parameter.help, parameter.name


@pytest.mark.parametrize("document", ["README.md", "docs/command-line.md"])
def test_commands_in_documents_have_options_that_exist(document):
    text = (ROOT / document).read_text().replace("\\\n", " ")
    lines = [*re.findall(r"^ *(?:\$ )?lapwing (.*)$", text, re.MULTILINE)]
    lines += re.findall(r"`lapwing ([^`]*)`", text)
    assert len(lines) > 5
    for line in lines:
        words = shlex.split(line, comments=True)
        if words[0].startswith("-") or words[0] not in main.commands:
            assert words[0].startswith("-"), line
            continue
        known = {
            flag for p in main.commands[words[0]].params for flag in (*p.opts, *p.secondary_opts)
        }
        for word in words[1:]:
            if word in ("|", ">"):
                break
            if word.startswith("-") and word != "-":
                assert word in known | {"--help"}, line


@pytest.mark.parametrize("row", EQUATIONS, ids=lambda row: row[0][:40])
def test_equations(row):
    _, _, reference, engine, tests = row
    for name in re.findall(r"`(\w+)\.(\w+)`", reference):
        assert hasattr(importlib.import_module(f"lapwing.reference.{name[0]}"), name[1]), name
    files = re.findall(r"`([\w/]+\.rs)` `(\w+)`", engine)
    assert files
    for path, name in files:
        source = (ROOT / "crates/engine/src" / path).read_text()
        assert re.search(rf"\b(fn|struct|const) {name}\b", source), (path, name)
    for module, name in re.findall(r"`(test_\w+)\.(test_\w+)`", tests):
        source = (ROOT / "tests/mathematics" / f"{module}.py").read_text()
        assert f"def {name}(" in source, name
    for path in re.findall(r"`(tests/[\w/]+\.py)`", tests):
        assert (ROOT / path).is_file(), path


def test_every_label_of_an_equation_in_the_table_is_in_the_source_of_the_engine_or_reference():
    sources = [*ROOT.glob("crates/engine/src/**/*.rs"), *ROOT.glob("python/lapwing/**/*.py")]
    text = "".join(path.read_text() for path in sources)
    labels = {label for row in EQUATIONS for label in re.findall(r"`(\w+)`", row[0])}
    missing = sorted(label for label in labels if label not in text)
    assert not missing


def test_architecture_names_files_that_exist():
    tree = re.search(r"```\n(.*?)```", (ROOT / "ARCHITECTURE.md").read_text(), re.DOTALL).group(1)
    places = {"crates/engine/src/": "crates/engine/src", "python/lapwing/": "python/lapwing"}
    folder = ""
    for line in tree.splitlines():
        name = line.split("  ")[0] or line.strip().split("  ")[0]
        if not line.startswith(" "):
            folder = places.get(name, "")
        for entry in name.strip().split():
            place = ROOT / entry if not line.startswith(" ") else ROOT / folder / entry
            assert place.exists(), entry
