"""Answers that are texts, truth values, lists, dicts, tables, sets and graphs: forgiven, recognised, explained."""

import base64
import functools
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from autograder.answers.arguments import arguments
from autograder.answers.tables import DataTable
from autograder.answers.values import UnsupportedAnswerError, decode, encode, to_plain_data
from autograder.authoring import task as authoring
from autograder.authoring.views import paper_obstacle
from autograder.errors import BadKeyError, UncertifiedError
from autograder.judging import render
from autograder.judging.check import verdict_on
from autograder.judging.key import Key, dump_key, load_key
from autograder.judging.picture import picture
from autograder.judging.statements import statement
from autograder.judging.structures.samenesses import (
    same_by,
    same_mapping,
    same_table,
    same_text,
    sameness_named,
)
from autograder.release.answer_formats import all_formats
from autograder.release.draw import draw_task, properties
from autograder.release.mistakes import applicable_mistakes
from autograder.release.practice import JUDGED_IN_PAGES, hand_tasks
from autograder.release.rules import judge_solution
from tests.conftest import ROOT
from tests.judging import structured_tasks as content

CODE = [builder for builder in content.TASKS if builder.task.kind == "code"]


@functools.cache
def key_of(builder):
    """The key of a task, after its journey through a file."""
    drawn = draw_task(f"t.{builder.name}", builder.task, "seed", "secret", applicable_mistakes(builder.task))
    text = dump_key(Key("t", "seed", {builder.name: drawn.public}))
    assert dump_key(load_key(text)) == text
    return load_key(text).tasks[builder.name]


def verdict(builder, answer):
    return verdict_on(f"t.{builder.name}", key_of(builder), answer)


@pytest.mark.parametrize("builder", content.TASKS, ids=lambda builder: builder.name)
def test_mistakes_of_every_kind_are_recognised_after_the_journey_through_a_key(builder):
    for mistake in builder.task.misconceptions:
        assert judge_solution(builder.task, key_of(builder), mistake.wrong).misconception == mistake.name


@pytest.mark.parametrize(
    "builder", [b for b in CODE if b.task.samenesses[0].kind], ids=lambda builder: builder.name
)
def test_a_right_answer_is_right_in_every_container(builder):
    inputs = key_of(builder).cases[0].inputs
    for name, _ in all_formats(builder.task, to_plain_data(builder(*arguments(inputs)))):

        def other(*values, name=name):
            return dict(all_formats(builder.task, to_plain_data(builder(*values))))[name]

        assert verdict(builder, other).passed, name


def test_a_table_may_be_rows_and_a_mapping_a_series():
    rows = verdict(
        content.counts,
        lambda calls: [
            {"calls": n, "name": name} for name, n in zip(*content.counts(calls).values(), strict=True)
        ][::-1],
    )
    assert rows.passed
    assert to_plain_data({1, 2}) == frozenset({1, 2})


SAID = [
    (content.summary, lambda v: {"mean": v.mean(), "std": v.std()}, "lacks the keys 'n' and 'sd', and has"),
    (content.summary, lambda v: {**content.summary(v), "mean": 2 * v.mean()}, "'mean' is twice what it should be"),
    (content.summary, lambda v: [v.mean()], "a dict was expected; yours is a list"),
    (content.summary, lambda v: {**content.summary(v), "sd": round(v.std(ddof=1), 2)}, "rounded to 2 decimals"),
    (content.shares, lambda v: {"share": 100 * v / v.sum(), "value": v}, "The column 'share' is 100 times"),
    (content.shares, lambda v: {"share": v / v.sum()}, "lacks the column 'value'"),
    (content.shares, lambda v: {"share": np.sort(v) / v.sum(), "value": np.sort(v)}, "entries of values are sorted"),
    (content.counts, lambda c: {"name": [a for a, _ in c], "calls": [1 for _ in c]}, "should have 4 rows; it has 9"),
    (content.describe, lambda v: content.describe(v).replace("right", "rigth").replace("left", "letf"), "Word 4 of"),
    (content.people, lambda c: {*content.people(c), "zoe"}, "'zoe' does not belong to your answer"),
    (content.who_calls_whom, lambda c: [tuple(x) for x in c][1:], "lacks 1 edge; the edges that it has are right"),
    (content.callers, lambda c: [*content.callers(c), "zoe"], "should have 3 entries; it has 4"),
    (content.is_rising, lambda v: "yes", "True or False was expected; yours is a text"),
]  # fmt: skip


@pytest.mark.parametrize(("builder", "answer", "words"), SAID, ids=lambda value: getattr(value, "name", None))
def test_a_verdict_names_the_place_that_differs(builder, answer, words):
    judged = verdict(builder, answer)
    assert not judged.passed
    assert words in judged.message
    assert "is not defined" not in render.html(judged, {})


def test_a_wrong_row_or_key_is_marked_in_the_failing_case_in_text_and_html():
    judged = verdict(content.summary, content.divided_by_n)
    (line,) = [line for line in render.text(judged, {}).splitlines() if "← not right" in line]
    assert line.split()[0] == "'sd'"
    judged = verdict(content.shares, lambda v: {**content.shares(v), "value": np.where(v == v[1], -1, v)})
    assert render.html(judged, {}).count("← not right") == 1


def test_a_picture_of_a_dict_or_a_table_has_its_labels():
    judged = verdict(content.summary, content.divided_by_n)
    drawn = base64.b64decode(picture(judged)[0].partition(",")[2]).decode()
    assert re.findall(r'text-anchor="middle">(\w+)<', drawn) == ["mean", "sd", "n"]

    def one_too_many(calls):
        table = content.counts(calls)
        return {"calls": [n + 1 for n in table["calls"]][::-1], "name": table["name"][::-1]}

    judged = verdict(content.counts, one_too_many)
    drawn = base64.b64decode(picture(judged)[0].partition(",")[2]).decode()
    assert re.findall(r'text-anchor="middle">(\w+)<', drawn) == judged.failing.expected["name"]
    assert picture(verdict(content.summary, lambda v: {"mean": 1.0})) is None


def test_a_law_is_tried_on_lists_of_texts_and_told():
    judged = verdict(content.callers, lambda calls: [caller.upper() for caller, _ in calls])
    assert "Test: if every entry of calls is listed twice, your answer should stay as it is" in judged.message


def test_what_a_course_states_of_right_answers_is_told_where_an_answer_breaks_it():
    judged = verdict(
        content.percentages, lambda names: [names.count(name) * 1.5 for name in sorted(set(names))]
    )
    assert "your answer do not add up to 100; percentages of a whole do." in judged.message
    judged = verdict(
        content.percentages, lambda names: [97.0 + 7 * n for n, _ in enumerate(sorted(set(names)))]
    )
    assert "has entries above 100; a percentage has none." in judged.message
    with pytest.raises(UncertifiedError, match="breaks the statement 'x <= 50'"):
        list(
            properties(
                replace(content.percentages.task, always=(statement("x <= 50", "{it} is large."),)), []
            )
        )


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [("x", "{it}"), ("x < 3", "{it}"), ("y <= 3", "{it}"), ("x <= 3", "no subject"), ("x <= 3", "{it} | x")],
)
def test_a_statement_that_cannot_be_tried_is_refused_where_it_is_declared(condition, sentence):
    with pytest.raises(ValueError, match=r"condition|symbol|sentence"):
        statement(condition, sentence)


def test_the_pages_judge_the_samenesses_that_their_script_has():
    script = (ROOT / "autograder" / "book" / "practice" / "judge.mjs").read_text("utf-8")
    table = script.partition("exactly: ({ numbers })")[2].partition("};")[0]
    assert {"exactly", *re.findall(r"^  (up_to_\w+):", table, re.MULTILINE)} == set(JUDGED_IN_PAGES)


@pytest.mark.parametrize(
    ("builder", "answer"),
    [
        (content.summary, {f"key {number}": [1.0] * 4 for number in range(9_000)}),
        (content.people, set(range(9_999))),
        (content.shares, {"value": np.zeros(20_000), "share": np.zeros(20_000)}),
        (content.counts, {f"column {number}": [] for number in range(9_999)}),
        (content.who_calls_whom, [(number, number + 1) for number in range(9_999)]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_an_answer_far_too_large_is_refused_before_it_is_read(builder, answer, monkeypatch):
    key = key_of(builder)

    def read(kind, part):
        raise AssertionError("the answer was read")

    monkeypatch.setattr("autograder.judging.structures.kinds.Kind.read", read)
    monkeypatch.setattr("autograder.judging.render.format_structure", lambda *arguments: "")
    judged = verdict_on(f"t.{builder.name}", key, lambda *inputs: answer)
    assert judged.message == "The answer has far more entries than were expected."
    assert not judged.fault


def test_a_sealed_answer_says_which_of_its_entries_are_right():
    numbers = content.by_hand(key_of(content.by_hand).cases[0].inputs["u"])[1]
    judged = verdict(content.by_hand, ("skewed", {**numbers, "max": 77}))
    assert "Of part 2 (numbers), key 'mean' is right, the rest not yet." in judged.message


def test_a_number_near_the_edge_of_its_rounding_is_not_sealed():
    kind = same_mapping().kind
    assert kind.is_near_edge({"a": 12.34496}, 0.1)
    assert not kind.is_near_edge({"a": 12.34, "n": 3, "word": "x", "none": None}, 0.1)
    assert kind.digest({"a": 12.341}).tolist() == kind.digest({"a": 12.3414}).tolist()


def test_a_part_with_structure_carries_its_share():
    judged = verdict(content.by_hand, ("Skewed", {"mean": 3, "max": 1}))
    assert judged.fraction == 0.5
    assert "Part 1 (shape) is right." in judged.message


def test_numbers_of_every_size_in_one_table_are_compared_each_by_itself():
    kind = same_table().kind
    right = {"income": [52000.0, 48000.0], "rate": [0.031, 0.052]}
    assert kind.agrees({"rate": np.array([0.031, 0.052]), "income": [52000, 48000]}, right, 1e-6)
    assert not kind.agrees({"rate": [0.0311, 0.052], "income": [52000, 48000]}, right, 1e-6)


def test_what_is_declared_not_to_count_does_not_count_and_the_rest_does():
    loose, strict = same_text(any_case=True, any_space=True).kind, same_text().kind
    assert loose.agrees(" Null  Hypothesis", "null hypothesis", 0)
    assert not strict.agrees("Null hypothesis", "null hypothesis", 0)
    assert not loose.agrees("nullhypothesis", "null hypothesis", 0)
    turns = same_by("cos(x)", "sin(x)")
    assert np.allclose(turns.quantity(np.array([0.5])), turns.quantity(np.array([0.5 + 2 * np.pi])))
    with pytest.raises(ValueError, match="y"):
        same_by("y")


@pytest.mark.parametrize(
    "name", ["up_to_colour", "table(rows upside down)", "formulas: y", "text(any case, any case)"]
)
def test_a_key_that_names_an_unknown_sameness_is_refused(name):
    tree = json.loads(dump_key(Key("t", "seed", {"summary": key_of(content.summary)})))
    tree["tasks"]["summary"]["same"] = [name]
    with pytest.raises(BadKeyError, match="sameness"):
        load_key(json.dumps(tree))
    with pytest.raises(BadKeyError, match="sameness"):
        sameness_named(name)


def test_a_key_that_names_an_unknown_statement_is_refused():
    tree = json.loads(dump_key(Key("t", "seed", {"summary": key_of(content.summary)})))
    tree["tasks"]["summary"]["always"] = ["purple|0"]
    with pytest.raises(BadKeyError, match="names the statement 'purple'"):
        load_key(json.dumps(tree))


@pytest.mark.parametrize(
    "tree",
    [
        {"set": 3},
        {"set": [[1]]},
        {"pairs": [[1]]},
        {"pairs": [[{"dict": {}}, 1]]},
        {"set": [2**61]},
        {"set": [{"tuple": [n]} for n in range(2001)]},
        {"table": {"names": ["a"], "columns": []}},
        {"table": {"names": ["a", "a"], "columns": [[1], [2]]}},
        {"table": {"names": ["a"], "columns": [3]}},
        {"table": {"names": ["a"], "columns": [[1]], "labels": 2}},
        {"table": {"names": ["a"], "columns": [[1]], "labels": "x"}},
        {"table": {"names": ["a"], "columns": [[1]], "library": "os"}},
        {"table": {"names": ["a", "b"], "columns": [[1], [1, 2]]}},
        {"table": {"names": ["a"] * 20_000, "columns": [[1]] * 20_000}},
        {"table": None},
    ],
    ids=str,
)
def test_a_made_up_message_of_the_new_types_is_refused(tree):
    with pytest.raises(UnsupportedAnswerError):
        decode(tree)


def test_tables_sets_and_dicts_with_numbers_as_keys_survive_the_journey():
    value = {1: {"x", "y"}, (1, "a"): [True, None]}
    assert decode(json.loads(json.dumps(encode(to_plain_data(value))))) == to_plain_data(value)
    table = DataTable(("g", "n"), (["a", None], np.array([1, 2])), labels=1)
    back = decode(json.loads(json.dumps(encode(to_plain_data(table), readable=True))))
    assert back.as_dict()["g"] == ["a", None]
    assert back.as_dict()["n"].tolist() == [1, 2]
    assert np.asarray(back).tolist() == [[1.0], [2.0]]
    assert arguments({"t": back})[0]["g"] == ["a", None]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_read_without_importing_their_library_and_given_back_as_frames(library):
    module = pytest.importorskip(library)
    frame = module.DataFrame({"value": [6.5, 7.6], "name": ["a", None]})
    table = to_plain_data(frame)
    assert table.as_dict()["name"] == ["a", None]
    assert type(arguments({"t": decode(encode(table))})[0]) is type(frame)
    assert verdict(content.shares, lambda v: module.DataFrame(content.shares(v))).passed
    assert to_plain_data(module.Series([1.0, 2.0])).tolist() == [1.0, 2.0]
    if library == "pandas":
        assert verdict(content.summary, lambda v: module.Series(content.summary(v), dtype=object)).passed
        grouped = frame.groupby("name").mean()
        assert to_plain_data(grouped).names == ("name", "value")


def test_a_page_does_not_offer_to_practise_what_its_judge_cannot_read(monkeypatch):
    tasks = {builder.name: builder.task for builder in content.TASKS}
    monkeypatch.setattr("autograder.release.practice.load_tasks", lambda course, topic: tasks)
    assert not hand_tasks("course", "t")


def test_paper_does_not_ask_what_its_table_of_answers_cannot_hold():
    assert "cannot be asked on paper: its answer is no number" in paper_obstacle(
        content.by_hand.task, "t.by_hand"
    )


def test_a_formula_has_no_kind():
    builder = authoring.sym(points=1, minutes=1, see="x", same=same_text())(lambda a: a)
    builder.draw(lambda rng: {})
    with pytest.raises(authoring.TaskError, match="formula"):
        builder.task  # noqa: B018
