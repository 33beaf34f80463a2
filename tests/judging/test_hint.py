"""Hints: four levels from the public key, a literal call, and what a notebook that asks for them is charged."""

import dataclasses
import gc
import json
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from autograder.course.course import Course
from autograder.course.settings import N_HINT_LEVELS, read_settings
from autograder.errors import CourseError
from autograder.judging import hint as hints
from autograder.judging.hint import FACTS, HINT_LEVELS, asked_hints, cost_of, hint_lines
from autograder.judging.key import dump_key, load_key, read_key
from autograder.judging.properties import PROPERTIES
from autograder.judging.render import format_value
from autograder.judging.verdict import Verdict
from autograder.release.hint_costs import hint_costs_of
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def key():
    return read_key(ROOT / "exercises" / "pca" / "pca.key.json")


def test_every_property_can_be_told_as_a_hint():
    assert set(FACTS) == set(PROPERTIES)
    assert len(HINT_LEVELS) == N_HINT_LEVELS


@pytest.mark.parametrize("level", range(1, 5))
def test_every_task_has_every_level(key, level):
    for name, task in key.tasks.items():
        lines = hint_lines(key, name, level, answer=lambda *inputs: np.zeros(1))
        assert lines
        assert all(line.strip() for line in lines)
        if level < 3 and not task.is_sealed:
            result = format_value(task.twins[0].expected) if task.twins else "-"
            assert result == "-" or result not in "\n".join(lines)


def test_levels_tell_more_and_more(key):
    assert hint_lines(key, "scores", 1)[0] == "If X is doubled, the right answer should double."
    assert any(line.startswith("Equation (") for line in hint_lines(key, "scores", 2))
    step = "\n".join(hint_lines(key, "scores", 4))
    assert format_value(key.tasks["scores"].twins[0].expected) in step
    assert any("#problem-pca.first_component" in line for line in hint_lines(key, "first_component", 4))


def test_the_smallest_failing_case_depends_on_the_function(key):
    def forgot_to_centre(X, n_components):
        return X @ np.linalg.svd(X)[2][:n_components].T

    def right(X, n_components):
        centred = X - X.mean(axis=0)
        return centred @ np.linalg.svd(centred)[2][:n_components].T

    failing = hint_lines(key, "scores", 3, forgot_to_centre)
    assert failing[0].startswith("The smallest case on which")
    assert failing[1] == f"X = {format_value(key.tasks['scores'].twins[0].inputs['X'])}"
    assert "right on every case" in hint_lines(key, "scores", 3, right)[0]
    assert 'hint("pca.scores", 3, scores)' in hint_lines(key, "scores", 3)[0]


@pytest.mark.parametrize(
    ("name", "level", "why"),
    [
        ("no_such", 1, "not a task of this assignment"),
        ("scores", 0, "level 1 to 4"),
        ("scores", 5, "level 1 to 4"),
        ("scores", "2", "not '2'"),
        ("scores", True, "not True"),
    ],
)
def test_unknown_tasks_and_levels_are_refused(key, name, level, why):
    with pytest.raises(CourseError, match=why):
        hint_lines(key, name, level)


def test_calls_are_read_in_the_source():
    sources = [
        'hint("areas.total")\nautograder.hint("areas.total", 2)',
        'hint("areas.rest", level=3, answer=rest)',
        'for level in range(1, 5):\n    hint("areas.loop", level)',
        "hint(name, 4)\nhint('areas.total', 9)\nhint('areas.total', -1)",
        "# hint('areas.comment', 4)\ntext = \"hint('areas.text', 4)\"",
        "%magic\nhint('areas.broken'",
        "%matplotlib inline\nif True:\n    !ls\n    files = !ls\n    hint?\n    hint('areas.magic', 4)",
        "%%time\nhint('areas.timed', 2)",
    ]
    asked = {"areas.total": {1, 2}, "areas.rest": {3}, "areas.magic": {4}, "areas.timed": {2}}
    assert asked_hints(sources) == asked


def test_a_program_that_no_student_writes_is_not_read():
    """The tree of a program takes 200 times its memory, in the grader's own process."""
    tracemalloc.start()
    try:
        assert asked_hints(["hint('areas.total', 2)\n" + "a\n" * 500_000]) == {}
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_levels_cost_what_the_teacher_says():
    costs = {"all": (0, 0.1, 0.2, 0.5), "areas.rest": (0, 0, 0, 0)}
    assert cost_of(costs, "areas.total", {1, 2, 3}) == pytest.approx(0.3)
    assert cost_of(costs, "areas.rest", {4}) == 0
    assert cost_of({"all": (1, 1, 1, 1)}, "areas.total", {1, 2}) == 1
    assert cost_of({}, "areas.total", {1, 2, 3, 4}) == 0


def test_a_charge_is_taken_from_the_points():
    verdict = Verdict("areas.total", True, 1.0, 4, "Correct.", hints=(2,), hint_charge=0.25)
    assert verdict.earned == 3
    assert dataclasses.replace(verdict, passed=False, fraction=0.1).earned == 0


def test_costs_are_kept_in_a_key_and_free_hints_leave_it_alone(key):
    text = dump_key(key)
    assert "hint_costs" not in text
    priced = dataclasses.replace(key, hint_costs={"all": (0.0, 0.0, 0.1, 0.2)})
    assert load_key(dump_key(priced)).hint_costs == priced.hint_costs


def write_costs(root, text):
    settings = root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + f"\n[hint_costs]\n{text}\n", "utf-8")


@pytest.mark.parametrize(
    "text", ["all = [0, 0]", "all = [0, 0, 0, 2]", 'all = "free"', "all = [0, 0, 0, -0.1]"]
)
def test_costs_that_are_no_shares_are_refused(sample_course, text):
    write_costs(sample_course.root, text)
    with pytest.raises(CourseError, match="hint_costs must be a table of 4 shares"):
        read_settings(sample_course.root)


def test_costs_of_an_unknown_task_are_refused(sample_course):
    write_costs(sample_course.root, '"squares.nothing" = [0, 0, 0, 1]\n"others.task" = [0, 0, 0, 1]')
    with pytest.raises(CourseError, match=r"hint_costs names 'squares.nothing', which is not a task"):
        hint_costs_of(Course(sample_course.root), "squares", ["total"])


def test_costs_of_zero_are_left_out(sample_course):
    write_costs(sample_course.root, "all = [0, 0, 0, 0]")
    assert hint_costs_of(Course(sample_course.root), "squares", ["total"]) == {}


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {cells!r}:
    print("---")
    result = shell.run_cell(cell, store_history=True)
    if result.error_in_exec:
        print(result.error_in_exec)
"""


def test_a_notebook_shows_hints_only_to_calls_that_it_records(tmp_path):
    """In a real IPython: a literal call shows its hint, a call with a variable is refused."""
    text = (ROOT / "exercises" / "pca" / "pca.key.json").read_text("utf-8")
    tree = {**json.loads(text), "hint_costs": {"all": [0, 0.1, 0, 0]}}
    (tmp_path / "pca.key.json").write_text(json.dumps(tree), "utf-8")
    cells = [
        "from autograder import hint",
        'hint("pca.scores", 2)',
        'name, level = "pca.scores", 4\nhint(name, level)',
        '%%time\nfiles = !ls\nhint("pca.scores", 3)',
        '%time hint("pca.scores", 4)',
    ]
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK.format(cells=cells)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    _, _, shown, refused, timed, command = done.stdout.split("---")
    assert "Hint 2 of 4 for pca.scores" in shown
    assert "the notebook gets 10% less for pca.scores" in shown
    assert 'write the task and the level into the call: hint("pca.scores", 4)' in refused
    assert "Hint 4" not in refused
    assert "Hint 3 of 4 for pca.scores" in timed
    assert "Hint 4" not in command  # no statement of the notebook shows this call
    assert asked_hints(cells) == {"pca.scores": {2, 3}}


def test_without_a_key_a_hint_changes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hints, "find_key", read_missing)
    hints.hint("pca.scores", 4)
    assert capsys.readouterr().out == f"{hints.NOTHING_HERE}\n"


def read_missing(topic):
    raise hints.BadKeyError(f"{topic} has no key")


def test_threads_that_read_hints_at_once_do_not_disturb_each_other():
    """Another thread may run whenever memory is collected, which failed in Python's parser (gh-106905)."""
    source = (
        "\n".join(f"x = [((({n} + 1) * 2) + (3 * (4 - (5)))) for n in y]" for n in range(40))
        + "\nhint('a.b')"
    )
    thresholds, give_way = gc.get_threshold(), lambda phase, info: time.sleep(0)
    gc.callbacks.append(give_way)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(3) as pool:
            asked = list(pool.map(asked_hints, [[source]] * 12))
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(give_way)
    assert asked == [{"a.b": {1}}] * 12
