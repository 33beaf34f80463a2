"""CONTRIBUTING's steps to add a topic, done as they are written, in a copy of the course: they end green.

The topic is a small one: one task, no open question (tests/sample_topic). All other chapters are taken out of the
table of contents of the copy, so the book must also drop them cleanly, with the links to them on its first pages.
"""

import re
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

TOPIC = "diameter"
FILES = {  # what each step has one write, and where
    "reference.py": "dimred_ref/<topic>.py",
    "page.md": "book/<topic>.md",
    "claims.py": "tests/topics/test_<topic>.py",
    "task.py": "solutions/<topic>/<task>.py",
    "notebook.md": "solutions/<topic>/notebook.md",
}
ONLY_IF = {"book/_figures/<topic>.py", "book/_ledger/<topic>.json", "tests/tasks/test_<topic>.py"}
COPIED = ("autograder", "packaging", "book", "dimred_ref", "solutions", "tests")
PARTS = ("_config.yml", "course.toml", "pyproject.toml", "README.md", "LICENSE", "LICENSE-text")
CONTENTS = """\
format: jb-book
root: book/intro
parts:
  - caption: Chapters
    numbered: true
    chapters:
      - file: book/diameter
  - caption: Reference
    chapters:
      - file: book/notation
      - file: book/bibliography
"""


def steps():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return text.partition("## Add a topic, step by step")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The course with the new topic's files, as somebody would write them who reads the steps."""
    root = tmp_path_factory.mktemp("contributed") / "course"
    ignored = shutil.ignore_patterns("__pycache__", "assignments", "data")
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copytree(ROOT / "dimred_ref" / "data", root / "dimred_ref" / "data")
    for name in PARTS:
        shutil.copy(ROOT / name, root)
    for name, place in FILES.items():
        target = root / place.replace("<topic>", TOPIC).replace("<task>", "farthest")
        target.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "tests" / "sample_topic" / name, target)
    (root / "_toc.yml").write_text(CONTENTS)
    return root


def run(copy, *command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_steps_name_the_files_that_a_topic_has():
    named = set(re.findall(r"`([\w/]+/(?:test_)?<topic>[^`]*)`", steps()))
    assert named == set(FILES.values()) | ONLY_IF


def test_the_exercises_are_certified_and_what_the_steps_name_is_green(copy):
    assert "certified for seed 2027: 1 tasks, 3 misconceptions" in run(copy, "autograder.cli", "regenerate")
    named = ["tests/tasks/test_all_tasks.py", "tests/test_layout.py"]
    assert all(f"`{name}`" in steps() for name in named)
    about = f"{TOPIC} or theorem or claim"
    said = run(copy, "pytest", "-q", "-k", about, *named, f"tests/topics/test_{TOPIC}.py")
    assert re.search(r"^\d\d passed", said, re.MULTILINE), said
    assert "skipped" not in said


def test_the_book_has_the_page_and_drops_all_chapters_that_are_not_in_the_contents(copy):
    run(copy, "autograder.cli", "book")
    built = copy / "_build" / "html" / "book"
    assert "Theorem 1.1" in (built / f"{TOPIC}.html").read_text("utf-8")
    first = (built / "intro.html").read_text("utf-8")
    assert "pca.html" not in first
    assert "course-card" not in first
