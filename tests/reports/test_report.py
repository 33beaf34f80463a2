"""The class report and the course report, on classes as grading leaves them: of none, of one, of many."""

import json
import re

import pytest

from autograder.cli import main
from autograder.grading.grade import grade
from autograder.grading.gradebook import scores
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.workers import local_grading_pool
from autograder.reports.course_report import write_course_report
from autograder.reports.feedback import write_feedback
from autograder.reports.report import ReportOptions, write_report
from autograder.reports.results import read_results
from benchmarks.report import made_up_class
from tests.grading.small_class import TOPIC, hand_in
from tests.grading.test_audit import set_by_hand


@pytest.fixture
def of_forty(classroom):
    made_up_class(classroom, TOPIC, 40)
    return classroom


def test_scores_are_those_of_the_gradebook(of_forty):
    with open_gradebook(of_forty) as book:
        grade = book.find_grade("check-total", TOPIC, TOPIC, "student0001")
        grade.manual_score, grade.extra_credit = 1.5, 0.25
        book.find_submission(TOPIC, "student0002").notebooks[0].late_submission_penalty = 0.5
        book.db.commit()
    marks, known = read_results(of_forty, TOPIC), scores(of_forty, TOPIC)
    expected = {one: row["score"] for one, row in known.items()}
    assert {one: mark.score for one, mark in marks.marks.items()} == expected
    assert marks.total == known["student0001"]["max"]


def test_a_class_of_forty_has_every_part_of_the_report(of_forty):
    text = write_report(of_forty, TOPIC).read_text("utf-8")
    for part in (
        "Distribution",
        "What the class misunderstood",
        "Tasks",
        "Who needs help",
        "Students",
        "reliability",
    ):
        assert part in text
    assert "item-rest correlation" in text
    assert "student0040" in text
    assert "forgot to square" in text


def test_what_the_class_misunderstood_most_is_seen_and_the_rest_is_folded(of_forty, monkeypatch):
    monkeypatch.setattr("autograder.reports.report.MAX_SHOWN_MISCONCEPTIONS", 1)
    shown, folded = write_report(of_forty, TOPIC).read_text("utf-8").partition("<details>")[::2]
    counts = [int(row) for row in re.findall(r'<td>[a-z ]+</td><td class="number">(\d+)</td><td>', shown)]
    rarer = [int(row) for row in re.findall(r'<td>[a-z ]+</td><td class="number">(\d+)</td><td>', folded)]
    assert len(counts) == 1
    assert rarer == sorted(rarer, reverse=True)
    assert f"{len(rarer)} rarer ones, of at most {rarer[0]} students each" in folded
    assert counts[0] >= rarer[0]


def test_a_class_of_one_and_of_nobody(classroom):
    assert "Nobody has handed in" in write_report(classroom, TOPIC).read_text("utf-8")
    assert "Nothing has been graded" in write_course_report(classroom, [TOPIC]).read_text("utf-8")
    made_up_class(classroom, TOPIC, 1)
    text = write_report(classroom, TOPIC).read_text("utf-8")
    assert "<strong>1</strong>submission<" in text
    assert "deviation" not in text
    assert "Distribution" not in text
    assert "nan" not in text
    assert "<strong>1</strong>student<" in write_course_report(classroom, [TOPIC]).read_text("utf-8")


def test_hidden_names_are_not_in_the_file(of_forty, monkeypatch, capsys):
    monkeypatch.chdir(of_forty.root)
    assert main(["report", "--hide-names", TOPIC]) == 0
    for name in (f"{TOPIC}.without-names.html", "index.without-names.html"):
        text = (of_forty.paths.report / name).read_text("utf-8")
        assert "student00" not in text
        assert "Student 40" in text
    assert main(["report"]) == 0
    assert "student0001" in (of_forty.paths.report / "index.html").read_text("utf-8")
    assert "the course: classroom/report/index.html" in capsys.readouterr().out


def test_names_and_sections_of_the_roster_are_shown_and_a_section_is_alone(of_forty):
    people = [
        {
            "id": f"student{place:04d}",
            "folder": f"student{place:04d}",
            "name": f"Name <{place}>",
            "section": "B" if place > 30 else "A",
        }
        for place in range(1, 41)
    ]
    (of_forty.classroom / "class.json").write_text(json.dumps(people), "utf-8")
    text = write_report(of_forty, TOPIC).read_text("utf-8")
    assert "Name &lt;7&gt; (student0007)" in text
    assert '<tr><td>A</td><td class="number">30</td>' in text
    page = write_report(of_forty, TOPIC, ReportOptions(section="B"))
    text = page.read_text("utf-8")
    assert page.name == f"{TOPIC}.B.html"
    assert "<h2>Sections</h2>" not in text
    assert "<strong>10</strong>submissions" in text
    assert "student0007" not in text


def test_items_of_a_rubric_are_counted(of_forty):
    with open_gradebook(of_forty) as book:
        for place, words in enumerate(
            ["[2 of 2] says that each is at least zero", "[0 of 2] says that each is at least zero"]
        ):
            comment = book.find_comment("why", TOPIC, TOPIC, f"student000{place + 1}")
            comment.manual_comment = f"Good.\n{words}"
        book.db.commit()
    text = write_report(of_forty, TOPIC).read_text("utf-8")
    row = text[text.index("<td>says that each is at least zero</td>") :]
    assert row.startswith(
        '<td>says that each is at least zero</td><td class="number">2</td><td class="number">50 %'
    )


def test_a_topic_without_grades_is_said_and_the_others_are_written(classroom, monkeypatch, capsys):
    monkeypatch.chdir(classroom.root)
    assert main(["report", TOPIC]) == 0
    assert "report" in capsys.readouterr().out
    text = (classroom.paths.report / f"{TOPIC}.html").read_text("utf-8")
    assert "Nobody has handed in" in text


def test_answers_that_nobody_has_read_are_counted_until_somebody_does(classroom):
    for student in ("ada", "bob"):
        hand_in(classroom, student)
    with local_grading_pool(1) as examiners:
        grade(classroom, TOPIC, examiners)
    for left, reader in ((2, "ada"), (1, "bob"), (0, None)):
        assert f"<strong>{left}</strong>to grade by hand" in write_report(classroom, TOPIC).read_text("utf-8")
        row = write_course_report(classroom, [TOPIC]).read_text("utf-8").partition("Hardest task")[2]
        assert f'<td class="number">{left}</td>' in row.partition("</tr><tr>")[0].partition("</tbody>")[0]
        if reader:
            set_by_hand(classroom, reader, "why", 2)


def test_errors_have_a_column_of_their_own(classroom):
    hand_in(classroom, "raises", total="def NAME(x):\n    return x / nothing_here")
    hand_in(classroom, "broken", total="def NAME(x) return '<b>'")
    hand_in(classroom, "empty", total="x = 1")
    with local_grading_pool(1) as examiners:
        grade(classroom, TOPIC, examiners)
    text = write_report(classroom, TOPIC).read_text("utf-8")
    assert "<code>NameError: name &#39;nothing_here&#39; is not defined</code>" in text
    assert (
        '<td class="number" title="1 did not run, 1 raised an error">2</td><td class="number">1</td>' in text
    )
    write_feedback(classroom, TOPIC)
    page = classroom.paths.feedback_page("broken", TOPIC).read_text("utf-8")
    assert "did not run: SyntaxError: expected &#x27;:&#x27; (line 1: `def total(x) return" in page
    assert "return &#x27;&lt;b&gt;&#x27;`)" in page
    hidden = write_report(classroom, TOPIC, ReportOptions(hide_names=True)).read_text("utf-8")
    assert "<code>NameError</code>" in hidden
    assert "nothing_here" not in hidden
