"""A course with two topics, and a class that gets an assignment composed from both."""

import json
import shutil

from autograder.authoring.cells import is_answer_cell, name_of, source_of
from autograder.course.course import Course
from tests.command import dimred
from tests.conftest import ROOT

SECOND = "powers"
ROSTER = "id,first_name,level\nada,Ada,graduate\nbob,Bob,\ncyd,Cyd,\n"
MIDTERM = """
title = "The midterm"
text = "One hour."
group_column = "level"
points = 6

[[task]]
task = "squares.total"

[[task]]
name = "formula"
one_of = ["squares.binomial", "powers.binomial"]
points = 2

[[task]]
name = "numbers"
task = "squares.by_hand"
points = 2
groups = {graduate = ["powers.cubes"]}
"""


def two_topics(root) -> Course:
    """Copy the sample course, with a second topic that has the same tasks under another name."""
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    shutil.copytree(root / "solutions" / "squares", root / "solutions" / SECOND)
    notebook = root / "solutions" / SECOND / "notebook.md"
    notebook.write_text(notebook.read_text("utf-8").replace('check("squares.', f'check("{SECOND}.'), "utf-8")
    (root / "book" / f"{SECOND}.md").write_text("# Powers\n", "utf-8")
    contents = root / "_toc.yml"
    contents.write_text(f"{contents.read_text('utf-8')}chapters:\n  - file: book/{SECOND}\n", "utf-8")
    (root / "class.csv").write_text(ROSTER, "utf-8")
    write(root, MIDTERM)
    return Course(root)


def write(root, text, name="midterm.toml"):
    """Write the file of an assignment, and return its path."""
    (root / name).write_text(text, "utf-8")
    return root / name


def run(course, *arguments):
    """Run a verb that must succeed, and return what it printed."""
    code, out, error = dimred(course.root, *arguments)
    assert code == 0, error
    return out + error


def refusal(course, *arguments):
    """Run a verb that must fail, and return its one line."""
    code, _, error = dimred(course.root, *arguments)
    assert code != 0
    assert len(error.strip().splitlines()) == 1, error
    return error


def compose(course, *options):
    """Compose the midterm for the class."""
    return run(
        course,
        "compose",
        course.root / "midterm.toml",
        "--seed",
        "spring",
        "--roster",
        "class.csv",
        "--answers",
        *options,
    )


def hand_in(course, student, topic="midterm", **answers):
    """Hand in a student's notebook, solved but for these cells."""
    paths = course.paths
    release = json.loads((paths.release(topic, student) / f"{topic}.ipynb").read_text("utf-8"))
    solved = json.loads((paths.answers(topic, student) / f"{topic}.ipynb").read_text("utf-8"))
    solutions = {name_of(cell): source_of(cell) for cell in solved["cells"] if is_answer_cell(cell)}
    for cell in filter(is_answer_cell, release["cells"]):
        cell["source"] = answers.get(name_of(cell), solutions[name_of(cell)])
    path = paths.submission(student, topic)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(release), "utf-8")
