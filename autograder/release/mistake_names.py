"""The slips and edits that apply to each task, by name, in `solutions/<topic>/mistakes.json`.

To try all of them takes longer than everything else that a variant needs, and depends on the task, the course's slips
and the engine alone. So the file holds their names, with a digest of all that decides about them. `dimred regenerate`
writes it, for public tasks only. Where the digest is another one, or the file cannot be read, the mistakes are tried
anew.
"""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.adopted import stopped_programs_told
from autograder.authoring.task import Task
from autograder.authoring.topic import load_slips, load_tasks, slips_module, solutions, task_modules
from autograder.course.course import Course
from autograder.course.digests import ENGINE, program_digest, read_record, text_digest, versions_digest
from autograder.course.files import write_text
from autograder.release.mistakes import Edit, Mistake, possible, restored

FILE = "mistakes.json"
LIBRARIES = ("numpy", "scipy")


@dataclass(frozen=True)
class Names:
    """The mistakes of one task, in their order: each name, and where an edit was made."""

    sources: str
    edits: Mapping[str, Edit | None]

    @classmethod
    def of(cls, sources: str, mistakes: Sequence[Mistake]) -> "Names":
        """Take down the names of mistakes."""
        return cls(sources, {mistake.name: mistake.edit for mistake in mistakes})

    def as_data(self) -> dict[str, Any]:
        """Return what the file holds of this task."""
        names = [[name, *edit] if edit else name for name, edit in self.edits.items()]
        return {"sources": self.sources, "mistakes": names}


def relevant_mistakes(course: Course, topic: str, name: str, task: Task) -> tuple[Mistake, ...]:
    """Return the slips and edits that wrong answers to a task are compared with."""
    ways = _ways(course, topic, name, task)
    key = (id(task), course.root)
    if key not in _MISTAKES:
        names = known_names(course, topic).get(name)
        again = restored(task, load_slips(course), ways, names.edits) if names else ()
        is_whole = names is not None and [mistake.name for mistake in again] == [*names.edits]
        _MISTAKES[key] = (task, again if is_whole else possible(task, load_slips(course), ways))
    return _MISTAKES[key][1]


# The task is kept, so that no other task gets its id.
_MISTAKES: dict[Any, tuple[Task, tuple[Mistake, ...]]] = {}


@stopped_programs_told()
def derive_names(course: Course, topic: str, name: str) -> Names:
    """Try all slips and edits of a public task, and return the names of those that apply."""
    course = course.published
    task = load_tasks(course, topic)[name]
    mistakes = possible(task, load_slips(course), _ways(course, topic, name, task))
    return Names.of(sources_digests(course, topic)[name], mistakes)


def _ways(course: Course, topic: str, name: str, task: Task) -> tuple[Callable[..., Any], ...]:
    """Return the notebook's own solution of a function, which is edited as well."""
    solution = solutions(course, topic).get(name)
    return (solution,) if solution and task.kind == "code" else ()


def outdated_tasks(course: Course, topic: str) -> list[str]:
    """Return the public tasks of a topic whose mistakes are not on file for what they are now."""
    course = course.published
    known = known_names(course, topic)
    return [name for name in task_modules(course, topic) if name not in known]


def has_names(course: Course, topic: str) -> bool:
    """Return whether there is a file that this engine wrote."""
    return read_record(_path(course, topic)).get("engine") == engine_digest()


def known_names(course: Course, topic: str) -> dict[str, Names]:
    """Return what the file says about the tasks as they are now; nothing of others."""
    record = read_record(_path(course, topic))
    tasks = record.get("tasks")
    if record.get("engine") != engine_digest() or not isinstance(tasks, dict):
        return {}
    digests = sources_digests(course, topic)
    read = {name: _read(data) for name, data in tasks.items()}
    return {name: names for name, names in read.items() if names and names.sources == digests.get(name)}


def _read(data: Any) -> Names | None:
    """Read the names of one task; None if somebody has changed their form."""
    try:
        edits: dict[str, Edit | None] = {}
        for entry in data["mistakes"]:
            name, *edit = [entry] if isinstance(entry, str) else entry
            edits[str(name)] = (int(edit[0]), int(edit[1])) if edit else None
        return Names(str(data["sources"]), edits)
    except (LookupError, TypeError, ValueError):
        return None


def write_names(course: Course, topic: str, derived: Mapping[str, Names]) -> None:
    """Write the names that were derived beside the public tasks, and keep those that are still right."""
    course = course.published
    names = {**known_names(course, topic), **derived}
    lines = [
        f"{json.dumps(name)}: {json.dumps(names[name].as_data(), ensure_ascii=False)}"
        for name in task_modules(course, topic)
        if name in names
    ]
    text = f'{{"engine": "{engine_digest()}",\n"tasks": {{\n' + ",\n".join(lines) + "\n}}\n"
    write_text(_path(course, topic), text)


def _path(course: Course, topic: str) -> Path:
    return course.source(topic) / FILE


@functools.cache
def engine_digest() -> str:
    """Return the digest of the engine's programs that decide about mistakes, and of the libraries they use."""
    return text_digest(
        program_digest([ENGINE / "release" / "mistakes.py"], ENGINE), versions_digest(LIBRARIES)
    )


def sources_digests(course: Course, topic: str) -> dict[str, str]:
    """Return a digest for each task: of its module, the course's slips, their imports, and the notebook's programs."""
    folders = course.sources(topic)
    files = [*(path for folder in folders for path in folder.rglob("*.*")), slips_module(course)]
    stamps = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in files if path.is_file()]
    return _digests(course, topic, tuple(stamps))


@functools.lru_cache(maxsize=64)
def _digests(course: Course, topic: str, stamps: tuple[tuple[Path, int, int], ...]) -> dict[str, str]:
    """Take the digests once for each state of the files."""
    slips = [path for path in (slips_module(course),) if path.is_file()]
    programs = [*_solution_texts(course, topic), *_adopted_texts(course, topic)]
    of_module = functools.cache(lambda path: program_digest([path, *slips], course.root))
    modules = task_modules(course, topic)
    return {name: text_digest(name, of_module(path), *programs) for name, path in modules.items()}


def _adopted_texts(course: Course, topic: str) -> list[str]:
    """Return the programs that lie beside the tasks as texts: misconceptions may be made of them."""
    return [
        f"{path.name} {path.read_text('utf-8', 'replace')}"
        for folder in course.sources(topic)
        for path in sorted(folder.rglob("*.txt"))
    ]


def _solution_texts(course: Course, topic: str) -> list[str]:
    """Return the functions of the notebook's solution as text: one may call another."""
    functions: dict[str, Any] = {}
    for solution in solutions(course, topic).values():
        functions |= getattr(solution, "__globals__", {})
    return [
        f"{name} {function.source}"
        for name, function in sorted(functions.items())
        if hasattr(function, "source")
    ]
