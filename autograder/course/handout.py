"""Records of personal variants: the students who have one, and the seed of each.

`keys/<topic>/roster.json` is written last: it exists only if all variants are complete.
"""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.program import program_name


@dataclass(frozen=True)
class Handout:
    """The variants of one topic.

    `seed`: seed of the class. `students`: folder name → record with the seed, the derivation of the numbers, the
    variant's name and the student's id.
    """

    seed: str
    students: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def folder(self, name: str) -> str | None:
        """Return the folder name of a student's variant, or None.

        The name is compared in Unicode form NFC, because some systems decompose é.
        """
        normalized = unicodedata.normalize("NFC", name)
        return normalized if normalized in self.students else None


def read_handout(course: Course, topic: str) -> Handout | None:
    """Return the personal variants, or None if the class has a common variant.

    Raise CourseError if they are not complete.
    """
    folder = course.paths.keys(topic)
    if not folder.is_dir():
        return None
    handout = _read_file(folder / "roster.json")
    if handout is None:
        raise CourseError(
            f"the students' own variants of {topic} are not complete: "
            f"run `{program_name()} regenerate --roster … {topic}` again, as before"
        )
    return handout


def last_handout(course: Course, topic: str) -> Handout | None:
    """Return the last complete record, even if a new one was started since."""
    folder = course.paths.keys(topic)
    return _read_file(folder / "roster.json") or _read_file(folder / "roster.before.json")


def _read_file(path: Path) -> Handout | None:
    try:
        tree = json.loads(path.read_text("utf-8"))
        return Handout(tree["seed"], tree["students"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def begin_handout(course: Course, topic: str) -> None:
    """Mark the variants as incomplete until `write_handout`, so that none is graded."""
    path = course.paths.keys(topic) / "roster.json"
    if path.is_file():
        path.replace(path.with_name("roster.before.json"))


def write_handout(course: Course, topic: str, handout: Handout) -> None:
    """Write the record of complete variants, as the last step."""
    folder = course.paths.keys(topic)
    tree = {"seed": handout.seed, "students": dict(handout.students)}
    write_text(folder / "roster.json", json.dumps(tree, indent=1, ensure_ascii=False) + "\n")
    (folder / "roster.before.json").unlink(missing_ok=True)
