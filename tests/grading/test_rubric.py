"""Rubrics: read from the text above a question, checked when the exercise is made, decided by comments."""

import base64
import json

import pytest

from autograder.authoring.rubric import RubricItem, decisions, rubrics
from autograder.authoring.source_notebook import source_notebook
from autograder.authoring.topic import read_notebook_text
from autograder.errors import SourceError
from autograder.grading.rubric_buttons import RUBRIC_WORD, RubricButtons, with_buttons

TEXT = """---
kernelspec: {{name: python3, display_name: Python 3}}
---

Explain.

- **1 point** (names the *mean*): which point.
- **{second} points**: why $x$ moves; what `y` does. More.

+++ {{"question": {{"id": "open", "points": 3}}}}

Because.
"""


def notebook(second=2):
    return source_notebook(TEXT.format(second=second), "any", {}, {})


def test_the_list_above_a_question_is_its_rubric():
    (rubric,) = rubrics(notebook())
    assert rubric.question == "open"
    assert rubric.items == (RubricItem("names the *mean*", 1.0), RubricItem("why x moves", 2.0))


def test_a_rubric_must_add_up_to_the_points_of_its_question():
    with pytest.raises(SourceError, match=r"adds up to 3\.5 points, the question has 3"):
        notebook(2.5)


def test_every_open_question_of_the_course_has_a_rubric_with_names_that_differ(course):
    for topic in course.topics():
        found = rubrics(released(course, topic))
        assert len(found) == sum(
            '"question"' in line for line in read_notebook_text(course, topic).splitlines()
        )
        for rubric in found:
            names = [item.name for item in rubric.items]
            assert len(set(names)) == len(names) >= 2


def released(course, topic):
    return json.loads((course.exercises / topic / f"{topic}.ipynb").read_text("utf-8"))


def test_decisions_are_read_from_a_comment_with_other_words_around_them():
    comment = "Well done!\n[0.5 of 1] names the mean\n[2 of 2] why x moves\n[of course] not a decision"
    assert decisions(comment) == {"names the mean": 0.5, "why x moves": 2.0}


def test_buttons_are_for_formgrader_alone_and_nothing_of_a_text_becomes_markup():
    made = notebook()
    made.cells[-2].source = made.cells[-2].source.replace("names the *mean*", 'a "<b>" & c')
    number = len(made.cells)
    assert len(RubricButtons().preprocess(made, {})[0].cells) == number
    cells = RubricButtons().preprocess(made, {"submission_id": "1"})[0].cells
    assert len(cells) == number + 1
    shown = with_buttons(f"<p>{cells[-1].source}</p>")
    assert "<b>" not in shown
    assert shown.count("<button") == 6


@pytest.mark.parametrize("packed", ["AAAA", "W10=", "WzEsIFtbMV1dXQ=="])
def test_a_broken_mark_shows_nothing(packed):
    assert with_buttons(f"a<p>{RUBRIC_WORD} {packed}</p>b") == "ab"


def test_a_student_who_writes_a_mark_makes_no_buttons():
    """They would write points for any question, as many as the student likes."""
    forged = base64.b64encode(b'["why", [["excellent", 100.0]]]').decode()
    for word in ("rubric-of-this-answer", "rubric-", f"rubric-{'0' * 32}"):
        assert "<button" not in with_buttons(f"<p>{word} {forged}</p>")
