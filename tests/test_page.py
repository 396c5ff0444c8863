"""docs/paper.md says what the kept tables say, and these what the kept curves say."""

import re
from pathlib import Path

import pytest

from lapwing.paper import experiments, summary, table1
from lapwing.paper.store import Store, path_of
from paper import page

ROOT = Path(__file__).parent.parent
LEARNED = sorted(set(experiments()) - {"fig3"})
MEBIBYTE = 2**20


def test_the_page_is_made_of_its_text_and_the_results():
    assert page.PAGE.read_text() == page.page(), "make paper writes it again"


@pytest.mark.parametrize("name", LEARNED)
def test_a_kept_table_is_that_of_its_curves(name, tmp_path):
    """As it is with the grid that the experiment has: else `make paper` learns what is missing."""
    store = Store(path_of(page.KEPT, name))
    written = summary.write(experiments()[name], store, tmp_path)
    assert written.read_text() == (page.KEPT / f"{name}.csv").read_text()


def test_links_lead_to_files():
    for document in (page.PAGE, page.RESULTS / "README.md"):
        links = re.findall(r"\]\(([^)#]+)\)", document.read_text())
        assert links
        for link in links:
            assert link.startswith("http") or (document.parent / link).exists(), link


def test_numbers_of_the_text_are_marks():
    """What was measured is not typed: a number with decimals is the paper's, or from a table."""
    printed = {f"{value:g}" for value in table1.EXPERIMENT.printed.values()}
    priors = {"0.5", "0.9", "1.5"}
    text = page.MARK.sub("", page.TEXT.read_text())
    assert set(re.findall(r"\d+\.\d+", text)) <= printed | priors


def test_what_is_kept_is_small():
    kept = [path for path in page.RESULTS.rglob("*") if path.is_file()]
    assert max(path.stat().st_size for path in kept) < MEBIBYTE
    assert sum(path.stat().st_size for path in kept) < 5 * MEBIBYTE
