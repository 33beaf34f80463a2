"""A retake: new numbers of what was lost, both results in the gradebook, and the better one counts."""

import json
import re
import shutil

import pytest
from markdown_it import MarkdownIt

from autograder.authoring.cells import source_of
from autograder.bank.retake import first_answer
from autograder.course.course import Course
from autograder.grading.audit import log_entries
from autograder.grading.gradebook import scores
from autograder.reports.exercise import Exercise
from tests.bank.composed_class import refusal, run
from tests.grading.small_class import hand_in

WRONG_SUM = "def total(x):\n    return float(np.sum(x)) ** 2"
WRONG_CUBES = "def cubes(X):\n    return X**2"
RIGHT_SUM = "def total(x):\n    return float(np.sum(x**2))"
RIGHT_CUBES = "def cubes(X):\n    return X**3"
RETAKE = "squares_retake"


@pytest.fixture(scope="module")
def retaken(released_course, tmp_path_factory) -> Course:
    """Ada and Bob lost points and took them again; Cyd lost nothing."""
    root = tmp_path_factory.mktemp("retake") / "course"
    shutil.copytree(released_course.root, root)
    course = Course(root)
    hand_in(course, "ada", total=WRONG_SUM, cubes=WRONG_CUBES)
    hand_in(course, "bob", cubes=WRONG_CUBES)
    hand_in(course, "cyd")
    run(course, "grade", "squares", "--allow-unsafe")
    assert "2 students have 2 tasks to retake" in run(course, "retake", "squares", "--seed", "again")
    retake(course, "ada", total=RIGHT_SUM, cubes=WRONG_CUBES)
    retake(course, "bob", cubes=RIGHT_CUBES)
    copy_retake(course, "bob", "cyd")
    copy_retake(course, "bob", "dan")
    return course


def copy_retake(course, student, other):
    """Hand in what a student handed in for another, who has no retake."""
    path = course.paths.submission(other, RETAKE)
    path.parent.mkdir(parents=True)
    shutil.copy(course.paths.submission(student, RETAKE), path)


def notebook(course, student):
    return json.loads((course.paths.release(RETAKE, student) / f"{RETAKE}.ipynb").read_text("utf-8"))


def retake(course, student, **answers):
    """Hand in the retake with these answers."""
    tree = notebook(course, student)
    for cell in tree["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = answers.get(name, cell["source"])
    path = course.paths.submission(student, RETAKE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tree), "utf-8")


def earned(course, topic, student):
    return {
        cell.removeprefix("check-"): score for cell, score in scores(course, topic)[student]["scores"].items()
    }


def test_a_student_gets_what_was_lost_with_the_first_answer_below(retaken):
    text = "\n".join(source_of(cell) for cell in notebook(retaken, "ada")["cells"])
    assert f'check("{RETAKE}.total", total)' in text
    assert f'check("{RETAKE}.by_hand", by_hand)' not in text
    assert "**Your first answer** (1 of 2 points), to other numbers or letters:" in text
    assert WRONG_SUM in text
    assert "Square first, then add." in text
    assert f'check("{RETAKE}.total"' not in "".join(
        source_of(cell) for cell in notebook(retaken, "bob")["cells"]
    )
    assert not retaken.paths.release(RETAKE, "cyd").exists()


def test_the_better_result_counts_and_both_stay_in_the_gradebook(retaken):
    said = run(retaken, "grade", RETAKE, "--allow-unsafe")
    assert "squares: retakes count for 2 students (2 changed): +2 points in all" in said
    assert "no hand-in" not in said, "Cyd had nothing to retake"
    assert earned(retaken, "squares", "ada") | {"why": 0} == {
        "total": 2,
        "cubes": 0,
        "by_hand": 1,
        "binomial": 1,
        "why": 0,
    }
    assert earned(retaken, "squares", "bob")["cubes"] == 1
    assert earned(retaken, RETAKE, "ada")["total"] == 2
    entries = log_entries(retaken, "squares")
    assert {entry["student"] for entry in entries if entry["cause"].startswith(f"retake {RETAKE}")} == {
        "ada",
        "bob",
    }
    assert "replayed, they give the gradebook's scores" in run(retaken, "audit", "squares")
    assert "retakes" not in run(retaken, "grade", "squares", "--allow-unsafe"), "counted once"
    run(retaken, "report", "squares")
    report = (retaken.paths.report / "squares.html").read_text("utf-8")
    assert "<strong>2</strong>have other points by a retake (+2 in all)" in report
    run(retaken, "feedback", "squares")
    page = retaken.paths.feedback_page("ada", "squares").read_text("utf-8")
    assert "the retake changed your points: total +1" in page
    run(retaken, "report")
    course_page = (retaken.paths.report / "index.html").read_text("utf-8")
    cells = re.findall(r'>ada</td><td class="number">(\d+)</td><td class="number">(\d+)</td>', course_page)
    assert cells == [("50", "50")], "the retake counts in its original, and no second time in the mean"
    assert re.search(r'>bob</td>(<td class="number">\d+</td>){2}<td class="number">100</td>', course_page)
    run(retaken, "feedback", RETAKE)
    page = retaken.paths.feedback_page("bob", RETAKE).read_text("utf-8")
    assert "<strong>1 of 1 points</strong>" in page, "of the one task that Bob has"


def test_a_retake_gets_no_column_of_its_own(retaken):
    """The platform would count it twice: the sum is in the column of the first assignment."""
    run(retaken, "grade", RETAKE, "--allow-unsafe")
    (retaken.root / "book.csv").write_text("First name,Last name,Username,Email address\nAda,A,ada,a@x.org\n")
    said = run(retaken, "export", "--fill", "book.csv")
    assert f"{RETAKE} is not filled in: it counts in squares" in said
    header, row = (retaken.paths.exports / "book.csv").read_text("utf-8").splitlines()
    assert header.count(",") == row.count(",") == 4


def test_a_retake_of_somebody_who_has_none_counts_nowhere(retaken):
    graded = scores(retaken, "squares")
    assert "dan" not in graded
    assert earned(retaken, "squares", "cyd")["cubes"] == 1
    assert {entry["student"] for entry in log_entries(retaken, RETAKE)} >= {"cyd", "dan"}
    changed = json.loads(retaken.paths.retakes("squares").read_text("utf-8"))
    assert set(changed) == {"ada", "bob"}


@pytest.mark.parametrize("answer", ["````", "`" * 8, "x = '```'", "~~~\n```````\n<b>"])
def test_a_first_answer_cannot_end_its_block(answer):
    exercise = Exercise("total", "Total", "", answer, True, 2.0, 0.0, "", "", "", "")
    shown = MarkdownIt("commonmark").parse(first_answer(exercise))
    assert [token.content for token in shown if token.type == "fence"] == [f"{answer}\n"]
    assert not [token for token in shown if token.type.startswith("html")]


def test_the_last_result_or_the_mean_can_count(retaken):
    retake(retaken, "bob", cubes=WRONG_CUBES)
    path = retaken.root / "course.toml"
    path.write_text(path.read_text("utf-8") + 'retake = "mean"\n', "utf-8")
    again = Course(retaken.root)
    run(again, "grade", RETAKE, "--allow-unsafe")
    assert earned(again, "squares", "ada")["total"] == 1.5
    assert earned(again, "squares", "bob")["cubes"] == 0
    path.write_text(path.read_text("utf-8").replace('"mean"', '"last"'), "utf-8")
    run(again, "grade", "squares", "--allow-unsafe")
    assert earned(again, "squares", "ada")["total"] == 2


def test_what_cannot_be_retaken_is_refused_with_one_line(retaken):
    assert "is a retake itself" in refusal(retaken, "retake", RETAKE, "--seed", "s")
    assert "--counts must be one of best, last, mean" in refusal(
        retaken, "retake", "squares", "--seed", "s", "--counts", "worst"
    )
    assert "graded submissions with other tasks or points" in refusal(
        retaken, "retake", "squares", "--seed", "s", "--counts", "mean"
    )
