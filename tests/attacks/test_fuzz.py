"""Damaged notebooks are repaired or refused, break no batch, and never earn more than they deserve."""

import json
import shutil

import nbformat
import pytest

from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.errors import CourseError, UnreadableError
from autograder.grading.choose import load_assignment
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook import scores
from autograder.grading.repair import parse_notebook, repair
from autograder.grading.workers import local_grading_pool
from autograder.sandbox.limits import Limits
from tests.attacks.mutations import MUTATIONS, mutated

REPAIRED, GRADED = 300, 60
DESERVED = 4.0  # all right but for `cubes`, so that a mutation could also give too much
WRONG_CUBES = {"cubes": "def NAME(X):\n    return X ** 2"}


@pytest.fixture(scope="module")
def release(released_course):
    return nbformat.reads(load_assignment(released_course, "squares").release, as_version=4)


@pytest.fixture(scope="module")
def honest(released_course, release):
    source = nbformat.read(released_course.classroom / "source/squares/squares.ipynb", as_version=4)
    return json.dumps(filled_in(release, source, WRONG_CUBES))


def roles(notebook):
    return {
        cell.metadata.nbgrader["grade_id"]: cell.metadata
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }


def locked(notebook):
    return {name: cell.source for name, cell in by_name(notebook).items() if cell.metadata.nbgrader["locked"]}


def by_name(notebook):
    return {
        cell.metadata.nbgrader["grade_id"]: cell for cell in notebook.cells if "nbgrader" in cell.metadata
    }


@pytest.mark.parametrize("number", range(REPAIRED))
def test_a_damaged_notebook_is_repaired_or_refused(honest, release, number):
    name, data = mutated(honest, number)
    try:
        repaired = repair(parse_notebook(data, "squares.ipynb"), release).notebook
    except UnreadableError:
        return
    assert roles(repaired) == roles(release), name
    assert locked(repaired) == locked(release), name
    ids = [cell["id"] for cell in repaired.cells]
    assert len(set(ids)) == len(ids), name
    nbformat.validate(repaired)


@pytest.fixture(scope="module")
def graded(released_course, honest, tmp_path_factory):
    """Damaged notebooks of every kind, graded in one batch with an honest one."""
    root = tmp_path_factory.mktemp("fuzz") / "course"
    shutil.copytree(released_course.root, root)
    course = Course(root)
    written = {"honest": honest.encode()}
    written |= {f"{mutated(honest, n)[0]}-{n}": mutated(honest, n)[1] for n in range(GRADED)}
    for student, data in written.items():
        path = course.paths.submission(student, "squares")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    try:
        with local_grading_pool(2) as examiners:
            outcomes = grade(
                course, "squares", examiners, GradingOptions(Limits(cell_seconds=3, notebook_seconds=20))
            )
    except CourseError as error:
        pytest.skip(f"this machine cannot confine students' code: {error}")
    return outcomes, {student: found["score"] for student, found in scores(course, "squares").items()}


def test_a_batch_of_damaged_notebooks_is_graded_to_the_end(graded):
    outcomes, found = graded
    assert len(outcomes) == GRADED + 1
    assert [one.notes for one in outcomes if not one.graded] == []
    assert found["honest"] == DESERVED


def test_damage_never_earns_points(graded):
    assert {student: score for student, score in graded[1].items() if score > DESERVED} == {}


def test_damage_to_nothing_that_counts_costs_nothing(graded):
    """At least some of the damaged notebooks keep all their points: the repair does more than refuse."""
    assert sum(score == DESERVED for score in graded[1].values()) > GRADED // 6


def test_mutations_are_the_same_every_time(honest):
    assert [mutated(honest, n) for n in range(len(MUTATIONS))] == [
        mutated(honest, n) for n in range(len(MUTATIONS))
    ]
