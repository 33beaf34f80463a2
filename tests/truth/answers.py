"""Answers as students write them, kept as text that anyone can extend: `tests/truth/<topic>.txt`.

The first set lies there; later ones, written from exercise and chapter alone to see whether what was learned on the
earlier ones holds for others, in folders of their own: `tests/truth/second/<topic>.txt`, `third` and so on. A new
set is a new folder, named by the next number: nothing else lists the sets. The newest is the part of the open benchmark
that is kept for tests (`benchmarks/open_benchmark`).

A block is a line `== <task> right|wrong: <why, in a few words>` and the code of a student's cell, which defines the
answer under the name that the notebook gives it (`np` and `sp` are there). Answers by hand were written for certain
numbers, those that the published variant had then: `inputs.json` keeps them, and the answers are judged on them by the
engine of today, whatever numbers are published now. A later set that was written for other numbers has an `inputs.json`
of its own (`python -m tests.truth.keep_inputs <set>`).
"""

import functools
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder.authoring.cells import checked, checks
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.errors import TimeLimitError
from autograder.judging.check import verdict_on
from autograder.judging.key import Key, TaskKey, read_key
from autograder.judging.verdict import Verdict
from autograder.release.draw import task_key
from autograder.release.mistake_names import relevant_mistakes
from autograder.release.time_limit import cpu_time_limit

FOLDER = Path(__file__).parent
INPUTS_NAME = "inputs.json"  # by topic and task, the cases of hand tasks that the answers were written for
SALT = "truth"
LATER = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
SETS = {"first": FOLDER} | {name: FOLDER / name for name in LATER if (FOLDER / name).is_dir()}  # oldest first
NEWEST = list(SETS)[-1]
HEAD = re.compile(r"^== (?P<task>\w+) (?P<kind>right|wrong): *(?P<why>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """One student's answer to one task, and what it deserves."""

    topic: str
    task: str
    is_right: bool
    why: str
    code: str


def topics(which: str = "first") -> list[str]:
    """The topics that have answers on file in a set."""
    return sorted(path.stem for path in SETS[which].glob("*.txt"))


def answers(topic: str, which: str = "first") -> Iterator[Answer]:
    """The answers of a topic in a set."""
    text = (SETS[which] / f"{topic}.txt").read_text("utf-8")
    heads = list(HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        code = text[head.end() : following.start() if following else None].strip("\n")
        yield Answer(topic, head["task"], head["kind"] == "right", head["why"], code)


def public_key(course: Course, topic: str, which: str = "first") -> Key:
    """The key of the published variant, with hand tasks on the inputs that the answers were written for."""
    published = published_key(course, topic)
    written = read_inputs(inputs_file(which)).get(topic, {})
    again = {name: hand_key(course, topic, name, cases) for name, cases in written.items()}
    return replace(published, tasks={**published.tasks, **again})


def published_key(course: Course, topic: str) -> Key:
    """Read the public key of the published variant."""
    return read_key(course.exercises / topic / f"{topic}.key.json")


def inputs_file(which: str) -> Path:
    """Return the file with the inputs that a set was written for; a set without one shares that of the first."""
    path = SETS[which] / INPUTS_NAME
    return path if path.is_file() else FOLDER / INPUTS_NAME


def read_inputs(path: Path) -> dict[str, dict[str, Any]]:
    """Read the cases of hand tasks by topic and task."""
    inputs: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return inputs


def hand_key(course: Course, topic: str, name: str, cases: dict[str, dict[str, Any]]) -> TaskKey:
    """Make the key of a hand task from its inputs, as a release does from drawn ones."""
    task = load_tasks(course, topic)[name]
    inputs = {case: with_arrays(values) for case, values in cases.items()}
    return task_key(task, inputs, SALT, relevant_mistakes(course, topic, name, task))


def with_arrays(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return inputs as tasks take them, from inputs as JSON has them."""
    return {name: np.array(value) if isinstance(value, list) else value for name, value in inputs.items()}


def names(course: Course, topic: str) -> dict[str, str]:
    """By task, the name under which the notebook wants its answer."""
    import nbformat

    return dict(checks(nbformat.read(course.exercises / topic / f"{topic}.ipynb", as_version=4)))


@functools.cache
def given_symbols(course: Course, topic: str) -> dict[str, str]:
    """By task, the cell that declares the symbols which its notebook offers."""
    import nbformat

    declared, by_task = "", {}
    for cell in nbformat.read(course.exercises / topic / f"{topic}.ipynb", as_version=4).cells:
        if cell.cell_type == "code" and re.match(r"[\w, ]+ = sp\.symbols\(", cell.source):
            declared = cell.source
        if pair := checked(cell):
            by_task[pair[0]] = declared
    return by_task


def verdict(answer: Answer, key: Key, name: str, symbols: str = "") -> Verdict:
    """What the check in the notebook says of an answer, in a notebook with these symbols declared."""
    import sympy

    space: dict[str, Any] = {"np": np, "sp": sympy, "sympy": sympy}
    exec(symbols, space)
    with warnings.catch_warnings(), np.errstate(all="ignore"), cpu_time_limit(20):
        warnings.simplefilter("ignore")
        exec(compile(answer.code, f"<{answer.topic}.{answer.task}>", "exec"), space)
        return verdict_on(f"{answer.topic}.{answer.task}", key.tasks[answer.task], space[name])


__all__ = [
    "NEWEST",
    "SETS",
    "Answer",
    "TimeLimitError",
    "answers",
    "given_symbols",
    "names",
    "public_key",
    "topics",
    "verdict",
]
