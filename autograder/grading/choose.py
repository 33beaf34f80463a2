"""Choose the variant that grades a submission: the class's or the student's."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from autograder.authoring.points import points_in
from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.course.handout import Handout, read_handout
from autograder.errors import BadKeyError, CourseError, UnreadableError
from autograder.grading.assignment import Assignment
from autograder.grading.public_variant import cell_texts, public_variant_notes, variant_name
from autograder.grading.repair import locked_cells, parse_notebook
from autograder.judging.key import read_key
from autograder.program import program_name


def load_assignment(course: Course, topic: str) -> Assignment:
    """Read the release and the keys of a topic.

    Raise CourseError if missing.
    """
    return _read(course, topic, None, f"{program_name()} regenerate --seed … {topic}")


def released_topics(course: Course, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the released topics and the unreleased ones, which have no keys.

    Without names, all topics of the course are considered. Raise CourseError if a named topic was not released.
    """
    topics = course.require_assignments(list(names))
    for name in names:
        load_assignment(course, name)  # raises CourseError if the topic was not released
    released = [topic for topic in topics if course.paths.secret_key(topic).is_file()]
    if not released:
        raise CourseError(
            f"nothing was released in {course.short(course.classroom)} yet: "
            f"run `{program_name()} regenerate --seed …` first"
        )
    return released, [topic for topic in topics if topic not in released]


def describe_points(assignment: Assignment) -> str:
    """Describe the maximum points of a topic."""
    max_points, manual_points = points_in(json.loads(assignment.release))
    return f"{max_points:g} points" + (
        f", {manual_points:g} of them given by a person" if manual_points else ""
    )


def _read(course: Course, topic: str, student: str | None, command: str) -> Assignment:
    """Read the variant of the class, or of a student."""
    release, secret = course.paths.release(topic, student), course.paths.secret_key(topic, student)
    notebook, public, source = (
        release / f"{topic}.ipynb",
        release / f"{topic}.key.json",
        _source_of(course.paths, topic, student),
    )
    if not notebook.is_file() or not secret.is_file() or not source.is_file():
        raise CourseError(f"assignment {topic!r} was not released here: run `{command}` first")
    try:
        read_key(public), read_key(secret)
    except BadKeyError as error:
        raise CourseError(f"{error}; `{command}` writes it again") from error
    data_paths = sorted(path for path in release.iterdir() if path.is_file() and path.suffix != ".ipynb")
    files = tuple((path.name, path.read_bytes()) for path in data_paths)
    texts = [path.read_text("utf-8") for path in (notebook, public, secret, source)]
    earlier = _earlier_locked_cells(course, topic, student)
    return Assignment(topic, texts[0], texts[1], texts[2], texts[3], files, earlier=earlier)


def _source_of(paths: Classroom, topic: str, student: str | None) -> Path:
    """Return the notebook with solutions: the student's, if the tasks are not those of the class."""
    personal = paths.source_notebook(topic, student)
    return personal if personal.is_file() else paths.source_notebook(topic)


def _earlier_locked_cells(course: Course, topic: str, student: str | None) -> tuple[str, ...]:
    """Read the locked cells of replaced releases of class and student, and of the public exercise.

    Who hands in the public notebook by mistake is told so, and has edited nothing.
    """
    owners = (None, student) if student else (None,)
    folders = [
        Classroom(archive).release(topic, owner) for archive in course.paths.kept(topic) for owner in owners
    ]
    texts: dict[str, None] = {}
    for folder in (*folders, course.published.exercises / topic):
        try:
            cells = locked_cells(json.loads((folder / f"{topic}.ipynb").read_text("utf-8")))
        except (OSError, ValueError, LookupError):
            continue
        texts[json.dumps(cells, sort_keys=True)] = None
    return tuple(texts)


@dataclass(frozen=True)
class Assignments:
    """The variants of one topic.

    The student's folder selects the variant. The content of the submission never does.
    """

    course: Course
    topic: str
    shared: Assignment
    handout: Handout | None

    def for_student(self, student: str) -> Assignment:
        """Return the student's personal variant, or the class's if there is none."""
        folder = self.handout.folder(student) if self.handout else None
        if folder is None:
            return self.shared
        variant = _read(
            self.course, self.topic, folder, f"{program_name()} regenerate --seed … --roster … {self.topic}"
        )
        has_own_tasks = self.course.paths.source_notebook(self.topic, folder).is_file()
        return variant if has_own_tasks else replace(variant, common=self.shared.public)

    def remarks(self, student: str, submitted: bytes) -> list[str]:
        """Return remarks for the instructor on a submission of another variant."""
        if self.handout is None:
            return []
        folder = self.handout.folder(student)
        holds = self._describe_other_variant(folder, submitted)
        if folder is None:
            return ["not on the roster: judged by the class's own variant" + (f"; {holds}" if holds else "")]
        return [f"{holds}: judged by this student's own numbers"] if holds else []

    def notes(self, student: str, submitted: bytes) -> list[str]:
        """Return notes for student and instructor on a notebook of the public book."""
        return public_variant_notes(self.course, self.for_student(student), submitted)

    def _describe_other_variant(self, folder: str | None, submitted: bytes) -> str:
        try:
            notebook = parse_notebook(submitted, "")
        except UnreadableError:
            return ""
        copied = self._source_of_copy(folder, cell_texts(notebook, given_only=False))
        if copied:
            return f"holds passages of the notebook of {copied}"
        owner = self._owner_of(variant_name(notebook), folder)
        return f"carries the variant's name of the notebook of {owner}" if owner else ""

    def _source_of_copy(self, folder: str | None, submitted: frozenset[str]) -> str:
        """Name the variants that share the most passages with the submission.

        Passages of the student's variant (or the class's) are not counted. Return an empty string if the submission
        contains all passages of the student's variant, or none of another.
        """
        own_passages = self._release_passages(folder) if folder else self._shared_passages
        if folder and own_passages - self._shared_passages <= submitted:
            return ""
        shares = {
            other: len(submitted & passages - own_passages)
            for other, passages in self._passages_by_owner.items()
        }
        most = max(shares.values(), default=0)
        names = sorted(other for other, share in shares.items() if share == most)
        return " or ".join(names[:3]) + (" or others" if len(names) > 3 else "") if most else ""

    def _owner_of(self, name: str, folder: str | None) -> str:
        """Return another student whose variant has this name, or an empty string.

        This recognises variants whose printed text is the same. Students with the same form of a printed exam share a
        variant, so one that is the student's own is nobody else's.
        """
        records = self.handout.students if self.handout and name else {}
        owners = [owner for owner, record in records.items() if record.get("variant") == name]
        return "" if folder in owners else next(iter(owners), "")

    def _release_passages(self, folder: str) -> frozenset[str]:
        path = self.course.paths.release(self.topic, folder) / f"{self.topic}.ipynb"
        return cell_texts(json.loads(path.read_text("utf-8")), given_only=True)

    @cached_property
    def _passages_by_owner(self) -> dict[str, frozenset[str]]:
        """Passages of each student's release, and of the class's."""
        assert self.handout
        by_folder = {folder: self._release_passages(folder) for folder in self.handout.students}
        return {**by_folder, "the class": cell_texts(json.loads(self.shared.release), given_only=True)}

    @cached_property
    def _shared_passages(self) -> frozenset[str]:
        """Passages of the class's release."""
        return cell_texts(json.loads(self.shared.release), given_only=True)


def load_assignments(course: Course, topic: str) -> Assignments:
    """Read all variants of a topic; raise CourseError if they are missing."""
    return Assignments(course, topic, load_assignment(course, topic), read_handout(course, topic))
