"""What a submission is judged by: the class's variant, or the student's own."""

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from autograder.authoring.cells import is_answer, source_of
from autograder.course.course import Course
from autograder.course.handout import Handout, read_handout
from autograder.errors import BadKeyError, CourseError, UnreadableError
from autograder.grading.assignment import Assignment
from autograder.grading.repair import parse_notebook
from autograder.judging.key import read_key


def load_assignment(course: Course, topic: str) -> Assignment:
    """Read the release and the keys of a topic; CourseError says what to run when they are not there."""
    return _read(course, topic, None, f"dimred regenerate --seed … {topic}")


def _read(course: Course, topic: str, student: str | None, command: str) -> Assignment:
    """The variant of the class, or of one student."""
    release, secret = course.places.release(topic, student), course.places.secret_key(topic, student)
    notebook, public, source = (
        release / f"{topic}.ipynb",
        release / f"{topic}.key.json",
        course.places.source_notebook(topic),
    )
    if not notebook.is_file() or not secret.is_file() or not source.is_file():
        raise CourseError(f"assignment {topic!r} was not released here: run `{command}` first")
    try:
        read_key(public), read_key(secret)
    except BadKeyError as error:
        raise CourseError(f"{error}; `{command}` writes it again") from error
    given = sorted(path for path in release.iterdir() if path.is_file() and path.suffix != ".ipynb")
    files = tuple((path.name, path.read_bytes()) for path in given)
    texts = [path.read_text("utf-8") for path in (notebook, public, secret, source)]
    return Assignment(topic, texts[0], texts[1], texts[2], texts[3], files)


@dataclass(frozen=True)
class Assignments:
    """The variants of one topic. Which one counts is decided by the student's folder, never by the submission."""

    course: Course
    topic: str
    shared: Assignment
    handout: Handout | None

    def of(self, student: str) -> Assignment:
        """The student's own variant, or the class's for those who have none."""
        folder = self.handout.folder(student) if self.handout else None
        if folder is None:
            return self.shared
        own = _read(self.course, self.topic, folder, f"dimred regenerate --seed … --roster … {self.topic}")
        return replace(own, common=self.shared.public)

    def remarks(self, student: str, submitted: bytes) -> list[str]:
        """What the instructor should know about whose variant was handed in."""
        if self.handout is None:
            return []
        folder = self.handout.folder(student)
        holds = self._describe_other_variant(folder, submitted)
        if folder is None:
            return ["not on the roster: judged by the class's own variant" + (f"; {holds}" if holds else "")]
        return [f"{holds}: judged by this student's own numbers"] if holds else []

    def _describe_other_variant(self, folder: str | None, submitted: bytes) -> str:
        try:
            notebook = parse_notebook(submitted, "")
        except UnreadableError:
            return ""
        copied = self._copied_from(folder, _passages(notebook, given_only=False))
        if copied:
            return f"holds passages of the notebook of {copied}"
        owner = self._owner_of(_variant_name(notebook), folder)
        return f"carries the variant's name of the notebook of {owner}" if owner else ""

    def _copied_from(self, folder: str | None, found: frozenset[str]) -> str:
        """Whose printed numbers stand in a submission instead of the student's own (or the class's), if anybody's."""
        own = self._passages_of(folder) if folder else self._common
        if folder and own - self._common <= found:
            return ""
        shares = {other: len(found & passages - own) for other, passages in self._passages.items()}
        most = max(shares.values(), default=0)
        names = sorted(other for other, share in shares.items() if share == most)
        return " or ".join(names[:3]) + (" or others" if len(names) > 3 else "") if most else ""

    def _owner_of(self, name: str, folder: str | None) -> str:
        """Find another student by a variant's name, which tells where no printed number differs."""
        records = self.handout.students if self.handout and name else {}
        others = (other for other in records if other != folder)
        return next((other for other in others if records[other].get("variant") == name), "")

    def _passages_of(self, folder: str) -> frozenset[str]:
        path = self.course.places.release(self.topic, folder) / f"{self.topic}.ipynb"
        return _passages(json.loads(path.read_text("utf-8")), given_only=True)

    @cached_property
    def _passages(self) -> dict[str, frozenset[str]]:
        """What each student was given to read, and the class; read only when somebody's own text is missing."""
        assert self.handout
        every = {folder: self._passages_of(folder) for folder in self.handout.students}
        return {**every, "the class": _passages(json.loads(self.shared.release), given_only=True)}

    @cached_property
    def _common(self) -> frozenset[str]:
        """What stands in the notebook whatever the numbers: the class's variant has it too."""
        return _passages(json.loads(self.shared.release), given_only=True)


def load_assignments(course: Course, topic: str) -> Assignments:
    """The class's variant and the students' own; CourseError says what to run when they are not there."""
    return Assignments(course, topic, load_assignment(course, topic), read_handout(course, topic))


def _passages(notebook: Any, *, given_only: bool) -> frozenset[str]:
    """The texts of a notebook's cells; of a release, those that are not for the student to write."""
    found = set()
    for cell in notebook["cells"]:
        if not (given_only and is_answer(cell)):
            found.add(source_of(cell).strip())
    return frozenset(found)


def _variant_name(notebook: Any) -> str:
    """Read the variant's name from untrusted metadata; empty if there is none."""
    for word in ("metadata", "dimred", "seed"):
        notebook = notebook.get(word) if isinstance(notebook, dict) else None
    return notebook if isinstance(notebook, str) else ""
