"""The made-up class, graded: what every student meant is what the verdict says, and the report shows the best."""

import json
import shutil
from collections import Counter

import pytest

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import known_students
from autograder.demo import make_class
from autograder.demo.classroom import CLASS_SIZE, read_meant
from autograder.demo.people import class_list
from autograder.demo.plan import ANSWER_KINDS, COPY, ORIGINAL, Choices, draw_plan
from autograder.demo.table import EXPECTED_VERDICTS, compared, format_table
from autograder.grading.grade import grade
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.outcome import outcomes_on_file
from autograder.grading.unforeseen import unexplained_groups
from autograder.grading.workers import local_grading_pool
from autograder.release import variant as generate
from autograder.reports.report import write_report
from tests.conftest import ROOT

TOPICS = ("lle", "kernel_pca")  # few tasks, of all kinds, and functions that call earlier ones


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The demo's room of the course itself, with two topics graded and reported."""
    root = tmp_path_factory.mktemp("demo") / "course"
    root.mkdir()
    for name in ("_toc.yml", "course.toml", "book", "solutions", "dimred_ref", "pyproject.toml"):
        (root / name).symlink_to(ROOT / name)
    room = Course(root).demo
    room.paths.enter()
    write_text(room.paths.secret_word, "a secret word\n")
    for topic in TOPICS:
        made = generate.make_variant(room, topic, room.public_seed, room.secret())
        generate.write_classroom(room, made)
        make_class(room, topic)
    with local_grading_pool(2) as examiners:
        for topic in TOPICS:
            grade(room, topic, examiners)
    return room


@pytest.mark.parametrize("topic", TOPICS)
def test_every_verdict_says_what_was_meant(graded, topic):
    other = [row for row in compared(graded, topic) if row[3] != EXPECTED_VERDICTS[row[2].kind]]
    assert other == []


def test_the_class_means_everything_that_students_do(graded):
    kinds = Counter(meant.kind for topic in TOPICS for _, _, meant, _ in compared(graded, topic))
    assert set(kinds) == set(ANSWER_KINDS)
    assert min(kinds.values()) >= 2


@pytest.mark.parametrize("topic", TOPICS)
def test_discover_finds_the_five_who_err_alike(graded, topic):
    groups = unexplained_groups(graded, topic)
    (task,) = {
        task
        for tasks in read_meant(graded, topic).values()
        for task in tasks
        if tasks[task].kind == "unforeseen"
    }
    assert groups[0].task == task
    assert len(groups[0].students) == 5


@pytest.mark.parametrize("topic", TOPICS)
def test_report_shows_the_pair_and_names(graded, topic):
    page = write_report(graded, topic).read_text("utf-8")
    pairs = page.partition("Pairs to look at")[2].partition("<h2")[0]
    first = pairs.partition("<tr>")[2].partition("<tr>")[2].partition("</tr>")[0]  # after the heading
    names = [student.shown for student in class_list(CLASS_SIZE)]
    assert [name for name in names if name in first] == [names[ORIGINAL], names[COPY]]
    assert "100 %" in first.replace("\u202f", " ").replace("\xa0", " ")
    assert all(name in page for name in names)


@pytest.mark.parametrize("topic", TOPICS)
def test_one_student_is_late_and_pays(graded, topic):
    late = [outcome for outcome in outcomes_on_file(graded, topic) if outcome.late]
    assert [outcome.late for outcome in late] == ["1 day and 5 hours"]
    assert late[0].penalty == pytest.approx(0.2 * late[0].score, abs=0.01)


def test_settings_of_the_demo_are_its_own(graded):
    real = Course(graded.root)
    assert real.settings["due"] == {}
    assert real.settings["late_penalty_per_day"] == 0
    assert set(graded.settings["due"]) == set(graded.topics())


def test_gradebook_knows_the_names(graded):
    with open_gradebook(graded) as gradebook:
        known = {student.id: f"{student.first_name} {student.last_name}" for student in gradebook.students}
    assert known == {student.folder: student.shown for student in class_list(CLASS_SIZE)}
    assert all(student.email.endswith("@example.org") for student in known_students(graded).values())


def test_class_is_written_anew_only_after_a_change(classroom):
    room = classroom.demo
    shutil.copytree(classroom.classroom, room.classroom)
    names = make_class(room, "squares")
    path = room.paths.submission(names[0], "squares")
    written = path.read_bytes()
    path.write_text("changed by hand", "utf-8")
    make_class(room, "squares")
    assert path.read_text("utf-8") == "changed by hand"  # nothing changed, so nothing was written
    module = next((room.root / "solutions" / "squares").glob("*.py"))
    module.write_text(module.read_text("utf-8") + "\n# changed\n", "utf-8")
    make_class(room, "squares")
    assert path.read_bytes() == written


def test_class_half_written_is_written_anew(classroom):
    room = classroom.demo
    shutil.copytree(classroom.classroom, room.classroom)
    names = make_class(room, "squares")
    paths = [room.paths.submission(name, "squares") for name in names]
    paths[-1].unlink()
    make_class(room, "squares")
    assert all(path.is_file() for path in paths)


def test_a_way_is_one_students_or_a_crowds():
    choices = {
        f"task{number}": Choices(("a", "b", "c"), tuple("defghi"[: number % 7]), False, True, frozenset())
        for number in range(40)
    }
    plan = draw_plan("any", choices, 30)
    for task in choices:
        taken = Counter(meant[task].name for place, meant in enumerate(plan) if place not in (ORIGINAL, COPY))
        crowds = [number for name, number in taken.items() if name in "abcdefghi" and name]
        assert all(number == 1 or number >= 4 for number in crowds)


def test_table_counts_what_was_meant_and_told():
    counts = Counter({("right", "right"): 12, ("error", "that error"): 3, ("error", "wrong"): 1})
    lines = format_table(counts).splitlines()
    assert lines[0].split() == ["meant", "right", "wrong", "that", "error"]
    assert lines[1].split() == ["right", "12", ".", "."]
    assert lines[2].split() == ["error", ".", "1", "3"]


def test_record_of_intent_is_plain_data(graded):
    record = json.loads((graded.classroom / "meant" / "lle.json").read_text("utf-8"))
    assert len(record["meant"]) == CLASS_SIZE
