"""The instructor's guide: the ten minutes are run as they stand, and what it names exists."""

import re
import shutil
import subprocess
import sys

import pytest

from autograder.cli import _parser
from autograder.course import contents
from tests.conftest import ROOT

GUIDE = sorted((ROOT / "book").glob("instructor_*.md"))
NEEDED = ("book", "solutions", "exercises", "dimred_ref")
FILES = ("_toc.yml", "_config.yml", "nbgrader_config.py", "pyproject.toml", "course.toml")


def commands(page):
    """The lines of the blocks marked as shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


@pytest.fixture
def copy(tmp_path):
    """The course in a folder of its own, with a `.venv/bin/dimred` that runs this environment's."""
    for name in NEEDED:
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in FILES:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, tmp_path)
    program = tmp_path / ".venv" / "bin" / "dimred"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m autograder.cli "$@"\n', "utf-8")
    program.chmod(0o755)
    return tmp_path


def test_from_zero_to_a_graded_class_as_the_page_says(copy):
    said = ""
    for line in commands(ROOT / "book" / "instructor_start.md"):
        done = subprocess.run(line, shell=True, cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        said += done.stdout
    assert "2 submissions: 2 graded" in said
    assert "replayed, they give the gradebook's scores" in said
    for page in (
        "report/index.html",
        "report/pca.html",
        "feedback/ada/pca/pca.html",
        "feedback/bob/pca/pca.html",
    ):
        assert (copy / "classroom" / page).is_file()


def verbs():
    action = next(one for one in _parser()._actions if one.choices and "grade" in one.choices)
    return action.choices


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_every_command_and_option_of_the_guide_exists(page):
    """The dimred commands in code, wherever they stand: the verb is one, and the options are its own."""
    text, known = page.read_text("utf-8"), verbs()
    found = re.findall(r"dimred ([a-z]+)([^`\n|]*)", text)
    for verb, rest in found:
        assert verb in known, verb
        options = {name for one in known[verb]._actions for name in one.option_strings}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options, (verb, rest)


def test_the_pages_of_the_guide_are_in_the_table_of_contents():
    listed = set(contents.entries(ROOT))
    assert {f"book/{page.stem}" for page in GUIDE} <= listed
    assert len(GUIDE) >= 6
