"""A notebook into which the page put answers is graded like the same work written in it."""

import json
import subprocess
from pathlib import Path

import pytest

from autograder.book.formulas import node_program
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import TOPIC, hand_in

HERE = Path(__file__).parent
RIGHT = "def total(x):\n    return np.sum(x**2)"
WRONG = "def cubes(X):\n    return X**2"


@pytest.mark.skipif(node_program() is None, reason="node is not installed")
def test_answers_taken_from_the_page_are_graded_as_written_ones(classroom):
    released = classroom.classroom / "release" / TOPIC / f"{TOPIC}.ipynb"
    notebook = json.loads(released.read_text("utf-8"))
    job = json.dumps({"notebook": notebook, "texts": {"total": RIGHT, "cubes": WRONG}})
    run = [node_program(), HERE / "take_into_notebook.mjs"]
    made = subprocess.run(run, input=job, capture_output=True, encoding="utf-8", check=True).stdout
    target = classroom.paths.submission("page", TOPIC)
    target.parent.mkdir(parents=True)
    target.write_text(made, "utf-8")
    hand_in(classroom, "notebook", total=RIGHT, cubes=WRONG, by_hand=None, binomial=None)
    with local_grading_pool(1) as examiners:
        written, taken = grade(classroom, TOPIC, examiners)
    assert (written.student, taken.student) == ("notebook", "page")
    assert (taken.verdicts, taken.score, taken.state) == (written.verdicts, written.score, written.state)
    assert taken.score > 0
