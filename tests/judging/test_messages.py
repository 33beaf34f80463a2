"""A sentence is told only where it was tried: form first, then rounding, order and signs; no reason by chance."""

import json

import numpy as np
import pytest

from autograder.answers.example import case, inputs_of
from autograder.authoring.task import Misconception, Task
from autograder.errors import BadKeyError
from autograder.judging import render
from autograder.judging.check import verdict_on
from autograder.judging.evidence import number_bits, part_bits, slip_bits
from autograder.judging.key import Key, dump_key, load_key
from autograder.judging.relations import describe_relation
from autograder.judging.sameness import exactly, up_to_column_signs
from autograder.release.draw import task_key
from autograder.release.mistakes import applicable_mistakes

RNG = np.random.default_rng(3)
TABLE = RNG.normal(size=(6, 2))


def fixed(right, same=exactly, cases=2):
    """A key whose answers are these; the function is given which one is asked."""
    answers = [np.asarray(right) * (1 + number) for number in range(cases)]
    task = Task("code", 3, 1, draw=dict, answer=lambda u: answers[int(u[0])], see="eq-x", same=same)
    return task_key(task, {f"case {number + 1}": {"u": np.array([float(number)])} for number in range(cases)})


def message(right, answer, same=exactly):
    return verdict_on("t", fixed(right, same), lambda u: answer(np.asarray(right) * (1 + u[0]))).message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda r: (r, r), "should be a table with 6 rows and 2 columns; it is 2 of them: return one."),
        (lambda r: (r, r[:2]), "should be one array, and yours is 2 of them: return one."),
        (lambda r: (r[:, 0], 2.0), "should be one array, and yours has 2 parts: return one."),
        (lambda r: r[:, 0], "should be a table with 6 rows and 2 columns; it is a list of 6 numbers."),
        (lambda r: r.T @ r, "it is a table with 2 rows and 2 columns."),
        (lambda r: r > 0, "your answer holds truth values (True, False); numbers are asked for."),
        (lambda r: np.zeros((0, 2)), "it is an empty array of shape (0, 2)."),
        (lambda r: r / 0 * 0, "On “case 1” your answer holds entries that are not numbers (NaN)"),
        (lambda r: np.round(r, 3), "Your answer is right, but rounded to 3 decimals: return all digits."),
        (lambda r: r[[1, 0, 2, 3, 4, 5]], "Your answer has the right rows in another order."),
        (lambda r: r * [1, -1], "Your answer is right but for signs: column 2 has the wrong sign."),
        (
            lambda r: r + np.array([3.0, 7.0]),
            "right but for a shift: each column is moved by an amount of its own.",
        ),
        (lambda r: r + 3.0, "right but for a shift: 3 is added to every entry."),
    ],
)
def test_form_and_arrangement_of_a_wrong_answer_are_told(answer, said):
    with np.errstate(all="ignore"):
        assert said in message(TABLE, answer)


def test_signs_of_rows_are_told_where_signs_of_columns_are_free():
    flipped = np.ones((6, 2))
    flipped[4:, 1] = -1
    said = message(TABLE, lambda r: r * flipped, up_to_column_signs)
    assert "right but for signs: in column 2, rows" in said


def test_small_entries_that_became_zero_are_told():
    right = np.array([[0.5123456789, 0.004], [0.004, 0.25]])
    said = message(right, lambda r: np.where(np.abs(r) < 0.01, 0, r))
    assert "is right, but its small entries (up to 0.004 in size) are zero." in said


def test_a_single_array_for_two_parts_is_called_one():
    task = Task("code", 1, 1, dict, lambda u: (TABLE, 3.0), "eq-x", same=(exactly, exactly))
    key = task_key(task, {"a case": {"u": np.ones(2)}})
    said = verdict_on("t", key, lambda u: TABLE).message
    assert (
        said == "The answer should have 2 parts; yours is a single array, a table with 6 rows and 2 columns."
    )


def test_a_truth_value_for_a_number_is_told():
    task = Task("code", 1, 1, dict, lambda u: (2.5, 3.0), "eq-x", same=(exactly, exactly))
    key = task_key(task, {"a case": {"u": np.ones(2)}})
    said = verdict_on("t", key, lambda u: (2.5, True)).message
    assert said == "Part 1 is right. Part 2 is True, a truth value; a number is asked for."


@pytest.mark.parametrize(("number", "bits"), [(0, 0), (1, 1.6), (3, 2.8), (0.75, 4.8), (2**0.5, 20)])
def test_small_whole_numbers_and_fractions_prove_little(number, bits):
    assert number_bits(number) == pytest.approx(bits, abs=0.05)


def test_entries_that_are_right_or_repeated_prove_nothing():
    right = np.array([1.5, 2.5, 3.5])
    assert part_bits(right, right) == 0
    assert part_bits(np.array([0.1234567, 0.1234567, 2.5]), np.array([1.5, 3.0, 2.5])) == 20


def count_positive(w):
    return int((w > 0).sum())


def test_counts_that_fit_by_chance_are_given_no_reason():
    def draw(rng):
        return {f"case {size}": {"w": rng.normal(size=size)} for size in (4, 6, 8)}

    task = Task("code", 2, 1, draw, count_positive, "eq-x")
    cases = draw(np.random.default_rng(1))
    key = task_key(task, cases, extra=applicable_mistakes(task))
    verdict = verdict_on("t", key, lambda w: count_positive(w[:-1]))
    assert (verdict.misconception, verdict.slip) == (None, None)
    assert "comes out" not in verdict.message


def test_a_slip_on_real_numbers_is_named():
    def draw(rng):
        return {f"case {size}": {"w": rng.normal(size=size)} for size in (4, 6, 8)}

    task = Task("code", 2, 1, draw, lambda w: float(np.sum(w**3)), "eq-x")
    key = task_key(task, draw(np.random.default_rng(1)), extra=applicable_mistakes(task))
    verdict = verdict_on("t", key, lambda w: float(np.sum(w[:-1] ** 3)))
    assert verdict.slip == "input:w:without last"
    assert slip_bits(key) < 20


def gaussian(X, gamma):
    return np.exp(-gamma * np.sum((X[:, None] - X) ** 2, axis=2))


def draw_gaussian(rng):
    X = rng.normal(size=(5, 2))
    return {"gamma zero": {"X": X, "gamma": 0.0}, "gamma one": {"X": X + 0.5, "gamma": 1.0}}


def test_a_law_of_one_case_only_is_no_law():
    def ill_posed(X, gamma):
        return "all weights are zero" if gamma and gaussian(X, gamma).sum() < len(X) + 1e-3 else None

    task = Task("code", 2, 1, draw_gaussian, gaussian, "eq-x", ill_posed=ill_posed)
    key = task_key(task, draw_gaussian(np.random.default_rng(1)), extra=applicable_mistakes(task))
    assert not [law for law in key.laws if law.change in ("small unit", "scale", "units")]
    assert [law for law in key.laws if (law.change, law.law) == ("shift", "stays")]


def test_rows_of_a_symmetric_table_are_moved_with_its_columns_or_not_at_all():
    def draw(rng):
        X = rng.normal(size=(5, 2))
        return {"a table": {"D": np.abs(X[:, :1] - X[:, 0])}}

    task = Task("code", 2, 1, draw, lambda D: D**2, "eq-x")
    key = task_key(task, draw(np.random.default_rng(1)), extra=applicable_mistakes(task))
    changes = {law.change for law in key.laws}
    assert "permute points" in changes
    assert not changes & {"permute rows", "permute columns", "shift", "negate", "rotate"}


def test_no_law_is_told_of_arguments_that_are_one_object():
    task = Task("code", 2, 1, draw_gaussian, gaussian, "eq-x", tied=("X",))
    key = task_key(task, draw_gaussian(np.random.default_rng(1)), extra=applicable_mistakes(task))
    assert not [law for law in key.laws if law.argument == "X"]
    assert not key.twins


def test_what_an_unstable_answer_does_is_no_broken_law():
    def draw(rng):
        return {"a list": {"x": rng.normal(size=6)}, "another": {"x": rng.normal(size=5)}}

    task = Task("code", 2, 1, draw, lambda x: float(np.sum(x**2)), "eq-x")
    key = task_key(task, draw(np.random.default_rng(1)), extra=applicable_mistakes(task))
    calls = iter(range(1000))
    said = verdict_on("t", key, lambda x: float(np.sum(x**2) + 0.1 + 0.01 * next(calls))).message
    assert "Test:" not in said
    assert "Test:" in verdict_on("t", key, lambda x: float(np.sum(x**2) + 0.51)).message


@pytest.mark.parametrize(("factor", "said"), [(1 + 2e-5, "2e-05 of its size"), (1.5, "1.5 times what it")])
def test_a_number_is_never_called_one_times_the_right_one(factor, said):
    assert said in describe_relation(np.array(3.7 * factor), np.array(3.7), exactly)
    assert "1 times" not in describe_relation(TABLE * (1 + 2e-6), TABLE, exactly)


def test_tiny_numbers_are_shown_with_a_power_of_ten():
    shown = render.format_value(np.array([[3e-9, -2e-9], [1e-10, 0.0]]))
    assert shown.startswith("1e-9 * [[ 3.")
    assert "-2." in shown
    assert render.format_value(np.array([-1e-20, 1.0])) == "[0. 1.]"


def small_task():
    def draw(rng):
        return {
            "many points": {"X": rng.normal(size=(12, 3)), "k": 2},
            "few points": {"X": rng.normal(size=(9, 2)), "k": 1},
        }

    def scaled(X, k):
        return k * (X - X.mean(axis=0))

    def forgot(X, k):
        return k * X

    wrong = Misconception(forgot, hint="The mean was not subtracted.", see="eq-x")
    task = Task("code", 2, 1, draw, scaled, "eq-x", misconceptions=(wrong,))
    return task, task_key(task, draw(np.random.default_rng(1)), extra=applicable_mistakes(task))


def test_the_smallest_failing_case_is_shown_with_the_line_that_makes_it(tmp_path, monkeypatch):
    _, key = small_task()
    assert key.twins
    verdict = verdict_on("points.centred", key, lambda X, k: k * X)
    assert verdict.failing.name.startswith("small case")
    assert verdict.failing.inputs["X"].size <= 9
    line = f'from autograder import case; X, k = case("points.centred", {verdict.failing.number})'
    assert line in render.text(verdict, {})
    (tmp_path / "points.key.json").write_text(dump_key(Key("points", "1", {"centred": key})), "utf-8")
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(line, space)
    np.testing.assert_array_equal(space["X"], verdict.failing.inputs["X"])
    np.testing.assert_array_equal(case("points.centred", 1)[0], key.cases[0].inputs["X"])
    with pytest.raises(BadKeyError, match="has cases 1 to"):
        case("points.centred", 99)


def test_small_cases_earn_nothing_and_cost_nothing():
    _, key = small_task()

    def right_on_large(X, k):
        return k * (X - X.mean(axis=0)) if len(X) > 5 else X

    assert verdict_on("points.centred", key, right_on_large).passed


def test_a_case_is_given_while_grading_from_its_inputs_alone(tmp_path, monkeypatch):
    _, key = small_task()
    tree = json.loads(dump_key(Key("points", "1", {"centred": key})))
    (tmp_path / "points.cases.json").write_text(json.dumps(inputs_of(tree)), "utf-8")
    assert "expected" not in (tmp_path / "points.cases.json").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    assert case("points.centred", 2)[1] == 1


def test_a_key_of_the_former_format_is_read():
    _, key = small_task()
    tree = json.loads(dump_key(Key("points", "1", {"centred": key})))
    del tree["tasks"]["centred"]["twins"]
    tree["format"] = 2
    assert load_key(json.dumps(tree)).tasks["centred"].twins == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda u: (4.0, None), "Part 2 of the answer is None, that is, missing."),
        (lambda u: None, "Not written yet, or nothing was returned."),
    ],
)
def test_none_is_told_where_it_stands(answer, said):
    task = Task("code", 1, 1, dict, lambda u: (4.0, 3.0), "eq-x", same=(exactly, exactly))
    assert said in verdict_on("t", task_key(task, {"a case": {"u": np.ones(2)}}), answer).message


@pytest.mark.parametrize(
    ("right", "said"),
    [([20.00051, 7.1], "rounded to 3 decimals"), ([20.10013, 7.1], "rounded to a few decimals")],
)
def test_decimals_that_cannot_be_seen_are_not_counted(right, said):
    task = Task("code", 1, 1, dict, lambda u: np.array(right), "eq-x")
    key = task_key(task, {"a case": {"u": np.ones(2)}})
    assert said in verdict_on("t", key, lambda u: np.round(right, 3)).message


def test_sign_of_a_table_with_one_entry_is_told():
    tables = {2.0: TABLE, 1.0: TABLE[:1, :1]}
    task = Task("code", 1, 1, dict, lambda u: tables[float(u[0])], "eq-x")
    key = task_key(task, {"a table": {"u": np.array([2.0])}, "one entry": {"u": np.array([1.0])}})

    def last_column_flipped(u):
        table = tables[float(u[0])].copy()
        table[:, -1] *= -1
        return table

    assert (
        "right but for signs: column 2 has the wrong sign."
        in verdict_on("t", key, last_column_flipped).message
    )


def test_a_count_is_too_large_by_a_number_and_never_a_multiple():
    counts = {1.0: 2.0, 2.0: 2.0, 3.0: 4.0}
    task = Task(
        "code", 1, 1, dict, lambda u: (counts[float(u[0])], float(u[0]) ** 0.5), "eq-x", same=(exactly,) * 2
    )
    key = task_key(task, {f"case {n}": {"u": np.array([n])} for n in counts})
    said = verdict_on("t", key, lambda u: (counts[float(u[0])] / 2, float(u[0]) ** 0.5)).message
    assert "part 1 is too small by 1." in said
    assert "half" not in said


def spread(a, b):
    return np.array([a, b]), a + b


def took_the_first(a, b):
    return np.array([a, a]), a + b


def took_the_first_twice(a, b):
    return np.array([a, a]), 2.0 * a


def test_a_part_that_two_mistakes_give_names_neither():
    task = Task(
        "code",
        1,
        1,
        lambda rng: {"a case": {"a": 3.137, "b": 5.719}, "b": {"a": 1.731, "b": 2.913}},
        spread,
        "eq-x",
        same=(exactly, exactly),
        misconceptions=tuple(
            Misconception(mistake, hint="It is not.", see="eq-x")
            for mistake in (took_the_first, took_the_first_twice)
        ),
    )
    key = task_key(
        task,
        {"a case": {"a": 3.137, "b": 5.719}, "b": {"a": 1.731, "b": 2.913}},
        "s",
        applicable_mistakes(task),
    )
    whole = verdict_on("t", key, took_the_first_twice)
    assert whole.misconception == "took_the_first_twice"
    part = verdict_on("t", key, lambda a, b: (np.array([a, a]), 0.5371 * b)).message
    assert "someone who" not in part
