"""Hints that a handed-in notebook asks for cost what the release says, and are told to the instructor."""

import json
import shutil

import nbformat
import pytest

from autograder.course.course import Course
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from autograder.release import variant as generate
from tests.grading.small_class import TOPIC, gradebook, hand_in

ASKING = "from autograder import hint\nhint('squares.by_hand', 2)\nhint('squares.by_hand', 4)"
COSTS = "\n[hint_costs]\nall = [0, 0.25, 0, 0.25]\n"


@pytest.fixture(scope="module")
def priced(released_course, tmp_path_factory):
    """The tiny course with costs, released to a class; ada asks for hints, bob does not."""

    root = tmp_path_factory.mktemp("hints") / "course"
    shutil.copytree(released_course.root, root)
    settings = root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + COSTS, "utf-8")
    course = Course(root)
    generate.write_classroom(course, generate.make_variant(course, TOPIC, "one", course.secret()))
    for student in ("ada", "bob"):
        hand_in(course, student)
    path = course.paths.submission("ada", TOPIC)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(len(notebook.cells) - 1, nbformat.v4.new_code_cell(ASKING))
    path.write_text(json.dumps(notebook), "utf-8")
    with local_grading_pool(1) as pool:
        grade(course, TOPIC, pool)
    return course


def test_hints_cost_what_the_release_says(priced):
    scores = gradebook(priced)
    ada, bob = scores["ada"]["scores"], scores["bob"]["scores"]
    name = next(cell for cell in bob if "by_hand" in cell)
    assert ada[name] == pytest.approx(bob[name] / 2)
    assert {cell: score for cell, score in ada.items() if cell != name} == {
        cell: score for cell, score in bob.items() if cell != name
    }


def test_asked_hints_are_on_file_and_told(priced):
    verdicts = {
        path.parent.name: path.read_text("utf-8") for path in (priced.classroom / "verdicts").rglob("*.json")
    }
    told = {student: "done with hints of level 2, 4" in text for student, text in verdicts.items()}
    assert any(told.values())
    assert sum(told.values()) == 1
    page = nbformat.read(priced.classroom / "autograded" / "ada" / TOPIC / f"{TOPIC}.ipynb", as_version=4)
    assert "The hints that this notebook asks for cost 50% of the points." in json.dumps(page)
