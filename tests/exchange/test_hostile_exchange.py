"""An exchange in which accounts cheat: names, times, links and odd files of their own choice."""

import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest

from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from tests.conftest import ROOT
from tests.exchange.people import needs_accounts, people, python_for_everyone
from tests.grading.small_class import TOPIC, WRONG

pytestmark = needs_accounts
COURSE_ID = "squares101"

# What the cheating account does where everyone hands in. Arguments: inbound, the course, an honest folder.
CHEATS = """
import os, sys
from pathlib import Path
inbound, course, honest, wrong = map(Path, sys.argv[1:5])
me = os.environ["USER"]
stamp = "2027-01-01 00:00:00.000000 UTC"
solution = course / "classroom" / "source" / "squares" / "squares.ipynb"

def folder(name, **files):
    made = inbound / name
    made.mkdir()
    for path, text in files.items():
        (made / path.replace("__", ".")).write_text(text)
    return made

mine = folder(f"{me}+squares+{stamp}+r")
(mine / "squares.ipynb").symlink_to(solution)
(mine / "keys").symlink_to(course / "classroom" / "keys")
(mine / "loop").symlink_to(mine)
os.mkfifo(mine / "pipe")
(mine / "timestamp.txt").mkdir()
(mine / "closed").write_text("x")
(mine / "closed").chmod(0)
try:
    os.link(honest / "squares.ipynb", mine / "hard.ipynb")
except OSError:
    print("hard links to files of others are refused by this system")
student = honest.name.split("+")[0]
folder(f"{student}+squares+2099-01-01 00:00:00.000000 UTC+r", squares__ipynb=wrong.read_text())
folder(f"..+squares+{stamp}+r", squares__ipynb="{}")
folder(f"{me}+squares+when?+r", squares__ipynb="{}")
folder(f"{me}+squares+99999-99-99 UTC+r")
folder(f"\\x1b[31mred\\n+squares+{stamp}+r", squares__ipynb="{}")
(inbound / f"zoe+squares+{stamp}+r").symlink_to(solution.parent)
(inbound / f"yan+squares+{stamp}+r").write_text("not a folder")
"""
FLOODS = """
import os, sys
from pathlib import Path
made = Path(sys.argv[1]) / f"{os.environ['USER']}+squares+2027-01-01 00:00:00.000000 UTC+r"
made.mkdir()
with (made / "squares.ipynb").open("w") as file:
    file.truncate(2**31)
"""
HANDS_IN = """
import os, shutil, sys
from pathlib import Path
made = Path(sys.argv[1]) / f"{os.environ['USER']}+squares+{sys.argv[3]}+r"
shutil.copytree(sys.argv[2], made)
print(made)
"""


@pytest.fixture(scope="module")
def server():
    """A folder that every account can reach."""
    folder = Path(tempfile.mkdtemp(prefix="hostile"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def collected(server, released_course):
    """A class in which two accounts cheat, collected; yields course, accounts and what `collect` said."""
    with people(python_for_everyone(server / "python"), "teacher", "ada", "eve", "mal", "late") as accounts:
        teacher, ada, eve, mal, late = accounts
        course, inbound = make_course(server, released_course, teacher)
        work = {
            "right": written(course, server / "right"),
            "wrong": written(course, server / "wrong", total=WRONG),
        }
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
        honest = ada.does(HANDS_IN, inbound, work["right"], now).strip()
        late.does(HANDS_IN, inbound, work["right"], "2020-01-01 00:00:00.000000 UTC")
        eve.does(CHEATS, inbound, course.root, honest, work["wrong"] / f"{TOPIC}.ipynb")
        mal.does(FLOODS, inbound)
        said = teacher.runs("nbgrader", "collect", TOPIC, at=course.root)
        yield course, accounts, said


def make_course(server, released_course, teacher):
    root, exchange = server / "course", server / "exchange"
    shutil.copytree(released_course.root, root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    inbound = exchange / COURSE_ID / "inbound"
    inbound.mkdir(parents=True)
    settings = root / "course.toml"
    settings.write_text(settings.read_text() + f'exchange = "{exchange}"\ncourse_id = "{COURSE_ID}"\n')
    teacher.owns(root)
    for folder in (exchange, exchange / COURSE_ID, inbound):
        teacher.owns(folder)
    exchange.chmod(0o1777)
    (exchange / COURSE_ID).chmod(0o755)
    inbound.chmod(0o2733)  # as nbgrader makes it
    return Course(root), inbound


def written(course, folder, **answers):
    """Write a notebook that anybody may read."""
    folder.mkdir()
    release = nbformat.reads(load_assignment(course, TOPIC).release, as_version=4)
    source = nbformat.read(course.paths.source_notebook(TOPIC), as_version=4)
    (folder / f"{TOPIC}.ipynb").write_text(json.dumps(filled_in(release, source, answers)), "utf-8")
    return folder


def submitted(course):
    """The files that were collected, by student."""
    root = course.classroom / "submitted"
    return {
        folder.name: {str(path.relative_to(folder / TOPIC)) for path in folder.rglob("*") if path.is_file()}
        for folder in root.iterdir()
    }


def test_only_accounts_own_folders_are_collected(collected):
    course, (_, ada, eve, _, late), _ = collected
    files = submitted(course)
    own = {"timestamp.txt", "submission_secret.txt"}
    assert files == {ada.name: {f"{TOPIC}.ipynb", *own}, late.name: {f"{TOPIC}.ipynb", *own}, eve.name: own}
    assert not (course.classroom / TOPIC).exists()  # where the name `..` leads


def test_a_classmate_cannot_replace_anothers_work(collected):
    course, (_, ada, *_), said = collected
    notebook = course.paths.submission(ada.name, TOPIC)
    assert "np.sum(x)" not in notebook.read_text("utf-8")
    assert f"{ada.name}+squares+2099" in said
    assert "which may not hand in under this name" in said


def test_links_and_pipes_are_left_out_and_named(collected):
    course, _, said = collected
    for name in ("squares.ipynb", "keys", "loop", "pipe", "closed"):
        assert f"'{name}'" in said
    assert [path for path in (course.classroom / "submitted").rglob("*") if path.is_symlink()] == []


def test_odd_names_and_huge_files_cost_only_themselves(collected):
    _, (_, _, _, mal, _), said = collected
    assert "\x1b" not in said
    for name in ("zoe+", "yan+", "when?", "99999", "red"):
        assert [line for line in said.splitlines() if name in line and "is not collected" in line], name
    assert [line for line in said.splitlines() if mal.name in line and "more than 100000000 bytes" in line]


def test_a_time_set_back_does_not_count(collected):
    course, (_, _, _, _, late), said = collected
    stamp = (course.paths.submission(late.name, TOPIC).parent / "timestamp.txt").read_text()
    assert stamp.startswith(str(datetime.now(UTC).year))
    assert f"{late.name}+squares+2020" in said
    assert "that time counts" in said


def test_the_class_is_graded_and_gets_its_feedback(collected):
    course, (teacher, _, eve, _, _), _ = collected
    said = teacher.runs("autograder.cli", "grade", TOPIC, at=course.root)
    assert "3 submissions: 2 graded" in said
    assert eve.name in said
    teacher.runs("autograder.cli", "feedback", TOPIC, at=course.root)
    teacher.runs("nbgrader", "release_feedback", TOPIC, at=course.root)
    pages = list((course.exchange / COURSE_ID / "feedback").rglob("*.html"))
    assert len(pages) >= 2
    assert os.stat(course.classroom).st_mode & 0o077 == 0
