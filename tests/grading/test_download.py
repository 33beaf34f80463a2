"""`dimred collect`: what five platforms give as a bulk download, and what students and archives do to it."""

import json
import os
import stat
import time
import unicodedata
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading import download_files
from autograder.grading.collected_from import FILE_NAME, read_collected_from
from autograder.grading.download import plan_collect, write_collected
from autograder.grading.download_files import read_download
from autograder.grading.download_kinds import TopicCells, recognise
from autograder.grading.download_names import read_sender
from autograder.grading.download_times import parse_platform_time
from tests.grading.downloads import (
    Person,
    archive,
    blackboard_path,
    brightspace_path,
    canvas_list,
    canvas_path,
    google_path,
    moodle_list,
    moodle_path,
    solved,
    with_mark,
)

PEOPLE = [Person(number) for number in range(1, 7)]
ADA = PEOPLE[0]


@pytest.fixture
def room(classroom, monkeypatch):
    """A released class in whose folder commands run, at UTC."""
    monkeypatch.chdir(classroom.root)
    return classroom


@pytest.fixture(autouse=True)
def at_utc(monkeypatch):
    """Times of platforms are this machine's local time."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def enrol(course, text):
    path = course.root / "class.csv"
    path.write_text(text, "utf-8")
    assert main(["roster", str(path)]) == 0


def put(course, files, **attributes):
    path = course.root / "download.zip"
    path.write_bytes(archive(files, **attributes))
    return path


def submitted(course):
    folder = course.paths.submitted
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != FILE_NAME
    }


LAYOUTS = {
    "Canvas": (canvas_list, canvas_path),
    "Moodle": (moodle_list, moodle_path),
    "Moodle since 4.2": (moodle_list, lambda one, file: moodle_path(one, file, "/")),
    "Moodle in one folder": (moodle_list, lambda one, file: moodle_path(one, file, "_")),
    "Blackboard": (canvas_list, blackboard_path),
    "Brightspace": (moodle_list, brightspace_path),
    "Google Classroom": (moodle_list, google_path),
    "nbgrader": (canvas_list, lambda one, file: f"{one.canvas_id}/squares/{file}"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("is_folder", [False, True], ids=["zip", "folder"])
def test_a_download_of_every_platform_is_collected(room, capsys, layout, is_folder):
    """Whatever the browser and Canvas made of the name: the notebook is recognised by what it is."""
    class_list, path_of = LAYOUTS[layout]
    enrol(room, class_list(PEOPLE))
    names = [
        "squares.ipynb",
        "squares (1).ipynb",
        "squares-2.ipynb",
        "squares_squares.ipynb",
        "HW.ipynb",
        "a b.ipynb",
    ]
    notebook = solved(room)
    files = [
        (path_of(one, name), with_mark(notebook, one.login)) for one, name in zip(PEOPLE, names, strict=True)
    ]
    source = put(room, files)
    if is_folder:
        with zipfile.ZipFile(source) as packed:
            packed.extractall(room.root / "unpacked")
        source = room.root / "unpacked"
    capsys.readouterr()
    assert main(["collect", str(source)]) == 0
    printed = capsys.readouterr().out
    assert "squares: 6 hand-ins of 6 students" in printed
    assert "nothing was written: --yes writes it" in printed
    assert submitted(room) == {}
    assert main(["collect", str(source), "squares", "--yes"]) == 0
    assert "6 new" in capsys.readouterr().out
    ids = [one.login if class_list is canvas_list else f"410{one.number:03d}" for one in PEOPLE]
    notebooks = {path: data for path, data in submitted(room).items() if path.endswith(".ipynb")}
    assert notebooks == {
        f"{name}/squares/squares.ipynb": data for name, (_, data) in zip(ids, files, strict=True)
    }


def test_a_renamed_notebook_is_graded_like_any_other(room, capsys):
    """28 of 174 got 0.00, because Canvas calls a second hand-in `squares-1.ipynb`."""
    enrol(room, canvas_list(PEOPLE))
    names = ["squares.ipynb", "squares (1).ipynb", "squares-1.ipynb"]
    notebook = solved(room)
    files = [(canvas_path(one, name), notebook) for one, name in zip(PEOPLE, names, strict=False)]
    assert main(["collect", str(put(room, files)), "--yes"]) == 0
    capsys.readouterr()
    assert main(["grade", "--verbose"]) == 0
    scores = [
        line.split()[2] for line in capsys.readouterr().out.splitlines() if line.startswith("squares  user")
    ]
    assert len(scores) == 3
    assert len(set(scores)) == 1
    assert float(scores[0]) > 0


def test_times_of_blackboard_and_brightspace_are_taken(room):
    enrol(room, canvas_list(PEOPLE))
    files = [
        (blackboard_path(ADA, "squares.ipynb"), solved(room)),
        (f"gradebook_CS1_Squares_{ADA.login}_attempt_2026-11-18-10-00-00.txt", b"Name: Ada (user1)"),
        (brightspace_path(PEOPLE[1], "squares.ipynb", "Nov 19, 2026 1115 PM"), solved(room)),
    ]
    plan = plan_collect(room, put(room, files))
    assert plan.left_out == plan.unknown == []
    write_collected(room, plan)
    files = submitted(room)
    assert files["user1/squares/timestamp.txt"] == b"2026-11-18 10:00:00 UTC\n"
    assert files["user2/squares/timestamp.txt"] == b"2026-11-19 23:15:00 UTC\n"


def test_a_mark_late_of_canvas_costs_the_least_that_counts(room, capsys):
    """Canvas does not say how late: a minute, one day begun."""
    enrol(room, canvas_list(PEOPLE))
    files = [
        (canvas_path(ADA, "squares.ipynb", late=True), solved(room)),
        (canvas_path(PEOPLE[1], "squares.ipynb"), solved(room)),
    ]
    source = put(room, files)
    assert main(["collect", str(source)]) == 0
    assert "1 marked LATE, without a time: set the date of squares below [due]" in capsys.readouterr().out
    settings = room.root / "course.toml"
    settings.write_text(
        settings.read_text("utf-8") + "late_penalty_per_day = 0.5\n[due]\nsquares = 2026-11-18T10:00:00Z\n"
    )
    assert main(["collect", str(source), "--yes"]) == 0
    assert "each counts as one minute late" in capsys.readouterr().out
    assert submitted(room)["user1/squares/timestamp.txt"] == b"2026-11-18 10:01:00 UTC\n"
    assert "user2/squares/timestamp.txt" not in submitted(room)
    assert main(["grade", "--verbose"]) == 0
    assert "1 minute late" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("zone", "local", "stamp", "late"),
    [
        ("Europe/Berlin", "Sunday, 25 October 2026, 11:59 PM", "2026-10-25 22:59:00 UTC", 0),
        ("Europe/Berlin", "Monday, 26 October 2026, 12:00 AM", "2026-10-25 23:00:00 UTC", 1),
        # clocks are set back from 3 to 2: of the two half past two, the earlier one
        ("Europe/Berlin", "Sunday, 25 October 2026, 2:30 AM", "2026-10-25 00:30:00 UTC", 0),
        ("America/New_York", "Sunday, 25 October 2026, 11:59 PM", "2026-10-26 03:59:00 UTC", 0),
    ],
)
def test_times_are_those_of_the_zone_of_the_course(room, capsys, zone, local, stamp, late):
    """Not of the machine, which runs in UTC like most servers; the due date, too, is in the zone of the course."""
    settings = room.root / "course.toml"
    settings.write_text(
        settings.read_text("utf-8") + f'time_zone = "{zone}"\n[due]\nsquares = 2026-10-25T23:59:00\n'
    )
    course = Course(room.root)
    enrol(course, "First name,Last name,ID number,Email address\nAda,Byron,1,a@x.org\nBob,Bee,2,b@x.org\n")
    source = put(course, [("Ada Byron_501_assignsubmission_file_/squares.ipynb", solved(course))])
    assert main(["collect", str(source)]) == 0
    assert "Moodle's archive has no times" in capsys.readouterr().out
    worksheet = room.root / "worksheet.csv"
    worksheet.write_text(
        "Identifier,Full name,Email address,Status,Last modified (submission)\n"
        f'Participant 501,Ada Byron,a@x.org,Submitted,"{local}"\n',
        "utf-8-sig",
    )
    assert main(["collect", str(source), "--worksheet", str(worksheet), "--yes"]) == 0
    printed = capsys.readouterr().out
    assert f"1 with a time{', 1 of them late' if late else ''}" in printed.splitlines()[0]
    assert submitted(course)["1/squares/timestamp.txt"].decode().strip() == stamp


def test_the_grading_worksheet_of_moodle_tells_namesakes_and_times(room, capsys):
    """Two students have one name; the participant's number stands in the worksheet alone."""
    twins = "Ada,Byron,1,ada1@x.org\nAda,Byron,2,ada2@x.org\nBob,Bee,3,bob@x.org\n"
    enrol(room, f"First name,Last name,ID number,Email address\n{twins}")
    notebook = solved(room)
    files = [
        (f"Ada Byron_{number}_assignsubmission_file_/squares.ipynb", with_mark(notebook, str(number)))
        for number in (501, 502)
    ]
    source = put(room, files)
    capsys.readouterr()
    assert main(["collect", str(source)]) == 1
    printed = capsys.readouterr().out
    assert "whose is it?" in printed
    assert (
        "Ada Byron_501: Ada Byron_501_assignsubmission_file_/squares.ipynb: 2 students have this name: 1, 2"
        in printed
    )
    worksheet = room.root / "worksheet.csv"
    worksheet.write_text(
        "Identifier,Full name,Email address,Status,Last modified (submission)\n"
        'Participant 502,Ada Byron,ada1@x.org,Submitted,"Wednesday, 18 November 2026, 10:00 PM"\n'
        "Participant 501,Ada Byron,ada2@x.org,Submitted,-\n",
        "utf-8-sig",
    )
    assert main(["collect", str(source), "--worksheet", str(worksheet), "--yes"]) == 0
    files = submitted(room)
    assert b'"502"' in files["1/squares/squares.ipynb"]
    assert b'"501"' in files["2/squares/squares.ipynb"]
    assert files["1/squares/timestamp.txt"] == b"2026-11-18 22:00:00 UTC\n"
    assert "2/squares/timestamp.txt" not in files


def test_who_a_sender_is_can_be_said(room, capsys):
    enrol(room, canvas_list(PEOPLE))
    source = put(room, [("Somebody Else - squares.ipynb", solved(room))])
    assert main(["collect", str(source), "--yes"]) == 1
    assert "nobody of the class list has this name or id" in capsys.readouterr().out
    assert main(["collect", str(source), "--is", "Somebody Else - squares=user3", "--yes"]) == 0
    assert list(submitted(room)) == ["user3/squares/squares.ipynb"]
    assert main(["collect", str(source), "--is", "Somebody Else - squares=nobody"]) == 1
    assert main(["collect", str(source), "--is", "user3"]) == 1


def test_several_attempts_are_kept_and_the_last_counts(room, capsys):
    enrol(room, canvas_list(PEOPLE))
    notebook = solved(room)
    moments = ["2026-11-18-10-00-00", "2026-11-17-09-00-00", "2026-11-19-11-30-00"]
    files = [
        (blackboard_path(ADA, "squares.ipynb", moment), with_mark(notebook, moment)) for moment in moments
    ]
    assert main(["collect", str(put(room, files)), "--yes"]) == 0
    assert "1 handed in several notebooks; the last counts, all are kept: user1" in capsys.readouterr().out
    assert moments[2].encode() in submitted(room)["user1/squares/squares.ipynb"]
    kept = room.paths.attempts("user1", "squares")
    for number, moment in enumerate(sorted(moments), start=1):
        assert moment.encode() in (kept / str(number) / "squares.ipynb").read_bytes()
    assert (kept / "1" / "timestamp.txt").read_text() == "2026-11-17 09:00:00 UTC"
    again = put(room, files[:2])
    assert main(["collect", str(again), "--yes"]) == 0
    assert "1 older than what is there" in capsys.readouterr().out
    assert moments[2].encode() in submitted(room)["user1/squares/squares.ipynb"]
    again = put(room, files)
    assert main(["collect", str(again), "--yes"]) == 0
    assert "1 unchanged" in capsys.readouterr().out


NOT_NOTEBOOKS = {
    "squares.html": (b"<!DOCTYPE html><html><body class='jp-Notebook'>", "an HTML export of a notebook"),
    "squares.py": (b"import numpy\n", "a Python script"),
    "squares.docx": (archive([("word/document.xml", b"x")]), "a Word document"),
    "squares.pdf": (b"%PDF-1.7", "a PDF"),
    "empty.ipynb": (b"", "an empty file"),
    "half.ipynb": (b'{"cells": [{"cell_type": "code", ', "a notebook that was cut off"),
    "other.ipynb": (b'{"cells": [], "metadata": {}}', "a notebook, but not of this course"),
    "data.ipynb": (b"1,2,3\n", "not a notebook, in spite of its name"),
    "squares.key.json": (b'{"tasks": {}}', "the key that was handed out"),
    "page.html": (b"<html></html>", "a web page"),
    "photo.jpg": (b"\xff\xd8\xff\xe0", "a picture"),
    "squares.rar": (b"Rar!\x1a", "an archive of another kind than zip"),
    "x.bin": (b"\x00\x01\x02", "a file of an unknown kind"),
}


@pytest.mark.parametrize("name", NOT_NOTEBOOKS)
def test_what_is_no_notebook_is_told_and_left_alone(room, capsys, name):
    enrol(room, canvas_list(PEOPLE))
    data, what = NOT_NOTEBOOKS[name]
    files = [(canvas_path(ADA, name), data), (canvas_path(PEOPLE[1], "squares.ipynb"), solved(room))]
    assert main(["collect", str(put(room, files)), "--yes"]) == 0
    printed = capsys.readouterr().out
    assert "not taken (1):" in printed
    assert f"{name}: {what}" in printed
    assert "no hand-in from 5 of the class list" in printed
    assert list(submitted(room)) == ["user2/squares/squares.ipynb"]


@pytest.mark.parametrize("name", ["squares.ipynb.txt", "squares.ipynb.json", "squares", "squares.json"])
def test_a_notebook_under_another_ending_is_taken(room, capsys, name):
    enrol(room, canvas_list(PEOPLE))
    assert main(["collect", str(put(room, [(canvas_path(ADA, name), solved(room))])), "--yes"]) == 0
    assert (
        f"(called '{ADA.canvas_name}_{ADA.canvas_id}_70001_{name}', but it is a notebook)"
        in capsys.readouterr().out
    )
    assert list(submitted(room)) == ["user1/squares/squares.ipynb"]


def test_an_archive_in_the_archive_is_opened(room):
    enrol(room, canvas_list(PEOPLE))
    inside = archive(
        [
            ("squares/squares.ipynb", solved(room)),
            ("squares/squares.key.json", b"{}"),
            ("squares/.ipynb_checkpoints/squares-checkpoint.ipynb", b"{}"),
            ("__MACOSX/squares/._squares.ipynb", b"\x00\x05"),
        ]
    )
    plan = plan_collect(room, put(room, [(canvas_path(ADA, "work.zip"), inside)]))
    assert [hand_in.student.id for hand_in in plan.hand_ins] == ["user1"]
    assert plan.left_out == []


def test_metadata_that_a_program_dropped_are_not_needed(room):
    """Some editors keep cells and nothing else; then the names of the cells, or the checks, tell the topic."""
    enrol(room, canvas_list(PEOPLE))
    tree = json.loads(solved(room))
    tree["metadata"] = {}
    cells = TopicCells(room)
    assert recognise(json.dumps(tree).encode(), "x", cells).topic == "squares"
    for cell in tree["cells"]:
        cell["metadata"] = {}
    assert recognise(json.dumps(tree).encode(), "x", cells).topic == "squares"
    tree["cells"] = tree["cells"][:1]
    assert recognise(json.dumps(tree).encode(), "x", cells).topic == ""


def test_hostile_paths_reach_nothing(room):
    """Paths are parsed, never written to; a link, a device and a duplicate cost only themselves."""
    enrol(room, canvas_list(PEOPLE))
    notebook = solved(room)
    path = room.root / "download.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(f"../../../{canvas_path(ADA, 'squares.ipynb')}", notebook)
        made.writestr(f"/etc/{canvas_path(PEOPLE[1], 'squares.ipynb')}", notebook)
        link = zipfile.ZipInfo(canvas_path(PEOPLE[2], "squares.ipynb"))
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, str(room.paths.secret_word))
        made.writestr(f"..\\..\\{canvas_path(PEOPLE[3], 'squares.ipynb')}", notebook)
        made.writestr(canvas_path(PEOPLE[4], "squares.ipynb"), with_mark(notebook, "first"))
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr(canvas_path(PEOPLE[4], "squares.ipynb"), with_mark(notebook, "second"))
    plan = plan_collect(room, path)
    before = {file for file in room.root.rglob("*") if "classroom" not in file.parts}
    write_collected(room, plan)
    assert {file for file in room.root.rglob("*") if "classroom" not in file.parts} == before
    assert [(file.label, file.why) for file in plan.left_out] == [("user3", "it is a link to another file")]
    assert sorted(name for name in submitted(room) if name.endswith("ipynb")) == [
        f"user{number}/squares/squares.ipynb" for number in (1, 2, 4, 5)
    ]
    assert b"second" in submitted(room)["user5/squares/squares.ipynb"]


def test_a_link_in_a_folder_is_not_followed(room):
    enrol(room, canvas_list(PEOPLE))
    folder = room.root / "unpacked"
    folder.mkdir()
    (folder / canvas_path(ADA, "squares.ipynb")).symlink_to(room.paths.source_notebook("squares"))
    (folder / canvas_path(PEOPLE[1], "squares.ipynb")).write_bytes(solved(room))
    os.mkfifo(folder / canvas_path(PEOPLE[2], "squares.ipynb"))
    plan = plan_collect(room, folder)
    assert [hand_in.student.id for hand_in in plan.hand_ins] == ["user2"]
    assert [file.label for file in plan.left_out] == ["user1", "user3"]


def test_a_zip_bomb_costs_its_own_bound(room, monkeypatch):
    """Ten mebibytes of nothing pack to ten kibibytes; sizes that an archive states are not believed."""
    monkeypatch.setattr(download_files, "MAX_NOTEBOOK", 2**20)
    files = list(read_download(put(room, [(canvas_path(ADA, "squares.ipynb"), bytes(10 * 2**20))])))
    assert [(file.data, file.problem) for file in files] == [(b"", "it is larger than 1 MiB")]
    many = put(room, [(f"{number}.ipynb", bytes(2**19)) for number in range(4)])
    monkeypatch.setattr(download_files._Quota, "__init__", with_bytes(2**20))
    with pytest.raises(CourseError, match="more than 1 MiB when it is unpacked: collect it in parts"):
        list(read_download(many))


def with_bytes(number):
    """A quota that lets so many bytes be read, whatever it is asked for."""
    init = download_files._Quota.__init__
    return lambda quota, max_files=99, max_bytes=0: init(quota, max_files, number)


def test_what_a_students_archive_holds_too_much_costs_nobody_else(room, monkeypatch):
    monkeypatch.setattr(download_files, "MAX_FILES_INSIDE", 3)
    monkeypatch.setattr(download_files, "MAX_BYTES_INSIDE", 2**20)
    crowded = archive([(f"{number}.txt", b"") for number in range(4)])
    heavy = archive([(f"{number}.txt", bytes(2**19)) for number in range(3)])
    for hostile, problem in (
        (crowded, "it holds more than 3 files"),
        (archive([("inside.zip", crowded)]), "it holds more than 3 files"),
        (heavy, "it holds more than 1 MiB when it is unpacked"),
    ):
        files = list(read_download(put(room, [("ada.zip", hostile), ("bob.ipynb", b"{}")])))
        assert [file.problem for file in files if file.path == "ada.zip"] == [problem]
        assert files[-1].data == b"{}"


def test_a_damaged_archive_of_a_student_costs_nobody_else(room):
    """Bytes of its directory are changed: zipfile raises errors of many kinds, some of them its own."""
    whole = archive([("squares.ipynb", b"{}" * 50), ("ünï.txt", b"x")])
    start, random = whole.index(b"PK\x01\x02"), np.random.default_rng(0)
    path = room.root / "download.zip"
    for number in range(500):
        damaged = bytearray(whole)
        for place in random.integers(start if number % 3 else 0, len(whole), size=2):
            damaged[place] = random.choice([0, 255, int(random.integers(256))])
        path.write_bytes(archive([("ada.zip", bytes(damaged)), ("bob.ipynb", b"{}")]))
        assert list(read_download(path))[-1].data == b"{}"
        path.write_bytes(damaged)
        with suppress(CourseError):
            list(read_download(path))


def test_archives_inside_each_other_end(room):
    nested = archive([("squares.ipynb", b"{}")])
    for _ in range(6):
        nested = archive([("work.zip", nested)])
    path = room.root / "download.zip"
    path.write_bytes(nested)
    (file,) = read_download(path)
    assert file.problem == "it is an archive inside 3 others"


def test_a_damaged_and_an_encrypted_archive_are_one_line(room, capsys):
    enrol(room, canvas_list(PEOPLE))
    path = room.root / "download.zip"
    path.write_bytes(b"PK\x03\x04 not really")
    assert main(["collect", str(path)]) == 1
    assert "is not a zip archive, or it is damaged" in capsys.readouterr().err
    assert main(["collect", str(room.root / "nowhere.zip")]) == 1
    assert "cannot be read: No such file" in capsys.readouterr().err
    data = bytearray(archive([(canvas_path(ADA, "squares.ipynb"), b"{}")]))
    data[6] |= 1  # the local header says: encrypted
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert [file.problem for file in read_download(path)] == ["it is encrypted with a password"]


def test_names_in_other_code_pages_are_read(room):
    """Some programs write UTF-8 without saying so, which Python takes for cp437; older ones write cp437."""
    enrol(room, "id,name\nzoe,Zoë Müller\n")
    name = "Zoë Müller_501_assignsubmission_file_/squares.ipynb"
    utf8 = archive([("#" * len(name.encode()), solved(room))]).replace(
        b"#" * len(name.encode()), name.encode()
    )
    cp437 = archive([("#" * len(name), solved(room))]).replace(b"#" * len(name), name.encode("cp437"))
    for data in (utf8, cp437):
        path = room.root / "download.zip"
        path.write_bytes(data)
        assert [hand_in.student.id for hand_in in plan_collect(room, path).hand_ins] == ["zoe"]


def test_a_class_without_a_list_recognises_nobody(room, capsys):
    assert main(["collect", str(put(room, [("a.ipynb", b"{}")]))]) == 1
    assert "no class list was read yet" in capsys.readouterr().err


def test_what_zip_collect_of_nbgrader_left_gets_the_ids_of_the_class(room, capsys):
    """nbgrader's own collector names folders by Canvas' numbers, which the class list has in another column."""
    enrol(room, canvas_list(PEOPLE))
    folder = room.paths.submitted / str(ADA.canvas_id) / "squares"
    folder.mkdir(parents=True)
    (folder / "squares (1).ipynb").write_bytes(solved(room))
    (folder / "timestamp.txt").write_text("2026-11-18 10:00:00 UTC")
    assert main(["collect", str(room.paths.submitted), "--yes"]) == 0
    assert sorted(submitted(room)) == ["user1/squares/squares.ipynb", "user1/squares/timestamp.txt"]
    assert not (room.paths.submitted / str(ADA.canvas_id)).exists()
    assert main(["collect", str(room.paths.submitted), "--yes"]) == 0
    assert "1 unchanged" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-11-18-10-00-05", "2026-11-18 10:00:05"),
        ("Wednesday, 18 November 2026, 10:00 AM", "2026-11-18 10:00:00"),
        ("Wednesday, September 23, 2020, 9:00 PM", "2020-09-23 21:00:00"),
        ("Mittwoch, 18. November 2026, 10:05", "2026-11-18 10:05:00"),
        ("mardi 3 mars 2026, 22:15", "2026-03-03 22:15:00"),
        ("martes, 3 de marzo de 2026, 22:15", "2026-03-03 22:15:00"),
        ("miércoles, 18 de noviembre de 2026, 00:00", "2026-11-18 00:00:00"),
        ("Nov 18, 2026 1200 AM", "2026-11-18 00:00:00"),
        ("Feb 30, 2026 1000 AM", "None"),
        ("-", "None"),
    ],
)
def test_times_of_four_languages_are_read(text, wanted):
    assert str(parse_platform_time(text)) == wanted


@pytest.mark.parametrize(
    ("path", "label", "is_late", "ids"),
    [
        ("loveada_LATE_101_555_a.ipynb", "loveada_LATE_101", True, ("101",)),
        ("smith_jonesann_12_34_x_1_2.ipynb", "smith_jonesann_12", False, ("12",)),
        ("anon_ab3De_701_a.ipynb", "anon_ab3De", False, ()),
        ("LATE_anon_ab3De_701_a.ipynb", "LATE_anon_ab3De", True, ()),
    ],
)
def test_names_of_canvas_are_read_as_it_writes_them(path, label, is_late, ids):
    """Names keep their underscores; with hidden names the mark LATE comes first (content_zipper.rb, get_filename)."""
    sender = read_sender(path)
    assert (sender.platform, sender.label, sender.is_late, sender.ids) == ("Canvas", label, is_late, ids)
    assert sender.file == path


def test_accents_that_macos_writes_apart_are_the_same_name(room, capsys):
    class_list = "First name,Last name,ID number,Email address\nZoë,Müller,41,z@x.org\nAda,Kim,42,a@x.org\n"
    (room.root / "class.csv").write_text(class_list, "utf-8")
    assert main(["roster", str(room.root / "class.csv")]) == 0
    folder = unicodedata.normalize("NFD", "Zoë Müller_77_assignsubmission_file_")
    path = put(room, [(f"{folder}/squares.ipynb", solved(room))])
    label = unicodedata.normalize("NFC", "Zoë Müller_77")
    assert read_sender(f"{folder}/squares.ipynb").label == label
    assert main(["collect", str(path), "squares", "--yes"]) == 0
    assert set(submitted(room)) == {"41/squares/squares.ipynb"}
    assert (
        read_collected_from(room.paths.submission("41", "squares")).folder == folder
    )  # as Moodle must read it
