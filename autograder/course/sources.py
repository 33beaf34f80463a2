"""Whether the sources of a topic were edited since its release: keys follow them only when they are made anew."""

import hashlib

from autograder.course.course import Course
from autograder.course.files import write_text


def note_sources(course: Course, topic: str) -> None:
    """Remember what the release in the classroom was made from."""
    write_text(course.places.made_from(topic), _digest(course, topic) + "\n")


def are_newer(course: Course, topic: str) -> bool:
    """Were the tasks or the text edited since? False if nobody noted what the release was made from."""
    path = course.places.made_from(topic)
    return path.is_file() and path.read_text("utf-8").strip() != _digest(course, topic)


def _digest(course: Course, topic: str) -> str:
    """Of the topic's own files and of what all topics share."""
    folder, digest = course.source(topic), hashlib.sha256()
    own = [path for path in folder.rglob("*") if path.suffix in (".py", ".md")]
    for path in sorted([*own, *folder.parent.glob("*.py")]):
        digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
