"""Load the tasks of a topic, in the order of its notebook.

A task is a decorated function of a module in `solutions/<topic>/` (`autograder.authoring.task`): `check("areas.total",
…)` judges the task `total` of the topic `areas`. A module may hold several tasks, or a `Task` under a name. Keys,
certificates and reports use the order of the notebook, too.

An instructor's private folder (the setting `private`) has the same layout. A task there replaces the public task of the
same name or is added, and a `notebook.md` there replaces the public text. `course.published` ignores it.
"""

import ast
import functools
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.authoring.cells import check_of
from autograder.authoring.mutation_record import MutationRecord, load_records, with_lucky
from autograder.authoring.question_builders import QuestionBuilder
from autograder.authoring.task import Task, TaskBuilder, TaskError
from autograder.course.course import Course
from autograder.course.import_cycles import find_cycle
from autograder.errors import CourseError
from autograder.judging.slips import InputSlip

QUESTIONS_FILE = "quick.py"
RULES = "{{ rules }}"  # a notebook puts the text of `solutions/rules.md` here
CHECKED = re.compile(r"""^check\(\s*["'](?P<topic>\w+)\.(?P<task>\w+)["']""", re.MULTILINE)


def load_tasks(course: Course, topic: str) -> dict[str, Task]:
    """Load the tasks of a topic, by name.

    Tasks that the notebook does not ask come last.
    """
    imported = {name: task for name, (task, _) in _import_tasks(course, topic).items()}
    checks = CHECKED.finditer(read_notebook_text(course, topic))
    asked = [match["task"] for match in checks if match["topic"] == topic]
    tasks = {name: imported[name] for name in [*asked, *imported] if name in imported}
    lucky = {name: trial.lucky for name, trial in mutation_trials(course, topic).items() if trial.lucky}
    if lucky:
        ways = solutions(course, topic)
        for name in tasks.keys() & lucky:
            tasks[name] = with_lucky(tasks[name], lucky[name], ways.get(name))
    return tasks


def load_builders(course: Course, topic: str) -> dict[str, QuestionBuilder]:
    """Load the quick questions of a topic, by name, in the order of its module; private ones replace public ones."""
    builders: dict[str, QuestionBuilder] = {}
    for folder in course.sources(topic):
        path = folder / QUESTIONS_FILE
        module = vars(_import_module(course, path)) if path.is_file() else {}
        builders |= {name: value for name, value in module.items() if isinstance(value, QuestionBuilder)}
    return builders


def task_modules(course: Course, topic: str) -> dict[str, tuple[Path, ...]]:
    """Return the modules of each task of a topic: the one that defines it, then those that add mistakes to it."""
    folders = course.sources(topic)
    modules: dict[str, tuple[Path, ...]] = {}
    for name, (task, path) in _import_tasks(course, topic).items():
        programs = [mistake.wrong for mistake in task.misconceptions]
        names = {str(getattr(program, "__module__", "")) for program in programs}
        files = (getattr(sys.modules.get(module), "__file__", None) for module in sorted(names))
        adding = [file for text in files if text and (file := Path(text)) != path and file.parent in folders]
        modules[name] = (path, *adding)
    return modules


def _import_tasks(course: Course, topic: str) -> dict[str, tuple[Task, Path]]:
    """Import a topic's tasks, with their modules; private ones replace public ones.

    The setting `points` replaces what a task declares.
    """
    tasks = _tasks_in(course, course.source(topic)) | _private_tasks(course, topic)
    points = points_settings(course, topic)
    for name in points.keys() - tasks.keys():
        raise CourseError(f"course.toml: points names {topic}.{name}, which is not a task of {topic}")
    return {
        name: (_with_points(task, points[name]) if name in points else task, path)
        for name, (task, path) in tasks.items()
    }


def points_settings(course: Course, topic: str) -> dict[str, float]:
    """Return the points that the settings give to tasks of a topic, by task."""
    names = ((name.partition("."), points) for name, points in course.settings["points"].items())
    return {task: points for (of, _, task), points in names if of == topic}


# By the id of a task, which is kept, so that no other task gets it: caches elsewhere know a task by its id.
_WITH_POINTS: dict[tuple[int, float], tuple[Task, Task]] = {}


def _with_points(task: Task, points: float) -> Task:
    """Return a task with other points, the same object each time."""
    return _WITH_POINTS.setdefault((id(task), points), (task, replace(task, points=points)))[1]


def _tasks_in(course: Course, folder: Path) -> dict[str, tuple[Task, Path]]:
    """Import the modules of one folder, in the order of their names.

    All are imported first: one may add mistakes to the tasks of another.
    """
    tasks: dict[str, tuple[Task, Path]] = {}
    paths = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    modules = [_import_module(course, path) for path in paths]
    for path, module in zip(paths, modules, strict=True):
        for name, task in _tasks_of(module, path):
            if name in tasks:
                raise CourseError(
                    f"{folder.name}.{name} is in {tasks[name][1].name} and in {path.name}: rename a task"
                )
            tasks[name] = task, path
    return tasks


def _tasks_of(module: ModuleType, path: Path) -> Iterator[tuple[str, Task]]:
    """Yield the tasks that a module defines, not those that it imports."""
    for name, value in vars(module).items():
        if isinstance(value, TaskBuilder) and value.__module__ == module.__name__:
            try:
                yield name, value.task
            except TaskError as error:
                raise CourseError(f"{path.parent.name}/{path.name}: {error}") from None
        elif isinstance(value, Task):
            yield name, value


def _private_tasks(course: Course, topic: str) -> dict[str, tuple[Task, Path]]:
    """Import the private tasks of a topic, if any."""
    folder = course.private_source(topic)
    return _tasks_in(course, folder) if folder else {}


def mutation_trials(course: Course, topic: str) -> dict[str, MutationRecord]:
    """Load the mutation records of the public tasks.

    Tasks that a private task replaces are left out, because the private one was never tried.
    """
    replaced = _private_tasks(course, topic)
    trials = load_records(course.source(topic))
    return {name: trial for name, trial in trials.items() if name not in replaced}


def slips_module(course: Course) -> Path:
    """Return the path of the course's slips, which may not exist."""
    return course.root / "solutions" / "slips.py"


def load_slips(course: Course) -> tuple[InputSlip, ...]:
    """Load the course's own slips from `solutions/slips.py`, if any."""
    return tuple(value for value in load_names(course, "slips").values() if isinstance(value, InputSlip))


def load_names(course: Course, module: str) -> dict[str, Any]:
    """Return the names in a module of `solutions/`, none without it."""
    path = course.root / "solutions" / f"{module}.py"
    return vars(_import_module(course, path)) if path.is_file() else {}


@functools.lru_cache(maxsize=64)
def solutions(course: Course, topic: str) -> dict[str, Callable[..., object]]:
    """Return the functions of the notebook's own solution, by task.

    They are correct programs as students would write them.
    """
    import jupytext
    import numpy

    names: dict[str, Any] = {"np": numpy}
    answers: dict[str, Callable[..., Any]] = {}
    cells = [
        cell
        for cell in jupytext.reads(read_notebook_text(course, topic), fmt="md:myst").cells
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
                answers[match["task"]] = answer
    return answers


def _functions(source: str) -> list[ast.FunctionDef]:
    try:
        return [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:  # placeholders stand where numbers will
        return []


def read_notebook_text(course: Course, topic: str) -> str:
    """Read the hand-written exercise, with solutions and placeholders."""
    places = [folder / "notebook.md" for folder in course.sources(topic)]
    path = next((place for place in reversed(places) if place.is_file()), places[0])
    if not path.is_file():
        raise CourseError(f"solutions/{topic}/notebook.md is missing: it holds the text of the exercise")
    text = path.read_text("utf-8")
    return text.replace(RULES, _require_rules(course).strip()) if RULES in text else text


def read_rules(course: Course) -> str:
    """Read the rules for answers, which all notebooks share; empty if a course has none."""
    path = course.root / "solutions" / "rules.md"
    return path.read_text("utf-8") if path.is_file() else ""


def _require_rules(course: Course) -> str:
    rules = read_rules(course)
    if not rules:
        raise CourseError(f"solutions/rules.md is missing: a notebook asks for its text by {RULES}")
    return rules


def _import_module(course: Course, path: Path) -> ModuleType:
    """Import a module of this course's solutions.

    A module of the same name from another course is replaced.
    """
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
    except TaskError as error:
        del sys.modules[name]
        raise CourseError(f"{below}: {error}") from None
    except Exception as error:
        del sys.modules[name]
        raise CourseError(
            f"{below} cannot be imported: {_describe_error(error, path, course.root)}"
        ) from error
    return module


def _describe_error(error: Exception, path: Path, root: Path) -> str:
    """Describe why a module cannot be imported."""
    cycle = find_cycle(path, root) if isinstance(error, ImportError | AttributeError) else []
    if cycle:
        names = [module.relative_to(root.resolve()).as_posix() for module in (*cycle, cycle[0])]
        return f"{' imports '.join(names)}; move what they share into a module of its own"
    return " ".join(f"{type(error).__name__}: {error}".split())
