"""The gradebook on a PostgreSQL server, where one is installed: the same scores as in a file."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from autograder.course.course import Course
from autograder.grading.grade import Plan, grade
from autograder.grading.gradebook import directory
from autograder.grading.regrade import regraded
from autograder.grading.workers import local_examiners
from autograder.release import variant as generate
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in, written_files

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
SETTINGS = {"fsync": "off", "listen_addresses": "", "shared_buffers": "8MB", "max_connections": "10"}


def as_server(*command):
    """Run a program of the server, which refuses to run as root, as an ordinary user."""
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, **who)


@pytest.fixture(scope="module")
def server():
    """A server of our own, reached by a socket in its folder; its address as nbgrader takes it."""
    pytest.importorskip("psycopg2")
    if not PROGRAMS:
        pytest.skip("no PostgreSQL server in /usr/lib/postgresql")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: the name of a socket has at most 107 characters
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    control = str(PROGRAMS[-1] / "pg_ctl")
    data = str(folder / "data")
    as_server(
        str(PROGRAMS[-1] / "initdb"), "-D", data, "-U", "grader", "-A", "trust", "--no-sync", "-E", "UTF8"
    )
    options = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items()) + f" -k {folder}"
    as_server(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://grader@/postgres?host={folder}"
    finally:
        as_server(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def on_server(root):
    """Point a course at the server, with the address taken from the environment as a password would be."""
    settings = root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + 'gradebook = "$GRADEBOOK"\n', "utf-8")
    return Course(root)


def test_the_class_is_graded_on_a_server_as_in_a_file(server, released_course, tmp_path, monkeypatch):
    monkeypatch.setenv("GRADEBOOK", server)
    here = Course(tmp_path / "here")
    shutil.copytree(released_course.root, here.root)
    hand_in(here, "ada")
    hand_in(here, "bob", total=WRONG)
    hand_in(here, "cyd", cubes=None)
    broken = here.places.submission("dan", TOPIC)
    broken.parent.mkdir(parents=True)
    broken.write_text("{", "utf-8")
    shutil.copytree(here.root, tmp_path / "there")
    there = on_server(tmp_path / "there")
    (there.classroom / "gradebook.db").unlink()
    assert directory(there).db_url == server.replace("postgresql:", "postgresql+psycopg2:")
    generate.write_classroom(there, generate.make_variant(there, TOPIC, "one", "a secret word"))

    with local_examiners(2) as examiners:
        for course in (here, there):
            assert all(one.graded for one in grade(course, TOPIC, examiners))
        assert gradebook(there) == gradebook(here)
        assert written_files(there) == written_files(here)
        assert [one.state for one in grade(there, TOPIC, examiners)] == ["unchanged"] * 4
        assert regraded(there, TOPIC, examiners, Plan()).changes == ()
    assert gradebook(there)["bob"]["score"] == 3.5
    assert not (there.classroom / "gradebook.db").exists(), "nothing was written to a file"
