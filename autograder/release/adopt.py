"""Turn a group of unexplained wrong answers into a certified misconception.

The wrong program is a submission of the group, or a formula that the instructor writes. The sandbox runs it first; it
must return what the group returned. A student's program is stored as text beside the task and always runs in the
sandbox (`autograder.authoring.adopted`). An instructor's formula becomes a function. The exercises are regenerated
from the same seed. If the numbers that were handed out would change, nothing is written.
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

from autograder.answers.attempt import Call, CallResult
from autograder.authoring.adopted import AdoptedProgram, adopted_path, stopped_programs_told
from autograder.authoring.cells import checked, checks
from autograder.authoring.excerpt import Signature, function_of, function_of_formula
from autograder.authoring.stub import NewMisconception, defines, with_misconception
from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.files import restore_on_error, write_text
from autograder.course.handout import read_handout
from autograder.course.roster import Student
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.returned import CaseSignature, answer_signature, same_return
from autograder.grading.unforeseen import Group, shortest_program
from autograder.judging.forms import Evaluated, split_parts
from autograder.judging.key import TaskKey, load_key
from autograder.release.regenerate import ReleaseRequest, ReleaseResult, regenerate
from autograder.release.variant import Files
from autograder.release.workers import VariantJob, VariantWorkers, variant_workers

OWN_MISTAKES = "own_mistakes.py"
ADOPTED_IMPORT = "from autograder.authoring.adopted import adopted"


@dataclass(frozen=True)
class MisconceptionDraft:
    """The instructor's description of a misconception.

    `name` is in the past tense, `see` is a label of the book. `formula` is needed where there is no program to take.
    """

    name: str
    hint: str
    see: str = ""
    formula: str = ""


def adopt(
    course: Course, group: Group, wish: MisconceptionDraft, step: Callable[[], None] = lambda: None
) -> Path:
    """Write a misconception beside its task, certify it and return the module.

    On failure all files are restored.
    """
    if not wish.name.isidentifier():
        raise CourseError(f"{wish.name!r} must be a Python name such as forgot_to_centre")
    task = load_tasks(course, group.topic)[group.task]
    key = load_key(load_assignment(course, group.topic).public).tasks[group.task]
    function = _program_text(course, group, wish, task, key)
    _require_same_return(group, key, wish.name, function)
    module, text = _find_module(course, group)
    new = _misconception(wish, function)
    texts = {module: with_misconception(text, group.task, new)}
    if not wish.formula:
        texts[adopted_path(module, wish.name)] = function
    with restore_on_error(module.parent):
        for path, content in texts.items():
            write_text(path, content)
        try:
            _release_again(course, group.topic, step)
        finally:
            _unload_tasks(course, group.topic)
    if not module.is_relative_to(course.root):  # a private task
        return module
    for path, content in texts.items():
        write_text(course.own(path), content)
    return course.own(module)


def _misconception(wish: MisconceptionDraft, function: str) -> NewMisconception:
    """Write a formula as a function, or refer to a student's program."""
    if wish.formula:
        return NewMisconception(wish.name, function, wish.hint, wish.see)
    line = f"{wish.name} = adopted({json.dumps(wish.name)}, __file__)\n"
    return NewMisconception(wish.name, line, wish.hint, wish.see, (ADOPTED_IMPORT,))


def _program_text(course: Course, group: Group, wish: MisconceptionDraft, task: Task, key: TaskKey) -> str:
    signature = Signature(
        wish.name,
        tuple(key.cases[0].inputs),
        f"What {len(group.students)} of a class gave; found among their answers.",
    )
    if wish.formula:
        return function_of_formula(wish.formula, signature)
    if task.kind == "sym":
        return function_of_formula(group.text, signature)
    if task.kind == "hand":
        names = ", ".join(signature.arguments)
        raise CourseError(
            f"{group.name} is a value, not a program: give it as a formula of {names} with --formula"
        )
    student, _ = shortest_program(course, group)
    notebook = nbformat.read(
        course.paths.autograded(student, group.topic) / f"{group.topic}.ipynb", as_version=4
    )
    return function_of(
        _cells_before_check(notebook, group.task), dict(checks(notebook))[group.task], signature
    )


def _cells_before_check(notebook: Any, task: str) -> list[str]:
    """Return the code cells above the `check` of a task."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    place = next(place for place, cell in enumerate(code) if (checked(cell) or ("",))[0] == task)
    return [cell.source for cell in code[:place]]


def _require_same_return(group: Group, key: TaskKey, name: str, function: str) -> None:
    """Raise CourseError unless the sandboxed program returns what the group returned."""
    with stopped_programs_told():
        attempts = AdoptedProgram(name, function).attempts([Call(case.inputs) for case in key.cases])
    if not same_return(_returned_cases(key, attempts), group.cases):
        signature = answer_signature(key, attempts)
        text = signature["shown"]["text"] if signature else "nothing"
        raise CourseError(
            f"the new program does not return what {group.name} returned: "
            f"{text[:80]!r}, not {group.text[:80]!r}"
        )


def _returned_cases(key: TaskKey, attempts: list[CallResult]) -> list[CaseSignature]:
    """Return the answer signature of each case.

    A formula is represented by its values at the sample points.
    """
    if key.kind == "sym":
        attempts = [
            attempt if attempt.problem else CallResult(_evaluate_formula(key, attempt.value))
            for attempt in attempts
        ]
    signature = answer_signature(key, attempts)
    return list(signature["cases"]) if signature else []


def _evaluate_formula(key: TaskKey, value: object) -> Any:
    number = len(np.atleast_1d(next(iter(key.cases[0].inputs.values()))))
    parts = [np.asarray(part, dtype=float) for part in split_parts(value, len(key.same))]
    evaluated = tuple(Evaluated(part if part.ndim else np.full(number, part)) for part in parts)
    return evaluated if len(evaluated) > 1 else evaluated[0]


def _find_module(course: Course, group: Group) -> tuple[Path, str]:
    """Return the module for a new mistake of a task, and its text.

    Where an overlay has no module of the task, its mistakes go into a module of their own.
    """
    path = _defining_module(course, group)
    if not path.is_relative_to(course.root) or course.own(path).is_file():
        return path, path.read_text("utf-8")
    module = path.with_name(OWN_MISTAKES)
    text = module.read_text("utf-8") if module.is_file() else '"""Mistakes that our classes made."""\n'
    line = f"from solutions.{group.topic}.{path.stem} import {group.task}"
    return module, text if line in text else f"{text}\n{line}\n"


def _defining_module(course: Course, group: Group) -> Path:
    for folder in reversed(course.sources(group.topic)):  # a private task replaces the public one of its name
        for path in sorted(folder.glob("*.py")):
            if defines(path.read_text("utf-8"), group.task):
                return path
    raise CourseError(f"no module of solutions/{group.topic}/ has a function {group.task} under @task")


def _release_again(course: Course, topic: str, step: Callable[[], None]) -> ReleaseResult:
    """Regenerate the exercises from the seed in place."""
    _unload_tasks(course, topic)
    handout = read_handout(course, topic)
    records = handout.students if handout else {}
    students = tuple(Student(record["id"], folder) for folder, record in records.items())
    seed = handout.seed if handout else json.loads(course.paths.certificate(topic).read_text("utf-8"))["seed"]
    with variant_workers(course, 1 + len(students)) as workers:
        return regenerate(course, topic, ReleaseRequest(seed, students), _SameNumbers(course, workers), step)


def _unload_tasks(course: Course, topic: str) -> None:
    """Remove a topic's task modules from `sys.modules`, to reload them."""
    folders = course.sources(topic)
    for name, module in list(sys.modules.items()):
        if name.startswith((f"solutions.{topic}.", f"private.solutions.{topic}.")) and any(
            Path(str(module.__file__)).is_relative_to(folder) for folder in folders
        ):
            del sys.modules[name]


class _SameNumbers:
    """Workers that refuse a variant whose numbers differ from those handed out."""

    def __init__(self, course: Course, workers: VariantWorkers) -> None:
        self._course, self._workers = course, workers

    def make(self, orders: list[VariantJob]) -> Iterator[tuple[VariantJob, Files]]:
        """Yield each variant. Raise CourseError if its numbers have changed."""
        for order, files in self._workers.make(orders):
            place = self._course.paths.release(order.topic, order.folder) / f"{order.topic}.key.json"
            if _inputs_by_task(place.read_text("utf-8")) != _inputs_by_task(
                files.student[f"{order.topic}.key.json"]
            ):
                whose = f"of {order.folder}" if order.folder else "of the class"
                raise CourseError(
                    f"the numbers {whose} would have to change, because on them this mistake cannot be told from "
                    "another or from the right answer: nothing was written"
                )
            yield order, files


def _inputs_by_task(text: str) -> Mapping[str, Any]:
    """Return the inputs of all cases of a key, by task."""
    tasks = json.loads(text)["tasks"]
    return {
        name: [copy.copy(case["inputs"]) for case in task["cases"]] for name, task in sorted(tasks.items())
    }
