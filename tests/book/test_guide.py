"""The instructor's guide: the ten minutes are run as they stand, and what it names exists."""

import json
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from autograder.cli import _parser
from autograder.course import contents
from autograder.course.settings import SETTINGS
from tests.conftest import ROOT
from tests.grading.downloads import Person, canvas_download, canvas_list

GUIDE = sorted((ROOT / "book").glob("instructor_*.md"))
DECISIONS = sorted((ROOT / "book" / "decisions").glob("*.md"))
DOCUMENTS = [*GUIDE, ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DECISIONS]
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
    assert "the class's variant in classroom/handed_out/pca/zips" in said
    assert "replayed, they give the gradebook's scores" in said
    for page in (
        "report/index.html",
        "report/pca.html",
        "feedback/ada/pca/pca.html",
        "feedback/bob/pca/pca.html",
        "exports/assignments.csv",
    ):
        assert (copy / "classroom" / page).is_file()


def test_an_assignment_is_composed_as_the_page_says(copy):
    text = "\n".join(commands(ROOT / "book" / "instructor_bank.md"))
    done = subprocess.run(["sh", "-ec", text], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "midterm: certified for seed spring: 4 variants, each 5 tasks" in done.stdout
    assert "final: 1 sheets with 3 answers" in done.stdout
    for name in ("final/exam", "final/exam-large-print", "final/marking-key", "final_retake/exam"):
        assert (copy / f"classroom/exams/{name}.pdf").read_bytes().startswith(b"%PDF")
    assert (copy / "classroom/report/final.html").is_file()
    assert "midterm: 3 own variants in classroom/handed_out/midterm/zips" in done.stdout
    given = {
        name: json.loads((copy / f"classroom/release_for/{name}/midterm/midterm.ipynb").read_text("utf-8"))
        for name in ("ada", "bob")
    }
    text = {
        name: "\n".join("".join(cell["source"]) for cell in tree["cells"]) for name, tree in given.items()
    }
    assert 'check("midterm.program", mixture_weights)' in text["ada"]
    assert 'check("midterm.program", rank_one_terms)' in text["bob"]


STUDENTS = [Person(number) for number in range(1, 181)]
GRADED = 12  # of 180: `python -m benchmarks.term` grades all of them


def test_from_a_canvas_course_to_feedback_as_the_page_says(copy):
    """180 are collected, under the names that Canvas and browsers give to files; a dozen of them are graded."""
    (copy / "class.csv").write_text(canvas_list(STUDENTS), "utf-8-sig")
    printed = {}
    for line in commands(ROOT / "book" / "instructor_term.md"):
        verb = line.split()[1]
        if verb == "collect" and "--yes" not in line:
            release = (copy / "classroom/release/pca/pca.ipynb").read_bytes()
            (copy / "submissions.zip").write_bytes(canvas_download(release, STUDENTS, "pca"))
        if verb == "grade":
            for one in STUDENTS[GRADED:]:
                shutil.rmtree(copy / "classroom" / "submitted" / one.login)
        done = subprocess.run(line, shell=True, cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        printed[verb] = printed.get(verb, "") + done.stdout
    assert "180 students (180 in Monday)" in printed["roster"]
    assert "pca: 180 hand-ins of 180 students" in printed["collect"]
    assert "collected into classroom/submitted: 180 new" in printed["collect"]
    assert f"pca: {GRADED} submissions: {GRADED} graded" in printed["grade"]
    assert "no hand-in from 168 of 180 on the class list" in printed["grade"]
    assert f"Canvas: {GRADED} scores" in printed["export"]
    assert f"pca: {GRADED} files for canvas" in printed["return"]
    with zipfile.ZipFile(copy / "feedback.zip") as archive:
        returned = archive.namelist()
    for one in STUDENTS[:GRADED]:
        assert (copy / "classroom/feedback" / one.login / "pca/pca.html").is_file()
        assert any(f"_{one.canvas_id}_{70000 + one.number}_" in name for name in returned)


def verbs():
    action = next(one for one in _parser()._actions if one.choices and "grade" in one.choices)
    return action.choices


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.stem)
def test_every_command_and_option_that_is_written_down_exists(page):
    """The dimred commands in code, wherever they stand: the verb is one, and the options are its own."""
    text, known = page.read_text("utf-8"), verbs()
    found = re.findall(r"dimred (?!dimred )([a-z][a-z-]*)([^`\n|]*)", text)
    for verb, rest in found:
        assert verb in known, verb
        assert set(re.findall(r"--[a-z-]+", rest)) <= options_of(known[verb]), (verb, rest)


def options_of(parser):
    """The options of a verb, and of the verbs below it."""
    options = {name for action in parser._actions for name in action.option_strings}
    below = [action.choices.values() for action in parser._actions if isinstance(action.choices, dict)]
    return options.union(*(options_of(other) for parsers in below for other in parsers))


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.stem)
def test_every_target_of_make_that_is_written_down_exists(page):
    text = page.read_text("utf-8")
    code = "\n".join(re.findall(r"`([^`]+)`", text)) + text
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"^make ([a-z]+)\b", code, re.MULTILINE)) <= targets


def test_the_guide_speaks_of_every_verb_and_of_every_setting_of_a_class():
    """What a contributor or the makefile runs, and what the pages of the book are named after, may be elsewhere."""
    text = "".join(page.read_text("utf-8") for page in GUIDE)
    unnamed = {verb for verb in verbs() if f"dimred {verb}" not in text}
    assert unnamed <= {"book", "course", "demo", "practice"}
    assert {name for name in SETTINGS if name not in text} <= {"public_seed", "repository"}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.stem)
def test_every_line_fits_an_editor(page):
    lines = (line for line in page.read_text("utf-8").splitlines() if not line.startswith(".. auto"))
    assert [line for line in lines if len(line) > 120] == []


def test_the_pages_of_the_guide_are_in_the_table_of_contents():
    listed = set(contents.contents_entries(ROOT))
    assert {f"book/{page.stem}" for page in GUIDE} <= listed
    assert len(GUIDE) >= 6
