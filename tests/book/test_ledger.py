"""The book keeps account of its sources: every claim has a place, and the account is generated."""

import json

import pytest

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
}


def written():
    return {path.stem for path in (ROOT / "book" / "_ledger").glob("*.json")} & set(CHAPTERS)


def test_the_ledger_knows_every_claim_of_the_five_notes(course):
    rows, _ = ledger(course)
    assert len(rows) == 344
    assert len({row["row"] for row in rows}) == 344
    assert sum(bool(row["slip"]) for row in rows) == 67


@pytest.mark.parametrize("topic", sorted(written()))
def test_every_row_of_a_written_chapter_is_covered(course, topic):
    rows, places = ledger(course)
    missing = [
        row["row"] for row in rows if set(row["chapters"]) & CHAPTERS[topic] and row["row"] not in places
    ]
    assert not missing


@pytest.mark.parametrize("topic", sorted(written()))
def test_every_slip_of_a_written_chapter_is_put_right_on_its_page(course, topic):
    text = (course.book / f"{topic}.md").read_text("utf-8")
    rows, _ = ledger(course)
    if any(row["slip"] and set(row["chapters"]) & CHAPTERS[topic] for row in rows):
        assert "Often printed wrong" in text


def test_the_generated_pages_are_fresh(course):
    for path, text in generated_pages(course):
        assert path.read_text("utf-8") == text, f"{path.name} is stale: run `make book`"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"row": "S9.9", "label": "eq-squares-sum"}, "no row of the sources"),
        ({"row": "S0.1", "label": "eq-squares-cube"}, "no page has that label"),
    ],
)
def test_a_claim_without_a_place_is_one_line(sample_course, entry, said):
    folder = sample_course.book / "_ledger"
    folder.mkdir()
    rows = [
        {"row": "S0.1", "kind": "remark", "note": "000_x.txt", "lines": "L1", "chapters": [1], "slip": None}
    ]
    (folder / "rows.json").write_text(json.dumps(rows))
    (folder / "squares.json").write_text(json.dumps([entry]))
    with pytest.raises(CourseError, match=said):
        ledger(Course(sample_course.root))
