"""Cache the names of a task's slips and edits in `solutions/<topic>/mistakes.json`.

Trying all of them takes longer than the rest of making a variant. The result depends only on the task, the course's
slips and the engine, so the file holds their names with a digest of these. `dimred regenerate` writes it, for public
tasks only. If the digest differs or the file cannot be read, the mistakes are tried again.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.adopted import stopped_programs_told
from autograder.authoring.asked import asked
from autograder.authoring.assignment import bank_task
from autograder.authoring.task import Task
from autograder.authoring.topic import load_slips, load_tasks, slips_module, solutions, task_modules
from autograder.course.composition import split_task
from autograder.course.course import Course
from autograder.course.digests import ENGINE_ROOT, program_digest, read_record, text_digest, versions_digest
from autograder.course.files import write_text
from autograder.judging.slips import spoken
from autograder.release.mistakes import EditIndex, Mistake, applicable_mistakes, restored

MISTAKE_NAMES_FILE = "mistakes.json"
MISTAKE_LIBRARIES = ("numpy", "scipy")


@dataclass(frozen=True)
class MistakeNames:
    """The ordered names of one task's mistakes, with places of edits."""

    sources: str
    edits: Mapping[str, EditIndex | None]

    @classmethod
    def of(cls, sources: str, mistakes: Sequence[Mistake]) -> "MistakeNames":
        """Build the record from mistakes."""
        return cls(sources, {mistake.name: mistake.edit for mistake in mistakes})

    def as_data(self) -> dict[str, object]:
        """Return the JSON data of this task."""
        names = [[name, *edit] if edit else name for name, edit in self.edits.items()]
        return {"sources": self.sources, "mistakes": names}


def in_words_of_the_text(
    course: Course, topic: str, name: str, task: Task, mistakes: Sequence[Mistake]
) -> tuple[Mistake, ...]:
    """Drop slips on arguments that a hand task's text never names.

    Functions and formulas show the names of their arguments, so all their slips stay.
    """
    if task.kind != "hand" or name not in asked(course, topic):
        return tuple(mistakes)
    text = _PLACEHOLDER.sub(" ", asked(course, topic)[name].text)
    return tuple(
        mistake
        for mistake in mistakes
        if all(_occurs_in(argument, text) for argument in _arguments_named(mistake))
    )


_PLACEHOLDER = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def _arguments_named(mistake: Mistake) -> list[str]:
    family, _, rest = mistake.name.partition(":")
    if family in ("input", "given"):
        return [rest.partition(":")[0]]
    return rest.split(":") if family == "exchanged" else []


def _occurs_in(argument: str, text: str) -> bool:
    words = {argument, spoken(argument)}
    return any(re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text) for word in words)


def relevant_mistakes(course: Course, topic: str, name: str, task: Task) -> tuple[Mistake, ...]:
    """Return the slips and edits to compare wrong answers with."""
    topic, name = bank_task(course, topic, name)
    course = course.formless
    ways = _notebook_programs(course, topic, name, task)
    key = (id(task), course.root)
    if key not in _MISTAKES:
        names = known_names(course, topic).get(name)
        again = restored(task, load_slips(course), ways, names.edits) if names else ()
        is_whole = names is not None and [mistake.name for mistake in again] == [*names.edits]
        mistakes = again if is_whole else applicable_mistakes(task, load_slips(course), ways)
        _MISTAKES[key] = (task, in_words_of_the_text(course, topic, name, task, mistakes))
    return _MISTAKES[key][1]


# The task is kept, so that no other task gets its id.
_MISTAKES: dict[object, tuple[Task, tuple[Mistake, ...]]] = {}


@stopped_programs_told()
def derive_names(course: Course, topic: str, name: str) -> MistakeNames:
    """Try all slips and edits of a public task; name the applicable."""
    course = course.published
    task = load_tasks(course, topic)[name]
    mistakes = applicable_mistakes(task, load_slips(course), _notebook_programs(course, topic, name, task))
    return MistakeNames.of(sources_digests(course, topic)[name], mistakes)


def _notebook_programs(
    course: Course, topic: str, name: str, task: Task
) -> tuple[Callable[..., object], ...]:
    """Return the notebook's solution of a function, which is edited as well."""
    solution = solutions(course, topic).get(name)
    return (solution,) if solution and task.kind == "code" else ()


def outdated_tasks(course: Course, topic: str) -> list[tuple[str, str]]:
    """Return the public tasks of an assignment without a current record, each with its topic."""
    course = course.published
    composition = course.composition(topic)
    if composition:
        chosen = {split_task(reference)[:2] for reference in composition.every_task()}
        return [
            pair for name in composition.topics() for pair in outdated_tasks(course, name) if pair in chosen
        ]
    known = known_names(course, topic)
    return [(topic, name) for name in task_modules(course, topic) if name not in known]


def has_names(course: Course, topic: str) -> bool:
    """Return whether this engine wrote the files of an assignment's topics."""
    composition = course.composition(topic)
    if composition:
        return all(has_names(course, name) for name in composition.topics())
    return read_record(_path(course, topic)).get("engine") == mistakes_engine_digest()


def known_names(course: Course, topic: str) -> dict[str, MistakeNames]:
    """Return the records that match the current tasks."""
    record = read_record(_path(course, topic))
    tasks = record.get("tasks")
    if record.get("engine") != mistakes_engine_digest() or not isinstance(tasks, dict):
        return {}
    digests = sources_digests(course, topic)
    read = {name: _parse_names(data) for name, data in tasks.items()}
    return {name: names for name, names in read.items() if names and names.sources == digests.get(name)}


def _parse_names(data: Any) -> MistakeNames | None:
    """Read the record of one task, or None if it is malformed."""
    try:
        edits: dict[str, EditIndex | None] = {}
        for entry in data["mistakes"]:
            name, *edit = [entry] if isinstance(entry, str) else entry
            edits[str(name)] = (int(edit[0]), int(edit[1])) if edit else None
        return MistakeNames(str(data["sources"]), edits)
    except (LookupError, TypeError, ValueError):
        return None


def write_names(course: Course, topic: str, derived: Mapping[str, MistakeNames]) -> None:
    """Write new records beside the public tasks and keep the current ones."""
    course = course.published
    names = {**known_names(course, topic), **derived}
    lines = [
        f"{json.dumps(name)}: {json.dumps(names[name].as_data(), ensure_ascii=False)}"
        for name in sorted(task_modules(course, topic))
        if name in names
    ]
    text = f'{{"engine": "{mistakes_engine_digest()}",\n"tasks": {{\n' + ",\n".join(lines) + "\n}}\n"
    write_text(_path(course, topic), text)


def _path(course: Course, topic: str) -> Path:
    return course.source(topic) / MISTAKE_NAMES_FILE


@functools.cache
def mistakes_engine_digest() -> str:
    """Return the digest of the programs and libraries that decide about mistakes."""
    return text_digest(
        program_digest([ENGINE_ROOT / "release" / "mistakes.py"], ENGINE_ROOT),
        versions_digest(MISTAKE_LIBRARIES),
    )


def sources_digests(course: Course, topic: str) -> dict[str, str]:
    """Return a digest for each task of everything its mistakes depend on.

    That is its module, the course's slips, their imports, and the programs of the notebook.
    """
    folders = course.sources(topic)
    files = [*(path for folder in folders for path in folder.rglob("*.*")), slips_module(course)]
    stamps = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in files if path.is_file()]
    return _digests(course, topic, tuple(stamps))


@functools.lru_cache(maxsize=64)
def _digests(course: Course, topic: str, stamps: tuple[tuple[Path, int, int], ...]) -> dict[str, str]:
    """Compute the digests once for each state of the files."""
    slips = [path for path in (slips_module(course),) if path.is_file()]
    programs = [*_solution_texts(course, topic), *_adopted_texts(course, topic)]
    of_modules = functools.cache(lambda paths: program_digest([*paths, *slips], course.root))
    modules = task_modules(course, topic)
    return {name: text_digest(name, of_modules(paths), *programs) for name, paths in modules.items()}


def _adopted_texts(course: Course, topic: str) -> list[str]:
    """Return the adopted programs beside the tasks, from which misconceptions are made."""
    return [
        f"{path.name} {path.read_text('utf-8', 'replace')}"
        for folder in course.sources(topic)
        for path in sorted(folder.rglob("*.txt"))
    ]


def _solution_texts(course: Course, topic: str) -> list[str]:
    """Return the functions of the notebook's solution as text.

    All of them are needed, because one may call another.
    """
    functions: dict[str, object] = {}
    for solution in solutions(course, topic).values():
        functions |= getattr(solution, "__globals__", {})
    return [
        f"{name} {function.source}"
        for name, function in sorted(functions.items())
        if hasattr(function, "source")
    ]
