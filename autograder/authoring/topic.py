"""The tasks of a topic, as their authors wrote them, in the order in which the notebook asks them.

A task is a module-level name of a module in `solutions/<topic>/`: `check("areas.total", …)` judges the `total` found
there. The order is that of the notebook, in keys, certificates and reports too.

An instructor's private folder (the setting `private`) has the same layout: a task there replaces the public task of the
same name or is added, and a `notebook.md` there replaces the public text. `course.published` knows nothing of it.
"""

import ast
import functools
import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.authoring.cells import check_of
from autograder.authoring.lucky import Found, found_beside, with_lucky
from autograder.authoring.task import Task
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.slips import InputSlip

RULES = "{{ rules }}"  # where a notebook wants the text of `solutions/rules.md`, which all topics share
CHECKED = re.compile(r"""^check\(\s*["'](?P<topic>\w+)\.(?P<task>\w+)["']""", re.MULTILINE)


def load_tasks(course: Course, topic: str) -> dict[str, Task]:
    """The tasks of a topic by name; those that the notebook does not ask come last."""
    found = {name: task for name, (task, _) in _written_tasks(course, topic).items()}
    asked = [
        match["task"] for match in CHECKED.finditer(notebook_text(course, topic)) if match["topic"] == topic
    ]
    tasks = {name: found[name] for name in [*asked, *found] if name in found}
    lucky = {name: trial.lucky for name, trial in mutation_trials(course, topic).items() if trial.lucky}
    ways = solutions(course, topic) if lucky else {}
    return {
        name: with_lucky(task, lucky[name], ways.get(name)) if name in lucky else task
        for name, task in tasks.items()
    }


def task_modules(course: Course, topic: str) -> dict[str, Path]:
    """Return the module that each task of a topic is written in."""
    return {name: path for name, (_, path) in _written_tasks(course, topic).items()}


def _written_tasks(course: Course, topic: str) -> dict[str, tuple[Task, Path]]:
    """Import the tasks of a topic, each with its module; private ones replace public ones."""
    return _tasks_in(course, course.source(topic)) | _private_tasks(course, topic)


def _tasks_in(course: Course, folder: Path) -> dict[str, tuple[Task, Path]]:
    """Import the modules of one folder, in the order of their names."""
    modules = {
        path: _imported(course, path) for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"
    }
    return {
        name: (value, path)
        for path, module in modules.items()
        for name, value in vars(module).items()
        if isinstance(value, Task)
    }


def _private_tasks(course: Course, topic: str) -> dict[str, tuple[Task, Path]]:
    """Import the private tasks; a public task that a private module imports is none."""
    folder = course.private_source(topic)
    if folder is None:
        return {}
    public = {id(task) for task, _ in _tasks_in(course, course.source(topic)).values()}
    return {name: pair for name, pair in _tasks_in(course, folder).items() if id(pair[0]) not in public}


def mutation_trials(course: Course, topic: str) -> dict[str, Found]:
    """Read what mutation found about the public tasks; a private task of the same name was never tried."""
    replaced = _private_tasks(course, topic)
    trials = found_beside(course.source(topic))
    return {name: trial for name, trial in trials.items() if name not in replaced}


def slips_module(course: Course) -> Path:
    """Return the path of the course's own slips; there need not be a file."""
    return course.root / "solutions" / "slips.py"


def load_slips(course: Course) -> tuple[InputSlip, ...]:
    """The course's own slips, from `solutions/slips.py`, if it has that file."""
    return tuple(value for value in load_names(course, "slips").values() if isinstance(value, InputSlip))


def load_names(course: Course, module: str) -> dict[str, Any]:
    """Return the names that a module of `solutions/` defines or imports; none if it is not there."""
    path = course.root / "solutions" / f"{module}.py"
    return vars(_imported(course, path)) if path.is_file() else {}


def load_beside(course: Course, topic: str, module: str) -> dict[str, Callable[..., Any]]:
    """What a module beside the tasks has to say about them: functions of the same names.

    `worked` holds worked solutions: from the drawn numbers to the steps, in Markdown, and the answer they lead to.
    `wider` holds draws for practice, where a task's own has fewer variants than one can practise on.
    """
    path = course.source(topic) / f"{module}.py"
    if not path.is_file():
        return {}
    loaded = _imported(course, path)
    return {
        name: value
        for name, value in vars(loaded).items()
        if getattr(value, "__module__", "") == loaded.__name__ and name[0] != "_" and callable(value)
    }


@functools.lru_cache(maxsize=64)
def solutions(course: Course, topic: str) -> dict[str, Callable[..., Any]]:
    """The functions of the notebook's own solution, by task: correct ways, as students would write them."""
    import jupytext
    import numpy

    names: dict[str, Any] = {"np": numpy}
    found: dict[str, Callable[..., Any]] = {}
    cells = [
        cell
        for cell in jupytext.reads(notebook_text(course, topic), fmt="md:myst").cells
        if cell.cell_type == "code"
    ]
    for cell in cells:
        for node in _functions(cell.source):
            source = ast.unparse(node)
            exec(compile(source, "<solution>", "exec"), names)
            names[node.name].source = source
        if match := check_of(cell.source):
            answer = names.get(match["answer"])
            if callable(answer):
                found[match["task"]] = answer
    return found


def _functions(source: str) -> list[ast.FunctionDef]:
    try:
        return [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:  # placeholders stand where numbers will
        return []


def notebook_text(course: Course, topic: str) -> str:
    """The hand-written exercise, with solutions and placeholders."""
    places = [folder / "notebook.md" for folder in course.sources(topic)]
    path = next((place for place in reversed(places) if place.is_file()), places[0])
    if not path.is_file():
        raise CourseError(f"solutions/{topic}/notebook.md is missing: it holds the text of the exercise")
    text = path.read_text("utf-8")
    return text.replace(RULES, _rules(course).strip()) if RULES in text else text


def _rules(course: Course) -> str:
    """What a student must know in every topic: how answers are checked, and in which forms they may come."""
    path = course.root / "solutions" / "rules.md"
    if not path.is_file():
        raise CourseError(f"solutions/rules.md is missing: a notebook asks for its text by {RULES}")
    return path.read_text("utf-8")


def _imported(course: Course, path: Path) -> ModuleType:
    """Import a module of this course's solutions, and no other course's."""
    is_private = not path.is_relative_to(course.root)
    below = path.relative_to(path.parents[2] if is_private else course.root)
    name = ".".join(["private"] * is_private + [*below.with_suffix("").parts])
    loaded = sys.modules.get(name)
    if loaded is not None and Path(str(loaded.__file__)) == path:
        return loaded
    if str(course.root) not in sys.path:
        sys.path.insert(0, str(course.root))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CourseError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise CourseError(f"{below} cannot be imported: {why}") from error
    return module
