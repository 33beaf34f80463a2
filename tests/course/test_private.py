"""What is secret is its owner's alone: looked for as a second Unix user, under every umask, and by git."""

import os
import shutil
import stat
import subprocess

import pytest

from autograder.cli import main
from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.course.files import make_folder, write_text
from tests.conftest import ROOT
from tests.grading.small_class import hand_in

SOMEBODY_ELSE = 65534
SECRETS = ("course.secret", "gradebook.db", "keys/squares.secret.json", "source/squares/squares.ipynb")
LOOK = 'cd "$0"; ls -A . keys; for name in "$@"; do head -c 1 "$name" > /dev/null && echo "$name"; done'


@pytest.fixture
def umask():
    """Set another umask; it is put back."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


def seen_by_somebody_else(folder):
    """What a process of another user finds below a folder, whose parents it may enter."""
    run = subprocess.run(
        ["/bin/sh", "-c", LOOK, folder, *(folder / name for name in SECRETS)],
        user=SOMEBODY_ELSE,
        group=SOMEBODY_ELSE,
        extra_groups=[],
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return run.stdout.split()


@pytest.fixture
def course_in_the_open(folder_for_all):
    """The tiny course in a folder that everybody may enter, as in a shared directory of a department."""
    shutil.copytree(ROOT / "tests" / "sample_course", folder_for_all / "course")
    return Course(folder_for_all / "course")


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_keys_and_grades_are_the_owners_alone_after_every_verb_and_under_every_umask(
    course_in_the_open, umask, monkeypatch, mask
):
    course = course_in_the_open
    monkeypatch.chdir(course.root)
    umask(mask)
    assert main(["regenerate", "--seed", "one"]) == 0
    hand_in(course, "ada")
    assert main(["grade"]) == 0
    assert main(["regrade", "--force", "--yes"]) == 0
    assert main(["feedback"]) == main(["report"]) == 0
    places = course.paths
    assert rights(course.classroom) == 0o700
    for path in (
        places.secret_word,
        places.gradebook,
        places.secret_key("squares"),
        *places.verdicts("squares").iterdir(),
    ):
        assert rights(path) == 0o600, path
    for path in (places.keys("squares").parent, places.verdicts("squares")):
        assert rights(path) == 0o700
    assert not course.exchange.is_relative_to(course.classroom)
    assert rights(course.exchange) == 0o1777, "students of this machine fetch and hand in there"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else to look")
def test_a_second_user_of_the_machine_finds_nothing(course_in_the_open, umask, monkeypatch):
    course = course_in_the_open
    umask(0o000)
    monkeypatch.chdir(course.root)
    assert main(["regenerate", "--seed", "one"]) == 0
    course.classroom.chmod(0o755)
    course.paths.gradebook.chmod(0o644)
    seen = seen_by_somebody_else(course.classroom)
    assert {"keys", str(course.paths.gradebook)} <= set(seen), "the look finds what is open"
    assert str(course.paths.secret_word) not in seen
    course.paths.enter()
    assert not set(seen_by_somebody_else(course.classroom)) & {"keys", *map(str, course.classroom.rglob("*"))}


def test_a_classroom_that_an_older_version_left_open_is_closed(tmp_path):
    room = Classroom(tmp_path / "room")
    for path in (room.secret_word, room.gradebook, room.secret_key("areas"), room.secret_key("areas", "ada")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("secret")
        path.chmod(0o644)
    room.enter()
    assert rights(room.folder) == rights(room.keys("areas")) == 0o700
    assert (
        rights(room.secret_key("areas", "ada")) == rights(room.gradebook) == rights(room.secret_word) == 0o600
    )


def test_what_is_written_into_a_folder_is_as_private_as_the_folder(tmp_path, umask):
    umask(0)
    for mode, expected in ((0o700, 0o600), (0o750, 0o640), (0o755, 0o644)):
        folder = tmp_path / oct(mode)
        folder.mkdir()
        folder.chmod(mode)
        write_text(folder / "a" / "b.txt", "x")
        assert rights(folder / "a") == mode
        assert rights(folder / "a" / "b.txt") == expected


def test_a_left_over_of_a_stopped_run_does_not_lend_its_rights(tmp_path, umask):
    umask(0)
    folder = make_folder(tmp_path / "room")
    folder.chmod(0o700)
    (folder / "key.json.tmp").touch(mode=0o666)
    write_text(folder / "key.json", "secret")
    assert rights(folder / "key.json") == 0o600


@pytest.mark.parametrize("name", ["classroom", "spring-27", "rooms/of my class"])
def test_git_sees_nothing_of_a_classroom_whatever_its_name(tmp_path, name):
    room = Classroom(tmp_path / name)
    room.enter()
    write_text(room.secret_word, "secret")
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    staged = subprocess.run(
        ["git", "ls-files"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert staged == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_classroom_in_a_folder_of_somebody_else_is_one_line():
    with pytest.raises(Exception, match="must be a folder of yours to write in"):
        Classroom(ROOT.__class__("/usr/classroom")).enter()
