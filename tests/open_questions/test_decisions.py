"""Decisions about groups of answers: all or nothing, against other graders, in gradebook, audit and formgrader."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.authoring.rubric import decisions
from autograder.course.files import exclusive_lock
from autograder.errors import CourseError
from autograder.grading import audit
from autograder.grading.gradebook import comments, scores
from autograder.grading.gradebook_tables import open_gradebook
from autograder.open_questions import decide
from autograder.open_questions.answers import collect_open_questions, read_answers
from autograder.open_questions.decide import ConflictError, parse_decision, write_decision
from autograder.open_questions.view import View
from tests.grading.small_class import TOPIC
from tests.open_questions.large_class import add_class

ANSWERS = {
    "ada": "Each is at least zero.",
    "bob": "each is at least zero",
    "cyd": "",
    "dan": "<img src=x onerror=alert(1)>",
}


@pytest.fixture
def small_class(classroom):
    add_class(classroom, ANSWERS)
    return classroom


def versions(course, *students):
    return {one.student: one.version for one in read_answers(course, TOPIC, "why") if one.student in students}


def decision(course, items=(2, 0.5), comment="", grader="ada"):
    (question,) = collect_open_questions(course, TOPIC)
    return parse_decision(question, {"items": items, "comment": comment}, grader)


def test_decision_is_written_for_a_whole_group_as_formgrader_writes_it(small_class):
    write_decision(
        small_class, TOPIC, decision(small_class, comment="Good."), versions(small_class, "ada", "bob")
    )
    everybody = scores(small_class, TOPIC)
    assert [everybody[student]["scores"]["why"] for student in ("ada", "bob", "dan")] == [2.5, 2.5, None]
    words = comments(small_class, TOPIC)["bob"]["why"]
    assert words.endswith("\nGood.")
    (question,) = collect_open_questions(small_class, TOPIC)
    assert decisions(words) == dict(zip([item.name for item in question.items], (2, 0.5), strict=True))


def test_audit_names_the_grader(small_class):
    write_decision(
        small_class, TOPIC, decision(small_class, grader="Tina"), versions(small_class, "ada", "bob")
    )
    lines = [entry for entry in audit.log_entries(small_class, TOPIC) if "Tina" in entry["cause"]]
    assert {(entry["student"], entry["cell"], entry["now"][1]) for entry in lines} == {
        ("ada", "why", 2.5),
        ("bob", "why", 2.5),
    }
    assert audit.replay(audit.log_entries(small_class, TOPIC)) == audit.scores_now(small_class, TOPIC)


def test_decision_about_an_answer_that_another_grader_decided_writes_nothing(small_class):
    seen = versions(small_class, "ada", "bob")
    with open_gradebook(small_class) as book:  # as formgrader does
        score = book.find_grade("why", TOPIC, TOPIC, "bob")
        score.manual_score, score.needs_manual_grade = 1.0, False
        book.db.commit()
    with pytest.raises(ConflictError) as conflict:
        write_decision(small_class, TOPIC, decision(small_class), seen)
    assert conflict.value.students == ("bob",)
    assert [scores(small_class, TOPIC)[student]["scores"]["why"] for student in ("ada", "bob")] == [None, 1.0]


def test_decision_about_a_text_that_was_handed_in_anew_writes_nothing(small_class):
    seen = versions(small_class, "ada")
    path = small_class.paths.autograded("ada", TOPIC) / f"{TOPIC}.ipynb"
    path.write_text(path.read_text("utf-8").replace(ANSWERS["ada"], "Something else."), "utf-8")
    with pytest.raises(ConflictError):
        write_decision(small_class, TOPIC, decision(small_class), seen)


def test_update_refuses_a_score_that_changed_after_it_was_read(small_class, monkeypatch):
    """The moment between reading and writing: the update itself must notice."""
    seen = versions(small_class, "ada", "bob")
    rows = decide._rows

    def meanwhile(book, *names):
        with open_gradebook(small_class) as other:
            score = other.find_grade("why", TOPIC, TOPIC, "bob")
            score.manual_score, score.needs_manual_grade = 3.0, False
            other.db.commit()
        return rows(book, *names)

    monkeypatch.setattr(decide, "_rows", meanwhile)
    with pytest.raises(ConflictError):
        write_decision(small_class, TOPIC, decision(small_class), seen)
    assert [scores(small_class, TOPIC)[student]["scores"]["why"] for student in ("ada", "bob")] == [None, 3.0]


def test_of_two_graders_at_once_only_the_first_decides(small_class):
    seen = versions(small_class, "ada", "bob")

    def attempt(points):
        try:
            write_decision(
                small_class, TOPIC, decision(small_class, (points, 0), grader=f"grader {points}"), seen
            )
            return points
        except ConflictError:
            return None

    with ThreadPoolExecutor(2) as pool:
        written = [points for points in pool.map(attempt, (1, 2)) if points is not None]
    assert len(written) == 1
    assert {scores(small_class, TOPIC)[student]["scores"]["why"] for student in ("ada", "bob")} == {
        float(written[0])
    }


def test_decision_waits_for_no_grading_run(small_class, monkeypatch):
    monkeypatch.setattr(decide, "LOCK_TIMEOUT_SECONDS", 0.2)
    with exclusive_lock(small_class.paths.lock), pytest.raises(CourseError, match="another run is writing"):
        write_decision(small_class, TOPIC, decision(small_class), versions(small_class, "ada"))


@pytest.mark.parametrize("items", [(2,), (2, 1.5), (-1, 0), (2, float("nan"))])
def test_decision_outside_the_rubric_is_refused(small_class, items):
    with pytest.raises(ValueError, match=r"item|points"):
        decision(small_class, items)


def test_view_groups_equal_answers_hides_names_and_shows_no_html_of_students(small_class):
    state = View(small_class, TOPIC, True, "ada").state("")
    assert sorted(len(group["members"]) for group in state["groups"]) == [1, 1, 2]
    assert not any(name in str(state["groups"]) for name in ("bob", "cyd", "dan"))
    assert "onerror=" not in str(state["groups"]).replace("&lt;img", "")


def test_later_answer_with_a_decided_text_gets_the_decision_proposed(small_class):
    write_decision(small_class, TOPIC, decision(small_class, comment="Fine."), versions(small_class, "ada"))
    groups = View(small_class, TOPIC, False, "ada").state("why")["groups"]
    proposed = next(group for group in groups if group["proposed"])
    assert [member["name"] for member in proposed["members"]] == ["bob"]
    assert proposed["decision"] == {"items": [2.0, 0.5], "points": 2.5, "comment": "Fine."}


def test_decisions_about_earlier_texts_do_not_split_a_group(small_class):
    """ada and bob were read, then both handed in the text of somebody else: they are one group, undecided."""
    write_decision(small_class, TOPIC, decision(small_class), versions(small_class, "ada"))
    write_decision(small_class, TOPIC, decision(small_class, items=(0, 0)), versions(small_class, "bob"))
    add_class(small_class, {**ANSWERS, "ada": "Another text.", "bob": "Another text."})
    groups = View(small_class, TOPIC, False, "ada").state("why")["groups"]
    group = next(group for group in groups if len(group["members"]) == 2)
    assert not group["read"]
    assert group["decision"] == {"items": [None, None], "points": None, "comment": ""}
