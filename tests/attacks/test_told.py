"""What students are told of secret cases: how many points they leave, and which known mistake was made."""

import shutil

import pytest

from autograder.course.course import Course
from autograder.grading.choose import load_assignment
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.outcome import outcome_on_file
from autograder.grading.workers import local_grading_pool
from autograder.judging.key import load_key
from autograder.reports.feedback import write_feedback
from autograder.sandbox.limits import Limits
from tests.attacks.cheating import FIND_CHANNEL
from tests.grading.small_class import TOPIC, hand_in

LIMITS = Limits(cell_seconds=2.0, notebook_seconds=20.0, memory_bytes=512 * 2**20)
# What `cubes` does as soon as it meets a table that is not the public one.
ENDINGS = {
    "wrong": "return X + 1",
    "doubled": "return 2 * X ** 3",  # a mistake that any task may have
    "raises": "raise ValueError(str(X[0, 0]))",
    "exits": "os._exit(0)",
    "killed": "os.kill(os.getpid(), 9); os.abort()",
    "garbage": "channel().sendall(struct.pack('>I', 5) + b'hello'); os._exit(0)",
    "no object": "channel().sendall(pack([1])); os._exit(0)",
    "too large": "channel().sendall(struct.pack('>I', 2**31)); os._exit(0)",
    "too many parts": "channel().sendall(pack(b'[' + b'0,' * 2_000_000 + b'0]')); os._exit(0)",
    "half a message": "channel().sendall(struct.pack('>I', 100) + b'{'); os._exit(0)",
    "memory": "held = bytearray(2**30)",
    "late": "time.sleep(60)",
}
CHANGING = {"keeps": "pass", "changes": "X *= 2; return (X / 2) ** 3"}
WAYS = {**ENDINGS, **CHANGING}
# The same text for everybody but for one number.
PROGRAM = """
{channel}
import time
PUBLIC = np.array({public})
WAY = {number:02d}
def NAME(X):
    if np.array_equal(X, PUBLIC):
        return X ** 3
{branches}
    return X ** 3
"""
BRANCHES = "\n".join(
    f"    if WAY == {number}:\n        {code}" for number, code in enumerate(WAYS.values(), 10)
)
# A known mistake on one secret case, and an exception that tells of another.
TELLING = """
SEEN = {seen}
def NAME(x):
    if x.tolist() in SEEN:
        return float(np.sum(x * x))
    if len(x) == 1:
        raise ValueError("the secret is told")
    return float(np.sum(x))
"""
# Right on one secret case, wrong on the other.
PARTLY = """
SEEN = {seen}
def NAME(x):
    return float(np.sum(x * x)) + (x.tolist() not in SEEN and len(x) > 1) * float(np.pi + x[0])
"""
CHANGING_EVERYWHERE = "def NAME(X):\n    X *= 2\n    return (X / 2) ** 3"
STUDENTS = {name: f"student{number}" for number, name in enumerate(WAYS, 10)}


@pytest.fixture(scope="module")
def classroom(released_course, tmp_path_factory):
    """The class of all these programs, graded once, with feedback."""
    root = tmp_path_factory.mktemp("told") / "course"
    shutil.copytree(released_course.root, root)
    course = Course(root)
    public = load_key(load_assignment(course, TOPIC).public).tasks["cubes"].cases[0].inputs["X"].tolist()
    for number, student in enumerate(STUDENTS.values(), 10):
        program = PROGRAM.format(channel=FIND_CHANNEL, public=public, number=number, branches=BRANCHES)
        hand_in(course, student, cubes=program)
    hand_in(course, "open", cubes=CHANGING_EVERYWHERE)
    seen = [
        case.inputs["x"].tolist()
        for case in load_key(load_assignment(course, TOPIC).public).tasks["total"].cases
    ]
    hand_in(course, "telling", total=TELLING.format(seen=seen))
    hand_in(course, "partly", total=PARTLY.format(seen=seen))
    with local_grading_pool(2) as examiners:
        grade(course, TOPIC, examiners, GradingOptions(LIMITS))
    write_feedback(course, TOPIC)
    return course


def page(course, name):
    """The feedback on a program, without its number and the student's."""
    student = STUDENTS[name]
    text = course.paths.feedback_page(student, TOPIC).read_text("utf-8")
    return text.replace(student, "student").replace(f"WAY = {student[-2:]}", "WAY =")


@pytest.mark.parametrize("name", [name for name in ENDINGS if name != "wrong"])
def test_all_ways_to_fail_on_secret_cases_give_one_page(classroom, name):
    assert page(classroom, name) == page(classroom, "wrong")


def test_the_instructor_reads_how_a_program_ended(classroom):
    outcome = outcome_on_file(classroom, TOPIC, STUDENTS["garbage"])
    assert any("ended on secret cases" in remark for remark in outcome.remarks)
    assert outcome.verdicts["cubes"]["problem"] == "stopped"
    assert "ended on secret cases" not in page(classroom, "garbage")


def test_changed_arguments_of_secret_cases_are_not_told(classroom):
    assert page(classroom, "changes") == page(classroom, "keeps")
    assert "changes its argument" not in page(classroom, "changes")
    assert outcome_on_file(classroom, TOPIC, STUDENTS["changes"]).score == 5.0


def test_changed_arguments_of_public_cases_are_told(classroom):
    assert "changes its argument" in classroom.paths.feedback_page("open", TOPIC).read_text("utf-8")


def test_an_exception_beside_a_known_mistake_is_not_told(classroom):
    text = classroom.paths.feedback_page("telling", TOPIC).read_text("utf-8")
    assert text.count("the secret is told") == 1  # in the program itself
    assert "meets further cases of the same kind" in text


def test_the_secret_cases_that_are_right_are_not_named(classroom):
    text = classroom.paths.feedback_page("partly", TOPIC).read_text("utf-8")
    assert outcome_on_file(classroom, TOPIC, "partly").verdicts["total"]["fraction"] == 0.5
    assert "Right already on" not in text
