"""Detect edits of a topic's sources since its release.

A release does not change until it is regenerated.
"""

import hashlib
from pathlib import Path

from autograder.course.composition import COMPOSITION_FILE
from autograder.course.course import Course
from autograder.course.files import write_text

SOURCE_ENDINGS = (".py", ".md", ".txt")  # exercise texts, tasks, adopted programs


def record_source_digest(course: Course, topic: str) -> None:
    """Store the digest of the sources of the classroom's release."""
    write_text(course.paths.made_from(topic), _digest(course, topic) + "\n")


def sources_changed(course: Course, topic: str) -> bool:
    """Return whether the sources were edited since the release.

    False if there is no stored digest.
    """
    path = course.paths.made_from(topic)
    return path.is_file() and path.read_text("utf-8").strip() != _digest(course, topic)


def _digest(course: Course, topic: str) -> str:
    """Return the digest of a topic's files, public and private, and of shared modules."""
    digest = hashlib.sha256()
    for folder in course.sources(topic):
        paths = [path for path in folder.rglob("*") if _is_source(path)]
        for path in sorted([*paths, *folder.parent.glob("*.py")]):
            name = path.relative_to(folder.parent).as_posix().encode()
            digest.update(name + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _is_source(path: Path) -> bool:
    return path.suffix in SOURCE_ENDINGS or path.name == COMPOSITION_FILE
