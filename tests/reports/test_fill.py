"""Gradebooks of Canvas, Moodle and Blackboard: filled here, with every cell that is not ours kept to the letter."""

import pytest

from autograder.course.roster import Student
from autograder.course.tables import read_table
from autograder.errors import CourseError
from autograder.reports.fill import fill
from autograder.reports.grades import Grade
from tests.course.test_roster import BLACKBOARD, CANVAS, MOODLE

ADA = Student("ada", "ada", "Ada", "Lovelace", email="ada@x.org")
CB = Student("cb@x.org", "cb@x.org", "Charles", "Babbage", email="cb@x.org")
TITLES = {"pca": "Principal component analysis"}


def grade(student, topic, score):
    return Grade(student, topic, score, 33.0, 0.0, 0.0, False, {})


def filled(tmp_path, text, encoding, *grades):
    path = tmp_path / "book.csv"
    path.write_bytes(text.encode(encoding))
    before = read_table(path)
    done = fill(path, tmp_path / "out.csv", grades, TITLES)
    return done, before, read_table(tmp_path / "out.csv")


@pytest.mark.parametrize(
    ("text", "encoding", "heading"),
    [
        (CANVAS, "utf-8", "PCA (311)"),
        (MOODLE, "utf-8-sig", "Assignment: PCA (Real)"),
        (BLACKBOARD, "utf-16", "PCA [Total Pts: 33 Score] |311"),
    ],
)
def test_a_gradebook_goes_around_with_every_other_cell_kept(tmp_path, text, encoding, heading):
    done, before, after = filled(tmp_path, text, encoding, grade(ADA, "pca", 30.5))
    assert (done.written, done.made, done.without_line) == (1, [], [])
    place = after.column(heading)
    changed = [
        (line, column)
        for line, (old, new) in enumerate(zip(before.rows, after.rows, strict=True))
        for column, (was, now) in enumerate(zip(old, new, strict=True))
        if was != now
    ]
    line = next(line for line, row in enumerate(before.rows) if "Ada" in " ".join(row))
    assert changed == [(line, place)]
    assert after.rows[line][place] == "30.5"
    assert (after.delimiter, after.encoding) == (before.delimiter, before.encoding)


def test_filling_twice_changes_nothing_more(tmp_path):
    filled(tmp_path, CANVAS, "utf-8", grade(ADA, "pca", 30))
    first = (tmp_path / "out.csv").read_bytes()
    fill(tmp_path / "out.csv", tmp_path / "again.csv", [grade(ADA, "pca", 30)], TITLES)
    assert (tmp_path / "again.csv").read_bytes() == first


def test_a_topic_without_a_column_gets_one_with_its_points(tmp_path):
    done, _, after = filled(tmp_path, CANVAS, "utf-8", grade(ADA, "isomap", 7))
    assert done.made == ["isomap"]
    place = after.column("isomap")
    assert [row[place] for row in after.rows if len(row) > place] == ["isomap", "33", "7"]


def test_a_column_is_known_by_the_title_of_the_chapter_too(tmp_path):
    text = MOODLE.replace("PCA", "Principal Component Analysis")
    done, _, _ = filled(tmp_path, text, "utf-8", grade(ADA, "pca", 1))
    assert done.made == []


def test_a_student_is_found_by_id_or_address_and_a_missing_one_is_named(tmp_path):
    nobody = Student("dan", "dan")
    done, _, after = filled(tmp_path, MOODLE, "utf-8", grade(CB, "pca", 2), grade(nobody, "pca", 3))
    assert done.without_line == ["dan (pca)"]
    assert after.rows[2][4] == "2"


def test_another_table_is_refused_in_one_line(tmp_path):
    with pytest.raises(CourseError, match="is not a gradebook of Canvas, Moodle or Blackboard"):
        filled(tmp_path, "id,score\nada,3\n", "utf-8", grade(ADA, "pca", 1))
