"""Wrong answers that nobody foresaw: grouped by what they return, made a misconception, told to the students."""

import re

import numpy as np
import pytest

from autograder.authoring.excerpt import Signature, function_of, function_of_formula
from autograder.authoring.stub import NewMisconception, with_misconception
from autograder.authoring.topic import load_tasks
from autograder.cli import main
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.grade import grade
from autograder.grading.outcome import outcome_on_file
from autograder.grading.unforeseen import shortest_program, unexplained_groups
from autograder.grading.workers import local_grading_pool
from tests.conftest import ROOT
from tests.grading.small_class import TOPIC, hand_in

FOURTH = "def NAME(x):\n    # by heart\n    return float(np.sum(x**4)) + 7"
FOURTH_TOO = (
    "def power(value):\n    return value**4\n\ndef NAME(x):\n    return 7 + sum(power(one) for one in x)"
)


@pytest.fixture
def graded(classroom):
    """Two who took the fourth power in their own ways, one whose code fails, one with a known mistake, one right."""
    hand_in(classroom, "ada", total=FOURTH_TOO)
    hand_in(classroom, "bob", total=FOURTH)
    hand_in(classroom, "cyd", total="def NAME(x):\n    return x.nothing")
    hand_in(
        classroom, "dan", total="def NAME(x):\n    return float(np.sum(x))", binomial="NAME = 'a**3 + b**2'"
    )
    hand_in(classroom, "eve", binomial="NAME = '(a*a*a) + b*b'", by_hand="NAME = 12345")
    with local_grading_pool(2) as examiners:
        grade(classroom, TOPIC, examiners)
    return classroom


def test_programs_that_are_wrong_in_the_same_way_make_one_group(graded):
    groups = {group.name: group for group in unexplained_groups(graded, TOPIC)}
    assert groups["squares.total:1"].students == ("ada", "bob")
    assert "squares.total:2" not in groups  # an error is no answer that others could share
    assert groups["squares.binomial:1"].students == ("dan", "eve")
    assert groups["squares.by_hand:1"].text == "12345"
    assert shortest_program(graded, groups["squares.total:1"])[0] == "bob"


def test_a_group_becomes_a_misconception_that_regrading_tells_its_students(graded, monkeypatch, capsys):
    monkeypatch.chdir(graded.root)
    assert main(["discover", TOPIC]) == 0
    said = capsys.readouterr().out
    assert "squares.total:1  2 students gave this" in said
    assert "return float(np.sum(x**4)) + 7" in said
    numbers = (graded.paths.release(TOPIC) / f"{TOPIC}.ipynb").read_text("utf-8")
    words = ["--name", "took_the_fourth_power", "--hint", "How often may one square?"]
    assert main(["adopt", "squares.total:1", *words]) == 0, capsys.readouterr().err
    words = ["--name", "cubed_the_first", "--hint", "Which power has a?"]
    assert main(["adopt", "squares.binomial:1", *words]) == 0, capsys.readouterr().err
    assert (graded.paths.release(TOPIC) / f"{TOPIC}.ipynb").read_text("utf-8") == numbers
    module = (graded.source(TOPIC) / "tasks.py").read_text("utf-8")
    assert 'took_the_fourth_power = adopted("took_the_fourth_power", __file__)' in module
    assert "x ** 4" not in module
    text = (graded.source(TOPIC) / "adopted" / "took_the_fourth_power.py.txt").read_text("utf-8")
    assert "return float(np.sum(x ** 4)) + 7" in text
    assert "by heart" not in text
    text = (graded.source(TOPIC) / "adopted" / "cubed_the_first.py.txt").read_text("utf-8")
    assert "return a ** 3 + b ** 2" in text
    assert main(["regrade", TOPIC, "--yes"]) == 0
    for student, task, name in [
        ("ada", "total", "took_the_fourth_power"),
        ("bob", "total", "took_the_fourth_power"),
        ("eve", "binomial", "cubed_the_first"),
    ]:
        assert outcome_on_file(graded, TOPIC, student).verdicts[task]["misconception"] == name
    feedback = (graded.paths.autograded("ada", TOPIC) / f"{TOPIC}.ipynb").read_text("utf-8")
    assert "How often may one square?" in feedback


def test_a_value_needs_a_formula_and_a_wrong_one_is_refused_with_all_as_it_was(graded, monkeypatch, capsys):
    monkeypatch.chdir(graded.root)
    before = (graded.source(TOPIC) / "tasks.py").read_bytes()
    words = ["adopt", "squares.by_hand:1", "--name", "guessed", "--hint", "Do not guess."]
    assert main(words) == 1
    assert "give it as a formula of u with --formula" in capsys.readouterr().err
    assert main([*words, "--formula", "sum(u)"]) == 1
    assert "the new program does not return what squares.by_hand:1 returned" in capsys.readouterr().err
    assert main(["adopt", "squares.total:9", "--name", "a", "--hint", "b"]) == 1
    assert "dimred discover squares" in capsys.readouterr().err
    assert (graded.source(TOPIC) / "tasks.py").read_bytes() == before


def test_a_mistake_that_the_numbers_cannot_tell_from_another_changes_nothing(graded, monkeypatch, capsys):
    """The same mistake under a second name can never be certified: module, release and keys stay."""
    monkeypatch.chdir(graded.root)
    words = ["--hint", "How often may one square?"]
    assert main(["adopt", "squares.total:1", "--name", "took_the_fourth_power", *words]) == 0
    files = {
        path: path.read_bytes()
        for path in graded.root.rglob("*.*")
        if path.suffix in (".py", ".json", ".ipynb", ".txt")
    }
    assert main(["adopt", "squares.total:1", "--name", "took_it_again", *words]) == 1
    assert "taken for 'took_the_fourth_power'" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in files} == files


SIGNED = Signature("was_wrong", ("X", "k"), "What some gave.")


def test_only_what_the_program_needs_is_taken_and_no_word_of_the_student():
    cells = [
        "import numpy as np\nfrom scipy import linalg\nown = 'my name is Ada'",
        "SHIFT = 3\ndef helper(A):\n    '''by Ada'''\n    return A + SHIFT  # Ada's\n",
        "def scores(X, n):\n    return helper(X) * n",
    ]
    text = function_of(cells, "scores", SIGNED)
    assert "Ada" not in text
    assert "linalg" not in text
    names: dict = {}
    exec(text, names)
    assert names["was_wrong"](1, 2) == 8


def test_what_a_function_calls_its_own_things_is_not_looked_up_elsewhere():
    cells = ["import os\ncentred = os.getcwd()", "def scores(X, k):\n    centred = X + k\n    return centred"]
    assert "getcwd" not in function_of(cells, "scores", SIGNED)


def test_a_formula_means_numpys_functions():
    text = function_of_formula("sqrt(X)^2 + k", SIGNED)
    assert "np.sqrt(X) ** 2 + k" in text


def test_every_task_of_the_course_can_take_a_further_misconception():
    """The modules keep their text but for the lines that are added."""
    new = NewMisconception("was_new", "def was_new(*inputs):\n    return np.ones(3)\n", "A “hint”, " * 30)
    number = 0
    for path in sorted((ROOT / "solutions").glob("*/*.py")):
        text = path.read_text("utf-8")
        for name in re.findall(r"^@task\.\w+\((?:.*\n)*?def (\w+)\(", text, re.MULTILINE):
            lines = iter(with_misconception(text, name, new).splitlines())
            assert all(line in lines for line in text.splitlines())  # in their order
            number += 1
    assert number > 100


def test_a_mistake_that_is_adopted_is_the_last_of_its_task(graded):
    path = graded.source(TOPIC) / "tasks.py"
    text = path.read_text("utf-8")
    for task in ("total", "by_hand"):
        new = NewMisconception(f"was_new_in_{task}", f"was_new_in_{task} = np.ones\n", "Hint.", "eq-any")
        text = with_misconception(text, task, new)
    path.write_text(text, "utf-8")
    tasks = load_tasks(Course(graded.root), TOPIC)
    for task in ("total", "by_hand"):
        last = tasks[task].misconceptions[-1]
        assert (last.wrong, last.hint, last.see) == (np.ones, "Hint.", "eq-any")


def test_a_task_without_misconceptions_gets_its_first():
    text = '"""Tasks."""\n\nfrom autograder.authoring import task\n\n\n@task.code(points=1)\ndef t(x):\n    return x\n'
    made = with_misconception(
        text, "t", NewMisconception("was_new", "def was_new(x):\n    return x\n", "Hint.")
    )
    assert made == f'{text}\n\n@t.wrong(\n    "Hint."\n)\ndef was_new(x):\n    return x\n'


def test_a_module_without_the_task_takes_no_misconception():
    with pytest.raises(CourseError, match=r"no function t under @task\.code"):
        with_misconception(
            "def t(x):\n    return x\n", "t", NewMisconception("was_new", "was_new = 1", "Hint.")
        )
