"""Numbers of hand tasks that agree by luck are drawn again."""

import json

import numpy as np
import pytest

from autograder.authoring.task import Misconception, Task
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.release.coincidences import lucky_agreements
from autograder.release.draw import draw_task, task_key
from autograder.release.worked_results import displayed_results
from tests.conftest import ROOT

TEXT = "the numbers of the text"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("$a=3$ and $b=-2.5$.", [3, -2.5]),
        (r"$\sqrt{3^2+4^2}=\sqrt{25}=5$", [5, 5]),
        (r"$\tfrac12\cdot6=3$, then $\rho=\tfrac{-1}{2}$", [3]),
        (r"$x=-\tfrac{2}{3}$ and $y=\tfrac{\sqrt{2}}{2}$", [-2 / 3, 2**0.5 / 2]),
        (r"$\approx 0.33333$, so $l\approx 0.33333$", [1 / 3, 1 / 3]),
        (r"$v=(1,\,-2)$ and $w=3+4$", [[1, -2]]),
        (r"$C=\begin{pmatrix} 2 & 1 \\ 1 & 3 \end{pmatrix}$", [[[2, 1], [1, 3]]]),
        (r"$w=\begin{pmatrix} 2 \\ 1 \end{pmatrix}$", [[2, 1]]),
        (r"$Cv=(40,\,120)=40\,v$", [[40, 120], 40]),
        (r"$3\cdot4=2\cdot6$", []),
    ],
)
def test_results_stand_right_of_an_equality_sign(markdown, expected):
    read = list(displayed_results(markdown))
    assert len(read) == len(expected)
    for one, want in zip(read, expected, strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-4)


def product_task(pairs, **options):
    """A task by hand: the product of two numbers, drawn from these pairs."""

    def draw(rng):
        first, second = pairs[int(rng.integers(len(pairs)))]
        return {TEXT: {"a": float(first), "b": float(second)}}

    def added(a, b):
        return a + b

    wrong = Misconception(added, hint="This is the sum.", see="")
    return Task("hand", 1, 1, draw, lambda a, b: a * b, "", misconceptions=(wrong,), **options)


def lucky(task, a, b):
    return list(lucky_agreements(task, task_key(task, {TEXT: {"a": a, "b": b}})))


PAIRS = [(2, 3), (3, 4), (2, 5), (5, 3), (4, 5), (1, 6)]


def test_an_input_that_equals_the_answer_is_told():
    assert lucky(product_task(PAIRS), 1.0, 6.0) == ["b equals the answer by luck"]
    assert lucky(product_task(PAIRS), 2.0, 3.0) == []


def test_a_second_slip_that_hits_the_answer_is_told():
    b = (1 + 33**0.5) / 8  # √(2 + b) = 2b
    assert lucky(product_task(PAIRS), 2.0, b) == ["the root of 'added' equals the answer by luck"]
    assert lucky(product_task(PAIRS), 2.0, b + 0.1) == []


def test_a_declared_source_may_agree():
    assert lucky(product_task(PAIRS, may_agree=(("b", "a factor may be one"),)), 1.0, 6.0) == []


def test_what_agrees_on_every_draw_agrees_by_nature():
    assert lucky(product_task([(1, 2), (1, 3), (1, 5), (1, 7)]), 1.0, 6.0) == []


def test_steps_of_equal_size_are_told():
    task = product_task(PAIRS, worked=lambda a, b: (f"$a+1={a + 1:g}$, $b={b:g}$, $ab={a * b:g}$", a * b))
    assert lucky(task, 2.0, 3.0) == ["result 1 of the steps equals result 2 of the steps by luck"]
    assert lucky(task, 2.0, 5.0) == []


def test_a_draw_with_lucky_numbers_is_drawn_again():
    task = product_task([(1, 6), (2, 3), (2, 5), (5, 3)])
    drawn = [draw_task("t.product", task, f"seed {number}", "") for number in range(12)]
    assert all(one.public.cases[0].inputs["a"] != 1 for one in drawn)
    assert any("b equals the answer by luck" in one.refused for one in drawn)


@pytest.mark.parametrize(
    ("topic", "name", "why"),
    [
        ("duality", "three_lengths", "the number of entries equals part 3 of the answer"),
        ("practice", "strange_sample", "result 7 of the steps equals result 8 of the steps"),
        ("pca", "variance_along", "entry [2, 2] of C equals the answer"),
        ("pca", "error_from_spectrum", "the root of 'forgot_to_divide' equals part 1 of the answer"),
        (
            "classical_mds",
            "truncation",
            "an entry of spectrum equals the negative of another entry of spectrum",
        ),
    ],
)
def test_numbers_that_were_published_once_are_refused_today(topic, name, why):
    inputs = json.loads((ROOT / "tests" / "truth" / "inputs.json").read_text("utf-8"))[topic][name][TEXT]
    case = {key: np.array(value) if isinstance(value, list) else value for key, value in inputs.items()}
    task = load_tasks(Course(ROOT), topic)[name]
    assert f"{why} by luck" in list(lucky_agreements(task, task_key(task, {TEXT: case})))
