"""Another table of the same class renames nobody: it is compared, shown, confirmed, and can be undone."""

import json

import pytest

from autograder.cli import main
from autograder.course.identity import People, compare_lists, folded_name
from autograder.course.people import known_students
from autograder.course.roster import Student, folder_name, read_roster
from autograder.grading.gradebook_tables import open_gradebook

MOODLE = '"First name","Last name","ID number","Email address"\n'
CLASS = "".join(f"Ada{n},Love{n},{410000 + n},a{n}@x.org\n" for n in range(7))
GUEST = "Guest,Visitor,,guest@y.org\n"


@pytest.fixture
def room(sample_course, monkeypatch):
    """The tiny course, in whose folder commands run."""
    monkeypatch.chdir(sample_course.root)
    return sample_course


def write(course, name, text):
    path = course.root / name
    path.write_text(text, "utf-8")
    return str(path)


def gradebook_ids(course):
    with open_gradebook(course) as book:
        return {student.id for student in book.students}


def test_one_guest_without_a_number_renames_nobody(room, capsys):
    """All seven were known by their numbers; the guest made the address the only column that all have."""
    assert main(["roster", write(room, "first.csv", MOODLE + CLASS)]) == 0
    assert sorted(known_students(room)) == [str(410000 + n) for n in range(7)]
    assert main(["roster", write(room, "second.csv", MOODLE + CLASS + GUEST)]) == 0
    assert sorted(known_students(room)) == [*(str(410000 + n) for n in range(7)), "guest@y.org"]
    printed = capsys.readouterr().out
    assert "guest@y.org  new" in printed
    assert "not on this list" not in printed
    assert gradebook_ids(room) == set(known_students(room))


def test_guest_without_a_number_leaves_numbers_to_the_others(room):
    """On the first day, too: an address changes, a number stays."""
    assert main(["roster", write(room, "first.csv", MOODLE + CLASS + GUEST)]) == 0
    assert sorted(known_students(room)) == [*(str(410000 + n) for n in range(7)), "guest@y.org"]


def test_other_ids_are_shown_and_written_only_after_yes(room, capsys):
    main(["roster", write(room, "first.csv", MOODLE + CLASS)])
    other = CLASS.replace("410003,a3@x.org", "410003,ada.three@x.org").replace("Ada3,Love3", "Ada3,Married")
    path = write(room, "second.csv", MOODLE + other)
    before = room.paths.class_list.read_text("utf-8")
    capsys.readouterr()
    assert main(["roster", path]) == 1
    shown = capsys.readouterr()
    assert "names or ids of 1 student change: nothing was written; --yes writes it" in shown.err
    assert "410003  email  a3@x.org    ada.three@x.org" in shown.out
    assert "410003  name   Ada3 Love3  Ada3 Married" in shown.out
    assert room.paths.class_list.read_text("utf-8") == before
    assert main(["roster", "--yes", path]) == 0
    assert known_students(room)["410003"].email == "ada.three@x.org"


def test_a_list_of_other_people_asks_first_and_can_be_undone(room, capsys):
    main(["roster", write(room, "first.csv", MOODLE + CLASS)])
    before = known_students(room)
    wrong = MOODLE + "".join(f"Bob{n},Other{n},{99000 + n},b{n}@z.org\n" for n in range(3))
    assert main(["roster", write(room, "wrong.csv", wrong)]) == 1
    assert "none of the 7 known students is on this list" in capsys.readouterr().err
    assert main(["roster", "--yes", write(room, "wrong.csv", wrong)]) == 0
    assert len(known_students(room)) == 10
    room.paths.submission("99002", "squares").parent.mkdir(parents=True)
    assert main(["roster", "--undo"]) == 0
    printed = capsys.readouterr().out
    assert "2 students were taken out" in printed
    assert "99002 stays in the gradebook, because there is work" in printed
    assert known_students(room) == before
    assert gradebook_ids(room) == {*before, "99002"}
    assert main(["roster", "--undo"]) == 1
    assert "there is no earlier class list" in capsys.readouterr().err


def test_another_column_of_ids_on_the_second_day_renames_nobody(room):
    canvas = 'Student,ID,SIS Login ID,Section\n"Lovelace, Ada",101,ada,Mon\n"Babbage, Charles",102,cb,Mon\n'
    path = write(room, "canvas.csv", canvas)
    assert main(["roster", path]) == 0
    assert main(["roster", "--id-column", "ID", path]) == 0
    assert sorted(known_students(room)) == ["ada", "cb"]
    assert known_students(room)["ada"].columns["ID"] == "101"


def test_regenerate_takes_the_ids_that_students_have(room, capsys):
    canvas = 'Student,ID,SIS Login ID,Section\n"Lovelace, Ada",101,ada,Mon\n'
    path = write(room, "canvas.csv", canvas)
    main(["roster", path])
    assert main(["regenerate", "--seed", "one", "--id-column", "ID", "--roster", path]) == 0
    assert [folder.name for folder in (room.classroom / "release_for").iterdir()] == ["ada"]


def test_names_tell_only_where_no_column_could(room):
    """A plain list has no column of Canvas; two people of one name are not guessed."""
    known = {
        "ada": student("ada", "Ada Lovelace", ID="101"),
        "cb": student("cb", "Charles Babbage", ID="102"),
    }
    comparison = compare_lists([student("7", "Ada Lovelace", Matrikel="7")], known)
    assert [one.folder for one in comparison.by_name] == ["ada"]
    assert comparison.questions == ["only the name tells who 1 student may be"]
    twins = known | {"ada2": student("ada2", "Ada Lovelace", ID="103")}
    assert compare_lists([student("7", "Ada Lovelace", Matrikel="7")], twins).by_name == ()
    other_number = compare_lists([student("7", "Ada Lovelace", ID="999")], known)
    assert [one.id for one in other_number.added] == ["7"]


def student(name, shown, **columns):
    return Student(name, folder_name(name), name=shown, columns=columns)


def test_a_score_is_nobodys_id():
    """Everyone's points differ, but `12.5` and `33` name nobody; a number of the university does."""
    rows = [
        student("ada", "A", Quiz="12.5", Matrikel="7700123"),
        student("bob", "B", Quiz="33", Matrikel="7700456"),
    ]
    class_list = People(rows)
    assert class_list.with_id("33") == []
    assert [one.id for one in class_list.with_id("7700456")] == ["bob"]


@pytest.mark.parametrize(
    "header",
    [
        "Vorname,Nachname,ID-Nummer,Institution,Abteilung,E-Mail-Adresse",
        "Prénom,Nom de famille,Numéro d’identification,Institution,Département,Adresse de courriel",
        "Prénom,Nom,Numéro d'identification,Institution,Département,Adresse de courriel",
        "Nombre,Apellido(s),Número de ID,Institución,Departamento,Dirección de correo",
    ],
)
def test_headings_of_moodle_in_german_french_and_spanish_are_known(tmp_path, header):
    path = tmp_path / "class.csv"
    path.write_text(f"{header}\nZoë,Müller,4711,,,zoe@x.org\n", "utf-8-sig")
    (zoe,) = read_roster(path)
    assert (zoe.id, zoe.shown, zoe.email) == ("4711", "Zoë Müller", "zoe@x.org")


def test_first_and_last_names_of_canvas_in_columns_of_their_own(tmp_path):
    path = tmp_path / "class.csv"
    head = "LastName;FirstName;ID;SIS User ID;SIS Login ID;Section\n    Points Possible;;;;;\n"
    path.write_text(f"{head}Lovelace;Ada;101;9;ada;Mon\nStudent;Test;7;;f00;Mon\n", "utf-8-sig")
    assert [(one.id, one.shown) for one in read_roster(path)] == [("ada", "Ada Lovelace")]


def test_brightspace_marks_its_ids_with_a_sign(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text(
        "OrgDefinedId,Username,Last Name,First Name,Email,PCA Points Grade <Numeric MaxPoints:33>,"
        "End-of-Line Indicator\n#00123,#ada,Lovelace,Ada,ada@x.org,,#\n",
        "utf-8",
    )
    (ada,) = read_roster(path)
    assert (ada.id, ada.shown, ada.columns["OrgDefinedId"]) == ("ada", "Ada Lovelace", "00123")


def test_unknown_headings_ask_for_names_and_addresses(room, capsys):
    path = write(room, "class.csv", "Matrikel,Rufname,Familie,Post\n7,Ada,Lovelace,a@x\n8,Bob,Bee,b@x\n")
    assert main(["roster", "--id-column", "Matrikel", path]) == 0
    printed = capsys.readouterr().out
    assert "this list names nobody: --name-column NAME says which column holds the names" in printed
    assert "no addresses: --email-column NAME" in printed
    named = ["--name-column", "Rufname", "--name-column", "Familie", "--email-column", "Post"]
    assert main(["roster", "--id-column", "Matrikel", *named, path]) == 0
    assert (known_students(room)["7"].shown, known_students(room)["7"].email) == ("Ada Lovelace", "a@x")
    assert main(["roster", "--id-column", "Matrikel", "--name-column", "Name", path]) == 1
    assert "has no column 'Name'" in capsys.readouterr().err


def test_every_column_is_kept(room):
    main(["roster", write(room, "first.csv", MOODLE + CLASS)])
    kept = json.loads(room.paths.class_list.read_text("utf-8"))
    assert kept[0]["columns"] == {
        "First name": "Ada0",
        "Last name": "Love0",
        "ID number": "410000",
        "Email address": "a0@x.org",
    }


def test_names_are_compared_as_platforms_write_them():
    assert folded_name("O'Brien-Müller, Zoë") == folded_name("obrienmullerzoe") == "obrienmullerzoe"
