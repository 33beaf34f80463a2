"""Texts of exercises as a student sees them, with the numbers that the answers were written for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograder.authoring.cells import checked, is_answer_cell
from autograder.authoring.points import with_points
from autograder.authoring.source_notebook import released, source_notebook
from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks, read_notebook_text
from autograder.book.labels import labels
from autograder.book.references import with_places
from autograder.course.course import Course
from autograder.release.draw import rng_from_words
from autograder.release.variant import printed_numbers
from tests.truth.answers import inputs_file, published_key, read_inputs, with_arrays
from tests.truth.keep_inputs import as_json

COURSE = Course(Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class Exercise:
    """A task as a student meets it: text, the name of the answer, the cell to fill in, and printed inputs."""

    kind: str
    text: str
    name: str
    stub: str
    inputs: dict[str, Any] | None


def exercises(topic: str, which: str) -> dict[str, Exercise]:
    """Return the tasks of a topic with the numbers of a set of answers."""
    return _exercises(topic, inputs_file(which))


@cache  # most sets were written for the same numbers
def _exercises(topic: str, path: Path) -> dict[str, Exercise]:
    tasks, written = load_tasks(COURSE, topic), read_inputs(path).get(topic, {})
    inputs = {name: _inputs(topic, written, name, task) for name, task in tasks.items()}
    numbers = printed_numbers(tasks, inputs)
    notebook = source_notebook(read_notebook_text(COURSE, topic), topic, tasks, numbers)
    sheets: dict[str, Exercise] = {}
    text: list[str] = []
    stub = ""
    for cell in _after_preamble(released(with_points(notebook)).cells):
        if check := checked(cell):
            task, name = check
            kind = tasks[task].kind
            shown = as_json(inputs[task]) if kind == "hand" else None
            sheets[task] = Exercise(kind, "\n\n".join(text), name, stub, shown)
            text, stub = [], ""
        elif is_answer_cell(cell):  # an open question is for a person and is none of these tasks
            stub = cell.source if cell.cell_type == "code" else ""
        else:
            text.append(_in_words(cell))
    return sheets


def _inputs(topic: str, written: Mapping[str, Any], name: str, task: Task) -> dict[str, Any]:
    """Return the first case: the one that the set was written for, the published one, or a new one."""
    if name in written:
        return with_arrays(next(iter(written[name].values())))
    published = published_key(COURSE, topic).tasks
    if name in published:
        return dict(published[name].cases[0].inputs)
    return dict(
        next(iter(task.draw(rng_from_words(topic, name)).values()))
    )  # not published yet, so without answers


def _after_preamble(cells: list[Any]) -> list[Any]:
    """Leave out the rules, which all topics share, and the first cell of code, which imports."""
    first = next(place for place, cell in enumerate(cells) if cell.cell_type == "code")
    return cells[first + 1 :]


def _in_words(cell: Any) -> str:
    """Return a cell as Markdown; places of the book are named and not linked."""
    if cell.cell_type == "code":
        return f"```python\n{cell.source}\n```"
    return with_places(cell.source, labels(COURSE.book), lambda name, place: name)
