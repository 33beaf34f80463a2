"""`dimred distribute`: every student gets their own numbers, and nobody else's."""

import io
import json
import os
import zipfile

import pytest

from autograder import cli
from autograder.course.people import save_students
from autograder.course.roster import Student
from autograder.errors import CourseError
from autograder.release.distribute import _transit_folder, distribute
from tests.grading.own_variants import give
from tests.grading.small_class import TOPIC


@pytest.fixture
def released(sample_course):
    give(sample_course, "ada", "a/b")
    save_students(sample_course, [Student("ada", "ada", "Ada", "Lovelace", email="ada@x.org")])
    return sample_course


def seed(data):
    return json.loads(data)["metadata"]["dimred"]["seed"]


def test_each_archive_holds_one_students_numbers(released, monkeypatch, capsys):
    monkeypatch.chdir(released.root)
    assert cli.main(["distribute"]) == 0
    assert "squares: 2 own variants in classroom/handed_out/squares/zips" in capsys.readouterr().out
    place = released.paths.handed_out / TOPIC / "zips"
    assert {path.name for path in place.iterdir()} == {"ada.zip", "a%2Fb.zip", "everyone.zip", "list.csv"}
    seeds = set()
    for path in place.glob("*.zip"):
        with zipfile.ZipFile(path) as packed:
            assert packed.namelist() == ["squares/squares.ipynb", "squares/squares.key.json"]
            seeds.add(seed(packed.read("squares/squares.ipynb")))
    assert len(seeds) == 3
    lines = (place / "list.csv").read_text("utf-8").splitlines()
    assert lines[1:] == ["a%2Fb,a%2Fb,,,a%2Fb.zip", "ada,Ada Lovelace,ada@x.org,,ada.zip"]


def test_the_same_release_gives_the_same_archives_and_no_secret(released):
    first, second = (
        {path.name: path.read_bytes() for path in distribute(released, TOPIC, "zips").place.iterdir()}
        for _ in range(2)
    )
    assert first == second
    secret = released.paths.secret_key(TOPIC, "ada").read_bytes()
    inside = zipfile.ZipFile(io.BytesIO(first["ada.zip"]))
    assert all(inside.read(name) != secret for name in inside.namelist())


def test_folders_are_laid_out_for_an_upload(released):
    place = distribute(released, TOPIC, "folders").place
    for student in ("ada", "a%2Fb"):
        given = (place / student / TOPIC / "squares.ipynb").read_bytes()
        assert given == (released.paths.release(TOPIC, student) / "squares.ipynb").read_bytes()


def test_a_class_with_one_variant_gets_one_archive(sample_course):
    give(sample_course)
    done = distribute(sample_course, TOPIC, "zips")
    assert (done.students, [path.name for path in done.place.glob("*.zip")]) == (0, ["everyone.zip"])


def test_nothing_released_is_one_line(sample_course):
    with pytest.raises(
        CourseError, match="was not released here: run `dimred regenerate --seed … squares` first"
    ):
        distribute(sample_course, TOPIC, "zips")


def test_the_exchange_refuses_students_without_an_account(released):
    with pytest.raises(CourseError, match=r"hand out archives with --to zips"):
        distribute(released, TOPIC, "exchange")


def test_a_name_that_a_spreadsheet_would_run_is_only_a_name(released):
    save_students(released, [Student("ada", "ada", name="=HYPERLINK(1)")])
    place = distribute(released, TOPIC, "folders").place
    assert "ada,'=HYPERLINK(1),ada@x.org,,ada" in (place / "list.csv").read_text("utf-8").splitlines()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives folders away")
def test_links_in_a_students_own_folder_lead_root_nowhere(released, tmp_path, monkeypatch):
    """An account that owned its folder could put a link in it, and have what it leads to given to itself."""
    monkeypatch.setattr("autograder.release.distribute._account_number", lambda student: 12345)
    own = released.exchange / str(released.settings["course_id"]) / "own"
    diary = tmp_path / "diary"
    diary.mkdir(mode=0o700)
    (diary / "page").write_text("dear")
    theirs = own / "ada"
    theirs.mkdir(parents=True)
    (theirs / "page").symlink_to(diary / "page")
    (theirs / TOPIC).symlink_to(diary)
    os.chown(theirs, 12345, -1)
    distribute(released, TOPIC, "exchange")
    assert (diary / "page").stat().st_uid == os.geteuid()
    assert [path.name for path in diary.iterdir()] == ["page"]
    assert theirs.stat().st_uid == os.geteuid(), "nobody can put a link there again"
    given = theirs / TOPIC
    assert (given.stat().st_uid, given.stat().st_mode & 0o777) == (12345, 0o500)
    assert sorted(path.name for path in theirs.iterdir()) == ["page", TOPIC]
    (own / "bob").symlink_to(diary)
    with pytest.raises(CourseError, match="is a link"):
        _transit_folder(own / "bob")
