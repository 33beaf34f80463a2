"""A course of one's own, from the wheel: the guide's page is run as it stands where this checkout cannot be imported.

The environment and the course lie in folders with spaces and a letter beyond ASCII in their names.
"""

import re
import shutil
import subprocess
import zipfile

import pytest

from autograder.book.distributions import build_distribution
from tests.conftest import ROOT
from tests.installed.environment import clean_environment, make_environment

PAGE = ROOT / "book" / "instructor_own_course.md"
INSTALL = 'pip install "coursewright[grade,book]" pytest\n'


def blocks():
    """The blocks of shell commands of the page."""
    return re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("own") / "my courses (ä)"


@pytest.fixture(scope="module")
def programs(place, tmp_path_factory):
    """The programs of an environment with the engine from its wheel; all else is what is here."""
    wheel, _ = build_distribution(
        ROOT / "packaging" / "engine" / "pyproject.toml", tmp_path_factory.mktemp("dist")
    )
    place.mkdir()
    return make_environment(place / ".venv", wheel)


def run(programs, folder, *command):
    environment = clean_environment(programs)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def said(programs, place):
    """Output of the page's commands after the first block, which installs."""
    install, *rest = blocks()
    assert install.endswith(INSTALL)
    return run(programs, place, "bash", "-ec", "".join(rest))


@pytest.fixture(scope="module")
def course(place, said):
    return place / "stats"


def test_the_checkout_cannot_be_imported(programs, place):
    code = "import autograder, importlib.util as u; print(autograder.__file__, u.find_spec('dimred_ref'))"
    path, _, spec = run(programs, place, "python", "-c", code).strip().rpartition(" ")
    assert path.startswith(str(place / ".venv"))
    assert spec == "None"


def test_twenty_minutes_end_with_a_graded_class(said, course):
    assert "certified for seed one: 4 tasks" in said
    assert "built _build/html/index.html" in said
    assert re.search(r"^\d+ passed", said, re.MULTILINE)
    assert "lists: a made-up class of" in said
    assert "lists: 2 submissions: 2 graded" in said
    table = (course / "classroom/exports/assignments.csv").read_text("utf-8")
    scores = {line.split(",")[0]: line for line in table.splitlines()}
    assert re.search(r",6(?:\.0+)?,", scores["ada"] + ","), table
    assert re.search(r",0(?:\.0+)?,", scores["bob"] + ","), table
    for name in ("report/lists.html", "feedback/ada/lists/lists.html", "handed_out/lists/zips"):
        assert (course / "classroom" / name).exists(), name


def test_messages_name_the_command_that_was_called(said):
    assert "coursewright" in said
    assert "dimred" not in said


def test_an_archive_holds_the_engine_and_nothing_of_others(course, place):
    with zipfile.ZipFile(course / "book" / "assignments" / "lists.zip") as packed:
        names = {name.split("/")[1] for name in packed.namelist()}
        packed.extractall(place / "student")
    assert names == {"README.md", "autograder", "lists.ipynb", "lists.key.json"}
    assert (course / "book" / "assignments" / "lists.zip").stat().st_size < 300_000
    assert "jupyterlab mpmath numpy sympy\n" in (place / "student/lists/README.md").read_text(
        "utf-8"
    ).replace("`", "\n")


def test_the_site_has_practice_and_the_wheel_that_students_install(course):
    site = course / "_build" / "html"
    page = (site / "book" / "lists.html").read_text("utf-8")
    assert 'data-task="lists.farthest"' in page
    assert (site / "_static" / "practice" / "practice.mjs").is_file()
    assert (site / "_static" / "practice" / "data" / "lists.farthest.json").is_file()
    (wheel,) = (site / "install").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert {name.split("/")[0] for name in packed.namelist()} >= {"autograder", "coursewright.py"}
        assert packed.testzip() is None


def test_names_of_people_stay_out_of_git(course):
    subprocess.run(["git", "init", "--quiet"], cwd=course, check=True)
    status = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=course, capture_output=True, text=True, check=True
    ).stdout
    files = {line[3:].strip('"') for line in status.splitlines()}
    assert {
        "course.toml",
        "exercises/lists/lists.ipynb",
        "book/lists.md",
        ".github/workflows/course.yml",
    } <= files
    folders = {name.split("/")[0] for name in files}
    assert folders & {"classroom", "demo", "_build", "class.csv"} == set()


def test_a_course_of_another_subject_is_certified_and_graded(programs, place):
    """Its answers are texts, dicts and tables; `examples/` is copied, so nothing leads back to the repository."""
    folder = place / "probability"
    shutil.copytree(
        ROOT / "examples" / "probability", folder, ignore=shutil.ignore_patterns("_build", "__pycache__")
    )
    said = run(programs, folder, "coursewright", "regenerate", "samples")
    said += run(programs, folder, "coursewright", "demo", "samples")
    assert "samples: certified for seed dice: 4 tasks" in said
    assert re.search(r"^samples: 16 submissions: 13 graded, 2 repaired, 1 unreadable", said, re.MULTILINE)
    assert (folder / "demo" / "report" / "samples.html").is_file()
