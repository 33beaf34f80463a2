"""Equal work, no-shows and strangers are seen at `grade` and in the report; help is for those whose work is low."""

import json

import pytest

from autograder.cli import main
from autograder.course.people import save_students
from autograder.course.roster import Student
from autograder.grading.attendance import attendance
from autograder.grading.equal_work import EqualGroup, equal_hand_ins, shared_rare_mistakes
from autograder.grading.outcome import Outcome
from autograder.reports.report import ReportOptions, write_report
from autograder.reports.results import StudentResult, TopicResults
from benchmarks.report import made_up_class
from tests.grading.small_class import TOPIC, WRONG, hand_in

OWN = "def total(x):\n    return float(np.sum(np.abs(x) ** 2))"


@pytest.fixture
def room(classroom, monkeypatch):
    monkeypatch.chdir(classroom.root)
    return classroom


def edit(course, student, change):
    path = course.paths.submission(student, TOPIC)
    tree = json.loads(path.read_text("utf-8"))
    change(tree)
    path.write_text(json.dumps(tree), "utf-8")


def add_cell(text):
    cell = {"cell_type": "markdown", "id": "x", "metadata": {}, "source": text}
    return lambda tree: tree["cells"].append(cell)


def test_copies_strangers_and_no_shows_are_said_at_grade_and_in_the_report(room, capsys):
    save_students(room, [Student(name, name) for name in ("ada", "bob", "cyd", "dan", "eve")])
    for student in ("ada", "bob", "cyd", "guest77"):
        hand_in(room, student, total=OWN)
    edit(room, "cyd", add_cell("my own words"))
    edit(
        room,
        "guest77",
        lambda tree: next(c for c in tree["cells"] if OWN in "".join(c["source"])).update(
            source=WRONG.replace("NAME", "total")
        ),
    )
    capsys.readouterr()
    assert main(["grade", TOPIC]) == 0
    printed = capsys.readouterr().out
    assert "squares: no hand-in from 2 of 5 on the class list: dan, eve" in printed
    assert "squares: not on the class list, but graded: guest77" in printed
    assert "squares: the same file, byte for byte: ada = bob" in printed
    assert "squares: the same text in every answer: ada = bob = cyd" in printed
    page = write_report(room, TOPIC).read_text("utf-8")
    for part in ("Equal hand-ins", "Not handed in", "Not on the class list", "of 5 handed in nothing"):
        assert part in page
    hidden = write_report(room, TOPIC, ReportOptions(hide_names=True)).read_text("utf-8")
    assert "of 5 handed in nothing" in hidden
    assert not any(name in hidden for name in ("dan", "guest77", "Equal hand-ins"))


def test_students_who_left_are_not_missed(room, capsys):
    hand_in(room, "ada", total=OWN)
    hand_in(room, "bob", total=WRONG.replace("NAME", "total"))
    (room.root / "class.csv").write_text("id\nada\nbob\ncyd\ndan\n")
    (room.root / "later.csv").write_text("id\nada\ncyd\n")
    assert main(["roster", "class.csv"]) == 0
    assert main(["roster", "later.csv"]) == 0
    assert "kept from an earlier one (2): bob, dan; if they have left" in capsys.readouterr().out
    assert main(["roster", "later.csv", "--complete"]) == 0
    assert "have left the class (2): bob, dan; their work stays" in capsys.readouterr().out
    assert main(["grade", TOPIC]) == 0
    assert "no hand-in from 1 of 3 on the class list: cyd" in capsys.readouterr().out
    (room.root / "back.csv").write_text("id\ndan\n")
    assert main(["roster", "back.csv", "--complete"]) == 1
    assert (
        "2 students are not on this list and would count as having left: nothing" in capsys.readouterr().err
    )
    assert main(["roster", "back.csv"]) == 0  # a list of some: nobody else leaves or returns
    assert "the other 2 students stay as they were" in capsys.readouterr().out
    assert attendance(room, TOPIC).describe() == ["no hand-in from 2 of 4 on the class list: cyd, dan"]


def test_untouched_notebooks_are_no_copies_and_the_solution_only_as_a_file(room):
    release = (room.paths.release(TOPIC) / f"{TOPIC}.ipynb").read_bytes()
    for student in ("ada", "bob"):
        path = room.paths.submission(student, TOPIC)
        path.parent.mkdir(parents=True)
        path.write_bytes(release)
    assert equal_hand_ins(room, TOPIC) == []
    for student in ("cyd", "dan", "eve"):
        hand_in(room, student)
    edit(room, "eve", add_cell("thoughts"))
    assert equal_hand_ins(room, TOPIC) == [EqualGroup("bytes", ("cyd", "dan"))]


def outcome(student, **wrong):
    verdicts = {
        task: {"misconception": name, "passed": False, "fraction": 0.0, "problem": ""}
        for task, name in wrong.items()
    }
    return Outcome(student, verdicts=verdicts)


def test_pairs_who_share_rare_wrong_answers_are_named(room):
    """A mistake of many tells nothing; two rare ones by the same two do."""
    outcomes = [outcome(f"s{n}", total="forgot") for n in range(10)]
    outcomes += [outcome("ada", total="odd", cubes="strange"), outcome("bob", total="odd", cubes="strange")]
    outcomes += [outcome("cyd", total="odd")]
    (pair,) = shared_rare_mistakes(room, TOPIC, outcomes)
    assert pair.students == ("ada", "bob")
    assert pair.tasks == ("cubes", "total")


def test_help_is_for_those_whose_graded_work_is_low():
    """An open question that nobody has read yet is no reason to call a student weak; neither is a late penalty."""
    most = {"check-total": 4.0, "open": 6.0}
    strong = StudentResult("ada", Outcome("ada"), {"check-total": 4.0, "open": None}, penalty=3.0)
    weak = StudentResult("bob", Outcome("bob"), {"check-total": 1.0, "open": None})
    marks = TopicResults(TOPIC, most, {"ada": strong, "bob": weak})
    assert marks.shares()["ada"] < 0.5
    assert marks.graded_shares() == {"ada": 1.0, "bob": 0.25}


def test_the_best_on_top_is_a_choice(room):
    made_up_class(room, TOPIC, 12)
    plain = write_report(room, TOPIC).read_text("utf-8")
    best = write_report(room, TOPIC, ReportOptions(best_first=True)).read_text("utf-8")
    assert plain.index("0–10 %") < plain.index("90–100 %")
    assert best.index("0–10 %") > best.index("90–100 %")
