"""Parts are judged as parts: a list of formulas shares the points, and of a single part only what is sure is said."""

import time

import numpy as np
import pytest

from autograder.answers.attempt import value
from autograder.authoring.task import Misconception, Task
from autograder.judging import formula_probes, probes, render, trace
from autograder.judging.check import verdict_on
from autograder.judging.judge import judge
from autograder.judging.relations import describe_relation
from autograder.judging.sameness import exactly, up_to_column_signs
from autograder.release import mistakes
from autograder.release.draw import rng_from_words, task_key
from autograder.release.mistakes import applicable_mistakes


def at_points(rng):
    return {"at sample points": {name: np.round(rng.uniform(1, 5, size=6), 2) for name in "pq"}}


def sides_and_area(p, q):
    """The squared diagonal and the area of a rectangle, one row for each sample point."""
    return np.column_stack([p**2 + q**2, p * q])


def forgot_the_square(p, q):
    return np.column_stack([p + q, p * q])


rectangle = Task(
    kind="sym",
    points=2,
    minutes=5,
    draw=at_points,
    answer=sides_and_area,
    same=(exactly,) * 2,
    parts=("the diagonal", "the area"),
    see="eq-x",
    misconceptions=(Misconception(forgot_the_square, hint="The area is right. Squares add up.", see="eq-y"),),
)


def key_of(task):
    return task_key(task, task.draw(rng_from_words("a")), "salt", applicable_mistakes(task))


def verdict_on_formulas(*formulas):
    return judge("t", key_of(rectangle), [value(list(formulas))])


def test_a_list_of_formulas_earns_a_share_for_each_right_one():
    assert verdict_on_formulas("p**2 + q**2", "q*p").passed
    assert verdict_on_formulas("p**2 + q**2", "p - q").fraction == 0.5
    assert verdict_on_formulas("7*p", "p - q").fraction == 0


def test_a_hint_that_speaks_of_other_parts_is_not_told_of_one():
    both = verdict_on_formulas("p + q", "p*q")
    assert (both.misconception, both.message) == ("forgot_the_square", "The area is right. Squares add up.")
    alone = verdict_on_formulas("p + q", "2*p*q")
    assert "is right" not in alone.message
    assert "the diagonal) is what comes out for someone who forgot the square." in alone.message
    assert "the area) is twice what it should be." in alone.message


def test_exchanged_parts_are_named_once():
    assert verdict_on_formulas("p*q", "p**2 + q**2").message == "Parts 1 and 2 are exchanged."


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (
            "5*p + 3*q",
            "if p and q are doubled, part 1 (the diagonal) should grow fourfold; it would double.",
        ),
        ("5*p**2 + 3*q**2", "if p and q are exchanged, part 1 (the diagonal) should stay as it is"),
    ],
)
def test_a_formula_is_told_the_law_that_it_breaks(formula, said):
    assert said in verdict_on_formulas(formula, "p*q").message


def test_what_is_told_of_a_law_is_true_of_the_right_formula():
    key = key_of(rectangle)
    points = key.cases[0].inputs
    before = list(sides_and_area(**points).T)
    assert len(key.laws) >= 5
    for law in key.laws:
        after = list(sides_and_area(**formula_probes.apply_symbol_change(points, law.change, law.argument)).T)
        assert formula_probes.formula_satisfies_law(law.law, law.part, before, after)


def axes_and_sizes(X):
    U, sizes, _ = np.linalg.svd(X, full_matrices=False)
    return U, sizes


pair = Task(
    kind="code",
    points=1,
    minutes=1,
    draw=lambda rng: {
        f"{rows} rows": {"X": np.round(rng.normal(size=(rows, 2)) * [5, 1], 2)} for rows in (4, 6)
    },
    answer=axes_and_sizes,
    same=(up_to_column_signs, exactly),
    see="eq-x",
)


def test_exchanged_parts_are_recognised_whatever_signs_they_have():
    def exchanged(X):
        U, sizes = axes_and_sizes(X)
        return sizes, -U

    assert verdict_on("t", key_of(pair), exchanged).message == "Parts 1 and 2 are exchanged."


def test_changed_inputs_lie_in_memory_as_libraries_expect():
    inputs = {"A": np.arange(6.0).reshape(2, 3)}
    assert probes.apply_change(inputs, "transpose", "A")["A"].flags.c_contiguous


def test_a_root_of_rounding_errors_is_lost_like_a_zero():
    assert trace.is_below_precision(np.array(2.1e-8), np.array(5e-9), 1.0)
    assert not trace.is_below_precision(np.array(2e-3), np.array(5e-9), 1.0)
    assert not trace.is_below_precision(np.array(2e-8), np.array(0.5), 1.0)


def test_a_mistake_beside_a_zero_is_recognised_whatever_rounding_errors_a_machine_makes():
    def extent(x):
        return x.max() - x.min(), (x - x.mean()).sum()

    def took_the_largest(x):
        return x.max(), 3e-15 * x.max()

    spread = Task(
        kind="code",
        points=2,
        minutes=5,
        draw=lambda rng: {"some numbers": {"x": np.round(rng.uniform(10, 90, size=7), 2)}},
        answer=extent,
        same=(exactly,) * 2,
        parts=("the range", "what centring leaves"),
        see="eq-x",
        misconceptions=(Misconception(took_the_largest, hint="From where to where?", see="eq-y"),),
    )
    found = [verdict_on("t", key_of(spread), lambda x, e=e: (x.max(), e)) for e in (0.0, -7e-14, 5e-13)]
    assert {one.misconception for one in found} == {"took_the_largest"}
    assert verdict_on("t", key_of(spread), lambda x: (x.max(), 0.5)).misconception is None


def test_a_rounding_error_beside_a_number_is_shown_as_zero():
    assert render.format_value((149.28, -1.4e-14, np.array(["a"]))).splitlines() == ["149.28,", "0,", "['a']"]
    assert render.format_value((1e-20, 2e-20)) == "1e-20,\n2e-20"


def volume_and_edge(p, q):
    return np.column_stack([p**2 * q, p + 2 * q])


box = Task(
    kind="sym",
    points=2,
    minutes=5,
    draw=at_points,
    answer=volume_and_edge,
    same=(exactly,) * 2,
    parts=("the volume", "the edge"),
    see="eq-x",
)


def test_arguments_are_not_said_to_be_exchanged_where_a_right_part_refutes_it():
    key = key_of(box)
    both = judge("t", key, [value(["q**2*p", "q + 2*p"])])
    assert both.message == "Your answer is what comes out when p and q are exchanged."
    assert "exchanged." not in judge("t", key, [value(["q**2*p", "p + 2*q"])]).message


def small_numbers(rng):
    return {"the numbers of the text": {"x": np.round(rng.uniform(2.2, 2.4, size=3), 2)}}


three_numbers = Task(
    kind="hand",
    points=3,
    minutes=5,
    draw=small_numbers,
    answer=lambda x: [float(x[0]), float(x[1] * 7), float(x[2] * 11)],
    same=(exactly,) * 3,
    see="eq-x",
)


def test_a_rounding_that_fits_one_number_explains_nothing_beside_unexplained_ones():
    key = key_of(three_numbers)
    x = key.cases[0].inputs["x"]
    alone = judge("t", key, [value([3, float(x[1] * 7), float(x[2] * 11)])])
    assert "rounded up" in alone.message
    assert "rounded" not in judge("t", key, [value([3, 1.234, 5.678])]).message


def some_lists(rng):
    return {
        "all different": {"x": np.array([1.0, 4.0, 2.0, 7.0])},
        "one twice": {"x": np.array([3.0, 3.0, 5.0])},
        "one three times": {"x": np.array([6.0, 6.0, 6.0, 2.0, 1.0])},
    }


def gave_the_length(x):
    return len(x)


different = Task(
    kind="code",
    points=3,
    minutes=5,
    draw=some_lists,
    answer=lambda x: len(set(x)),
    same=exactly,
    see="eq-x",
    misconceptions=(Misconception(gave_the_length, hint="Some occur twice.", see="eq-y"),),
)


def test_a_count_that_is_wrong_on_some_cases_only_has_no_reason():
    key = key_of(different)
    assert verdict_on("t.different", key, len).misconception == "gave_the_length"
    said = verdict_on("t.different", key, lambda x: 5 if len(x) == 5 else len(set(x)))
    assert (said.misconception, said.fraction) == (None, pytest.approx(2 / 3))
    assert "someone who" not in said.message


@pytest.mark.parametrize(
    ("given", "right", "said"),
    [
        (np.eye(3), np.diag([1.0, 1.0, 0.0]), "{it} is the identity matrix."),
        (np.array([1.0, -2.0, 3.0, 1.0]), np.array([2.0, -3.0, 4.0, 9.0]), "too small in size."),
        (np.array([5.0, -7.0, 6.0, 9.5]), np.array([2.0, -3.0, 4.0, 9.0]), "too large in size."),
        (np.array([1.0, -2.0, 5.0, 1.0]), np.array([2.0, -3.0, 4.0, 9.0]), ""),
        (np.array([1.0, 2.0, 3.0, 1.0]), np.array([2.0, -3.0, 4.0, 9.0]), ""),
    ],
)
def test_what_an_array_is_beside_the_right_one(given, right, said):
    told = describe_relation(given, right, exactly)
    assert told.endswith(said) if said else not told


def test_a_way_that_is_slow_only_the_first_time_is_quick():
    calls = []

    def way(x):
        calls.append(x)
        end = time.thread_time() + (2 * mistakes.MAX_EDIT_SECONDS if len(calls) == 1 else 0)
        while time.thread_time() < end:
            pass
        return x

    assert mistakes._is_quick(way, {"x": 1.0})
    assert len(calls) == 2


def two_sums(rng):
    return {f"case {number}": {"x": np.round(rng.uniform(1, 5, size=4), 2)} for number in range(3)}


def swapped_them(x):
    return float(np.sum(x**2)), float(np.sum(x))


sums = Task(
    kind="code",
    points=2,
    minutes=5,
    draw=two_sums,
    answer=lambda x: (float(np.sum(x)), float(np.sum(x**2))),
    same=(exactly, exactly),
    parts=("the sum", "the sum of squares"),
    see="eq-x",
    misconceptions=(Misconception(swapped_them, hint="In the other order.", see="eq-y"),),
)


def test_a_part_that_stands_where_another_belongs_is_no_exchange():
    said = verdict_on("t.sums", key_of(sums), lambda x: (float(np.sum(x)), float(np.sum(x))))
    assert said.message.endswith("Part 2 (the sum of squares) is what part 1 (the sum) should be.")
    assert verdict_on("t.sums", key_of(sums), swapped_them).misconception == "swapped_them"


def orthogonal(rng, columns):
    U = np.linalg.svd(rng.normal(size=(6, columns)), full_matrices=False)[0]
    return {"Y": U * np.arange(2.0, 2.0 + columns), "b": rng.normal(size=6)}


coordinates = Task(
    kind="code",
    points=1,
    minutes=1,
    draw=lambda rng: {"a line": orthogonal(rng, 1), "a plane": orthogonal(rng, 2)},
    answer=lambda Y, b: b @ Y / np.sum(Y**2, axis=0),
    alternatives=(lambda Y, b: np.linalg.lstsq(Y, b, rcond=None)[0],),
    see="eq-x",
)


def test_a_change_after_which_correct_ways_differ_in_one_case_makes_no_law():
    """Rotated columns are no longer orthogonal to one another; on a line all ways still agree."""
    changes = {(law.change, law.argument) for law in key_of(coordinates).laws}
    assert ("scale", "Y") in changes
    assert ("rotate", "Y") not in changes


@pytest.mark.parametrize(
    ("factor", "said"),
    [(1e-16, "is practically zero beside what is right"), (1e14, "is enormous beside what is right")],
)
def test_of_rounding_errors_no_law_is_told(factor, said):
    def noise(X):
        U, sizes = axes_and_sizes(X)
        return U, factor * np.cos(np.arange(len(sizes)) + X.sum())

    message = verdict_on("t", key_of(pair), noise).message
    assert message.startswith("Part 1 is right. Part 2 ")
    assert said in message
    assert "Test:" not in message
