"""The report of `lapwing learn --report`: whole, honest, and in need of no other file."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import lapwing
from lapwing.command_line import main
from lapwing.report.scale import Linear, Log, around

VOID = {"meta", "br"}


def learn(path, *options):
    report = path.with_suffix(".html")
    command = ["learn", str(path), "--report", str(report), "-q", *options]
    out = CliRunner().invoke(main, command, catch_exceptions=False)
    assert out.exit_code == 0, out.output
    return report.read_text()


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "rows.vw"
    path.write_bytes(lapwing.synthetic.RandomStream(seed=5).text(25_000, "vw"))
    return path


@pytest.fixture(scope="module")
def page(rows):
    return learn(rows, "--names")


class Nesting(HTMLParser):
    """Refuses tags that are not closed in order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, _attributes):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_it_is_one_sound_page_that_fetches_nothing(page):
    parser = Nesting()
    parser.feed(page)
    assert parser.open == []
    assert not re.search(r"https?:|src=|@import|url\((?!#)|<script|<link", page)
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)
    assert "prefers-color-scheme: dark" in page


def test_it_has_the_figures_the_pictures_and_the_features(rows, page):
    model = lapwing.Model(names=True)
    learned = model.learn_files(rows)
    figures = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert figures["rows"] == "25,000"
    assert figures["log loss"] == f"{learned.metrics.log_loss:.5f}"
    assert figures["AUC"] == f"{learned.metrics.auc:.4f}"
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == [
        "Loss over rows",
        "Reliability",
        "Predictions",
        "Uncertainty",
        "Strongest features",
        "Most uncertain features",
    ]
    names = re.findall(r'<td class="name" title="(.*?)">', page)
    weights = model.weights()
    assert names == [*weights.strongest(15).feature, *weights.most_uncertain(15).feature]
    assert len(re.findall('<circle class="dot" cx="[^"]*" cy="[^"]*" r="3.6">', page)) == 20


def test_uncertainty_is_of_the_last_rows_and_the_finished_model(rows, page):
    model = lapwing.Model(names=True)
    model.learn_files(rows)
    pieces = lapwing.read(rows, model=model, learn=False)
    bounds = [model.interval(piece, 0.9) for piece in pieces]
    widths = np.concatenate([high - low for low, high in bounds])[-20_000:]
    assert f"Half of the intervals are narrower than {100 * np.median(widths):.2f} %;" in page
    assert "The last 20,000 rows" in page


def test_names_do_not_break_the_page(tmp_path):
    path = tmp_path / "a&b<i>.vw"
    path.write_text('1 |a <script>alert(1)</script> "quoted" \u202e\n-1 |a &amp;\n' * 40)
    page = learn(path, "--names")
    assert "<script" not in page
    assert "a&amp;b&lt;i&gt;.vw" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    parser = Nesting()
    parser.feed(page)
    assert parser.open == []


@pytest.mark.parametrize(
    "text",
    [
        "1 |a x\n",
        "1 |a x\n" * 3000,
        "|a x\n|a y\n",
        "1 |a x\n0 |a y\n" * 1000,
        "1 1000000 |a x\n0 0.001 |a y\n" * 100,
    ],
    ids=["one row", "one class", "no labels", "two predictions", "weights"],
)
def test_odd_streams_have_a_report(tmp_path, text):
    path = tmp_path / "odd.vw"
    path.write_text(text)
    page = learn(path)
    assert "nan" not in page.lower().replace("dominant", "")
    parser = Nesting()
    parser.feed(page)
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)


def test_a_model_without_variance_has_no_uncertainty(rows):
    page = learn(rows, "--rule", "adagrad")
    assert "Uncertainty" not in page
    assert "Most uncertain" not in page
    assert "Strongest features" in page


numbers = st.floats(1e-6, 1e9)


@given(numbers, st.floats(1e-6, 1e3), st.booleans())
def test_ticks_are_on_the_axis_evenly_and_told_apart(low, relative, percent):
    axis = Linear(low, low * (1 + relative) + 1e-6, percent)
    check(axis, axis.ticks(), least=3)


@given(numbers, st.floats(1.05, 1e6))
def test_ticks_of_factors_are_on_the_axis(low, factor):
    axis = Log(low, low * factor)
    check(axis, axis.ticks(), least=0)


def check(axis, ticks, least):
    places = [axis.place(value) for value, _ in ticks]
    assert len(places) >= least
    assert places == sorted(places)
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in places)
    assert len({text for _, text in ticks}) == len(ticks)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=5))
def test_an_axis_around_values_has_room_for_them(values):
    axis = around(values)
    assert all(0 <= axis.place(value) <= 1 for value in values)
