"""Answers with structure as somebody would forge them who has read the engine: no points, no fault, no long page."""

import time

import pytest

from autograder.answers.attempt import CallResult
from autograder.answers.values import UnsupportedAnswerError, decode
from autograder.judging import render
from autograder.judging.judge import judge
from autograder.judging.judge_question import judge_question
from autograder.judging.question import QuestionItem, QuickQuestion
from autograder.judging.structures.samenesses import same_list, same_mapping, same_set, same_text
from tests.judging import structured_tasks as content
from tests.judging.test_structures import key_of

MAX_CPU_SECONDS = 1.0  # for all tasks together; the grader has 15 s for a submission
MAX_PAGE_CHARACTERS = 20_000
MARKS = "a" + "\u0301\u0316" * 9_999  # each pair is in the wrong order for a normal form


def table(names=("a",), columns=((1,),), **settings):
    return {"table": {"names": list(names), "columns": [list(column) for column in columns], **settings}}


def nested(depth, width=5):
    """A dict of dicts, as deep as answers may be."""
    return "leaf" if not depth else {"dict": {f"key {n}": nested(depth - 1, width) for n in range(width)}}


def nested_list(depth, width=5):
    return "leaf" if not depth else [nested_list(depth - 1, width) for _ in range(width)]


SQUARE = {"array": "<i8", "shape": [2, 2], "rows": [[1, 2], [3, 4]]}
FORGED = {
    "a series without a column": table((), (), is_column=True),
    "a series of row labels alone": table(("a",), ((1,),), labels=1, is_column=True),
    "a series of two columns": table(("a", "b"), ((1,), (2,)), is_column=True),
    "a table without columns": table((), ()),
    "a table without rows": table(("a", "b"), ((), ())),
    "a column that is a matrix": {"table": {"names": ["a", "b"], "columns": [SQUARE, [1, 2]]}},
    "columns of containers": table(("a", "b"), (({"dict": {}}, [[]]), ({"set": []}, None))),
    "names with markup": table(("<script>alert(1)</script>", "</pre>"), (("<img src=x>",), (None,))),
    "a frame of a library": table(("value", "share"), ((None,), ("x",)), library="pandas"),
    "a dict of empty things": {"dict": {"a": [], "b": {"dict": {}}, "c": {"set": []}}},
    "keys that are no numbers": {"pairs": [[{"float": "nan"}, 1], [{"float": "inf"}, 2], [None, 3], [True, 4]]},
    "keys that are near each other": {"pairs": [[0.1 + n * 1e-12, n] for n in range(50)]},
    "a set of everything": {"set": [None, True, "", 0.5, {"tuple": []}, {"tuple": [{"tuple": [""]}]}]},
    "a graph of loops": [["a", "a"], ["a", "a", {"float": "nan"}], {"tuple": ["a", None]}],
    "edges that are containers": [[[1, 2], {"dict": {}}], [{"set": []}, 1]],
    "a formula in a list": [{"expression": "9**9**9**9"}, {"expression": "x" * 20_000}],
    "an array of nothing": {"array": "<f8", "shape": [0, 3], "rows": []},
    "deep dicts": nested(6),
    "deep lists": nested_list(6),
    "long texts": [MARKS] * 20,
    "long keys": {"dict": {MARKS + str(n): MARKS for n in range(20)}},
    "long names": table((MARKS[:9_000], MARKS[:9_001]), ((MARKS,), (MARKS,))),
}  # fmt: skip


def verdicts(value):
    """The verdict of each task on this answer to all its cases."""
    for builder in content.TASKS:
        key = key_of(builder)
        yield judge(f"t.{builder.name}", key, [CallResult(value)] * len(key.cases))


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_answer_earns_nothing_and_is_judged_and_shown_in_short(name):
    for builder in content.TASKS:
        key_of(builder)  # made once, and not on the clock
    began = time.thread_time()
    try:
        value = decode(FORGED[name])
    except UnsupportedAnswerError:
        value = None
    for verdict in verdicts(value) if value is not None else ():
        pages = [render.text(verdict, {}), render.html(verdict, {})]
        assert (verdict.fault, verdict.fraction) == ("", 0.0), verdict
        assert max(map(len, pages)) < MAX_PAGE_CHARACTERS
        assert "<script" not in pages[1]
        assert "<img src=x" not in pages[1]
    assert time.thread_time() - began < MAX_CPU_SECONDS


@pytest.mark.parametrize(
    "name", ["a series without a column", "a series of row labels alone", "a series of two columns"]
)
def test_a_series_that_is_none_is_refused_before_it_is_judged(name):
    with pytest.raises(UnsupportedAnswerError):
        decode(FORGED[name])


@pytest.mark.parametrize(
    "empty", [[], (), {}, frozenset(), decode({"array": "<f8", "shape": [0], "rows": []})], ids=repr
)
def test_a_key_that_holds_nothing_is_a_key(empty):
    kind = same_mapping().kind
    assert kind.agrees({"a": 1, "b": empty}, {"b": empty, "a": 1}, 0)
    assert not kind.agrees({"a": 1}, {"a": 1, "b": empty}, 0)
    assert not kind.agrees({"a": 1, "b": empty}, {"a": 1}, 0)
    assert not kind.agrees({}, {"a": {"b": empty}}, 0)
    assert kind.digest({"a": 1, "b": empty}).tolist() != kind.digest({"a": 1}).tolist()


def test_case_that_does_not_count_does_not_count_in_inner_sets():
    kind = same_mapping(any_case=True).kind
    assert kind.agrees({"A": frozenset({"x"})}, {"a": frozenset({"X"})}, 0)


@pytest.mark.parametrize(
    "same", [same_text(), same_list(any_order=True), same_set()], ids=lambda same: same.name
)
def test_texts_that_are_slow_to_normalise_are_read_at_once(same):
    """Marks of a letter are sorted by insertion in a normal form, in quadratic time."""
    value = MARKS if same.name == "text" else [MARKS + str(n) for n in range(10)]
    began = time.thread_time()
    same.kind.read(value)
    assert time.thread_time() - began < 0.25


def test_letters_of_a_quick_question_are_counted_once():
    items = {"A": QuestionItem("right", True), "B": QuestionItem("wrong", False)}
    question = QuickQuestion("choice", "t.choice", "Choice", "", "x", 1, 1.0, items)
    began = time.thread_time()
    verdict = judge_question(question, "AB" * 50_000)
    assert (verdict.problem, verdict.message) == (
        "wrong form",
        "A stands twice in the answer: use each letter once.",
    )
    assert time.thread_time() - began < MAX_CPU_SECONDS
