"""Class lists as instructors have them: every id gets a folder of its own, every mistake one line."""

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course.people import known_students, save_students
from autograder.course.roster import Student, folder_name, parse_extension, read_roster, student_seed
from autograder.course.tables import read_table
from autograder.errors import CourseError

ODD = [
    "ada lovelace",
    "a/b",
    "../../../tmp/x",
    "..",
    ".",
    ".hidden",
    "Zoë",
    '"quoted"',
    "o'brien",
    "tab\there",
    "line\nbreak",
    "100%",
    "%2F",
    "\\server\\share",
    "学生",
    "x" * 300,
    "x" * 299 + "y",
    "-rf *",
    "\x1f\x7f",
]


def roster(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode(encoding))
    return path


def ids(tmp_path, text, encoding="utf-8"):
    return [one.id for one in read_roster(roster(tmp_path, text, encoding))]


@pytest.mark.parametrize(
    "text",
    [
        "id,first_name,last_name,email\nada,Ada,L,a@x\nbob,Bob,M,b@x\n",
        "last_name,id\nL,ada\nM,bob",
        "id\nada\nbob\n",
        "ada\nbob\n",
        "\ufeffid\r\nada\r\n\r\nbob\r\n",
        "id, first_name\n ada , Ada\nbob,Bob\n",
        "id;first_name\nada;Ada\nbob;Bob\n",
        "id\tfirst_name\nada\tAda\nbob\tBob\n",
        "\ufeffid;first_name\r\n\r\nada;Ada\r\n;\r\nbob;Bob\r\n ; \r\n",  # as a spreadsheet saves empty lines
    ],
)
def test_a_class_list_with_or_without_other_columns_is_read(tmp_path, text):
    assert ids(tmp_path, text) == ["ada", "bob"]


def test_quoted_ids_keep_their_commas_and_line_breaks(tmp_path):
    assert ids(tmp_path, 'id\n"a,b"\n"c\nd"\n') == ["a,b", "c\nd"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "class.csv names no students"),
        ("id,first_name\n", "class.csv names no students"),
        ("first_name,last_name\nAda,L\n", "class.csv has no column 'id'; its first line is"),
        ("email\na@x\n", "class.csv has no column 'id'"),
        ("id,first_name\nada,Ada\n,Bob\n", "class.csv, line 3: the id is empty"),
        ("id,first_name\nada,Ada\n  ,Bob\n", "line 3: the id is empty"),
        ("last_name,id\nL,ada\nM\n", "line 3: the id is empty"),
        ("id\nada\nbob\nada\n", "class.csv, line 4: the id 'ada' is also on line 2"),
        ("id\nada\nada \n", "line 3: the id 'ada' is also on line 2"),
        ("id\nZo\u00eb\nZoe\u0308\n", "is also on line 2"),
        (
            'id,first_name\nada,"Ada\nbob,Bob\ncyd,Cyd\n',
            "class.csv, line 4: not CSV (unexpected end of data)",
        ),
        ("PK\x03\x04\0\0", "class.csv is no text: save it as CSV in UTF-8"),
    ],
)
def test_a_mistake_in_the_list_is_one_line(tmp_path, text, said):
    with pytest.raises(CourseError, match=re.escape(said)) as caught:
        read_roster(roster(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_list_in_another_encoding_or_a_missing_one_is_one_line(tmp_path):
    with pytest.raises(CourseError, match="not UTF-8 text"):
        read_roster(roster(tmp_path, "id\nZoë\n", "latin-1"))
    with pytest.raises(CourseError, match="cannot be read: No such file"):
        read_roster(tmp_path / "nowhere.csv")
    with pytest.raises(CourseError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)


def test_an_ordinary_id_is_its_own_folder():
    for name in ("ada", "ada lovelace", "Zoë", "o'brien", "a.b@c.org", "100%", "学生"):
        assert folder_name(name) == name


@pytest.mark.parametrize("name", ODD)
def test_an_odd_id_is_a_folder_that_can_be_made(tmp_path, name):
    folder = tmp_path / "release_for" / folder_name(name) / "pca"
    folder.mkdir(parents=True)
    assert folder.parent.parent.samefile(tmp_path / "release_for")
    assert len(os.fsencode(folder_name(name))) <= 200


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_id_leaves_its_folder_and_no_two_share_one(one, other):
    for name in (one, other):
        folder = folder_name(name)
        assert "/" not in folder
        assert "\\" not in folder
        assert "\0" not in folder
        assert not folder.startswith(".")
    if folder_name(one) == folder_name(other):
        import unicodedata

        assert unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def test_escapes_cannot_be_forged():
    assert len({folder_name(name) for name in ("a/b", "a%2Fb", "a%2fb", "a%252Fb", "a%25/b")}) == 5
    assert len({folder_name(name) for name in ODD}) == len(ODD)


def test_a_seed_depends_on_secret_topic_class_seed_and_id():
    words = ("secret", "pca", "spring", "ada")
    seeds = {student_seed(*words)}
    for position in range(4):
        seeds.add(student_seed(*(word + "'" * (place == position) for place, word in enumerate(words))))
    assert len(seeds) == 5
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)
    assert student_seed("s", "t", 'a", "b', "c") != student_seed("s", "t", "a", 'b", "c')


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,"PCA (311)",Current Score
,,,,,Manual Posting,(read only)
    Points Possible,,,,,33,(read only)
"Lovelace, Ada",101,9001,ada,Monday,,0
"Babbage, Charles",102,9002,cb,Tuesday,12,36
"Student, Test",999,,f00,Monday,,
"""
MOODLE = """\
"First name","Last name","ID number","Email address","Assignment: PCA (Real)","Last downloaded from this course"
Ada,Lovelace,,ada@x.org,-,1700000000
Charles,Babbage,42,cb@x.org,12.00,1700000000
"""
BLACKBOARD = """\
"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t"PCA [Total Pts: 33 Score] |311"
"Lovelace"\t"Ada"\t"ada"\t"9001"\t"Yes"\t""
"Babbage"\t"Charles"\t"cb"\t"9002"\t"Yes"\t"12"
"""


@pytest.mark.parametrize(
    ("text", "encoding", "wanted"),
    [
        (CANVAS, "utf-8", [("ada", "Ada Lovelace", "", "Monday"), ("cb", "Charles Babbage", "", "Tuesday")]),
        (
            MOODLE,
            "utf-8-sig",
            [
                ("ada@x.org", "Ada Lovelace", "ada@x.org", ""),
                ("cb@x.org", "Charles Babbage", "cb@x.org", ""),
            ],
        ),
        (BLACKBOARD, "utf-16", [("ada", "Ada Lovelace", "", ""), ("cb", "Charles Babbage", "", "")]),
    ],
)
def test_what_a_platform_exports_is_read_by_its_own_column_names(tmp_path, text, encoding, wanted):
    """Names, addresses and sections are kept; lines that are nobody's are left out."""
    found = read_roster(roster(tmp_path, text, encoding))
    assert [(one.id, one.shown, one.email, one.section) for one in found] == wanted


def test_any_column_can_name_the_students(tmp_path):
    path = roster(tmp_path, "Matrikel,name\n7,Ada\n8,Bob\n")
    with pytest.raises(CourseError, match="--id-column names another"):
        read_roster(path)
    assert [one.id for one in read_roster(path, "matrikel")] == ["7", "8"]
    assert [one.id for one in read_roster(roster(tmp_path, CANVAS), "SIS User ID")] == ["9001", "9002"]
    with pytest.raises(CourseError, match="has no column 'number'; it has Matrikel, name"):
        read_roster(roster(tmp_path, "Matrikel,name\n7,Ada\n"), "number")


def test_what_a_later_list_does_not_say_stays_as_it_was(sample_course):
    """A platform's table has no extensions: reading it again must not take them away."""
    ada = Student("ada", "ada", "Ada", "Byron", "Ada Byron", section="Monday", extension="2 days")
    save_students(sample_course, [ada, Student("bob", "bob")])
    save_students(sample_course, [Student("ada", "ada", "Ada", "Lovelace", section="Tuesday")])
    assert known_students(sample_course) == {
        "ada": Student("ada", "ada", "Ada", "Lovelace", section="Tuesday", extension="2 days"),
        "bob": Student("bob", "bob"),
    }


def test_an_extension_is_days_or_hours_or_one_clear_line(tmp_path):
    path = roster(tmp_path, "id,extension\nada,2 days\nbob,36h\ncyd,\n")
    hours = [parse_extension(one.extension).total_seconds() / 3600 for one in read_roster(path)]
    assert hours == [48, 36, 0]
    with pytest.raises(CourseError, match=r"class\.csv, line 2: the extension 'a while' is not of the form"):
        read_roster(roster(tmp_path, "id,extension\nada,a while\n"))


@pytest.mark.parametrize("text", [CANVAS, MOODLE, BLACKBOARD])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_written_back_as_it_was_read(tmp_path, text, encoding):
    path = roster(tmp_path, text.replace("\n", "\r\n"), encoding)
    before = read_table(path)
    before.write(tmp_path / "again.csv")
    after = read_table(tmp_path / "again.csv")
    assert (after.rows, after.delimiter, after.encoding) == (before.rows, before.delimiter, before.encoding)
    assert b"\n" in (tmp_path / "again.csv").read_bytes()


@pytest.mark.parametrize("text", ["99999999999 hours", f"{'9' * 400} days"])
def test_an_extension_beyond_the_calendar_is_one_line(text):
    with pytest.raises(CourseError, match="longer than any course"):
        parse_extension(text, "class.csv, line 2")


@pytest.mark.parametrize(
    "twin",
    ["ADA", "Ada", "\uff41da", "ada\u200b", "a\u00adda", "\u2066ada\u2069", "ada\ufeff", "\U0001d41ada"],
)
def test_ids_that_look_alike_are_refused(tmp_path, twin):
    """Folders of such ids are one on other file systems, and people take them for one."""
    with pytest.raises(CourseError) as refused:
        read_roster(roster(tmp_path, f"id\nada\nbob\n{twin}\n"))
    assert f"line 4: the ids {twin!a} and 'ada' on line 2 differ only in" in str(refused.value)


def test_an_id_like_that_of_an_earlier_list_is_refused(sample_course):
    save_students(sample_course, [Student("ada", "ada")])
    with pytest.raises(CourseError, match="'ADA' and 'ada' of an earlier list differ only in"):
        save_students(sample_course, [Student("ADA", "ADA")])
    assert list(known_students(sample_course)) == ["ada"]


def test_an_invisible_id_is_empty(tmp_path):
    with pytest.raises(CourseError, match="line 2: the id is empty"):
        read_roster(roster(tmp_path, "id\n\u200b\u2060\n"))


@pytest.mark.parametrize("header", ["id,name,id", "ID,id", "id,Id"])
def test_two_columns_of_ids_are_refused(tmp_path, header):
    with pytest.raises(CourseError, match=r"class\.csv has 2 columns '[iI][dD]': rename all but the one"):
        read_roster(roster(tmp_path, f"{header}\n{','.join('x' * (header.count(',') + 1))}\n"))


@pytest.mark.parametrize("name", ["CON", "aux.txt", "nul", "COM1", "lpt9.ipynb"])
def test_a_device_of_windows_is_no_folder(name):
    folder = folder_name(name)
    assert folder == f"%{ord(name[0]):02X}{name[1:]}"
    assert folder_name(folder) != folder  # so that no two ids share it
    assert folder_name(f"{name[:3]}x") == f"{name[:3]}x"
