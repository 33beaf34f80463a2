"""Gradebooks of Canvas, Moodle and Blackboard: filled here, with every cell that is not ours kept to the letter."""

from dataclasses import replace

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


WORKSHEETS = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed",
    "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden",
)


@pytest.mark.parametrize("header", WORKSHEETS)
def test_grading_worksheet_of_moodle_gets_grades_in_its_column(tmp_path, header):
    text = f'{header}\nParticipant 501,Ada Lovelace,ada@x.org,Submitted,,"100,00",Yes\n'
    done, before, after = filled(tmp_path, text, "utf-8-sig", grade(ADA, "pca", 30.5))
    assert (done.written, done.made, done.other_points) == (1, [], [("pca", 33.0, 100.0)])
    assert after.rows[1] == [*before.rows[1][:4], "30.5", *before.rows[1][5:]]
    with pytest.raises(CourseError, match="worksheet of one assignment, and 2 topics were graded"):
        filled(tmp_path, text, "utf-8-sig", grade(ADA, "pca", 30.5), grade(ADA, "svd", 3))


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
    assert done.without_line == ["no line for dan (pca)"]
    assert after.rows[2][4] == "2"


def test_a_semicolon_separates_although_a_heading_holds_commas_and_numbers_keep_their_comma(tmp_path):
    text = (
        "First name;Last name;Email address;Assignment: Read, write, count (Real);Assignment: PCA (Real)\r\n"
        "Zoë;Núñez;zoë@x.org;2,5;-\r\n"
        'Ada;"Love ""L"" lace";ada@x.org;3,0;\r\n'
    )
    zoe = Student("zoe", "zoe", email="zoe\u0308@X.org")  # the same letter, typed as two
    done, before, after = filled(
        tmp_path, text, "utf-8-sig", grade(ADA, "pca", 30.5), grade(zoe, "pca", 2.25)
    )
    assert (done.written, done.made, done.without_line) == (2, [], [])
    assert [row[:4] for row in after.rows] == [row[:4] for row in before.rows]
    assert [row[4] for row in after.rows[1:]] == ["2,25", "30,5"]
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfFirst name;")


def test_the_number_of_one_that_is_the_id_of_another_gives_nobody_a_grade(tmp_path):
    text = "Student,ID,SIS User ID,SIS Login ID,Section,PCA (3)\nA,7,101,a@x.org,S,\nB,101,8,b@x.org,S,\n"
    unknown, known = Student("101", "101"), Student("101", "101", email="b@x.org")
    done, before, after = filled(tmp_path, text, "utf-8", grade(unknown, "pca", 5))
    assert done.without_line == ["2 lines could be 101 (pca)"]
    assert after.rows == before.rows
    done, _, after = filled(tmp_path, text, "utf-8", grade(known, "pca", 5))
    assert [row[5] for row in after.rows[1:]] == ["", "5"]


def test_scores_that_a_person_must_still_complete_are_counted(tmp_path):
    done, _, _ = filled(
        tmp_path, MOODLE, "utf-8", grade(CB, "pca", 2), replace(grade(ADA, "pca", 3), pending=True)
    )
    assert dict(done.unread) == {"pca": 1}


def test_two_columns_of_one_name_are_said(tmp_path):
    text = "Student,ID,Section,PCA (311),Pca (412)\nAda,ada,S,,\n"
    with pytest.raises(CourseError, match=r"'PCA \(311\)' and 'Pca \(412\)' could both be pca"):
        filled(tmp_path, text, "utf-8", grade(ADA, "pca", 1))


def test_another_table_is_refused_in_one_line(tmp_path):
    with pytest.raises(CourseError, match="is not a gradebook of Canvas, Moodle or Blackboard"):
        filled(tmp_path, "id,score\nada,3\n", "utf-8", grade(ADA, "pca", 1))


def test_an_address_that_is_a_classmates_id_does_not_take_the_classmates_points(tmp_path):
    """Who is asked for an address can give any text; an id was given by the platform."""
    text = MOODLE.replace('"ID number"', '"Username"').replace("Ada,Lovelace,,", "Ada,Lovelace,ada,")
    eve = "Eve,,eve,ada,-,1700000000\n"
    head, rest = text.split("\n", 1)
    _, _, after = filled(tmp_path, f"{head}\n{eve}{rest}", "utf-8", grade(ADA, "pca", 30.5))
    place = after.column("Assignment: PCA (Real)")
    assert {row[2]: row[place] for row in after.rows[1:]} == {"eve": "-", "ada": "30.5", "42": "12.00"}


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (CANVAS, None),
        (BLACKBOARD, None),
        (CANVAS.replace("33", "30"), 30.0),
        (BLACKBOARD.replace("Total Pts: 33", "Total Pts: 30"), 30.0),
        (MOODLE, None),
    ],
)
def test_a_column_that_is_out_of_other_points_is_said_once(tmp_path, text, there):
    """A task was given other points in mid-term: the platform still counts shares of the old ones."""
    done, _, _ = filled(tmp_path, text, "utf-8", grade(ADA, "pca", 30), grade(CB, "pca", 30))
    assert done.other_points == ([("pca", 33.0, there)] if there else [])
