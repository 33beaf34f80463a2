"""Wrong answers that mathematics does not determine: a key leaves them out, and the other cases decide."""

import numpy as np
import pytest

from autograder.authoring.task import Misconception, Task
from autograder.errors import UncertifiedError
from autograder.judging.check import verdict_on
from autograder.judging.key import Key, dump_key, load_key
from autograder.judging.sameness import up_to_basis
from autograder.release.draw import draw_task, task_key
from autograder.release.rules import broken_rules

LINE = {"A": np.array([[3.0, 4.0]])}  # one null vector
PLANE = {"A": np.array([[1.0, 2.0, 2.0]])}  # a plane of them: one taken from it is any
CASES = {"a line": LINE, "a plane": PLANE}


def null_space(A):
    return np.linalg.svd(A)[2][1:].T


def took_the_row(A):
    return A.T


def took_one_vector(A):
    return null_space(A)[:, :1] if A.shape[1] > 2 else np.eye(2)[:, :1]


def any_of_a_plane(A):
    return "any vector of the plane" if A.shape[1] > 2 else None


def task_of(*misconceptions, kind="code", cases=CASES):
    return Task(
        kind=kind, points=2, minutes=1, draw=lambda rng: cases, answer=null_space, see="eq-x",
        same=up_to_basis, misconceptions=misconceptions,
    )  # fmt: skip


def misconception(wrong, indefinite=any_of_a_plane):
    return Misconception(wrong, hint=f"hint of {wrong.__name__}", see="eq-x", indefinite=indefinite)


def always(A):
    return "it depends"


TASK = task_of(Misconception(took_the_row, hint="the row", see="eq-x"), misconception(took_one_vector))


def one_of_the_plane(number):
    """The mistake, as a library with another taste would make it."""

    def function(A):
        turned = null_space(A) @ np.array([[np.cos(number)], [np.sin(number)]]) if A.shape[1] > 2 else None
        return took_one_vector(A) if turned is None else turned

    return function


def test_a_key_holds_nothing_of_an_indefinite_answer_before_and_after_it_is_written():
    key = Key("x", "s", {"null": task_key(TASK, CASES)})
    for one in (key, load_key(dump_key(key))):
        line, plane = one.tasks["null"].cases
        assert one.tasks["null"].wrongs == ("took_the_row", "took_one_vector")
        assert np.isnan(line.wrong).any(axis=(1, 2)).tolist() == [False, False]
        assert np.isnan(plane.wrong).any(axis=(1, 2)).tolist() == [False, True]


@pytest.mark.parametrize("number", [0.0, 0.4, 2.0])
def test_whichever_answer_is_given_there_the_other_cases_recognise_the_mistake(number):
    verdict = verdict_on("", task_key(TASK, CASES), one_of_the_plane(number))
    assert verdict.misconception == "took_one_vector"
    assert verdict.message == "hint of took_one_vector"


def test_a_mistake_that_the_other_cases_contradict_is_not_recognised():
    def right_on_the_line(A):
        return null_space(A) if A.shape[1] == 2 else null_space(A)[:, :1]

    assert verdict_on("", task_key(TASK, CASES), right_on_the_line).misconception is None


def test_another_mistake_and_the_right_answer_are_judged_as_before():
    key = task_key(TASK, CASES)
    assert verdict_on("", key, took_the_row).misconception == "took_the_row"
    assert verdict_on("", key, null_space).passed
    assert broken_rules(TASK, key) == []


def test_a_mistake_that_is_definite_nowhere_is_refused_with_the_reason():
    task = task_of(misconception(took_the_row, always))
    said = "the misconception 'took_the_row' is definite on no case: it depends"
    assert broken_rules(task, task_key(task, CASES)) == [said]
    with pytest.raises(UncertifiedError, match=said):
        draw_task("x.null", task, "seed", "word")


def test_a_mistake_by_hand_that_is_indefinite_is_refused_too():
    task = task_of(misconception(took_the_row, always), kind="hand", cases={"the text": LINE})
    (broken,) = broken_rules(task, task_key(task, {"the text": LINE}))
    assert "'took_the_row' is definite on no case" in broken


def test_a_mistake_that_is_wrong_only_where_it_is_indefinite_is_refused():
    def cut_short(A):
        return null_space(A)[:, :1]

    task = task_of(misconception(cut_short))
    said = "the misconception 'cut_short' passes where it is definite"
    assert broken_rules(task, task_key(task, CASES)) == [said]


@pytest.mark.parametrize("indefinite_first", [True, False])
def test_two_mistakes_that_differ_only_where_one_is_indefinite_are_refused(indefinite_first):
    def gave_the_first_axis(A):
        return np.eye(A.shape[1])[:, :1]

    pair = (misconception(took_one_vector), Misconception(gave_the_first_axis, hint="h", see="eq-x"))
    task = task_of(*(pair if indefinite_first else pair[::-1]))
    first, second = (one.name for one in task.misconceptions)
    (broken,) = broken_rules(task, task_key(task, CASES))
    assert broken.startswith(f"the misconception {second!r} is taken for {first!r}")
