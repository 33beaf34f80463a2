"""Make a misconception of a group of wrong answers that nobody foresaw, and certify it.

The wrong way is one of the group's own programs, or a formula that the instructor gives. It is run in the sandbox
first and must return what the group returned. A student's program is then kept as text beside the task and runs in the
sandbox from then on (`autograder.authoring.adopted`); an instructor's formula becomes a function. The exercises are
made anew from the same seed. The numbers that were handed out must stay: where they would change, nothing is written.
"""

import copy
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import numpy as np

from autograder.answers.attempt import Attempt, Call
from autograder.authoring.adopted import AdoptedProgram, adopted_path, stopped_programs_told
from autograder.authoring.cells import checked, checks
from autograder.authoring.excerpt import Signature, function_of, function_of_formula
from autograder.authoring.stub import NewMisconception, defines, with_misconception
from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.files import put_back_on_error, write_text
from autograder.course.handout import read_handout
from autograder.course.roster import Student
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.returned import returned, same_return
from autograder.grading.unforeseen import Group, shortest_program
from autograder.judging.forms import Evaluated, parts_of
from autograder.judging.key import TaskKey, load_key
from autograder.release.regenerate import Done, Request, regenerate
from autograder.release.variant import Files
from autograder.release.workers import Order, VariantWorkers, variant_workers

ADOPTED = "from autograder.authoring.adopted import adopted"


@dataclass(frozen=True)
class Wish:
    """What whoever teaches says of a group: a name in the past tense, the hint, where to reread, perhaps a formula."""

    name: str
    hint: str
    see: str = ""
    formula: str = ""


def adopt(course: Course, group: Group, wish: Wish, step: Callable[[], None] = lambda: None) -> Path:
    """Write the misconception beside its task and certify it; return the module. On failure all is as it was."""
    if not wish.name.isidentifier():
        raise CourseError(f"{wish.name!r} is no name for a function: write it like forgot_to_centre")
    task = load_tasks(course, group.topic)[group.task]
    key = load_key(load_assignment(course, group.topic).public).tasks[group.task]
    function = _function(course, group, wish, task, key)
    _require_same_return(group, key, wish.name, function)
    module = _module(course, group)
    new = _misconception(wish, function, wish.see or task.see)
    with put_back_on_error(module.parent):
        if not wish.formula:
            write_text(adopted_path(module, wish.name), function)
        write_text(module, with_misconception(module.read_text("utf-8"), group.task, new))
        try:
            _certified(course, group.topic, step)
        finally:
            _forget(course, group.topic)
    return module


def _misconception(wish: Wish, function: str, see: str) -> NewMisconception:
    """Write an instructor's formula as a function; refer to a student's program by its name."""
    if wish.formula:
        return NewMisconception(wish.name, function, wish.hint, see)
    line = f"{wish.name} = adopted({json.dumps(wish.name)}, __file__)\n"
    return NewMisconception(wish.name, line, wish.hint, see, (ADOPTED,))


def _function(course: Course, group: Group, wish: Wish, task: Task, key: TaskKey) -> str:
    made = Signature(
        wish.name,
        tuple(key.cases[0].inputs),
        f"What {len(group.students)} of a class gave; found among their answers.",
    )
    if wish.formula:
        return function_of_formula(wish.formula, made)
    if task.kind == "sym":
        return function_of_formula(group.text, made)
    if task.kind == "hand":
        names = ", ".join(made.arguments)
        raise CourseError(f"{group.name} is a value and no program: say with --formula what it is of {names}")
    student, _ = shortest_program(course, group)
    notebook = nbformat.read(
        course.places.autograded(student, group.topic) / f"{group.topic}.ipynb", as_version=4
    )
    return function_of(_sources(notebook, group.task), dict(checks(notebook))[group.task], made)


def _sources(notebook: Any, task: str) -> list[str]:
    """The program as it was when the task was checked: what later cells define is not part of it."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    place = next(place for place, cell in enumerate(code) if (checked(cell) or ("",))[0] == task)
    return [cell.source for cell in code[:place]]


def _require_same_return(group: Group, key: TaskKey, name: str, function: str) -> None:
    """Run the new function in the sandbox on the class's cases: it must be the group's mistake."""
    with stopped_programs_told():
        attempts = AdoptedProgram(name, function).attempts([Call(case.inputs) for case in key.cases])
    if not same_return(_as_handed_in(key, attempts), group.cases):
        said = returned(key, attempts) or {"shown": {"text": "nothing"}}
        raise CourseError(
            f"this is not what {group.name} returned: {said['shown']['text'][:80]!r} in place of {group.text[:80]!r}"
        )


def _as_handed_in(key: TaskKey, attempts: list[Attempt]) -> list[Any]:
    """What was returned; a formula's values at the sample points stand for the formula."""
    if key.kind == "sym":
        attempts = [one if one.problem else Attempt(_evaluated(key, one.value)) for one in attempts]
    found = returned(key, attempts)
    return list(found["cases"]) if found else []


def _evaluated(key: TaskKey, value: Any) -> Any:
    number = len(np.atleast_1d(next(iter(key.cases[0].inputs.values()))))
    parts = [np.asarray(part, dtype=float) for part in parts_of(value, len(key.same))]
    made = tuple(Evaluated(part if part.ndim else np.full(number, part)) for part in parts)
    return made if len(made) > 1 else made[0]


def _module(course: Course, group: Group) -> Path:
    for folder in reversed(
        course.sources(group.topic)
    ):  # a private task stands in the place of the public one
        for path in sorted(folder.glob("*.py")):
            if defines(path.read_text("utf-8"), group.task):
                return path
    raise CourseError(f"no module of solutions/{group.topic}/ has a line {group.task} = Task(…)")


def _certified(course: Course, topic: str, step: Callable[[], None]) -> Done:
    """Make the exercises anew from the seed that they have."""
    _forget(course, topic)
    handout = read_handout(course, topic)
    own = handout.students if handout else {}
    students = tuple(Student(one["id"], folder) for folder, one in own.items())
    seed = (
        handout.seed if handout else json.loads(course.places.certificate(topic).read_text("utf-8"))["seed"]
    )
    with variant_workers(course, 1 + len(students)) as workers:
        return regenerate(course, topic, Request(seed, students), _SameNumbers(course, workers), step)


def _forget(course: Course, topic: str) -> None:
    """The tasks will be read from their files again."""
    folders = course.sources(topic)
    for name, module in list(sys.modules.items()):
        if name.startswith((f"solutions.{topic}.", f"private.solutions.{topic}.")) and any(
            Path(str(module.__file__)).is_relative_to(folder) for folder in folders
        ):
            del sys.modules[name]


class _SameNumbers:
    """Workers whose variants must print the numbers that were handed out; nothing is written before all do."""

    def __init__(self, course: Course, workers: VariantWorkers) -> None:
        self._course, self._workers = course, workers

    def make(self, orders: list[Order]) -> Iterator[tuple[Order, Files]]:
        """Each variant, or CourseError."""
        for order, files in self._workers.make(orders):
            place = self._course.places.release(order.topic, order.folder) / f"{order.topic}.key.json"
            if _inputs(place.read_text("utf-8")) != _inputs(files.student[f"{order.topic}.key.json"]):
                whose = f"of {order.folder}" if order.folder else "of the class"
                raise CourseError(
                    f"the numbers {whose} would have to change, because on them this mistake cannot be told from "
                    "another or from the right answer: nothing was written"
                )
            yield order, files


def _inputs(text: str) -> Mapping[str, Any]:
    """The inputs of every case of every task of a key."""
    tasks = json.loads(text)["tasks"]
    return {
        name: [copy.copy(case["inputs"]) for case in task["cases"]] for name, task in sorted(tasks.items())
    }
