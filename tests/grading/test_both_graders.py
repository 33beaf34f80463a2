"""`dimred grade` and plain `nbgrader autograde` on one class: the same scores on honest work.

The class is of the real assignment. Where the two differ, they differ on purpose, and `DIFFERENT` says why.
"""

import copy
import json
import shutil
import subprocess
import sys

import nbformat
import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook import scores
from autograder.grading.workers import local_grading_pool
from autograder.release import variant as generate
from autograder.sandbox.limits import Limits
from tests.conftest import ROOT

SECONDS = 10  # per cell here, where time that others take does not count
BY_THE_CLOCK = 15  # per cell in nbgrader: the slowest honest one needs 5 on a busy machine

ANOTHER_ALGORITHM = """
def NAME(X, n_components):
    centred = X - X.mean(axis=0)
    gram = centred @ centred.T
    columns = []
    for _ in range(n_components):
        v = np.random.default_rng(len(columns)).normal(size=len(X))
        for _ in range(4000):
            w = gram @ v
            v = w / np.linalg.norm(w)
        strength = v @ gram @ v
        columns.append((-1) ** len(columns) * np.sqrt(strength) * v)
        gram = gram - strength * np.outer(v, v)
    return np.array(columns).T
"""
WARNING = """
def NAME(X, n_components):
    import warnings; warnings.warn("look out")
    centred = X - X.mean(axis=0)
    _, _, Vt = np.linalg.svd(centred, full_matrices=False)
    return centred @ Vt[:n_components].T
"""
ENDLESS = "while True: __import__('time').sleep(1)"  # asleep: other tests need the processor
# Three wrong answers in one notebook: a classic mistake, an exception, a number that is just wrong.
WRONG = {
    "scores": "def NAME(X, n_components):\n    return X @ np.linalg.svd(X)[2][:n_components].T",
    "exchange_step": "def NAME(shares, receiver, giver):\n    return shares / undefined",
    "deflate": "def NAME(C, v):\n    return C",
}


def cell(notebook, name):
    return next(one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade_id") == name)


def answered(release, source, **answers):
    return filled_in(release, source, answers)


def class_of(release, source):
    """Every student of the class by name: a notebook, or text that is not quite one."""
    tasks = [match["task"] for match in (generate_checks(release))]
    everything = answered(release, source)
    yield "all-right", everything
    yield "empty", copy.deepcopy(release)
    half = dict.fromkeys(tasks[len(tasks) // 2 :])
    yield "half-done", answered(release, source, **half)
    yield "wrong", answered(release, source, **WRONG)
    yield "another-algorithm", answered(release, source, scores=ANOTHER_ALGORITHM)
    yield "warning", answered(release, source, scores=WARNING)
    yield "syntax-error", answered(release, source, scores="def NAME(X, n_components)\n    return X")
    yield (
        "endless",
        answered(release, source, scores=f"def NAME(X, n_components):\n    {ENDLESS}"),
    )
    yield "endless-cell", answered(release, source, scores=ENDLESS)
    deleted = copy.deepcopy(everything)
    deleted.cells.remove(cell(deleted, "check-scores"))
    deleted.cells.insert(2, nbformat.v4.new_code_cell("print('my own cell')\nplt.plot([1, 2]);"))
    yield "deleted-cell", deleted
    edited = answered(release, source, scores="def NAME(X, n_components):\n    return 0")
    cell(edited, "check-scores").source = "2.0"
    cell(edited, "check-scores").metadata.nbgrader["points"] = 50
    yield "edited-test", edited
    doubled = copy.deepcopy(everything)
    doubled.cells.insert(doubled.cells.index(cell(doubled, "scores")), copy.deepcopy(cell(doubled, "scores")))
    yield "duplicated-cell", doubled


def generate_checks(release):
    from autograder.authoring.cells import CHECK

    return [match for match in (CHECK.match(one.source.strip()) for one in release.cells) if match]


# student → (what nbgrader gives instead, why we differ)
DIFFERENT = {
    "warning": (
        "loses the points of the cell",
        "anything on stderr costs nbgrader's students the whole cell",
    ),
    "duplicated-cell": (None, "nbgrader refuses to grade a notebook in which a cell was copied"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class graded twice: {student: score} by each grader."""
    root = tmp_path_factory.mktemp("pca") / "course"
    root.mkdir()
    for name in ("course.toml", "_toc.yml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root / name)
    for name in ("book", "solutions"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    course = Course(root)
    generate.write_classroom(course, generate.make_variant(course, "pca", "class of two", "a secret word"))
    release = nbformat.reads(load_assignment(course, "pca").release, as_version=4)
    source = nbformat.read(course.classroom / "source" / "pca" / "pca.ipynb", as_version=4)
    for student, notebook in class_of(release, source):
        path = course.paths.submission(student, "pca")
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), "utf-8")
    with local_grading_pool(2) as examiners:
        ours_outcomes = grade(course, "pca", examiners, GradingOptions(Limits(cell_seconds=SECONDS)))
    ours = {student: found["score"] for student, found in scores(course, "pca").items()}
    theirs = _nbgrader(root, tmp_path_factory.mktemp("plain") / "course", list(ours))
    return ours, theirs, {one.student: one for one in ours_outcomes}, course


def _nbgrader(graded_root, root, students):
    """The scores that plain nbgrader gives to a copy of the same class; None where it gives up."""
    shutil.copytree(graded_root, root)
    shutil.rmtree(root / "classroom" / "autograded")
    script = ROOT / "tests" / "grading" / "plain_nbgrader.py"
    run = subprocess.run(
        [sys.executable, script, root, str(BY_THE_CLOCK), *students],
        capture_output=True,
        text=True,
        check=True,
    )
    graded = json.loads(run.stdout.splitlines()[-1])
    found = scores(Course(root), "pca")
    return {student: found[student]["score"] if graded[student] else None for student in students}


def test_the_two_graders_agree_on_honest_work(graded):
    ours, theirs, _, _ = graded
    assert len(ours) >= 11
    agreed = {student: score for student, score in ours.items() if student not in DIFFERENT}
    assert {student: theirs[student] for student in agreed} == pytest.approx(agreed)


def test_a_warning_costs_nothing_here_and_the_cell_there(graded):
    ours, theirs, _, _ = graded
    assert ours["warning"] == ours["all-right"]
    assert theirs["warning"] == ours["all-right"] - 2


def test_a_copied_cell_is_repaired_here_and_fails_there(graded):
    ours, theirs, outcomes, _ = graded
    assert ours["duplicated-cell"] == ours["all-right"]
    assert outcomes["duplicated-cell"].notes == ["cell scores was copied: the last copy counts"]
    assert theirs["duplicated-cell"] is None


def test_every_student_gets_what_the_work_deserves(graded):
    ours, _, _, course = graded
    points = {name: task.points for name, task in load_tasks(course, "pca").items()}
    full = sum(points.values())
    assert ours["all-right"] == full
    assert ours["empty"] == 0
    assert 0 < ours["half-done"] < full
    for student in ("another-algorithm", "deleted-cell"):
        assert ours[student] == full, student
    assert ours["wrong"] == full - sum(points[name] for name in WRONG)
    for student in ("syntax-error", "endless", "endless-cell", "edited-test"):
        assert ours[student] == full - points["scores"], student


def test_the_misconception_is_named_and_the_repairs_are_told(graded):
    _, _, outcomes, _ = graded
    assert outcomes["wrong"].verdicts["scores"]["misconception"] == "forgot_to_centre"
    assert outcomes["wrong"].verdicts["exchange_step"]["problem"] == "raised"
    assert outcomes["deleted-cell"].notes == ["cell check-scores was missing: it was put back"]
    assert outcomes["edited-test"].notes == [
        "cell check-scores is locked but was edited: the original was run"
    ]
    assert outcomes["endless"].verdicts["scores"]["problem"] == "too slow"


def test_nbgraders_own_feedback_and_export_work_on_our_grades(graded):
    course = graded[3]
    for command in (
        ["generate_feedback", "pca", "--student", "wrong"],
        ["export", "--to", "grades.csv"],
    ):
        run = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=course.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr[-2000:]
    page = course.classroom / "feedback" / "wrong" / "pca" / "pca.html"
    assert "What was lost, why, and what to reread" in page.read_text("utf-8")  # the page of the course
    assert "wrong" in (course.root / "grades.csv").read_text("utf-8")
