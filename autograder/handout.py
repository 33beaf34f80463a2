"""Who was given what: the students with a variant of their own, and where its files are.

    release_for/<student>/<topic>/     what this student gets: notebook and public key
    keys/<topic>/<student>.…           secret key and certificate of this student's variant
    keys/<topic>/roster.json           the seeds of all of them; written last, so that it tells a finished job

`<student>` is the folder name that the roster made from the id.
"""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, CourseError


@dataclass(frozen=True)
class Handout:
    """The variants of one topic: the seed of the class, and each student's id and own seed by folder name."""

    seed: str
    students: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def folder(self, name: str) -> str | None:
        """The folder name under which a student was given a variant; other computers may spell é otherwise."""
        same = unicodedata.normalize("NFC", name)
        return same if same in self.students else None


def release_folder(classroom: Path, topic: str, folder: str) -> Path:
    """What a student with an own variant gets."""
    return classroom / "release_for" / folder / topic


def answers_folder(classroom: Path, topic: str, folder: str | None = None) -> Path:
    """The solved notebook of the class, or of one student; on the instructor's side only."""
    if folder is None:
        return classroom / "answers" / topic
    return classroom / "answers_for" / folder / topic


def keys_folder(classroom: Path, topic: str) -> Path:
    """The secret keys of students' own variants."""
    return classroom / "keys" / topic


def read_handout(course: Course, topic: str) -> Handout | None:
    """The students with own variants, or None when the class has one variant; CourseError if it was not finished."""
    folder = keys_folder(course.classroom, topic)
    if not folder.is_dir():
        return None
    try:
        tree = json.loads((folder / "roster.json").read_text("utf-8"))
        return Handout(tree["seed"], tree["students"])
    except (OSError, ValueError, LookupError, TypeError):
        raise CourseError(
            f"the students' own variants of {topic} are not complete: "
            f"run `dimred regenerate --roster … {topic}` again, as before"
        ) from None


def write_handout(course: Course, topic: str, handout: Handout) -> None:
    """Write down who was given what."""
    path = keys_folder(course.classroom, topic) / "roster.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".tmp")
    text = json.dumps(
        {"seed": handout.seed, "students": dict(handout.students)}, indent=1, ensure_ascii=False
    )
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(path)
