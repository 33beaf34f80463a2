"""Who was given what: the students with a variant of their own, and the seed of each.

`keys/<topic>/roster.json` is written last, so that it tells a finished job.
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


@dataclass(frozen=True)
class Handout:
    """The variants of one topic: what is recorded of the class's, and of each student's by folder name.

    A record holds the seed, the derivation of the numbers and the variant's name; a student's the id, too.
    """

    seed: str
    students: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def folder(self, name: str) -> str | None:
        """The folder name under which a student was given a variant; other computers may spell é otherwise."""
        same = unicodedata.normalize("NFC", name)
        return same if same in self.students else None


def read_handout(course: Course, topic: str) -> Handout | None:
    """The students with own variants, or None when the class has one variant; CourseError if it was not finished."""
    folder = course.places.keys(topic)
    if not folder.is_dir():
        return None
    found = _read(folder / "roster.json")
    if found is None:
        raise CourseError(
            f"the students' own variants of {topic} are not complete: "
            f"run `dimred regenerate --roster … {topic}` again, as before"
        )
    return found


def last_handout(course: Course, topic: str) -> Handout | None:
    """The last one that was finished, even if another one was begun since."""
    folder = course.places.keys(topic)
    return _read(folder / "roster.json") or _read(folder / "roster.before.json")


def _read(path: Path) -> Handout | None:
    try:
        tree = json.loads(path.read_text("utf-8"))
        return Handout(tree["seed"], tree["students"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def begin_handout(course: Course, topic: str) -> None:
    """From here on the students' files are being written: until `write_handout` nobody grades by them."""
    path = course.places.keys(topic) / "roster.json"
    if path.is_file():
        path.replace(path.with_name("roster.before.json"))


def write_handout(course: Course, topic: str, handout: Handout) -> None:
    """Write down who was given what: the last step."""
    folder = course.places.keys(topic)
    tree = {"seed": handout.seed, "students": dict(handout.students)}
    write_text(folder / "roster.json", json.dumps(tree, indent=1, ensure_ascii=False) + "\n")
    (folder / "roster.before.json").unlink(missing_ok=True)
