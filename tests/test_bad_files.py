"""Files that are not what they should be: a sentence with the place, or rows that are counted.

Never is what came before the bad row lost, and never is there a panic.
"""

import gzip
import random
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from lapwing import Model

HEADERS = {"vw": [], "svmlight": [], "criteo": [], "csv": [b"late,carrier,hour"]}
TEXTS = list(HEADERS)
FORMATS = [*TEXTS, "parquet"]


def criteo(label=b"1", first=b"5", category=b"68fd1e64", categories=26):
    return b"\t".join([label, first, *[b"7"] * 12, *[category] * categories])


def rows(kind, count):
    """Lines as they should be."""
    labels = [b"1" if place % 2 else b"0" for place in range(count)]
    make = {
        "vw": lambda y: y + b" |carrier UA |hour h:5",
        "svmlight": lambda y: y + b" 3:1 7:0.5",
        "criteo": criteo,
        "csv": lambda y: y + b",UA,5",
    }
    return [make[kind](label) for label in labels]


def text(kind, *lines, end=b"\n"):
    return b"".join(line + end for line in [*HEADERS[kind], *lines])


def learn(path, kind, **options):
    """The model after all rows or an error, what was learned, and the error."""
    model = Model()
    try:
        learned = model.learn_files(path, format=kind, **options)
    except (OSError, TypeError, ValueError) as error:
        return model, None, error
    return model, learned, None


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows"


def is_a_sentence(error, path):
    """About the file, on one line, short whatever is in the file."""
    assert str(error).startswith(f"{path}")
    assert len(str(error)) < len(str(path)) + 250
    assert str(error).isprintable()
    return str(error).removeprefix(f"{path}")


class Line(NamedTuple):
    line: bytes
    sentence: str


BAD_LINES = {
    "vw": {
        "no bar": Line(b"1 a b", 'expected a "|" before the features, found "1 a b"'),
        "another format": Line(b"1,UA,5", 'expected a "|" before the features'),
        "cut": Line(b"1 |carrier UA |hour h:", 'the value of feature "h" is ""; it must be'),
        "text as a value": Line(b"1 |hour h:five", 'the value of feature "h" is "five"'),
        "huge": Line(b"1 |hour h:1e999", 'the value of feature "h" is "1e999"; it must be a fin'),
        "NaN": Line(b"1 |hour h:nan", 'the value of feature "h" is "nan"; it must be a finite'),
        "large": Line(b"1 |hour h:1e10", "it must be at most 1000000000 in magnitude: scale"),
        "huge label": Line(b"1e999 |a x", 'the label is "1e999"; labels are 0 and 1, or -1 and 1'),
        "label 2": Line(b"2 |a x", 'the label is "2"; labels are 0 and 1, or -1 and 1'),
        "label yes": Line(b"yes |a x", 'the label is "yes"; labels are 0 and 1, or -1 and 1'),
        "label -1": Line(b"-1 |a x", "the label is -1, but line 1 of "),
        "a label for a tag": Line(b"1|a x", '"1" touches the "|": VW takes that for a tag'),
        "weight": Line(b"1 -2 |a x", 'the weight of the row is "-2"; it must be a number between'),
        "huge weight": Line(b"1 1e999 |a x", 'the weight of the row is "1e999"; it must be'),
        "NUL": Line(b"1 |a x\0y", "there is a NUL byte at column 7; text has none"),
        "invalid UTF-8": Line(b"1 |a x:\xff\xfe", 'the value of feature "x" is "\ufffd\ufffd"'),
        "10 MB": Line(b"what is this " * 800_000, 'expected a "|" before the features, found'),
        "too long": Line(b"1 |a" + b" x" * (9 << 20), "the line is longer than 16 MiB; is this a"),
    },
    "svmlight": {
        "another format": Line(b"1 |a b", "expected feature:value with a feature from 0 to 429496"),
        "cut": Line(b"1 3:1 7:", 'the value of feature "7" is ""; it must be a finite number'),
        "cut before the colon": Line(b"1 3:1 7", "expected feature:value with a feature from 0"),
        "huge": Line(b"1 3:1e999", 'the value of feature "3" is "1e999"; it must be a finite'),
        "negative": Line(b"1 -3:1", "expected feature:value with a feature from 0 to 4294967295"),
        "beyond": Line(b"1 4294967296:1", "expected feature:value with a feature from 0 to 42949"),
        "label 2": Line(b"2 3:1", 'the label is "2"; labels are 0 and 1, or -1 and 1'),
        "label -1": Line(b"-1 3:1", "the label is -1, but line 1 of "),
        "NUL": Line(b"1 3:1 \0", "there is a NUL byte at column 7"),
        "invalid UTF-8": Line(b"1 \xff:1", "expected feature:value with a feature from 0 to"),
        "10 MB": Line(
            b"x" * 10_000_000, 'the label is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"'
        ),
        "too long": Line(b"1" + b" 3:1" * (5 << 20), "the line is longer than 16 MiB; is this a"),
    },
    "criteo": {
        "a column missing": Line(criteo(categories=25), "expected 40 tab-separated columns of whi"),
        "a column more": Line(criteo(categories=27), "expected 40 tab-separated columns, found 41"),
        "another format": Line(b"1 |a b", "expected 40 tab-separated columns, found 1"),
        "cut": Line(criteo()[:50], "expected 40 tab-separated columns, found"),
        "fraction": Line(criteo(first=b"1.5"), "expected a whole number or nothing in column I1"),
        "huge": Line(criteo(first=b"1e999"), "expected a whole number or nothing in column I1, f"),
        "label 2": Line(criteo(b"2"), 'the label is "2"; labels are 0 and 1, or -1 and 1'),
        "no label": Line(criteo(b""), 'the label is ""; labels are 0 and 1, or -1 and 1'),
        "label -1": Line(criteo(b"-1"), "the label is -1, but line 1 of "),
        "NUL": Line(criteo(first=b"\0"), "there is a NUL byte at column 3"),
        "invalid UTF-8": Line(
            criteo(first=b"\xff"), "expected a whole number or nothing in column"
        ),
        "10 MB": Line(b"x" * 10_000_000, "expected 40 tab-separated columns, found 1"),
        "too long": Line(criteo(category=b"x" * (1 << 20)), "the line is longer than 16 MiB"),
    },
    "csv": {
        "a column missing": Line(b"1,UA", "expected 3 columns with a comma between them, found 2"),
        "a column more": Line(b"1,UA,5,5", "expected 3 columns with a comma between them, found 4"),
        "another format": Line(b"1 |a b", "expected 3 columns with a comma between them, found 1"),
        "open quote": Line(b'1,"UA,5', "expected a quote that ends the cell on this line, found"),
        "text after a quote": Line(
            b'1,"U"A,5', 'expected a comma after a quoted cell, found "A,5"'
        ),
        "label 2": Line(b"2,UA,5", 'the label is "2"; labels are 0 and 1, or -1 and 1'),
        "label -1": Line(b"-1,UA,5", "the label is -1, but line 2 of "),
        "huge label": Line(b"1e999,UA,5", 'the label is "1e999"; labels are 0 and 1, or -1 and 1'),
        "NUL": Line(b"1,UA\0,5", "there is a NUL byte at column 5; text has none"),
        "10 MB": Line(b"x" * 10_000_000, "expected 3 columns with a comma between them, found 1"),
        "too long": Line(b"1,UA," + b"x" * (17 << 20), "the line is longer than 16 MiB"),
    },
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, lines in BAD_LINES.items() for name in lines]
)
def test_a_bad_line_is_told_and_what_came_before_is_learned(path, kind, name):
    bad = BAD_LINES[kind][name]
    path.write_bytes(text(kind, *rows(kind, 3), bad.line, *rows(kind, 2)))
    model, _, error = learn(path, kind)
    assert type(error) is ValueError
    sentence = is_a_sentence(error, path)
    assert sentence.startswith(f", line {len(HEADERS[kind]) + 4}: ")
    assert bad.sentence in sentence
    assert model.rows_learned == 3
    skipping, learned, _ = learn(path, kind, skip_bad_rows=True)
    assert (learned.progress.rows, learned.progress.bad_rows) == (5, 1)
    assert learned.progress.first_bad == str(error)
    path.write_bytes(text(kind, *rows(kind, 2)))
    # The model goes on as if nothing had been.
    model.learn_files(path, format=kind)
    path.write_bytes(text(kind, *rows(kind, 3), *rows(kind, 2)))
    whole, _, _ = learn(path, kind)
    assert model.__getstate__() == whole.__getstate__() == skipping.__getstate__()


ODD_LINES = {
    "vw": [b"1 |\xff \xfe:2", b"1 |a" + b" x" * 5_000_000, b"1 |", b"|a x", b"", b" \t"],
    "svmlight": [b"1 # \xff", b"1" + b" 3:1" * 2_500_000, b"1", b"3:1", b"", b"#"],
    "criteo": [criteo(category=b"\xff"), criteo(category=b"x" * 400_000), b"", b"1" + b"\t" * 39],
    "csv": [
        b"1,\xff,5",
        b"1,1e999,-1e999",
        b"1,,",
        b"1,inf,nan",
        b"1," + b"x" * 10_000_000 + b",",
        b"",
    ],
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_odd_lines_are_read(path, kind, end):
    lines = [*ODD_LINES[kind], *rows(kind, 2)]
    path.write_bytes(b"\xef\xbb\xbf" + text(kind, *lines, end=end).removesuffix(end))
    model, learned, error = learn(path, kind)
    assert error is None
    assert learned.progress.bad_rows == 0
    path.write_bytes(text(kind, *lines))
    plain, *_ = learn(path, kind)
    assert model.__getstate__() == plain.__getstate__()


@pytest.mark.parametrize("kind", ["auto", *FORMATS])
@pytest.mark.parametrize("skip_bad_rows", [False, True])
def test_what_is_no_file_of_rows(path, kind, skip_bad_rows):
    def refused(sentence, error_type=ValueError):
        model, _, error = learn(path, kind, skip_bad_rows=skip_bad_rows)
        assert isinstance(error, error_type), repr(error)
        assert sentence in is_a_sentence(error, path), str(error)
        assert model.rows_learned == 0

    is_parquet = kind == "parquet"
    refused(": there is no such file", FileNotFoundError)
    path.mkdir()
    refused("is a folder; give the files in it", IsADirectoryError)
    path.rmdir()
    path.write_bytes(b"")
    refused("cannot be read as Parquet" if is_parquet else "is empty: there are no rows in it")
    path.write_bytes(b"\n \n\r\n")
    refused("cannot be read as Parquet" if is_parquet else "no rows")
    path.write_bytes(random.Random(5).randbytes(100_000))
    refused("cannot be read as Parquet" if is_parquet else "is a binary file; expected text")
    path.write_bytes("1 |a x\n".encode("utf-16"))
    refused("cannot be read as Parquet" if is_parquet else "is text in UTF-16; write it as UTF-8")
    path.write_bytes(b"PAR1" + b"\0" * 50)
    by_content = kind in ("auto", "parquet")
    refused("cannot be read as Parquet" if by_content else 'name it with format="parquet"')


COMPRESSED = {
    "gzip": gzip.compress,
    "zstd": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("compression", list(COMPRESSED))
@pytest.mark.parametrize("skip_bad_rows", [False, True])
def test_compressed_files_that_end_early_or_are_damaged(path, kind, compression, skip_bad_rows):
    # Labels drawn at random do not compress to nothing.
    drawn = random.Random(3)
    lines = [drawn.choice(rows(kind, 2)) for _ in range(50_000)]
    whole = COMPRESSED[compression](text(kind, *lines))
    path.write_bytes(whole)
    _, learned, _ = learn(path, kind)
    assert learned.progress.rows == 50_000
    path.write_bytes(whole[: len(whole) // 2])
    model, _, error = learn(path, kind, skip_bad_rows=skip_bad_rows)
    rest = f"the {compression} data end in the middle"
    first = len(HEADERS[kind]) + model.rows_learned + 1
    assert is_a_sentence(error, path) == f", line {first}: {rest}"
    assert model.rows_learned > 1000
    damaged = bytearray(whole)
    place = len(whole) // 2
    damaged[place : place + 99] = bytes(99)
    path.write_bytes(damaged)
    model, _, error = learn(path, kind, skip_bad_rows=skip_bad_rows)
    if error is not None:
        assert is_a_sentence(error, path).startswith(", line ")


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("told", TEXTS)
def test_a_file_of_another_format_is_refused(path, kind, told):
    if kind == told:
        return
    path.write_bytes(text(kind, *rows(kind, 5)))
    model, _, error = learn(path, told)
    assert is_a_sentence(error, path).startswith(", line ")
    assert model.rows_learned == 0
    # When it is not told, it is found out.
    assert Model().learn_files(path).progress.rows == 5


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (b"0,UA,5", 'expected a header with the names of the columns, found "0,UA,5"'),
        (b"late,a,a", 'two columns are called "a"; names of columns must differ'),
        (b"late,gr\xfcn", 'the name of column 2 is "gr\ufffdn", which is not UTF-8: write the'),
        (b"late,a\0b", "there is a NUL byte at column 7; text has none"),
        (b'late,"a', "expected a quote that ends the cell on this line"),
        (b"x" * (17 << 20), "the line is longer than 16 MiB"),
        (b"carrier,delay", 'there is no column "late"; the columns are carrier, delay'),
    ],
)
@pytest.mark.parametrize("skip_bad_rows", [False, True])
def test_a_header_cannot_be_passed_over(path, header, sentence, skip_bad_rows):
    path.write_bytes(header + b"\n1,UA,5\n")
    model, _, error = learn(path, "csv", label="late", skip_bad_rows=skip_bad_rows)
    assert is_a_sentence(error, path).startswith(f", line 1: {sentence}")
    assert model.rows_learned == 0


TABLES = {
    "label 2": ({"late": [0, 1, 2], "x": [1, 2, 3]}, 'row 2: the label is "2"; labels are 0', 2),
    "label text": ({"late": ["0", "1", "no"], "x": [1, 2, 3]}, 'row 2: the label is "no"', 2),
    "mixed": ({"late": [0, 1, -1], "x": [1, 2, 3]}, "row 2: the label is -1, and another row", 2),
    "nested": ({"late": [0], "x": [[1]]}, "column 'x' holds list<", 0),
    "no label": ({"y": [0], "x": [1]}, 'there is no column "late"; the columns are y, x', 0),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_a_bad_table_in_parquet(path, name):
    columns, sentence, before = TABLES[name]
    parquet.write_table(pa.table(columns), path)
    model, _, error = learn(path, "parquet", label="late")
    assert sentence in is_a_sentence(error, path)
    assert model.rows_learned == before
    _, learned, error = learn(path, "auto", label="late", skip_bad_rows=True)
    if before:
        assert (learned.progress.rows, learned.progress.bad_rows) == (2, 1)
    else:
        assert sentence in is_a_sentence(error, path)


@pytest.mark.parametrize("place", [0.3, 0.6, 0.99])
def test_parquet_that_is_cut_or_damaged(path, place):
    table = pa.table({"late": np.arange(20_000) % 2, "x": np.random.default_rng(0).random(20_000)})
    parquet.write_table(table, path, row_group_size=1000)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(place * len(whole))])
    model, _, error = learn(path, "auto")
    assert "cannot be read as Parquet" in is_a_sentence(error, path)
    assert model.rows_learned == 0
    damaged = bytearray(whole)
    start = int(0.6 * len(whole))
    damaged[start : start + 50] = bytes(50)
    path.write_bytes(damaged)
    model, _, error = learn(path, "auto", rows=500)
    if error is not None:
        is_a_sentence(error, path)
        assert model.rows_learned > 1000


def test_a_row_whose_crosses_would_fill_the_memory(path):
    long = b"1 |a " + b" ".join(b"x%d" % i for i in range(3000))
    path.write_bytes(b"0 |a x |b y\n" + long + long[1:].replace(b"a", b"b", 1) + b"\n1 |a x\n")
    model = Model(crosses=[("a", "b")])
    with pytest.raises(ValueError, match="line 2: a cross of this row has more than 1048576 feat"):
        model.learn_files(path, format="vw")
    assert model.rows_learned == 1
    assert model.learn_files(path, format="vw", skip_bad_rows=True).progress.rows == 2


def test_when_all_rows_are_bad_there_is_no_model_of_nothing(path):
    path.write_bytes(b"1,UA,5\n2,AA,6\n")
    _, _, error = learn(path, "vw", skip_bad_rows=True)
    assert is_a_sentence(error, path).startswith(" has no rows: ")
