"""A class of the tiny course about squares, handed in; what the grader left behind, to compare."""

import json

import nbformat

from autograder.authoring.cells import is_answer_cell, name_of
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.gradebook import scores

TOPIC = "squares"
WRONG = "def NAME(x):\n    return float(np.sum(x))"
SLOW = "import time\ntime.sleep({seconds})\n\ndef NAME(x):\n    return float(np.sum(x ** 2))"


def hand_in(course, student, topic=TOPIC, **answers):
    """Hand in a notebook that solves everything but for the given answers."""
    release = nbformat.reads(load_assignment(course, topic).release, as_version=4)
    source = nbformat.read(course.paths.source_notebook(topic), as_version=4)
    path = course.paths.submission(student, topic)
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = filled_in(release, source, answers)
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and is_answer_cell(cell) and name_of(cell) in answers:
            cell.source = answers[name_of(cell)]  # the answer to an open question
    path.write_text(json.dumps(notebook), "utf-8")


def written_files(course):
    """Every byte under verdicts/ and autograded/, by path."""
    return {
        str(path.relative_to(course.classroom)): path.read_bytes()
        for folder in ("verdicts", "autograded")
        for path in sorted((course.classroom / folder).rglob("*"))
        if path.is_file()
    }


def gradebook(course):
    """The scores of every cell of every student, as nbgrader tells them."""
    return scores(course, TOPIC)
