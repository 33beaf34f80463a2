"""Files of every usual kind: the same table whatever the kind, or one line that says what to do."""

import gzip
import io
import zipfile

import numpy as np
import pytest

from dimred_ref.clinic.numbers import parse
from dimred_ref.clinic.preparation import Choices, prepare
from dimred_ref.clinic.table import read_table
from dimred_ref.clinic.text import MAX_BYTES, UnreadableTableError

NUMBERS = np.array(
    [[1.5, 20.0, -3.25], [2.5, 22.0, 4.0], [0.5, 21.0, 0.0], [3.0, 25.0, 1e-3], [2.0, 19.0, 7.0]]
)
NAMES = ("width", "length", "höhe")
PLAIN = "width,length,höhe\n1.5,20,-3.25\n2.5,22,4\n0.5,21,0\n3,25,1e-3\n2,19,7\n"
GERMAN = PLAIN.replace(",", ";").replace(".", ",")
QUOTED = "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in PLAIN.splitlines())
NAMED_ROWS = "\n".join(
    f"{name},{line}" for name, line in zip(["", *"abcde"], PLAIN.splitlines(), strict=True)
)
R_STYLE = NAMED_ROWS.removeprefix(",").replace(",", "\t")


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("sheet.xml", "<x/>")
    return file.getvalue()


READABLE = {
    "comma": PLAIN.encode(),
    "semicolon and decimal comma": GERMAN.encode(),
    "tab": PLAIN.replace(",", "\t").encode(),
    "vertical bar": PLAIN.replace(",", "|").encode(),
    "white space": PLAIN.replace(",", "   ").encode(),
    "byte order mark": PLAIN.encode("utf-8-sig"),
    "UTF-16": PLAIN.encode("utf-16"),
    "Latin-1": PLAIN.encode("latin-1"),
    "CRLF": PLAIN.replace("\n", "\r\n").encode(),
    "CR": PLAIN.replace("\n", "\r").encode(),
    "quotes": QUOTED.encode(),
    "spaces after commas": PLAIN.replace(",", ", ").encode(),
    "no last line feed": PLAIN.rstrip("\n").encode(),
    "blank lines": PLAIN.replace("\n", "\n\n").encode(),
    "comma at the end of lines": PLAIN.replace("\n", ",\n").encode(),
    "comments before": b"# from a database\n# 2026\n" + PLAIN.encode(),
    "sep= of Excel": b"sep=;\n" + GERMAN.encode(),
    "row names": NAMED_ROWS.encode(),
    "row names as R writes them": R_STYLE.encode(),
    "index of pandas": "\n".join(
        f"{i - 1 if i else ''},{line}" for i, line in enumerate(PLAIN.splitlines())
    ).encode(),
    "typeset minus": PLAIN.replace("-3.25", "−3.25").encode(),
}


@pytest.mark.parametrize("kind", READABLE)
def test_every_usual_kind_of_file_gives_the_same_table(kind):
    table = read_table(READABLE[kind])
    assert tuple(column.name for column in table.columns) == NAMES
    np.testing.assert_array_equal(table.matrix(NAMES), NUMBERS)
    assert table.row_names == (tuple("abcde") if "row names" in kind else table.row_names)


def test_a_file_without_header_gets_numbered_columns():
    table = read_table(PLAIN.partition("\n")[2].encode())
    assert [column.name for column in table.columns] == ["column 1", "column 2", "column 3"]
    np.testing.assert_array_equal(table.matrix(["column 1", "column 2", "column 3"]), NUMBERS)
    assert any("no header" in note for note in table.notes)


def test_a_header_of_numbers_is_read_when_the_reader_says_so():
    content = b"1990,2000\n1,2\n2,3\n3,5\n4,4\n"
    assert len(read_table(content).row_names) == 5
    years = read_table(content, header="yes")
    assert [column.name for column in years.columns] == ["1990", "2000"]


def test_notes_name_separator_decimal_sign_and_encoding():
    notes = " ".join(read_table(GERMAN.encode("latin-1")).notes)
    assert all(words in notes for words in ("semicolon", "decimal comma", "Latin-1", "header"))


def test_text_columns_are_kept_apart_and_may_group():
    rows = "".join(f"{'ab'[i % 2]},{i},{i * i},id{i}\n" for i in range(10))
    table = read_table(f"kind,x,y,id\n{rows}".encode())
    assert [column.numbers is None for column in table.columns] == [True, False, False, True]
    assert [column.is_grouping for column in table.columns] == [True, False, False, False]


def test_a_column_with_a_few_words_is_text_and_the_note_names_the_line():
    rows = "".join(f"{i},{'<0.1' if i == 7 else i},{i * i}\n" for i in range(10))
    column = read_table(f"a,b,c\n{rows}".encode()).column("b")
    assert column.numbers is None
    assert "line 9" in column.note
    assert "<0.1" in column.note


def test_repeated_and_empty_names_become_distinct():
    table = read_table(b"x,x,,y\n1,2,3,4\n2,3,4,6\n3,5,5,5\n9,8,7,6\n")
    assert [column.name for column in table.columns] == ["x", "x (2)", "column 3", "y"]


REFUSED = {
    "empty": (b"", "empty"),
    "white space only": (b"\n \n\t\n", "empty"),
    "workbook": (zipped(), "workbook"),
    "gzip": (gzip.compress(PLAIN.encode()), "gzip"),
    "PDF": (b"%PDF-1.7 ...", "PDF"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not text"),
    "web page": (b"<!DOCTYPE html><html></html>", "web page"),
    "JSON": (b'[{"a": 1}]', "JSON"),
    "one column": (b"x\n1\n2\n3\n4\n5\n", "one column of numbers"),
    "words only": (b"a,b\nx,y\ny,z\nz,x\nx,z\n", "no column of numbers"),
    "three rows": (b"a,b\n1,2\n2,3\n3,4\n", "at least 4"),
    "header only": (b"a,b,c\n", "at least 4"),
    "ragged": (b"a,b\n1,2\n2,3,4\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,9\n1,1\n2,1\n", "line 3 has 3 fields"),
    "short line": (b"a,b,c\n" + b"1,2,3\n" * 12 + b"4,5\n", "line 14 has 2 fields"),
    "too many columns": (
        b"\n".join(b",".join(b"%d" % (i * j) for j in range(1001)) for i in range(5)),
        "1001 columns",
    ),
    "huge": (b"1,2\n" * (MAX_BYTES // 4 + 1), "MB"),
    "open quotation mark": (b'a,b\n1,"2\n' + b"3,4\n" * 60000, "quotation mark"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_refused_with_one_line(kind):
    content, words = REFUSED[kind]
    with pytest.raises(UnreadableTableError) as refused:
        read_table(content)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


CHOICES = {
    "constant columns": (b"a,b,c\n1,2,3\n1,2,4\n1,2,5\n1,2,7\n", {}, "varies: choose at least 2"),
    "logarithm of zero": (PLAIN.encode(), {"scaling": "log"}, "has no logarithm"),
    "missing refused": (b"a,b\n1,\n2,3\n5,4\n4,6\n", {"missing": "refuse"}, "1 of 4 rows"),
    "mostly missing": (b"a,b\n" + b"1,\n" * 40 + b"2,3\n3,4\n4,5\n5,1\n", {}, "only 4 rows would be left"),
    "text chosen": (b"a,b,c\nx,1,2\ny,2,1\nx,2,2\ny,4,5\n", {"columns": ("a", "b")}, "holds text"),
    "huge entries": (
        b"a,b,c\n1,2,1e200\n2,1,2e201\n3,3,5\n4,1,7\n",
        {},
        "column 'c' has entries up to 2e+201",
    ),
    "no number at all": (b"a,b\n1,2\n5,1e400\n3,3\n4,1\n", {}, "column 'b' has entries too large"),
    "tiny entries": (
        b"a,b\n7,1e-200\n2,2e-200\n3,3e-200\n4,1e-200\n",
        {},
        "column 'b' has entries up to 3e-200",
    ),
    "unknown column": (PLAIN.encode(), {"columns": ("z",)}, "no column 'z'"),
    "unknown scaling": (PLAIN.encode(), {"scaling": "magic"}, "scaling must be one of"),
}


@pytest.mark.parametrize("kind", CHOICES)
def test_choices_that_do_not_fit_are_refused_with_one_line(kind):
    content, choices, words = CHOICES[kind]
    with pytest.raises(UnreadableTableError) as refused:
        prepare(read_table(content), Choices(**choices))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_entries_are_left_out_or_filled_and_said():
    content = b"a,b,c\n1,NA,5\n2,3,1\n3,4,2\n?,5,2\n5,7,9\n6,2,2\n"
    dropped = prepare(read_table(content), Choices(scaling="centre"))
    assert dropped.rows.tolist() == [1, 2, 4, 5]
    assert any("2 of 6 rows have missing entries" in note for note in dropped.notes)
    filled = prepare(read_table(content), Choices(scaling="centre", missing="mean"))
    assert filled.raw[0, 1] == pytest.approx(21 / 5)
    assert any("shrinks variances" in note for note in filled.notes)


def test_a_column_that_counts_the_rows_is_left_out_unless_it_is_chosen():
    rows = "".join(f"{i},{i % 3},{i * i}\n" for i in range(1, 9))
    table = read_table(f"id,a,b\n{rows}".encode())
    prepared = prepare(table, Choices())
    assert prepared.names == ("a", "b")
    assert "counts the rows and left out: id" in prepared.notes
    assert prepare(table, Choices(columns=("id", "a", "b"))).names == ("id", "a", "b")


def test_large_tables_are_drawn_and_said():
    rng = np.random.default_rng(3)
    content = "\n".join(",".join(f"{x:.3f}" for x in row) for row in rng.normal(size=(6000, 2))).encode()
    prepared = prepare(read_table(content), Choices())
    assert len(prepared.X) == 5000
    assert "5000 of 6000 rows drawn at random (seed 0)" in prepared.notes


@pytest.mark.parametrize(
    ("field", "has_comma", "number"),
    [
        ("1,234.5", False, 1234.5),
        ("1.234,5", True, 1234.5),
        ("1 234", False, 1234),
        ("1'234.5", False, 1234.5),
    ],
)
def test_separators_of_thousands_are_read(field, has_comma, number):
    assert parse(field, has_decimal_comma=has_comma) == number
