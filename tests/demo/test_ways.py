"""What made-up students type: cells that run with students' libraries alone, and mean what they are called."""

import ast
import functools
import importlib.util
import sys
import warnings

import numpy as np
import pytest
import sympy as sp

from autograder.authoring.source_notebook import source_notebook
from autograder.authoring.topic import load_names, load_tasks, read_notebook_text
from autograder.course.course import Course
from autograder.demo.classroom import load_cells
from autograder.demo.program import (
    STANDARD_LIBRARIES,
    STUDENT_LIBRARIES,
    NotSelfContainedError,
    write_program,
)
from autograder.demo.ways import DEMO_ERRORS, MAX_LINES, in_other_words, with_error
from autograder.judging.check import verdict_on
from autograder.judging.key import read_key
from autograder.release.variant import printed_numbers
from tests.conftest import ROOT

COURSE = Course(ROOT)
TOPICS = COURSE.topics()
UNFORESEEN = load_names(COURSE, "unforeseen")["UNFORESEEN"]
every_topic = pytest.mark.parametrize("topic", TOPICS)
NOT_WRITTEN = {
    ("toolkit", "largest_form", "gave_singular_values"),  # a decomposition is no formula
    ("least_squares", "careful_fit", "solved_the_normal_equations"),  # raises: told as an error
}


@functools.cache
def cells_of(topic):
    """The cells of a topic's made-up class, from the public exercises and the author's notebook."""
    folder = COURSE.exercises / topic
    return load_cells(
        COURSE, topic, (folder / f"{topic}.ipynb").read_text("utf-8"), solved(topic), key(topic)
    )


@functools.cache
def key(topic):
    return read_key(COURSE.exercises / topic / f"{topic}.key.json")


@functools.cache
def solved(topic):
    inputs = {name: task.cases[0].inputs for name, task in key(topic).tasks.items()}
    tasks = load_tasks(COURSE, topic)
    numbers = printed_numbers(tasks, inputs)
    return source_notebook(read_notebook_text(COURSE, topic), topic, tasks, numbers)


def names_after(cell):
    """Run a cell as the sandbox does: with what every notebook imports, and nothing of the course."""
    names = {"np": np, "sp": sp}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(cell, "<cell>", "exec"), names)
    return names


def verdict(topic, task, cell):
    answer = cells_of(topic).answers[task]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        given = names_after(cell.replace("NAME", answer))[answer]
        return verdict_on(f"{topic}.{task}", key(topic).tasks[task], given)


def is_inherited(misconception):
    return misconception.wrong.__qualname__.startswith("_compose.")


@every_topic
def test_every_misconception_can_be_written(topic):
    cells = cells_of(topic)
    for task, definition in cells.ways.tasks.items():
        for misconception in definition.misconceptions:
            if is_inherited(misconception):  # composed of two functions: no one program to write
                continue
            written = misconception.name in cells.wrong[task]
            assert written != ((topic, task, misconception.name) in NOT_WRITTEN), misconception.name


@every_topic
def test_every_other_right_program_can_be_written(topic):
    cells = cells_of(topic)
    for task, definition in cells.ways.tasks.items():
        if definition.kind != "sym":
            missing = {way.__name__ for way in definition.alternatives} - set(cells.right[task])
            assert missing <= {"by_components"}, task  # uses the reference's own graph


@every_topic
def test_programs_are_short_and_import_only_students_libraries(topic):
    cells = cells_of(topic)
    for task in cells.answers:
        for cell in (*cells.right[task].values(), *cells.wrong[task].values()):
            assert cell.count("\n") < MAX_LINES
            assert {
                name.partition(".")[0] for name in imported(cell)
            } <= STUDENT_LIBRARIES | STANDARD_LIBRARIES


def imported(cell):
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


@every_topic
def test_every_written_way_is_judged_as_meant(topic):
    cells = cells_of(topic)
    for task in cells.answers:
        for name, cell in cells.right[task].items():
            assert verdict(topic, task, cell).passed, (task, name)
        for name, cell in cells.wrong[task].items():
            assert verdict(topic, task, cell).misconception == name, task


@pytest.mark.parametrize("name", UNFORESEEN)
def test_unforeseen_mistake_is_wrong_without_a_name(name):
    topic, _, task = name.partition(".")
    cells = cells_of(topic)
    for cell in (cells.unforeseen[task], in_other_words(cells.unforeseen[task], 5)):
        assert cell != cells.solutions[cells.answers[task]]
        told = verdict(topic, task, cell)
        assert not told.passed
        assert told.misconception is None
        assert told.problem == ""


def test_every_topic_has_an_unforeseen_mistake():
    assert {name.partition(".")[0] for name in UNFORESEEN} == set(TOPICS)


@every_topic
@pytest.mark.parametrize("error", DEMO_ERRORS)
def test_a_slip_of_the_pen_raises_its_error(topic, error):
    cells = cells_of(topic)
    for task, answer in cells.answers.items():
        cell = with_error(error, answer, cells.solutions[answer])
        assert raised_by(cell, answer, cells.ways.inputs[task]) == error, task


def raised_by(cell, answer, inputs):
    """The name of the error that a cell raises, or the function that it defines."""
    try:
        names_after(cell)[answer](*inputs.values())
    except Exception as error:
        return type(error).__name__
    return ""


def load(tmp_path, **sources):
    """Import modules with these sources, by name."""
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source, "utf-8")
        spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


HELPERS = '''
import functools
from dataclasses import dataclass, field

LIMIT = 1e-3


def twice(function):
    """Apply a function twice."""

    @functools.wraps(function)
    def wrapped(x):
        return function(function(x))

    return wrapped


@dataclass(frozen=True)
class Point:
    x: float
    y: float = LIMIT
    tags: list = field(default_factory=list)


@twice
def shifted(x: float) -> float:
    return x + LIMIT


def unused():
    raise RuntimeError
'''
MAIN = '''
import numpy as numbers
import demo_helpers as tools
from demo_helpers import Point as P, LIMIT as SMALL, shifted


def answer(x):
    """Call others by aliases, in a nested function and as attributes."""
    inner = lambda value: tools.Point(value).y + SMALL

    def nested(value):
        return shifted(value) + numbers.sqrt(4.0)

    return nested(x) + inner(x) + P(1.0, 2.0).y
'''


def test_program_inlines_aliases_constants_classes_and_decorators(tmp_path):
    load(tmp_path, demo_helpers=HELPERS)
    module = load(tmp_path, demo_main=MAIN)
    cell = write_program(module.answer, "total")
    assert names_after(cell)["total"](1.0) == pytest.approx(module.answer(1.0))
    assert "demo_helpers" not in cell
    assert "unused" not in cell
    assert '"""' not in cell


def test_program_that_needs_a_hidden_module_is_refused(tmp_path):
    module = load(tmp_path, demo_hidden="import json\n\n\ndef answer(x):\n    return json.dumps(x)\n")
    with pytest.raises(NotSelfContainedError, match="json"):
        write_program(module.answer, "total")
