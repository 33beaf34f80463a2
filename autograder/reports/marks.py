"""What a class earned, read in a few queries: the material of every report."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.course.course import Course
from autograder.course.people import people
from autograder.course.roster import Student
from autograder.grading import gradebook
from autograder.grading.outcome import Outcome, outcomes_on_file


@dataclass(frozen=True)
class Mark:
    """One student's result of a topic; `cells` has the points of each graded cell, None while a person must look."""

    student: str
    outcome: Outcome
    cells: Mapping[str, float | None] = field(default_factory=dict)
    penalty: float = 0.0
    late: float = 0.0  # seconds
    comments: Mapping[str, str] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """Points in all, as nbgrader counts them."""
        return max(0.0, sum(points or 0.0 for points in self.cells.values()) - self.penalty)

    @property
    def is_pending(self) -> bool:
        """Must a person still look?"""
        return any(points is None for points in self.cells.values())


@dataclass(frozen=True)
class Marks:
    """A class's results of a topic, by student; `most` has the points of each graded cell."""

    topic: str
    most: Mapping[str, float]
    marks: Mapping[str, Mark]

    @property
    def total(self) -> float:
        """The points that can be had."""
        return sum(self.most.values())

    def shares(self) -> dict[str, float]:
        """The share of all points that each student has."""
        return {one.student: one.score / self.total if self.total else 0.0 for one in self.marks.values()}


def read_marks(course: Course, topic: str, section: str = "") -> Marks:
    """The results of everybody who was graded, or of one section."""
    outcomes = {one.student: one for one in outcomes_on_file(course, topic)}
    if section:
        members = {folder for folder, one in people(course).items() if one.section == section}
        outcomes = {student: one for student, one in outcomes.items() if student in members}
    with gradebook.open_gradebook(course) as book:
        cells: dict[str, dict[str, float | None]] = {}
        for student, cell, score in gradebook.raw_scores(book, topic, unread=True):
            cells.setdefault(student, {})[cell] = _counted(*score)
        penalties, late = dict(gradebook.penalties(book, topic)), gradebook.late_seconds(book, topic)
        comments: dict[str, dict[str, str]] = {}
        for student, cell, words in gradebook.all_comments(book, topic):
            comments.setdefault(student, {})[cell] = words
        most = gradebook.most_points(book, topic)
    return Marks(
        topic,
        most,
        {
            student: Mark(
                student,
                outcome,
                cells.get(student, {}),
                penalties.get(student, 0.0),
                late.get(student, 0.0),
                comments.get(student, {}),
            )
            for student, outcome in sorted(outcomes.items())
        },
    )


def _counted(auto: float | None, manual: float | None, extra: float | None, pending: bool) -> float | None:
    points = manual if manual is not None else auto
    return None if pending and manual is None else float(points or 0.0) + float(extra or 0.0)


class Names:
    """What students are called on a page: as roster and gradebook know them, or by number to hide who they are."""

    def __init__(self, course: Course, students: list[str], *, hidden: bool = False) -> None:
        """Numbers follow no order that would tell names or scores."""
        self.hidden = hidden
        if hidden:
            shuffled = sorted(
                students, key=lambda one: hashlib.sha256((course.secret() + one).encode()).digest()
            )
            self._names = {student: f"Student {place}" for place, student in enumerate(shuffled, start=1)}
            self.sections: dict[str, str] = {}
            return
        listed = people(course)
        with gradebook.open_gradebook(course) as book:
            known = gradebook.people(book)
        self._names = {one: _name(one, listed.get(one), known.get(one, "")) for one in students}
        self.sections = {one: listed[one].section if one in listed else "" for one in students}

    def __getitem__(self, student: str) -> str:
        """What this student is called."""
        return self._names.get(student, "Somebody" if self.hidden else student)


def _name(student: str, listed: Student | None, known: str) -> str:
    on_roster = listed.shown if listed and listed.shown != listed.id else ""
    name = on_roster or known
    return f"{name} ({student})" if name and name != student else student
