"""Quick questions: every one of the course is certified, and what breaks a rule is refused."""

import json
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from autograder.authoring import question
from autograder.authoring.topic import load_builders
from autograder.course.course import Course
from autograder.errors import CourseError, UncertifiedError
from autograder.judging.judge_question import judge_question
from autograder.judging.key import Key, dump_key, load_key
from autograder.release.questions import draw_question, drawn_questions, labels_of
from solutions.least_squares.lines_by_hand import line_by_hand as fit
from solutions.least_squares.lines_by_hand import swapped_the_two
from tests.conftest import ROOT
from tests.test_layout import LABELS

COURSE = Course(ROOT)
TOPICS = [topic for topic in COURSE.all_topics() if load_builders(COURSE, topic)]
MOST_BY_GUESSING = {"choice": 0.25, "order": 0.05, "fault": 0.07}


@pytest.fixture(scope="module")
def drawn():
    return {topic: drawn_questions(COURSE, topic, "a seed of the tests") for topic in TOPICS}


@pytest.mark.parametrize("topic", TOPICS)
def test_questions_of_a_topic_are_certified(topic, drawn):
    kinds = [item.kind for item in drawn[topic].values()]
    assert all(kinds.count(kind) >= 2 for kind in ("choice", "order", "fault"))
    assert labels_of(drawn[topic].values()) <= set(LABELS)
    assert all(item.guessing <= MOST_BY_GUESSING[item.kind] for item in drawn[topic].values())


@pytest.mark.parametrize("topic", TOPICS)
def test_a_key_keeps_its_questions(topic, drawn):
    text = dump_key(Key(topic, "seed", {}, {}, drawn[topic]))
    again = load_key(text)
    assert dump_key(again) == text
    for item in again.questions.values():
        assert judge_question(item, item.right).passed
        assert not judge_question(item, "").fraction


@pytest.mark.parametrize("topic", TOPICS)
def test_no_other_set_of_letters_is_right(topic, drawn):
    for item in drawn[topic].values():
        for number in range(1, len(item.items) + 1) if item.kind != "order" else ():
            for letters in combinations(item.items, number):
                assert judge_question(item, letters).passed == (set(letters) == set(item.right))


def test_the_same_seed_gives_the_same_question_and_another_seed_another():
    builder = load_builders(COURSE, "pca")["picture_of_the_scores"]
    first, again, other = (draw_question("pca.picture", builder, seed) for seed in ("a", "a", "b"))
    assert first == again
    assert first.figure != other.figure


def test_a_guess_with_penalty_earns_nothing_on_average(drawn):
    for item in drawn["pca"].values():
        assert item.guessing - (1 - item.guessing) * item.penalty == pytest.approx(0, abs=1e-12)


def squares(*numbers):
    """A choice with one square and these other options."""

    @question.choice("Squares", "Which is a square?", see="eq-pca-scores")
    def is_square(value):
        return round(value**0.5) ** 2 == value

    @is_square.right()
    def nine():
        return 9

    for number in numbers:

        def option(number=number):
            return number

        option.__name__ = f"took_{number}_{len(is_square.parts)}"
        is_square.wrong("This is no square.")(option)
    return is_square


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((3, 5, 16), "its test says that took_16_3 is right"),
        ((3, 5, 5), "look alike"),
        ((3, 5), "at least 4"),
    ],
)
def test_a_choice_proves_its_options(numbers, why):
    with pytest.raises(UncertifiedError, match=why):
        draw_question("x.squares", squares(*numbers), "seed")
    assert len(draw_question("x.squares", squares(3, 5, 7), "seed").items) == 4


def mean_order(wrong_line):
    @question.order("Mean", "Order the lines.", see="eq-pca-scores")
    def mean(x):
        total = x.sum()
        number = len(x)
        result = total / number
        return result

    mean.draw(lambda rng: {"numbers": {"x": rng.uniform(size=5)}})
    mean.wrong_line(wrong_line, "This is another number.", name="wrong_line")
    return mean


def test_every_order_that_runs_is_right_and_no_other():
    drawn = draw_question("x.mean", mean_order("number = len(x) - 1"), "seed")
    letters = {item.text: letter for letter, item in drawn.items.items()}
    total, number, result, last = (
        letters[line]
        for line in ("total = x.sum()", "number = len(x)", "result = total / number", "return result")
    )
    right = {answer for answer in permutations(drawn.items, 4) if judge_question(drawn, answer).passed}
    assert right == {(total, number, result, last), (number, total, result, last)}
    wrong = letters["number = len(x) - 1"]
    assert judge_question(drawn, (total, wrong, result, last)).misconception == "wrong_line"
    assert "cannot come before" in judge_question(drawn, (result, total, number, last)).message


def test_a_wrong_line_that_could_be_right_is_refused():
    with pytest.raises(UncertifiedError, match="a wrong line can stand in a right program"):
        draw_question("x.mean", mean_order("number = x.size"), "seed")


def test_a_proof_refuses_false_steps_and_cycles():
    def sum_proof(claim, after=()):
        proof = question.proof("Sum", "Prove it.", see="eq-pca-scores")
        proof.step("first", "One.", after=after)
        proof.step("second", "Two.", after=("first",), true=claim)
        proof.step("third", "Three.", after=("second",))
        proof.wrong_step("Four.", "No.", false=lambda rng: bool(rng.uniform() < 0.5))
        return proof

    assert draw_question("x.sum", sum_proof(lambda rng: True), "seed").guessing == 1 / 24
    with pytest.raises(UncertifiedError, match="the claim of the step second is false"):
        draw_question("x.sum", sum_proof(lambda rng: bool(rng.uniform() < 0.5)), "seed")
    with pytest.raises(UncertifiedError, match="needs itself"):
        draw_question("x.sum", sum_proof(lambda rng: True, ("third",)), "seed")


def test_a_fault_must_not_show_in_its_tests(monkeypatch):
    builder = load_builders(COURSE, "pca")["largest_variance_of"]
    monkeypatch.setattr(builder, "tests", (*builder.tests[:2], {"X": np.array([[1.0], [2.0]])}))
    with pytest.raises(UncertifiedError, match="fails one of its visible tests"):
        draw_question("pca.fault", builder, "seed")


@pytest.fixture(scope="module")
def fault(drawn):
    return drawn["pca"]["largest_variance_of"]


@pytest.mark.parametrize(
    ("answer", "passed", "words"),
    [
        ([[1, 1], [3, 1]], True, "line 2"),
        ({"X": np.array([[0.0], [1]])}, True, "line 2"),
        ([[1, 0], [-1, 0]], False, "the shown function is right"),
        ([[1, 0]], False, "not allowed: X needs two samples"),
        ([1, 2], False, "must be a table"),
        ([[1, 2], [3]], False, "rows equally long"),
        ([[1, float("nan")], [0, 0]], False, "finite"),
        ({"Y": [[1]]}, False, "exactly the names `X`"),
        ("deviations = X - np.mean(X, axis=0)", True, "line 2"),
        ("deviations = X - X.mean()", False, "still wrong"),
        ("deviations = (", False, "no Python"),
    ],
)
def test_a_fault_is_judged_by_running(fault, answer, passed, words):
    verdict = judge_question(fault, answer, runs="lines")
    assert verdict.passed == passed
    assert words in verdict.message


@pytest.mark.parametrize("runs", ["nothing", "programs"])
def test_no_line_of_a_student_is_run_where_it_is_not_allowed(fault, runs):
    verdict = judge_question(fault, "raise SystemExit", runs=runs)
    assert not verdict.passed
    assert "Only the notebook can run it" in verdict.message
    assert judge_question(fault, fault.programs.mends[0], runs=runs).passed


def test_no_program_of_a_key_is_run_unless_the_caller_trusts_the_key(fault):
    """A key may come from the folder of a submission."""
    hostile = replace(fault, programs=replace(fault.programs, correct="raise SystemExit"))
    assert "judged in the notebook" in judge_question(hostile, [[1, 1], [3, 1]]).message
    assert load_key(dump_key(Key("pca", "seed", {}, {}, {"hostile": hostile}))).questions


def test_the_notebook_of_students_shows_no_answer():
    cells = json.loads((ROOT / "exercises/pca/pca.ipynb").read_text("utf-8"))["cells"]
    quick = [cell for cell in cells if cell["id"].startswith("quick-") and cell["cell_type"] == "code"]
    assert len(quick) == len(load_builders(COURSE, "pca"))
    for cell in quick:
        lines = [line.rstrip() for line in "".join(cell["source"]).splitlines()]
        assert lines[1:3] == ["# YOUR CODE HERE", "pass"]
        assert lines[0].partition(" = ")[2].startswith("None")
        assert lines[3].startswith('check("pca.')


def test_a_question_on_one_part_needs_hints_of_its_own():
    """A hint of the task would say that the other parts are right, which were not asked."""
    builders = load_builders(COURSE, "geometry")
    hints = {part.name: part.hint for part in builders["effective"].parts}
    assert not hints["took_roots_first"].startswith("The first number is right")
    with pytest.raises(CourseError, match="map each mistake to a hint on this part"):
        question.predict("Which?", "Which?", of=fit, among=(swapped_the_two,), see="eq-pca-scores", part=1)
