"""`dimred return`: archives that Moodle and Canvas take back, and nbgrader's own feedback, which is ours."""

import csv
import io
import json
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from autograder.course.course import Course
from autograder.course.people import save_students
from autograder.course.roster import Student
from autograder.grading.collected_from import (
    FILE_NAME,
    CollectedFrom,
    read_collected_from,
    write_collected_from,
)
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from tests.command import dimred
from tests.conftest import ROOT
from tests.grading.downloads import (
    Person,
    archive,
    canvas_list,
    canvas_path,
    moodle_list,
    moodle_path,
    solved,
    with_mark,
)
from tests.grading.small_class import TOPIC, WRONG, hand_in

STUDENTS = {"ada": ("Lovelace, Ada", "11"), "bob": ("Ng, Bob", "12"), "cyd": ("=1+1", "13")}


@pytest.fixture(scope="module")
def graded_class(tmp_path_factory, released_course):
    root = tmp_path_factory.mktemp("returned") / "class"
    shutil.copytree(released_course.root, root)
    course = Course(root)
    save_students(
        course,
        [Student(name, name, name=shown, email=f"{name}@x.org") for name, (shown, _) in STUDENTS.items()],
    )
    for student in STUDENTS:
        hand_in(course, student, **({"total": WRONG} if student == "bob" else {}))
    with local_grading_pool(2) as examiners:
        grade(course, TOPIC, examiners)
    return course


@pytest.fixture
def course(graded_class, tmp_path):
    shutil.copytree(graded_class.root, tmp_path / "class")
    return Course(tmp_path / "class")


def collect(course, platform, name_of_folder, name_of_file):
    for student, (_, number) in STUDENTS.items():
        record = CollectedFrom(
            platform, name_of_folder.format(student, number), name_of_file.format(student, number)
        )
        write_collected_from(course.paths.submission(student, TOPIC), record)


def returned(course, *options):
    target = course.root / "back.zip"
    code, out, error = dimred(course.root, "return", TOPIC, "--to", target, *options)
    assert code == 0, error
    with zipfile.ZipFile(target) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, out, error


def participant(path):
    """Whose file this is to Moodle, and under which name: as its importer reads a path."""
    parts = path.split("/")
    while parts:
        words = parts.pop(0).split("_", 4)
        if len(words) >= 4 and words[1].isdigit() and words[2:4] == ["assignsubmission", "file"]:
            return words[1], "/".join([*words[4:5], *parts]).lstrip("/")
    return None


def canvas_ids(name):
    """The user and the submitted file to Canvas: the first two numbers between underscores."""
    words = [word for word in name.split("_") if word != "LATE"]
    return tuple([word for word in words if word.isdigit()][:2])


@pytest.mark.parametrize(
    "folder", ["{0} Some Body_{1}_assignsubmission_file_", "{0} Some Body_{1}_assignsubmission_file"]
)
def test_moodle_finds_every_student_by_the_folder_of_its_download(course, folder):
    collect(course, "moodle", folder, "pca (1).ipynb")
    files, out, _ = returned(course)
    assert "3 files for moodle" in out
    found = {participant(path): data for path, data in files.items()}
    assert set(found) == {(number, "feedback_squares.html") for _, number in STUDENTS.values()}
    assert b"Ng, Bob" in found["12", "feedback_squares.html"]
    assert b"Lovelace" not in found["12", "feedback_squares.html"]


def test_moodle_download_without_folders_gets_the_prefix_of_the_files(course):
    collect(course, "moodle", "", "{0} Some Body_{1}_assignsubmission_file_squares.ipynb")
    files, _, _ = returned(course, "--platform", "moodle")
    assert {participant(path) for path in files} == {
        (number, "feedback_squares.html") for _, number in STUDENTS.values()
    }


@pytest.mark.parametrize("late", ["", "LATE_"])
def test_canvas_gets_the_names_of_its_download_and_files_that_these_names_promise(course, late):
    collect(course, "canvas", "", "{0}some_" + late + "{1}_9{1}_squares-2.ipynb")
    files, _, _ = returned(course)
    assert {canvas_ids(name) for name in files} == {(number, f"9{number}") for _, number in STUDENTS.values()}
    for name, data in files.items():
        nbformat.validate(nbformat.reads(data.decode(), as_version=4))
        assert name.endswith("_squares-2.ipynb")
    bob = files[next(name for name in files if "_12_" in name)].decode()
    assert "TRY AGAIN" not in bob
    assert "1.5 of 2 points lost" in bob


def test_canvas_submission_in_an_archive_gets_an_archive(course):
    collect(course, "canvas", "", "{0}_{1}_9{1}_mine.zip")
    files, _, _ = returned(course)
    with zipfile.ZipFile(io.BytesIO(files["ada_11_911_mine.zip"])) as inner:
        assert inner.namelist() == ["feedback_squares.html"]


def test_student_whom_the_platform_does_not_know_is_named_and_still_listed(course):
    collect(course, "canvas", "", "{0}_{1}_9{1}_squares.ipynb")
    (course.paths.submission("cyd", TOPIC).parent / FILE_NAME).unlink()
    files, _, error = returned(course, "--platform", "canvas")
    assert len(files) == 2
    assert "cyd is not in the archive: was not collected" in error
    with (course.root / "back.csv").open(encoding="utf-8-sig", newline="") as table:
        rows = {row["id"]: row for row in csv.DictReader(table)}
    assert rows["bob"] == {
        "id": "bob",
        "name": "Ng, Bob",
        "email": "bob@x.org",
        "file": "bob_12_912_squares.ipynb",
        "score": "3.5",
        "points": "8",
        "complete": "no",
    }
    assert rows["cyd"]["file"] == ""
    assert rows["cyd"]["name"] == "'=1+1"


BACK_LAYOUTS = {
    "canvas": (canvas_list, canvas_path),
    "moodle": (moodle_list, moodle_path),
    "moodle in one folder": (moodle_list, lambda person, file: moodle_path(person, file, "_")),
}


@pytest.mark.parametrize("layout", BACK_LAYOUTS)
def test_what_was_collected_goes_back_to_the_same_students(classroom, layout):
    """A class list, a download with renamed files and an archive, grades, and the platform's own way back."""
    people = [Person(number) for number in (1, 2, 3)]
    class_list, path = BACK_LAYOUTS[layout]
    (classroom.root / "class.csv").write_text(class_list(people), "utf-8")
    notebook = solved(classroom)
    files = [
        (path(people[0], "squares (1).ipynb"), notebook),
        (path(people[1], "Übung-1.ipynb"), with_mark(notebook, "two")),
        (path(people[2], "mine.zip"), archive([("in/squares.ipynb", with_mark(notebook, "three"))])),
    ]
    (classroom.root / "download.zip").write_bytes(archive(files))
    for words in (["roster", "class.csv"], ["collect", "download.zip", "--yes"], ["grade"]):
        code, _, error = dimred(classroom.root, *words)
        assert code == 0, error
    back, out, error = returned(classroom)
    assert f"3 files for {layout.split()[0]}" in out
    assert not error
    if layout == "canvas":
        assert sorted(back) == sorted(name for name, _ in files)
    else:
        assert {participant(name)[0] for name in back} == {str(person.participant) for person in people}


def test_work_that_came_another_way_is_named_and_does_not_change_the_platform(course):
    collect(course, "canvas", "", "{0}_{1}_9{1}_squares.ipynb")
    (course.paths.submission("cyd", TOPIC).parent / FILE_NAME).unlink()
    files, out, error = returned(course)
    assert "2 files for canvas" in out
    assert len(files) == 2
    assert "cyd is not in the archive" in error


def test_files_are_one_page_per_student_and_private(course):
    files, out, _ = returned(course)
    assert "files for files" in out
    assert sorted(files) == ["ada_squares.html", "bob_squares.html", "cyd_squares.html"]
    assert (course.root / "back.zip").stat().st_mode & 0o077 == 0
    assert (course.root / "back.csv").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "tree",
    [{"folder": "../../x"}, {"file": "a/../../b"}, {"file": "..\\x"}, {"platform": 3}, []],
)
def test_record_that_a_student_forged_is_no_record(tmp_path, tree):
    record = {"platform": "moodle", "folder": "", "file": "x"}
    (tmp_path / FILE_NAME).write_text(json.dumps({**record, **tree} if isinstance(tree, dict) else tree))
    assert read_collected_from(tmp_path / "squares.ipynb") is None


def test_nbgraders_own_feedback_is_the_courses_page(course):
    (course.root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    assert dimred(course.root, "feedback")[0] == 0
    ours = course.paths.feedback_page("bob", TOPIC).read_text("utf-8")
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", TOPIC, "--force"]
    subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    assert course.paths.feedback_page("bob", TOPIC).read_text("utf-8") == ours
    folder = course.paths.feedback_page("bob", TOPIC).parent
    assert (folder / "submission_secret.txt").is_file()
    assert (folder / "timestamp.txt").is_file()
