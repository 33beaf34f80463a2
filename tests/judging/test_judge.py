"""One comparison everywhere: what passes, what is recognised, what a student is told."""

import re
from dataclasses import replace

import numpy as np
import pytest

from autograder.answers.attempt import CallResult
from autograder.authoring.topic import load_tasks
from autograder.judging import render
from autograder.judging.check import verdict_on
from autograder.judging.judge import judge
from autograder.judging.key import Key, Page, SealedCase, dump_key, load_key
from autograder.release.draw import draw_task, rng_from_words, task_key
from autograder.release.mistakes import applicable_mistakes


@pytest.fixture
def tasks(sample_course):
    return load_tasks(sample_course, "squares")


def key_of(task, seed="a"):
    return task_key(task, task.draw(rng_from_words(seed)), "salt", applicable_mistakes(task))


def test_a_right_function_passes_and_earns_all_points(tasks):
    verdict = verdict_on("squares.total", key_of(tasks["total"]), lambda x: sum(v * v for v in x))
    assert verdict.passed
    assert verdict.earned == 2.0


def test_a_misconception_is_named_with_its_hint_and_keeps_its_credit(tasks):
    verdict = verdict_on("squares.total", key_of(tasks["total"]), lambda x: np.sum(x))
    assert (verdict.misconception, verdict.message) == ("forgot_to_square", "Nothing was squared.")
    assert verdict.earned == 0.5


def test_each_situation_survived_earns_its_share(tasks):
    verdict = verdict_on("squares.total", key_of(tasks["total"]), lambda x: np.sum(x) ** 2)
    assert verdict.misconception == "squared_the_sum"
    assert verdict.survived == ("a list of one number",)
    assert verdict.earned == 1.0


def test_an_answer_that_works_in_place_does_not_spoil_the_case(tasks):
    key = key_of(tasks["total"])

    def in_place(x):
        x *= x
        return x.sum()

    assert verdict_on("t", key, in_place).passed
    assert verdict_on("t", key, in_place).passed


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: None, "Not written yet, or nothing was returned"),
        (lambda x: 1 / 0, "ZeroDivisionError: division by zero (line"),
        (lambda x: "text", "A number was expected, not 'text'"),
        (lambda x: float("nan"), "not numbers (NaN): look under roots"),
        (lambda x: float("inf"), "your answer holds infinite entries."),
        (lambda x: np.sum(x**2) + 0.51, "if x is doubled, your answer should grow fourfold; it does not."),
        (lambda x, y: 0, "missing 1 required positional argument"),
        (3.5, "A function was expected"),
    ],
)
def test_an_unknown_mistake_is_met_with_a_fact(tasks, answer, said):
    verdict = verdict_on("squares.total", key_of(tasks["total"]), answer)
    assert not verdict.passed
    assert verdict.misconception is None
    assert said in verdict.message


@pytest.mark.parametrize(
    ("answer", "slip", "said"),
    [
        (lambda x: 3 * np.sum(x**2), "answer:times 3", "Your answer is three times what it should be."),
        (lambda x: -np.sum(x**2), "answer:negated", "Your answer has the right size and the wrong sign."),
        (lambda x: x, "given:x:itself", "Your answer is x itself, as it was given."),
        (lambda x: np.sum(x[:-1] ** 2), "input:x:without last", "when the last entry of x is left out."),
    ],
)
def test_a_slip_is_named_without_anyone_having_foreseen_it_for_this_task(tasks, answer, slip, said):
    verdict = verdict_on("squares.total", key_of(tasks["total"]), answer)
    assert (verdict.misconception, verdict.slip) == (None, slip)
    assert said in verdict.message


@pytest.mark.parametrize("answer", [[2, 3], "x", "a*b", None, lambda: 3, [[1]], float("nan"), {"a": 1}])
def test_a_sealed_answer_of_the_wrong_form_is_told_so(tasks, answer):
    verdict = verdict_on("squares.by_hand", key_of(tasks["by_hand"]), answer)
    assert not verdict.passed
    assert verdict.message


def test_a_hand_answer_may_be_written_in_any_way_that_numbers_are(tasks):
    import sympy as sp

    key = key_of(tasks["by_hand"])
    right = float(key.cases[0].inputs["u"] @ key.cases[0].inputs["u"])
    for form in (
        int(right),
        right,
        np.float32(right),
        sp.Integer(int(right)),
        f"{2 * right}/2",
        right + 1e-6,
    ):
        assert verdict_on("t", key, form).passed, form
    assert not verdict_on("t", key, right + 1).passed


def test_a_formula_is_judged_by_its_values_not_its_form(tasks):
    import sympy as sp

    a, b = sp.symbols("a b")
    key = key_of(tasks["binomial"])
    for form in ((a + b) ** 2, sp.expand((a + b) ** 2), "a*a + 2*a*b + b*b", "(a+b)^2", (a + b) * (b + a)):
        assert verdict_on("t", key, form).passed, form
    assert verdict_on("t", key, a**2 + b**2).misconception == "forgot_the_middle"
    assert "not equal" in verdict_on("t", key, a**2 + a * b + b**2).message
    assert "'c' is not one of a, b" in verdict_on("t", key, "a + c").message


def test_a_key_of_sealed_answers_does_not_hold_them(tasks):
    key = Key("squares", "s", {"by_hand": key_of(tasks["by_hand"])})
    right = key.tasks["by_hand"].cases[0].inputs["u"] @ key.tasks["by_hand"].cases[0].inputs["u"]
    assert f"{right:g}" not in re.sub(r'"(expected|wrong|entries)": [^]]*]', "", dump_key(key))


def test_a_key_means_the_same_after_it_was_written_and_read(tasks):
    key = Key(
        "squares",
        "s",
        {name: key_of(task) for name, task in tasks.items()},
        {"eq": Page("address", "Theorem 1")},
    )
    again = load_key(dump_key(key))
    assert dump_key(again) == dump_key(key)
    assert verdict_on("t", again.tasks["total"], lambda x: np.sum(x)).misconception == "forgot_to_square"
    assert isinstance(again.tasks["by_hand"].cases[0], SealedCase)


def test_a_missing_program_is_an_answer_too(tasks):
    key = key_of(tasks["total"])
    attempts = [CallResult(problem="stopped", message="the program ended before it answered")] * 2
    verdict = judge("t", key, attempts)
    assert verdict.earned == 0
    assert verdict.message == "The program ended before it answered."


def test_public_and_secret_cases_differ_and_depend_on_the_secret(tasks):
    one = draw_task("squares.total", tasks["total"], "seed", "secret one")
    other = draw_task("squares.total", tasks["total"], "seed", "secret two")
    assert one.public == one.public
    np.testing.assert_array_equal(one.public.cases[0].inputs["x"], other.public.cases[0].inputs["x"])
    assert not np.array_equal(one.secret.cases[0].inputs["x"], one.public.cases[0].inputs["x"])
    assert not np.array_equal(one.secret.cases[0].inputs["x"], other.secret.cases[0].inputs["x"])


def test_a_verdict_reads_well_as_text_and_escapes_as_html(tasks):
    pages = {
        "eq-squares-sum": Page(
            "http://127.0.0.1:8000/book/squares.html#equation-eq-squares-sum", "Equation (1)"
        )
    }

    def hostile(x):
        raise ValueError("<script>alert(1)</script>")

    verdict = verdict_on("squares.total", key_of(tasks["total"]), hostile)
    assert "TRY AGAIN  squares.total  (0 of 2 points)" in render.text(verdict, pages)
    shown = render.html(verdict, pages)
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert 'href="http://127.0.0.1:8000/book/squares.html#equation-eq-squares-sum"' in shown


def test_a_picture_is_drawn_when_the_answer_can_be_drawn(tasks):
    key = key_of(tasks["cubes"])
    wrong = verdict_on("squares.cubes", key, lambda X: X**2)
    assert 'src="data:image/svg+xml;base64,' in render.html(wrong, {})
    assert 'alt="Your answer (crosses)' in render.html(wrong, {})
    assert "<img" not in render.html(verdict_on("squares.cubes", key, lambda X: X[:2]), {})
    assert "<img" not in render.html(replace(wrong, picture=None), {})
