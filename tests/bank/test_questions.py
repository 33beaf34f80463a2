"""Quick questions on paper: forms, answers that a key explains, and bad input."""

import pytest

from autograder.bank.questions import form_codes, worksheet_html, worksheet_key_html, worksheet_questions
from autograder.course.course import Course
from autograder.errors import CourseError
from tests.conftest import ROOT

COURSE = Course(ROOT)


@pytest.fixture(scope="module")
def questions():
    return worksheet_questions(COURSE, ["pca", "isomap.longest_walk"], [], "spring FORM-A")


def test_a_sheet_asks_every_question_and_tells_no_answer(questions):
    html = worksheet_html(questions)
    assert html.count('class="question"') == len(questions) == 7
    for question in questions:
        assert all(item.hint not in html for item in question.items.values() if item.hint)
        assert "Right:" not in html


def test_a_key_has_the_right_letters_and_the_reason_of_each_wrong_one(questions):
    html = worksheet_key_html("FORM-A", questions)
    for question in questions:
        assert f"Right: <strong>{' '.join(question.right)}</strong>" in html
    assert html.count("<tr><td>") == sum(len(question.items) for question in questions)


def test_a_seed_gives_the_same_sheet_and_another_form_another(questions):
    again = worksheet_questions(COURSE, ["pca", "isomap.longest_walk"], [], "spring FORM-A")
    other = worksheet_questions(COURSE, ["pca", "isomap.longest_walk"], [], "spring FORM-B")
    assert worksheet_html(again) == worksheet_html(questions) != worksheet_html(other)


def test_kinds_are_chosen():
    chosen = worksheet_questions(COURSE, ["pca"], ["choice"], "spring")
    assert [question.kind for question in chosen] == ["choice", "choice"]


@pytest.mark.parametrize(
    ("names", "message"), [(["pca.nothing"], "is no quick question"), (["nothing"], "unknown topic")]
)
def test_unknown_names_are_refused(names, message):
    with pytest.raises(CourseError, match=message):
        worksheet_questions(COURSE, names, [], "spring")


@pytest.mark.parametrize("number", [0, 27])
def test_the_number_of_forms_is_bounded(number):
    with pytest.raises(CourseError, match="between 1 and 26"):
        form_codes(number)
