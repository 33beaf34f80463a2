"""From text to certified notebooks: reproducible, complete, refused when anything is wrong."""

import json
import re

import numpy as np
import pytest

from autograder.authoring.cells import CHECK
from autograder.authoring.source_notebook import source_notebook
from autograder.authoring.task import Misconception, Task
from autograder.authoring.topic import load_tasks, read_notebook_text
from autograder.course.course import Course
from autograder.errors import CourseError, UncertifiedError
from autograder.judging.check import verdict_on
from autograder.judging.fingerprints import fingerprint, grid_of
from autograder.judging.key import round_values
from autograder.judging.sameness import exactly
from autograder.release import variant as generate
from autograder.release.draw import MAX_TRIES, draw_secret, draw_task, task_key
from autograder.release.rules import broken_rules
from autograder.release.variant import addressed_texts


@pytest.fixture
def tasks_file(sample_course):
    return sample_course.root / "solutions" / "squares" / "tasks.py"


@pytest.fixture
def notebook_file(sample_course):
    return sample_course.root / "solutions" / "squares" / "notebook.md"


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def drawn(name, task):
    """A stand-in for the real draw: the first one, certified or not."""
    key = task_key(task, task.draw(np.random.default_rng(0)), "salt")
    return generate.DrawnTask(key, key)


def notebook_of(course):
    tasks = load_tasks(course, "squares")
    first = {name: drawn(name, task).public.cases[0].inputs for name, task in tasks.items()}
    numbers = generate.printed_numbers(tasks, first)
    return source_notebook(read_notebook_text(course, "squares"), "squares", tasks, numbers)


def test_the_same_seed_gives_the_same_bytes(released_course):
    one, other = (generate.make_variant(released_course, "squares", "s7", "word") for _ in range(2))
    assert one.student_files() == other.student_files()
    assert one.certificate_text() == other.certificate_text()


def test_another_seed_gives_other_numbers_and_other_fingerprints(released_course):
    tasks = load_tasks(released_course, "squares")
    one, other = (
        draw_task("squares.by_hand", tasks["by_hand"], seed, "word").public for seed in ("s1", "s2")
    )
    assert not np.array_equal(one.cases[0].inputs["u"], other.cases[0].inputs["u"])
    assert one.cases[0].expected != other.cases[0].expected


def test_a_student_sees_no_solution_and_no_answer(released_course):
    text = (released_course.classroom / "release" / "squares" / "squares.ipynb").read_text("utf-8")
    for secret in ("BEGIN SOLUTION", "x**2)", "X**3", "2*a*b", "Because each of them"):
        assert secret not in text
    assert "YOUR CODE HERE" in text
    assert "YOUR ANSWER HERE" in text


def test_cells_get_their_roles_from_what_they_hold(sample_course):
    notebook = notebook_of(sample_course)
    roles = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader for cell in notebook.cells if cell.metadata
    }
    assert roles["total"].solution
    assert not roles["total"].grade
    assert roles["check-total"].grade
    assert roles["check-total"].locked
    assert roles["check-total"].points == 2.0
    assert roles["given-1"].locked
    assert roles["why"].grade
    assert roles["why"].solution
    assert roles["why"].points == 3.0


def test_numbers_are_typeset_in_prose_and_literal_in_code(sample_course):
    notebook = notebook_of(sample_course)
    prose = next(cell.source for cell in notebook.cells if "The sum of the squares of" in cell.source)
    assert re.search(r"\\begin\{pmatrix\} \d \\\\ \d \\\\ \d \\end\{pmatrix\}", prose)
    code = next(cell.source for cell in notebook.cells if cell["id"] == "by-hand")
    assert re.search(r"by_hand = \d+\n", code)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{{ by_hand.u }}", "{{ by_hand.v }}", "has no number; task by_hand has u, answer"),
        ("{{ by_hand.u }}", "{{ by_foot.u }}", "names no task"),
        ('check("squares.total", total)', 'check("squares.sum", total)', "checks no task"),
        ('check("squares.total", total)', "print(total)", "has no check of total"),
        (
            '    ### END SOLUTION\n```\n\n```{code-cell} ipython3\ncheck("squares.cubes',
            '```\n\n```{code-cell} ipython3\ncheck("squares.cubes',
            "without ### END SOLUTION",
        ),
        ("def cubes(X)", "def total(X)", "two cells are named 'total'"),
    ],
)
def test_a_mistake_in_the_text_is_one_line_and_nothing_is_written(
    sample_course, notebook_file, old, new, said
):
    edit(notebook_file, old, new)
    with pytest.raises(CourseError, match=re.escape(said)):
        generate.make_variant(sample_course, "squares", "s", "word")
    assert not sample_course.exercises.exists()


def test_a_solution_that_fails_is_not_released(sample_course, notebook_file):
    edit(notebook_file, "return np.sum(x**2)", "return np.sum(x)")
    with pytest.raises(
        CourseError, match=r"squares.total: the solution in notebook.md does not earn full marks"
    ):
        generate.make_variant(sample_course, "squares", "s", "word")


SEEN = "np.array_equal(x, {{ total.x }})"


@pytest.mark.parametrize("only", [f"(len(x) == 1 or {SEEN})", f"(not {SEEN})"])
def test_a_solution_must_be_right_on_public_and_on_secret_cases(sample_course, notebook_file, only):
    edit(notebook_file, "return np.sum(x**2)", f"return np.sum(x**2) * {only}")
    with pytest.raises(CourseError, match=r"squares.total: the solution in notebook.md does not earn full"):
        generate.make_variant(sample_course, "squares", "s", "word")


def test_public_numbers_are_the_same_whatever_the_secret(released_course):
    task = load_tasks(released_course, "squares")["total"]
    words = [f"word {number}" for number in range(150)]
    refused = [draw_secret("squares.total", task, "seed 3", word)[1] for word in words]
    assert any(refused), "some secret draws are refused, and that must not matter"
    tried = [draw_task("squares.total", task, "seed 3", word) for word in words]
    assert len({(str(one.public), one.tries) for one in tried}) == 1, "nothing public tells of a secret"
    assert len({str(one.secret) for one in tried}) == 150


def test_an_untouched_notebook_that_earns_points_is_not_released(sample_course, notebook_file):
    edit(notebook_file, "by_hand = None  # your answer: a number", "by_hand = {{ by_hand.answer }}")
    with pytest.raises(CourseError, match=r"squares.by_hand: the untouched notebook earns 1 points"):
        generate.make_variant(sample_course, "squares", "s", "word")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "return float(np.sum(x))",
            "return float(np.sum(x**2))",
            "the misconception 'forgot_to_square' passes",
        ),
        ("return float(np.sum(x))", "return float(np.sum(x) ** 2)", "is taken for 'squared_the_sum'"),
        ("return x @ x", "return x @ x + 1", "the correct way 'by_dot_product' fails"),
        ("if abs(np.sum(x)) < 0.1", "if True", "is ill-posed: the entries cancel"),
        ("return float(np.sum(x**2))", "return 1 / 0", "its reference raised ZeroDivisionError"),
        (
            "return float(u @ u)",
            "return float(u @ u) + (0.05 if u @ u >= 100 else 0.005)",
            "edge of its rounding",
        ),
        ('see="eq-squares-binomial"', 'see="eq-squares-trinomial"', "is not a label of the book"),
    ],
)
def test_a_task_that_cannot_be_certified_is_refused_with_the_rule(sample_course, tasks_file, old, new, said):
    edit(tasks_file, old, new)
    with pytest.raises(CourseError, match=re.escape(said)):
        generate.make_variant(Course(sample_course.root), "squares", "s", "word")


def test_a_draw_that_never_certifies_says_how_often_it_tried(sample_course, tasks_file):
    edit(tasks_file, "if abs(np.sum(x)) < 0.1", "if True")
    task = load_tasks(Course(sample_course.root), "squares")["total"]
    with pytest.raises(UncertifiedError, match=f"no draw in {MAX_TRIES} tries could be certified; "):
        draw_task("squares.total", task, "s", "word")


def test_an_ill_posed_draw_is_drawn_again(released_course):
    task = load_tasks(released_course, "squares")["total"]
    tries = [draw_task("squares.total", task, f"seed {number}", "word").tries for number in range(40)]
    assert max(tries) > 1
    assert not any(broken_rules(task, draw_task("squares.total", task, "seed 3", "word").public))


def test_the_certificate_says_what_was_recognised(released_course):
    text = (released_course.classroom / "keys" / "squares.certificate.json").read_text("utf-8")
    certificate = json.loads(text)
    assert certificate["seed"] == "one"
    assert certificate["tasks"]["total"]["misconceptions recognised"] == [
        "squared_the_sum",
        "forgot_to_square",
    ]


def test_our_student_version_is_nbgraders_own(released_course):
    variant = generate.make_variant(released_course, "squares", "one", "a secret word")
    released = released_course.classroom / "release" / "squares" / "squares.ipynb"
    handed_out = addressed_texts(released_course, variant.student_files())
    assert released.read_text("utf-8") == handed_out["squares.ipynb"]


def test_every_check_of_a_release_is_found_by_the_grader(released_course):
    text = (released_course.classroom / "release" / "squares" / "squares.ipynb").read_text("utf-8")
    cells = json.loads(text)["cells"]
    checks = [CHECK.match("".join(cell["source"])) for cell in cells]
    assert [match["task"] for match in checks if match] == ["total", "cubes", "by_hand", "binomial"]


NOISE = np.array([-4, -1, 0, 1, 4]) * 2.0**-52


@pytest.mark.parametrize("value", [1202.1477875, -522.04711875, 9.911340625, 1.0, 1000.0, -0.1])
def test_rounding_errors_change_no_digit_of_a_key(value):
    """Neither at a tie, which short decimals often are, nor just below a power of ten."""
    small = value / 3
    assert len({tuple(round_values(np.array([one, small]), 10)) for one in value * (1 + NOISE)}) == 1
    assert round_values(value, 10) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("value", [7.4305, 74.305, -7.4305, 1.0, 1000.0])
def test_rounding_errors_change_no_seal(value):
    seals = {fingerprint(np.array(one), grid_of(one), "salt") for one in value * (1 + NOISE)}
    assert len(seals) == 1


def test_what_cancellation_leaves_is_one_outcome_however_it_looks():
    def vanished(x):
        return (2 * x, 1e-17 * x)

    task = Task(
        kind="code", points=1, minutes=1, draw=dict, answer=lambda x: (2 * x, x), see="eq-x",
        same=(exactly, exactly), misconceptions=(Misconception(vanished, hint="lost", see="eq-x"),),
    )  # fmt: skip
    key = task_key(task, {"a vector": {"x": np.array([1.0, 2.0])}, "another": {"x": np.array([3.0, 4.0])}})
    for left in (0.0, -1e-18, np.nan):
        verdict = verdict_on("t", key, lambda x, left=left: (2 * x, np.full(2, left if x[0] > 2 else 0.0)))
        assert verdict.misconception == "vanished"
    for left in (1e-3, np.nan):  # what is not a number could have come from anywhere
        assert verdict_on("t", key, lambda x, left=left: (2 * x, left * x)).misconception is None


def test_what_all_topics_share_is_written_once(sample_course, notebook_file):
    edit(notebook_file, "# Squares\n", "# Squares\n\n{{ rules }}\n")
    with pytest.raises(CourseError, match=r"solutions/rules.md is missing"):
        notebook_of(sample_course)
    notebook_file.parents[1].joinpath("rules.md").write_text(
        "**How checking works.** Run the cell.\n", "utf-8"
    )
    title = notebook_of(sample_course).cells[0].source
    assert title == "# Squares\n\n**How checking works.** Run the cell."
