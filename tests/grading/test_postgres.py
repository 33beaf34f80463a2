"""The gradebook on a PostgreSQL server, where one is installed: the same scores as in a file."""

import json
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from autograder.course.course import Course
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.nbgrader_settings import directory
from autograder.grading.regrade import preview_regrade
from autograder.grading.workers import local_grading_pool
from autograder.release import variant as generate
from tests.command import dimred
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
    broken = here.paths.submission("dan", TOPIC)
    broken.parent.mkdir(parents=True)
    broken.write_text("{", "utf-8")
    shutil.copytree(here.root, tmp_path / "there")
    there = on_server(tmp_path / "there")
    (there.classroom / "gradebook.db").unlink()
    assert directory(there).db_url == server.replace("postgresql:", "postgresql+psycopg2:")
    generate.write_classroom(there, generate.make_variant(there, TOPIC, "one", "a secret word"))

    with local_grading_pool(2) as examiners:
        for course in (here, there):
            assert all(one.graded for one in grade(course, TOPIC, examiners))
        assert gradebook(there) == gradebook(here)
        assert written_files(there) == written_files(here)
        assert [one.state for one in grade(there, TOPIC, examiners)] == ["unchanged"] * 4
        assert preview_regrade(there, TOPIC, examiners, GradingOptions()).changes == ()
    assert gradebook(there)["bob"]["score"] == 3.5
    assert not (there.classroom / "gradebook.db").exists(), "nothing was written to a file"


HOSTILE_IDS = (
    "'; DROP TABLE student; --",
    'a"b',
    "100%",
    "$GRADEBOOK",
    "x" * 128,
    "x" * 150,  # longer than nbgrader's column, which only a server enforces
    "ünï çødé",
    "\\x00",
    "a\x01b",
)
NUL = "\u0000 in a cell"  # a text that a server refuses and a file takes


def test_hostile_names_and_texts_cost_nobody_on_a_server(server, released_course, tmp_path, monkeypatch):
    monkeypatch.setenv("GRADEBOOK", server.replace("/postgres?", "/hostile?"))
    subprocess.run(
        ["psql", server, "-qc", "CREATE DATABASE hostile"], check=True, capture_output=True, timeout=60
    )
    root = tmp_path / "there"
    shutil.copytree(released_course.root, root)
    (root / "classroom" / "gradebook.db").unlink()
    course = on_server(root)
    generate.write_classroom(course, generate.make_variant(course, TOPIC, "one", "a secret word"))
    hand_in(course, "ada")
    for student in HOSTILE_IDS:
        hand_in(course, student)
    hand_in(course, "nul")
    write_into_open_answer(course, "nul", NUL)
    (root / "class.csv").write_text(
        f"id,last_name,email\nada,{'Lovelace ' * 40},{'a' * 300}@x.org\n", "utf-8"
    )
    code, _, error = dimred(root, "roster", "class.csv")
    assert code == 0, error
    (root / "long.csv").write_text(f"id\n{'y' * 150}\n", "utf-8")
    code, _, error = dimred(root, "roster", "long.csv", "--yes")
    assert code == 1
    assert "takes at most 128" in error
    with local_grading_pool(2) as examiners:
        outcomes = {outcome.student: outcome for outcome in grade(course, TOPIC, examiners)}
    too_long = outcomes.pop("x" * 150)
    assert {outcome.score for outcome in outcomes.values()} == {5}
    assert set(gradebook(course)) == {"ada", "nul", *HOSTILE_IDS} - {too_long.student}
    assert not too_long.graded
    assert "128" in too_long.instructor_notes[0], too_long.instructor_notes


def write_into_open_answer(course, student, text):
    path = course.paths.submission(student, TOPIC)
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "why":
            cell["source"] = text
    path.write_text(json.dumps(notebook), "utf-8")
