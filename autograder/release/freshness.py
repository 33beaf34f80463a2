"""Whether exercises are those that their sources give: digests of what they were made from, and of their files.

`exercises/made_from.json` is committed with the exercises of the public seed, so a fresh clone knows that it need not
draw and certify them again. A classroom keeps the same beside its keys.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.course.digests import (
    ENGINE,
    files_digest,
    program_digest,
    read_record,
    text_digest,
    versions_digest,
)
from autograder.course.files import write_text
from autograder.course.package import install_command
from autograder.release.mistake_names import FILE as MISTAKES

FILE = "made_from.json"
LIBRARIES = ("numpy", "scipy", "mpmath", "sympy", "jupytext", "nbformat", "nbgrader")
# Rooms that change no byte of an exercise: what the course says is in the digest itself, and how notebooks are run is
# tried anew with each release, which the solution must pass.
ELSEWHERE = ("course", "sandbox", "grading")
LABEL = re.compile(r"[a-z]+(?:-[a-z0-9_]+)+")


def engine_digest(module: str = "variant", but: Sequence[str] = ELSEWHERE) -> str:
    """Return the digest of the engine's programs that a module of this room uses, and of the libraries."""
    programs = program_digest([ENGINE / "release" / f"{module}.py"], ENGINE, but)
    return text_digest(programs, versions_digest(LIBRARIES))


def sources_digest(course: Course, topic: str) -> str:
    """Return the digest of all of the course that decides what the exercises of a topic are."""
    digests: list[str] = []
    every: list[Path] = []
    for folder in course.sources(topic):
        sources = [*_sources(folder), *folder.parent.glob("*.py"), *folder.parent.glob("*.md")]
        digests.append(files_digest(folder.parent, sources))
        every += sources
    modules = [path for path in every if path.suffix == ".py"]
    return text_digest(
        *digests,
        program_digest(modules, course.root),
        *_places(course, every),
        str(course.settings["book_url"]),
        str(install_command(course)),
    )


def _sources(folder: Path) -> list[Path]:
    """Return the files of a topic but those that are made from the others."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name != MISTAKES and "__pycache__" not in path.parts
    ]


def _places(course: Course, sources: Iterable[Path]) -> list[str]:
    """Return where the labels of the book lead that these files name: numbers move when a page is edited."""
    places = labels(course.book)
    words = {word for path in sources for word in LABEL.findall(path.read_text("utf-8", "replace"))}
    return [f"{word} {places[word]}" for word in sorted(words & set(places))]


def exercise_files(course: Course, topic: str) -> list[Path]:
    """Return the files of a topic that everyone may see."""
    return sorted(path for path in (course.exercises / topic).glob("*") if path.is_file())


def are_exercises_fresh(course: Course, topic: str) -> bool:
    """Return whether `exercises/` holds what sources, engine and public seed give, unchanged."""
    record = read_record(course.exercises / FILE)
    topics = record.get("topics")
    return (
        record.get("engine") == engine_digest()
        and isinstance(topics, dict)
        and topics.get(topic) == _entry(course, topic)
        and len(exercise_files(course, topic)) > 0
    )


def note_exercises(course: Course, topics: Iterable[str]) -> None:
    """Record what the exercises of these topics were made from; others stay if the engine is the same."""
    path, engine = course.exercises / FILE, engine_digest()
    record = read_record(path)
    before = record.get("topics") if record.get("engine") == engine else None
    entries = dict(before) if isinstance(before, dict) else {}
    entries |= {topic: _entry(course, topic) for topic in topics}
    ordered = {topic: entries[topic] for topic in course.topics() if topic in entries}
    write_text(path, json.dumps({"engine": engine, "topics": ordered}, indent=1) + "\n")


def _entry(course: Course, topic: str) -> Mapping[str, str]:
    return {
        "sources": text_digest(sources_digest(course.published, topic), str(course.settings["public_seed"])),
        "files": files_digest(course.root, exercise_files(course, topic)),
    }
