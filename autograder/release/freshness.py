"""Check by digests whether exercises match their sources.

`exercises/made_from.json` is committed with the exercises of the public seed, so a fresh clone need not draw and
certify them again. Practice problems have such a file beside them, and a classroom has one beside its keys.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from autograder.authoring.topic import points_settings
from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.course.digests import (
    ENGINE_ROOT,
    files_digest,
    program_digest,
    read_record,
    text_digest,
    versions_digest,
)
from autograder.course.files import write_text
from autograder.course.package import install_command
from autograder.release.mistake_names import MISTAKE_NAMES_FILE as MISTAKES

RELEASE_RECORD_FILE = "made_from.json"
RELEASE_LIBRARIES = ("numpy", "scipy", "mpmath", "sympy", "jupytext", "nbformat", "nbgrader")
# Packages that change no byte of an exercise. Settings of the course enter the digest directly, and each release runs
# the solution notebook again.
ELSEWHERE = ("course", "sandbox", "grading")
LABEL_PATTERN = re.compile(r"[a-z]+(?:-[a-z0-9_]+)+")


def release_engine_digest(module: str = "variant", but: Sequence[str] = ELSEWHERE) -> str:
    """Return the digest of a release module, its imports and the libraries."""
    programs = program_digest([ENGINE_ROOT / "release" / f"{module}.py"], ENGINE_ROOT, but)
    return text_digest(programs, versions_digest(RELEASE_LIBRARIES))


def sources_digest(course: Course, topic: str) -> str:
    """Return the digest of all course files that determine a topic's exercises."""
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
        *(f"{task} {points:g}" for task, points in sorted(points_settings(course, topic).items())),
        str(install_command()),
    )


def _sources(folder: Path) -> list[Path]:
    """Return the source files of a topic, without generated files."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name != MISTAKES and "__pycache__" not in path.parts
    ]


def _places(course: Course, sources: Iterable[Path]) -> list[str]:
    """Return the places of the labels that these files name.

    Numbers of labels change when a page is edited.
    """
    places = labels(course.book)
    words = {word for path in sources for word in LABEL_PATTERN.findall(path.read_text("utf-8", "replace"))}
    return [f"{word} {places[word]}" for word in sorted(words & set(places))]


def exercise_files(course: Course, topic: str) -> list[Path]:
    """Return the public files of a topic in `exercises/`."""
    return sorted(path for path in (course.exercises / topic).glob("*") if path.is_file())


def are_exercises_fresh(course: Course, topic: str) -> bool:
    """Return whether `exercises/` matches the sources, the engine and the public seed."""
    files = exercise_files(course, topic)
    return len(files) > 0 and is_noted(
        course.exercises / RELEASE_RECORD_FILE, release_engine_digest(), topic, entry(course, topic, files)
    )


def note_exercises(course: Course, topics: Iterable[str]) -> None:
    """Record the digests of these topics' exercises.

    Entries of other topics stay if the engine is the same.
    """
    entries = {topic: entry(course, topic, exercise_files(course, topic)) for topic in topics}
    record_release(course, course.exercises / RELEASE_RECORD_FILE, release_engine_digest(), entries)


def is_noted(record_path: Path, engine: str, topic: str, expected: Mapping[str, str]) -> bool:
    """Return whether a record holds this engine digest and this entry."""
    record = read_record(record_path)
    topics = record.get("topics")
    return record.get("engine") == engine and isinstance(topics, dict) and topics.get(topic) == expected


def record_release(
    course: Course, record_path: Path, engine: str, added: Mapping[str, Mapping[str, str]]
) -> None:
    """Add entries of topics to a record.

    Entries of other topics stay if the engine is the same.
    """
    record = read_record(record_path)
    before = record.get("topics") if record.get("engine") == engine else None
    entries = {**(before if isinstance(before, dict) else {}), **added}
    ordered = {topic: entries[topic] for topic in course.all_topics() if topic in entries}
    write_text(record_path, json.dumps({"engine": engine, "topics": ordered}, indent=1) + "\n")


def entry(course: Course, topic: str, files: Iterable[Path]) -> Mapping[str, str]:
    """Return the digests of a topic's sources and public files."""
    return {
        "sources": text_digest(sources_digest(course.published, topic), str(course.settings["public_seed"])),
        "files": files_digest(course.root, files),
    }
