"""The book keeps account of its sources: every claim has a place, and the account is generated."""

import json
import re
import shutil

import pytest

from autograder.book.labels import labels
from autograder.book.ledger import generated_pages, ledger
from autograder.course.course import Course
from autograder.errors import CourseError
from tests.conftest import ROOT

CHAPTERS = {  # the topics that are written, and the chapters of the ledger that they cover
    "geometry": {1},
    "toolkit": {2},
    "covariance": {3},
    "pca": {4, 5},
    "svd": {6},
    "least_squares": {7},
    "duality": {9},
    "classical_mds": {10},
    "mvu": {13},
    "conformal_eigenmaps": {13},
    "isomap": {11},
    "kernel_pca": {14},
    "practice": {8},
    "lle": {12},
    "laplacian_eigenmaps": {12},
}


def written():
    return {path.stem for path in (ROOT / "book" / "_ledger").glob("*.json")} & set(CHAPTERS)


def test_the_ledger_knows_every_claim_of_the_five_notes(course):
    rows = ledger(course).rows
    assert len(rows) == 344
    assert len({row["row"] for row in rows}) == 344
    assert sum(bool(row["slip"]) for row in rows) == 67


def test_the_coverage_page_gives_every_claim_in_words(course):
    rows = ledger(course).rows
    # A sentence, or a phrase that ends like one: a bare number, a label or a formula would not do.
    wordless = [row["row"] for row in rows if not re.fullmatch(r"\S+ \S+ .+[.?]", row["says"])]
    assert wordless == []
    page = dict(generated_pages(course))[course.book / "coverage.md"]
    assert [row["row"] for row in rows if f"* {row['says']} ({row['row']},\u00a0L" not in page] == []


def test_the_errata_say_in_words_what_is_printed_and_what_is_right(course):
    account = ledger(course)
    wordless = [
        row["row"]
        for row in account.rows
        if row["slip"] and "*Right:*" not in account.paths[row["row"]].wrong
    ]
    assert wordless == []


@pytest.mark.parametrize("topic", sorted(written()))
def test_every_row_of_a_written_chapter_is_covered(course, topic):
    rows, places = ledger(course).rows, ledger(course).paths
    missing = [
        row["row"] for row in rows if set(row["chapters"]) & CHAPTERS[topic] and row["row"] not in places
    ]
    assert not missing


@pytest.mark.parametrize("topic", sorted(written()))
def test_every_slip_of_a_written_chapter_is_put_right_on_its_page(course, topic):
    text = (course.book / f"{topic}.md").read_text("utf-8")
    rows = ledger(course).rows
    if any(row["slip"] and set(row["chapters"]) & CHAPTERS[topic] for row in rows):
        assert "Common mistake: " in text or "A slip in the lecture notes: " in text


def test_the_generated_pages_are_fresh(course):
    for path, text in generated_pages(course):
        assert path.read_text("utf-8") == text, f"{path.name} is stale: run `make book`"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"row": "S9.9", "label": "eq-squares-sum"}, "not a row of rows.json"),
        ({"row": "S0.1", "label": "eq-squares-cube"}, "no page has that label"),
    ],
)
def test_a_claim_without_a_place_is_one_line(sample_course, entry, said):
    folder = sample_course.book / "_ledger"
    folder.mkdir()
    row = {"row": "S0.1", "says": "Squares add up.", "kind": "remark", "note": "000_x.txt", "lines": "L1"}
    rows = [row | {"chapters": [1], "slip": None}]
    (folder / "rows.json").write_text(json.dumps(rows))
    shutil.copy(ROOT / "book" / "_ledger" / "pages.json", folder)
    (folder / "squares.json").write_text(json.dumps([entry]))
    with pytest.raises(CourseError, match=said):
        ledger(Course(sample_course.root))


def test_the_pages_speak_the_numbers_of_the_book_and_no_label(course):
    known = labels(course.book)
    for path, text in generated_pages(course):
        words = re.sub(r'href="[^"]*"', "", text)
        assert not set(re.findall(r"[a-z]+(?:-[a-z0-9_]+)+", words)) & set(known), path.name
        shown = re.findall(r'<a href="([^"#]+)\.html#([^"]+)">([^<]*)</a>', text)
        assert len(shown) > 20
        numbers = {(place.page, place.anchor): place.number for place in known.values()}
        assert all(numbers[page, anchor] == number for page, anchor, number in shown)


def test_what_is_wrong_is_said_in_words_where_the_course_says_it(sample_course):
    folder = sample_course.book / "_ledger"
    folder.mkdir()
    (sample_course.root / "tests").mkdir()
    row = {"kind": "remark", "note": "a.txt", "lines": "L1-2", "chapters": [1], "slip": "B"}
    row["says"] = "Squares add up."
    (folder / "rows.json").write_text(json.dumps([row | {"row": "S0.1"}, row | {"row": "S0.2"}]))
    shutil.copy(ROOT / "book" / "_ledger" / "pages.json", folder)
    entry = {"label": "eq-squares-sum"}
    entries = [entry | {"row": "S0.1", "wrong": "a sum without a bound"}, entry | {"row": "S0.2"}]
    (folder / "squares.json").write_text(json.dumps(entries))
    texts = {path.name: text for path, text in generated_pages(Course(sample_course.root))}
    assert "  * a sum without a bound\n" in texts["errata.md"]
    assert (
        "  * Squares add up. (S0.1,\u00a0L1–2)\n  * Squares add up. (S0.2,\u00a0L1–2)\n"
        in texts["coverage.md"]
    )
