"""nbgrader's exchange from release to feedback, between accounts that may not read each other's files."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest

from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.release.distribute import distribute
from tests.conftest import ROOT
from tests.exchange.people import needs_accounts, people, python_for_everyone
from tests.grading.small_class import WRONG


@pytest.fixture(scope="module")
def server():
    """A folder that every account can reach; pytest's own is for one account alone."""
    folder = Path(tempfile.mkdtemp(prefix="exchange"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def staff(server):
    with people(python_for_everyone(server / "python"), "teacher", "ada", "bob") as made:
        yield made


@pytest.fixture
def course(server, staff):
    """The tiny course in the teacher's hands, with an exchange that everyone may use."""
    root = server / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    exchange = server / "exchange"
    exchange.mkdir()
    exchange.chmod(0o1777)
    settings = root / "course.toml"
    settings.write_text(settings.read_text() + f'exchange = "{exchange}"\ncourse_id = "squares101"\n')
    staff[0].owns(root)
    yield Course(root)
    shutil.rmtree(root)
    shutil.rmtree(exchange)


def fetch(student, exchange):
    student.runs(
        "nbgrader", "fetch_assignment", "squares", "--course=squares101", f"--Exchange.root={exchange}"
    )
    return student.home / "squares" / "squares.ipynb"


def answer(student, course, path, **answers):
    """Write answers into the student's own file, as the student."""
    release = nbformat.read(path, as_version=4)
    source = nbformat.read(course.paths.source_notebook("squares"), as_version=4)
    path.write_text(json.dumps(filled_in(release, source, answers)), "utf-8")


@needs_accounts
def test_release_fetch_submit_collect_grade_and_feedback_between_accounts(course, staff):
    teacher, *students = staff
    teacher.runs("autograder.cli", "regenerate", "--seed", "spring", at=course.root)
    teacher.runs("nbgrader", "release_assignment", "squares", at=course.root)
    wrong = dict(zip(students, ({}, {"total": WRONG}), strict=True))
    for student in students:
        answer(student, course, fetch(student, course.exchange), **wrong[student])
        student.runs(
            "nbgrader", "submit", "squares", "--course=squares101", f"--Exchange.root={course.exchange}"
        )
    teacher.runs("nbgrader", "collect", "squares", at=course.root)
    teacher.runs("autograder.cli", "grade", at=course.root)
    teacher.runs("autograder.cli", "feedback", at=course.root)
    teacher.runs("nbgrader", "release_feedback", "squares", at=course.root)
    for student in students:
        student.runs(
            "nbgrader",
            "fetch_feedback",
            "squares",
            "--course=squares101",
            f"--Exchange.root={course.exchange}",
        )
        (page,) = (student.home / "squares" / "feedback").rglob("squares.html")
        text = page.read_text("utf-8")
        assert student.name in text
        assert ("Nothing was squared." in text) == bool(wrong[student])
    # what the teacher has stays with the teacher
    secret = course.paths.secret_key("squares")
    said = students[0].runs("json.tool", secret, expect=2)
    assert "Permission denied" in said


def test_nbgrader_finds_the_course_wherever_it_is_started(classroom, tmp_path):
    """As under JupyterHub: the working folder is somebody's home, and a link in ~/.jupyter leads to the course."""
    shutil.copy(ROOT / "nbgrader_config.py", classroom.root)
    elsewhere = tmp_path / "home"
    (elsewhere / ".jupyter").mkdir(parents=True)
    (elsewhere / ".jupyter" / "nbgrader_config.py").symlink_to(classroom.root / "nbgrader_config.py")
    listed = subprocess.run(
        [sys.executable, "-m", "nbgrader", "db", "assignment", "list"],
        cwd=elsewhere,
        env={**os.environ, "HOME": str(elsewhere), "JUPYTER_CONFIG_DIR": str(elsewhere / ".jupyter")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed.returncode == 0, listed.stderr
    assert "squares" in listed.stdout + listed.stderr
    assert not list(elsewhere.glob("*.db"))


@needs_accounts
def test_own_variants_by_the_exchange_are_each_students_own(course, staff):
    """Handed out by root, taken and handed in by the students, none of whom can read another's."""
    teacher, ada, bob = staff
    (course.root / "class.csv").write_text(f"id\n{ada.name}\n{bob.name}\n")
    (course.root / "class.csv").chmod(0o644)
    roster = ["--seed", "spring", "--roster", "class.csv", "--answers"]
    teacher.runs("autograder.cli", "regenerate", *roster, at=course.root)
    said = teacher.runs("autograder.cli", "distribute", "--to", "exchange", at=course.root, expect=1)
    assert "run this with sudo" in said
    distribute(course, "squares", "exchange")
    own = course.exchange / "squares101" / "own"
    for student, other in ((ada, bob), (bob, ada)):
        student.runs("json.tool", own / student.name / "squares" / "squares.ipynb")
        said = student.runs("json.tool", own / other.name / "squares" / "squares.ipynb", expect=2)
        assert "Permission denied" in said
