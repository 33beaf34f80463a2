"""`dimred course` when the machine does not play along: stopped at several moments, a full disk, no network.

Each is told in one line a step, nothing half-written is taken for finished, and a second run completes.
"""

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from autograder.course.course import Course
from tests.first_run.test_course_run import command_lines, small_course, start

SECONDS = 300
ENDED = r"^  {} +\d+ s  {}"


@pytest.fixture
def course(tmp_path):
    return small_course(tmp_path / "course")


def test_a_run_that_was_stopped_at_several_moments_is_completed_by_the_next(course):
    for moment in ("", "exercises", "made-up class"):
        process = start(course, "--no-serve")
        lines = [""]
        while moment and not lines[-1].startswith(f"  {moment} "):
            lines.append(process.stdout.readline())
            assert lines[-1], lines
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=120)[0]
        assert process.returncode in (130, -signal.SIGINT), out
        assert "failed" not in out
        assert not any(str(course.root) in line for line in command_lines())
    assert_completes(start(course, "--no-serve"), course)


def assert_completes(process, course):
    out = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 0, out
    assert "everything is ready" in out
    assert re.search(ENDED.format("grading", "16 submissions: .* 0 not graded"), out, re.MULTILINE), out
    assert len([*course.demo.paths.feedback.rglob("*.html")]) == 16
    assert (course.root / "_build/html/book/squares.html").is_file()
    return out


@pytest.fixture
def small_disk(tmp_path):
    """A disk of a few megabytes; only the superuser can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.getuid() or subprocess.run(mount(place, "4m"), capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", place], check=True)


def mount(place, size, *options):
    return ["mount", "-t", "tmpfs", "-o", ",".join([f"size={size}", *options]), "tmpfs", place]


def test_a_full_disk_is_told_and_a_second_run_completes_with_room(small_disk):
    course = small_course(small_disk / "course")
    process = start(course, "--no-serve")
    out = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 1
    assert "Traceback" not in out
    assert re.search("No space left on device|disk is full", out), out
    assert not (course.root / "_build/html/index.html").exists()
    subprocess.run(mount(small_disk, "400m", "remount"), check=True)
    assert_completes(start(course, "--no-serve"), course)


def test_without_a_network_the_book_is_complete_without_live_pages(course):
    alone = ["unshare", "--net"]
    if not shutil.which("npm") or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("npm is missing, or a process cannot be put out of the network here")
    command = [*alone, sys.executable, "-u", "-m", "autograder", "course", "--no-serve"]
    kept = {"DIMRED_CACHE": str(course.root / "cache"), "npm_config_cache": str(course.root / "npm")}
    process = subprocess.Popen(
        command,
        cwd=course.root,
        env=os.environ | kept | {"npm_config_fetch_retry_mintimeout": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    out = assert_completes(process, Course(course.root))
    assert re.search(
        ENDED.format("Python for live pages", "left out: npm could not fetch"), out, re.MULTILINE
    ), out
    assert [*(course.root / "cache").iterdir()] == []
