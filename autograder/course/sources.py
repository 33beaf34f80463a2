"""Whether the sources of a topic were edited since its release: keys follow them only when they are made anew."""

import hashlib

from autograder.course.course import Course
from autograder.course.files import write_text

SOURCE_ENDINGS = (".py", ".md", ".txt")  # text of the exercise, tasks, programs that were adopted


def note_sources(course: Course, topic: str) -> None:
    """Remember what the release in the classroom was made from."""
    write_text(course.places.made_from(topic), _digest(course, topic) + "\n")


def are_newer(course: Course, topic: str) -> bool:
    """Were the tasks or the text edited since? False if nobody noted what the release was made from."""
    path = course.places.made_from(topic)
    return path.is_file() and path.read_text("utf-8").strip() != _digest(course, topic)


def _digest(course: Course, topic: str) -> str:
    """Of the topic's own files, public and private, and of what all topics share."""
    digest = hashlib.sha256()
    for folder in course.sources(topic):
        own = [path for path in folder.rglob("*") if path.suffix in SOURCE_ENDINGS]
        for path in sorted([*own, *folder.parent.glob("*.py")]):
            name = path.relative_to(folder.parent).as_posix().encode()
            digest.update(name + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
