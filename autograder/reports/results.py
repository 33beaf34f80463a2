"""Read the results of a class from the gradebook, for all reports."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.course.course import Course
from autograder.course.people import known_students
from autograder.course.roster import Student
from autograder.grading import gradebook
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.outcome import Outcome, outcomes_on_file


@dataclass(frozen=True)
class StudentResult:
    """A student's result in a topic.

    `cells` maps each graded cell to its points, or None while it needs manual grading.
    """

    student: str
    outcome: Outcome
    cells: Mapping[str, float | None] = field(default_factory=dict)
    penalty: float = 0.0
    late: float = 0.0  # seconds
    comments: Mapping[str, str] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The sum of the points minus the penalty, at least zero."""
        return max(0.0, sum(points or 0.0 for points in self.cells.values()) - self.penalty)

    def graded_share(self, most: Mapping[str, float]) -> float | None:
        """Return the share of points in graded cells, ignoring the late penalty.

        Return None if no cell is graded.
        """
        graded = {name: points for name, points in self.cells.items() if points is not None}
        possible = sum(most.get(name, 0.0) for name in graded)
        return sum(graded.values()) / possible if possible else None

    @property
    def is_pending(self) -> bool:
        """Whether a cell still needs manual grading."""
        return any(points is None for points in self.cells.values())


@dataclass(frozen=True)
class TopicResults:
    """The results of a class in a topic.

    `most` has the maximum of each graded cell. `asked` has the cells of the students who do not have all of them.
    """

    topic: str
    most: Mapping[str, float]
    marks: Mapping[str, StudentResult]
    asked: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The maximum points of the topic."""
        return sum(self.most.values())

    def shares(self) -> dict[str, float]:
        """Map each student to the share of all points."""
        possible = {student: sum(self._most_of(student).values()) for student in self.marks}
        return {
            student: result.score / possible[student] if possible[student] else 0.0
            for student, result in self.marks.items()
        }

    def _most_of(self, student: str) -> Mapping[str, float]:
        """Return the maximum of each cell that a student has."""
        asked = self.asked.get(student, self.most.keys())
        return {name: points for name, points in self.most.items() if name in asked}

    def graded_shares(self) -> dict[str, float]:
        """Map each student to the share of points in graded cells.

        A student without graded cells has share zero.
        """
        shares = {
            student: result.graded_share(self._most_of(student)) for student, result in self.marks.items()
        }
        return {student: 0.0 if share is None else share for student, share in shares.items()}


def read_results(course: Course, topic: str, section: str = "") -> TopicResults:
    """Read the results of all graded students, or of a section."""
    outcomes = {outcome.student: outcome for outcome in outcomes_on_file(course, topic)}
    if section:
        members = {folder for folder, student in known_students(course).items() if student.section == section}
        outcomes = {student: outcome for student, outcome in outcomes.items() if student in members}
    with open_gradebook(course) as book:
        cells: dict[str, dict[str, float | None]] = {}
        for student, cell, score in gradebook.raw_scores(book, topic, unread=True):
            cells.setdefault(student, {})[cell] = _score_of(*score)
        penalties, late = dict(gradebook.penalties(book, topic)), gradebook.late_seconds(book, topic)
        comments: dict[str, dict[str, str]] = {}
        for student, cell, words in gradebook.all_comments(book, topic):
            comments.setdefault(student, {})[cell] = words
        most = gradebook.max_points(book, topic)
    return TopicResults(
        topic,
        most,
        {
            student: StudentResult(
                student,
                outcome,
                cells.get(student, {}),
                penalties.get(student, 0.0),
                late.get(student, 0.0),
                comments.get(student, {}),
            )
            for student, outcome in sorted(outcomes.items())
        },
        gradebook.asked_cells(course, topic),
    )


def _score_of(auto: float | None, manual: float | None, extra: float | None, pending: bool) -> float | None:
    points = manual if manual is not None else auto
    return None if pending and manual is None else float(points or 0.0) + float(extra or 0.0)


class ShownNames:
    """Names of students on a page, or pseudonyms if names are hidden."""

    def __init__(self, course: Course, students: list[str], *, hidden: bool = False) -> None:
        """Read the names, or number students by a keyed hash."""
        self.hidden = hidden
        if hidden:
            shuffled = sorted(
                students, key=lambda student: hashlib.sha256((course.secret() + student).encode()).digest()
            )
            self._names = {student: f"Student {place}" for place, student in enumerate(shuffled, start=1)}
            self.sections: dict[str, str] = {}
            return
        listed = known_students(course)
        with open_gradebook(course) as book:
            known = gradebook.names_by_student(book)
        self._names = {
            student: _display_name(student, listed.get(student), known.get(student, ""))
            for student in students
        }
        self.sections = {
            student: listed[student].section if student in listed else "" for student in students
        }

    def __getitem__(self, student: str) -> str:
        """Return the shown name of a student."""
        return self._names.get(student, "Somebody" if self.hidden else student)


def _display_name(student: str, listed: Student | None, known: str) -> str:
    on_roster = listed.shown if listed and listed.shown != listed.id else ""
    name = on_roster or known
    return f"{name} ({student})" if name and name != student else student
