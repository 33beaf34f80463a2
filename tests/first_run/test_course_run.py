"""`dimred course` in a small course, as a newcomer runs it: one quiet screen, served from the start."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from autograder.course.course import Course
from tests.conftest import ROOT

MAX_LINES = 40


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return small_course(tmp_path_factory.mktemp("first") / "a course")  # paths have spaces


def small_course(root):
    """Make the course about squares, with the settings of the real book."""
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    shutil.copy(ROOT / "_config.yml", root)
    data = shutil.ignore_patterns("data", "made_from.json")  # practice problems of other pages
    shutil.copytree(ROOT / "book" / "_static", root / "book" / "_static", ignore=data)
    (root / "book" / "references.bib").write_text("")
    return Course(root)


def start(course, *options):
    """Start the command; without node and npm, live pages are left out and no network is needed."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "autograder", "course", *options],
        cwd=course.root,
        env=os.environ | {"PATH": "/nowhere", "DIMRED_CACHE": str(course.root / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="module")
def served(course):
    """The command with its server, until everything is ready; gives the lines and what was served at once."""
    process = start(course, "--port", "8790")
    try:
        lines = [process.stdout.readline()]
        address = re.search(r"http://\S+/", lines[0])[0]
        early = urllib.request.urlopen(address).read().decode()
        while "everything is ready" not in lines[-1]:
            lines.append(process.stdout.readline())
            assert lines[-1], lines
        while "report   " not in lines[-1]:
            lines.append(process.stdout.readline())
            assert lines[-1], lines
        report = urllib.request.urlopen(lines[-1].split()[1]).read().decode()
        whole = urllib.request.urlopen(address).read().decode()
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        assert (process.wait(20), lines[-1]) == (0, "stopped\n")
        yield lines, early, whole, report
    finally:
        process.kill()


def test_the_address_comes_first_and_answers_at_once(served):
    lines, early, whole, _ = served
    assert lines[0].startswith("http://127.0.0.1:")
    assert "The course is being made" in early
    assert "The course is being made" not in whole


def test_everything_is_told_on_one_screen(served):
    lines, *_ = served
    text = "".join(lines)
    assert len(lines) <= MAX_LINES
    for title in ("first chapters", "whole book", "exercises", "grading", "feedback pages", "reports"):
        assert re.search(rf"^  {title} +\d+ s", text, re.MULTILINE), text
    assert "Warning" not in text
    assert "left out: " in text  # live pages, and why


def test_the_report_of_the_made_up_class_is_served(served, course):
    *_, report = served
    assert "squares" in report
    assert not course.classroom.exists()


def test_a_second_run_makes_nothing_again(served, course):
    pages = [*course.demo.paths.feedback.rglob("*.html"), course.root / "_build/html/book/squares.html"]
    before = {page: page.stat().st_mtime_ns for page in pages}
    process = start(course, "--no-serve")
    out = process.communicate(timeout=300)[0]
    assert process.returncode == 0, out
    assert "1 topics, 1 of them up to date" in out
    assert "1 topics and the course, up to date" in out
    assert {page: page.stat().st_mtime_ns for page in pages} == before


def test_ctrl_c_stops_all_steps_in_one_line(course, tmp_path):
    other = Course(tmp_path / "course")
    shutil.copytree(course.root, other.root, ignore=shutil.ignore_patterns("_build", "demo"))
    process = start(other, "--no-serve")
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=120)[0]
    assert process.returncode == 130
    assert "Traceback" not in out
    assert out.splitlines()[-1].startswith("dimred: stopped")
    assert not any(str(other.root) in line for line in command_lines())
    assert not (other.root / "_build" / "html" / "index.html").exists()


def command_lines():
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return listing.stdout.splitlines()


def test_a_book_that_cannot_be_built_is_one_line(course, tmp_path):
    other = Course(tmp_path / "course")
    shutil.copytree(course.root, other.root, ignore=shutil.ignore_patterns("_build", "demo"))
    page = other.root / "book" / "squares.md"
    page.write_text(page.read_text("utf-8") + "\nSee {eq}`eq-squares-missing`.\n", "utf-8")
    process = start(other, "--no-serve")
    out = process.communicate(timeout=300)[0]
    assert process.returncode == 1
    assert re.search(r"^  whole book +\d+ s  failed: .*eq-squares-missing", out, re.MULTILINE), out
    assert re.search(r"^  reports +\d+ s  1 topics", out, re.MULTILINE), out
    assert "Traceback" not in out
