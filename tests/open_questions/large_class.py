"""A class of 180 with answers to the open question of the tiny course, graded without running 180 notebooks."""

import copy
import json
import random

import nbformat

from autograder.authoring.cells import name_of
from autograder.course.files import write_text
from autograder.grading.grade import grade
from autograder.grading.recorder import Recorder
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import TOPIC, hand_in

N_STUDENTS = 180
SUBJECTS = (
    "A square",
    "The square of a number",
    "Every square",
    "A real number times itself",
    "Any product x·x",
)
CLAIMS = (
    "is never negative because two factors of one sign give a positive product",
    "is at least zero since the sign of the number cancels when it is multiplied by itself",
    "is positive or zero, see $x^2\\ge0$, whatever the sign of $x$ may be in the exercise",
    "is a length squared and lengths are measured from nothing upwards in geometry",
    "cannot fall below the axis as the parabola touches the axis at its lowest point",
    "is large for large numbers, which I tried with the calculator on several examples",
)


def distinct_texts() -> list[str]:
    """Return 30 texts of which no two say the same in nearly the same words."""
    return [f"{subject} {claim}. Hence the sum." for subject in SUBJECTS for claim in CLAIMS]


def answers_of_class() -> dict[str, str]:
    """Return the answers of 180 students: 29 texts and none at all, in the spelling of several people."""
    texts = distinct_texts()[:-1]
    rng = random.Random(7)
    answers = {}
    for number in range(N_STUDENTS):
        text = "" if number % 30 == 29 else texts[number % 30]
        spelling = rng.choice(
            [str.strip, str.upper, lambda words: f"\n {words} ", lambda words: words.replace(".", " ;")]
        )
        answers[f"student{number:03d}"] = text if "$" in text else spelling(text)
    return answers


def add_class(course, answers) -> None:
    """Grade one notebook, then record it for every student with that student's answer."""
    hand_in(course, "first")
    with local_grading_pool(1) as examiners:
        grade(course, TOPIC, examiners)
    graded = nbformat.read(course.paths.autograded("first", TOPIC) / f"{TOPIC}.ipynb", as_version=4)
    with Recorder(course, TOPIC) as recorder:
        for student, text in answers.items():
            notebook = copy.deepcopy(graded)
            for cell in notebook.cells:
                if name_of(cell) == "why":
                    cell.source = text
            recorder.record(student, notebook, None)
            write_text(course.paths.autograded(student, TOPIC) / f"{TOPIC}.ipynb", json.dumps(notebook))
        recorder.gradebook.remove_submission(TOPIC, "first")
