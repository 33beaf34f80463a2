"""`dimred new` writes tasks and topics that are certified as they are, and never writes over anything."""

import re
import shutil

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from tests import command
from tests.conftest import ROOT

TOPIC = "contour_lines"
TASKS = {"steepest": "code", "highest": "hand", "halfway": "sym"}


def new(course, *words):
    code, out, error = command.program(course.root, "new", *words)
    assert code == 0, error
    return out


@pytest.fixture
def grown(sample_course):
    """The tiny course with a new topic, and a new task of each kind in it."""
    new(sample_course, "topic", TOPIC)
    for name, kind in TASKS.items():
        new(sample_course, "task", name, "--topic", TOPIC, "--kind", kind)
    return Course(sample_course.root)


def test_skeletons_are_certified_and_their_solutions_pass_the_check(grown):
    code, out, error = command.program(grown.root, "regenerate", "--answers", "--seed", "two", TOPIC)
    assert code == 0, error
    assert "certified for seed two: 4 tasks, 12 misconceptions recognised, 4 alternatives accepted" in out
    solved = grown.paths.answers(TOPIC) / f"{TOPIC}.ipynb"
    key = grown.paths.release(TOPIC) / f"{TOPIC}.key.json"
    shutil.copy(solved, key.parent / f"{TOPIC}.ipynb")
    code, out, _ = command.program(grown.root, "check", str(key.parent / f"{TOPIC}.ipynb"))
    assert code == 0
    assert re.search(r"6(\.0+)? of 6", out), out


def test_a_skeleton_keeps_the_tables_and_texts_that_are_there(sample_course):
    contents, text = sample_course.root / "_toc.yml", sample_course.source("squares") / "notebook.md"
    before = contents.read_text("utf-8"), text.read_text("utf-8")
    out = new(sample_course, "topic", TOPIC)
    new(sample_course, "task", "steepest", "--topic", "squares", "--kind", "sym")
    assert contents.read_text("utf-8").startswith(before[0])
    assert text.read_text("utf-8").startswith(before[1].rstrip())
    written = re.findall(r"^written: (\S+)", out, re.MULTILINE)
    assert f"solutions/{TOPIC}/spread.py" in written
    assert all((sample_course.root / path).is_file() for path in written)
    assert Course(sample_course.root).all_topics() == ["squares", TOPIC]
    assert load_tasks(Course(sample_course.root), "squares")["steepest"].see == "eq-squares-sum"


def test_a_new_topic_stands_below_the_last_one_with_exercises(tmp_path):
    """In a copy of this course: page, reference, claims and tasks, where CONTRIBUTING wants them."""
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("_*", "assignments"))
    for name in ("_toc.yml", "course.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "dimred_ref").mkdir()
    before = (ROOT / "_toc.yml").read_text("utf-8")
    new(Course(tmp_path), "topic", TOPIC)
    after = (tmp_path / "_toc.yml").read_text("utf-8")
    last = Course(ROOT).all_topics()[-1]
    line = f"      - file: book/{last}\n"
    assert after == before.replace(line, f"{line}      - file: book/{TOPIC}\n")
    for path in (f"dimred_ref/{TOPIC}.py", f"tests/topics/test_{TOPIC}.py", f"book/{TOPIC}.md"):
        assert "<" not in re.sub(r"->|<=", "", (tmp_path / path).read_text("utf-8")), path


REFUSED = {
    "a task of that name": (
        ("task", "total", "--topic", "squares", "--kind", "code"),
        "squares.total is a task already, in solutions/squares/tasks.py: choose another name",
    ),
    "a module of that name": (
        ("task", "tasks", "--topic", "squares", "--kind", "code"),
        "solutions/squares/tasks.py is there already: choose another name",
    ),
    "a topic of that name": (("topic", "squares"), "book/squares.md is there already: choose another name"),
    "no topic": (
        ("task", "a", "--topic", "cubes", "--kind", "sym"),
        "unknown topic 'cubes'; the topics are squares",
    ),
    "no name": (
        ("topic", "Two Words"),
        "a name must be of small letters, digits and _, such as first_axis, not 'Two Words'",
    ),
    "a word of Python": (
        ("task", "lambda", "--topic", "squares", "--kind", "sym"),
        "a name must be of small letters, digits and _, such as first_axis, not 'lambda'",
    ),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_written_is_one_line_and_nothing_changes(sample_course, words, message):
    before = files(sample_course)
    code, out, error = command.program(sample_course.root, "new", *words)
    assert (code, out, error) == (1, "", f"dimred: {message}\n")
    assert files(sample_course) == before


def files(course):
    return {
        path: path.read_bytes() for path in course.root.rglob("*.*") if path.suffix in (".py", ".md", ".yml")
    }
