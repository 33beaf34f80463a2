"""A composed assignment is an assignment like any other: certified, handed out, graded, reported."""

import json
import re

import pytest

from autograder.authoring.blocks import topic_blocks
from autograder.course.course import Course
from autograder.grading.gradebook import scores
from tests.bank.composed_class import MIDTERM, compose, hand_in, refusal, run, two_topics, write
from tests.conftest import ROOT

WRONG_SUM = "def total(x):\n    return float(np.sum(x)) ** 2"
WRONG_CUBES = "def cubes(X):\n    return X**2"


@pytest.fixture(scope="module")
def composed(tmp_path_factory) -> Course:
    """A class to which the midterm was given, and that handed it in."""
    course = two_topics(tmp_path_factory.mktemp("composed") / "course")
    compose(course)
    hand_in(course, "ada", total=WRONG_SUM, numbers=WRONG_CUBES)
    hand_in(course, "bob", formula="binomial = 'a**2 + b**2'")
    hand_in(course, "cyd")
    run(course, "grade", "midterm", "--allow-unsafe")
    return course


def notebook(course, student):
    path = course.paths.release("midterm", student) / "midterm.ipynb"
    return json.loads(path.read_text("utf-8"))


def text_of(tree):
    return "\n".join("".join(cell["source"]) for cell in tree["cells"])


def test_each_student_has_the_tasks_of_the_group(composed):
    ada, bob = (text_of(notebook(composed, student)) for student in ("ada", "bob"))
    assert 'check("midterm.numbers", cubes)' in ada
    assert 'check("midterm.numbers", by_hand)' in bob
    assert all('check("midterm.total", total)' in text for text in (ada, bob))
    assert "# The midterm" in ada
    assert "There are 6 points." in ada


def test_a_composed_assignment_is_graded_by_each_ones_own_key(composed):
    records = scores(composed, "midterm")
    earned = {student: record["scores"] for student, record in records.items()}
    assert earned["ada"] == {"check-total": 1, "check-formula": 2, "check-numbers": 0}, (
        "half of the sum's cases"
    )
    assert earned["bob"] == {"check-total": 2, "check-formula": 0, "check-numbers": 2}
    assert earned["cyd"] == {"check-total": 2, "check-formula": 2, "check-numbers": 2}


def test_verdicts_name_the_mistakes_of_the_bank(composed):
    def mistake(student, task):
        path = composed.paths.verdicts("midterm") / f"{student}.json"
        return json.loads(path.read_text("utf-8"))["verdicts"][task]["misconception"]

    assert mistake("ada", "total") == "squared_the_sum"
    assert mistake("ada", "numbers") == "squared_only"
    assert mistake("bob", "formula") == "forgot_the_middle"


def test_reports_feedback_export_and_audit_take_it_like_a_topic(composed):
    run(composed, "report", "midterm")
    run(composed, "feedback", "midterm", "--model-answers")
    run(composed, "export", "midterm")
    page = (composed.paths.report / "midterm.html").read_text("utf-8")
    assert "squared only" in page
    assert "One power too few." in page, "a hint of a task that the class's own variant does not have"
    feedback = composed.paths.feedback_page("ada", "midterm").read_text("utf-8")
    assert "X**3" in feedback.replace("</span>", "").replace("<span>", "")
    assert "replayed, they give the gradebook's scores" in run(composed, "audit", "midterm")


def test_the_bank_tells_how_hard_a_task_was(composed):
    lines = run(composed, "bank", "--verbose")
    row = next(line for line in lines.splitlines() if line.startswith("squares.total"))
    assert re.split(r"\s+", row)[4:7] == ["0.17", "–", "3"]
    assert "squared_the_sum: 1 students" in lines
    assert run(composed, "bank", "--difficulty", "0.1..0.2", "--kind", "code").count("squares.total") == 1


def test_the_same_seed_gives_the_same_assignment(composed):
    before = notebook(composed, "ada")
    assert "up to date" in compose(composed)
    assert notebook(composed, "ada") == before


def test_tasks_cannot_change_after_grading(composed):
    write(composed.root, MIDTERM.replace('task = "squares.total"', 'task = "powers.total"'), "changed.toml")
    write(
        composed.root,
        'name = "midterm"\n' + (composed.root / "changed.toml").read_text("utf-8"),
        "changed.toml",
    )
    line = refusal(composed, "compose", "changed.toml", "--seed", "spring", "--roster", "class.csv")
    assert "graded submissions with other tasks or points" in line
    assert "squares.total" in (composed.paths.composed / "midterm" / "composition.json").read_text("utf-8")


REFUSED = {
    'there is no task "squares.area"': (
        'task = "squares.total"',
        'task = "squares.area"',
        "squares has total, cubes",
    ),
    "points that do not add up": ("points = 6", "points = 7", "2 + 2 + 2 = 6, not 7"),
    "a task twice": ('task = "squares.by_hand"', 'task = "squares.total"', "could have squares.total twice"),
    "two of one name": ('name = "numbers"', 'name = "formula"', "2 tasks have the name 'formula'"),
    "an unknown field": ("text =", "subtitle =", "has a field 'subtitle'"),
    "groups without a column": ('group_column = "level"', "", "groups need group_column"),
    "two functions of one name": (
        'task = "squares.by_hand"',
        'task = "powers.total"',
        "squares.total and powers.total both define total",
    ),
    "a topic's name": ("title =", 'name = "squares"\ntitle =', "'squares' is a topic of the course"),
    "nothing that fits": (
        'task = "squares.by_hand"',
        'choose = {topic = "powers", minutes = "90.."}',
        "0 tasks fit what `choose` asks for, not 1",
    ),
    "a range that is none": (
        'task = "squares.by_hand"',
        'choose = {minutes = "few"}',
        "minutes must be a range",
    ),
    "negative points": (
        "points = 2\ngroups",
        "points = -2\ngroups",
        "points must be a number above zero, not -2",
    ),
    "points in words": ("points = 6", 'points = "six"', "points must be a number, not 'six'"),
    "a text that is a list": ('text = "One hour."', 'text = ["One hour."]', "text must be a text in quotes"),
    "groups as a list": (
        'groups = {graduate = ["powers.cubes"]}',
        'groups = ["graduate"]',
        "groups are written",
    ),
    "no TOML": ("[[task]]", "[task", "cannot be read"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_cannot_be_made_is_refused_with_one_line(composed, what):
    old, new, words = REFUSED[what]
    write(
        composed.root,
        'name = "other"\n' * (what != "a topic's name") + MIDTERM.replace(old, new, 1),
        "other.toml",
    )
    assert words in refusal(composed, "compose", "other.toml", "--seed", "s", "--roster", "class.csv")
    assert composed.composed() == ["midterm"], "nothing half-made"


def test_a_class_list_is_needed_where_tasks_differ_and_a_seed_always(composed):
    write(composed.root, 'name = "other"\n' + MIDTERM, "other.toml")
    assert "name the class list with --roster" in refusal(composed, "compose", "other.toml", "--seed", "s")
    assert "choose a word with --seed" in refusal(composed, "compose", "other.toml", "--roster", "class.csv")
    assert composed.composed() == ["midterm"]


def test_every_task_of_the_course_can_be_cut_out_of_its_notebook(course):
    """With the tasks that it uses, which are those it follows."""
    for topic in course.topics():
        blocks = topic_blocks(course, topic).by_task
        for name, block in blocks.items():
            assert block.title
            assert any(cell.is_solution for cell in block.cells), name
    assert topic_blocks(course, "isomap").by_task["unrolled"].needs == ("neighbor_graph", "path_lengths")
    assert topic_blocks(course, "pca").by_task["scores"].needs == ()


def test_a_task_brings_the_earlier_ones_or_is_refused(course, tmp_path):
    from autograder.bank.compose import read_source, resolve

    text = '[[task]]\ntask = "isomap.unrolled"\n'
    path = write(tmp_path, text, "quiz.toml")
    with pytest.raises(
        Exception, match=r"isomap\.unrolled uses isomap\.neighbor_graph: put that task before it"
    ):
        resolve(course, read_source(path))
    path = write(tmp_path, f"bring_earlier = true\n{text}", "quiz.toml")
    names = [slot.tasks[0] for slot in resolve(course, read_source(path)).slots]
    assert names == ["isomap.neighbor_graph", "isomap.path_lengths", "isomap.unrolled"]
    assert (ROOT / "solutions" / "isomap").is_dir()
