"""List the tasks of the bank, with what was measured when classes did them.

Difficulty is the share of its points that a class lost at a task; discrimination is the correlation of a task with the
rest of the assignment. Both come from the verdicts of graded submissions in the classroom, and in further classrooms
that are named.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np

from autograder.authoring.blocks import topic_blocks
from autograder.authoring.topic import load_builders, load_tasks
from autograder.course.course import Course
from autograder.course.handout import last_handout
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.judging.verdict import VerdictRecord
from autograder.release.regenerate import class_seed
from autograder.reports.statistics import correlation


@dataclass(frozen=True)
class Measured:
    """Results of graded students at one task; a statistic is None with too few of them."""

    students: int = 0
    difficulty: float | None = None
    discrimination: float | None = None
    misconceptions: Mapping[str, int] = field(default_factory=dict)  # name → number of students
    last_used: str = ""  # assignment and date


@dataclass(frozen=True)
class BankTask:
    """A task of the bank."""

    topic: str
    name: str
    title: str
    kind: str
    points: float
    minutes: int
    misconceptions: tuple[str, ...]
    needs: tuple[str, ...] = ()
    by_looking: bool = False
    measured: Measured = Measured()

    @property
    def reference(self) -> str:
        """Return the name by which a composed assignment asks for it."""
        return f"{self.topic}.{self.name}"


@dataclass
class _Results:
    """The shares that students earned at one task, and at the rest of the assignment."""

    earned: list[float] = field(default_factory=list)
    rest: list[float] = field(default_factory=list)
    misconceptions: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    used: list[tuple[float, str]] = field(default_factory=list)


def bank_tasks(course: Course, classrooms: Sequence[str] = ()) -> list[BankTask]:
    """Return all tasks of the course, in the order of its contents, with what classes did.

    `classrooms` names further folders with graded classes, such as those of earlier terms.
    """
    measured = measure([course, *(replace(course, room=name) for name in classrooms)])
    return [
        replace(task, measured=measured.get(task.reference, Measured()))
        for topic in course.topics()
        for task in _topic_tasks(course, topic)
    ]


def _topic_tasks(course: Course, topic: str) -> Iterator[BankTask]:
    """Yield the tasks of a topic, then its quick questions."""
    blocks = topic_blocks(course, topic).by_task
    for name, task in load_tasks(course, topic).items():
        if name in blocks:
            names = tuple(misconception.name for misconception in task.misconceptions)
            yield BankTask(
                topic,
                name,
                blocks[name].title,
                task.kind,
                float(task.points),
                task.minutes,
                names,
                blocks[name].needs,
                task.by_looking,
            )
    for name, builder in load_builders(course, topic).items():
        mistakes = (
            () if builder.kind == "fault" else tuple(part.name for part in builder.parts if not part.is_right)
        )
        yield BankTask(topic, name, builder.title, builder.kind, builder.points, builder.minutes, mistakes)


def measure(courses: Sequence[Course]) -> dict[str, Measured]:
    """Return what the classes of these classrooms did, by task of the bank."""
    results: defaultdict[str, _Results] = defaultdict(_Results)
    for course in courses:
        for assignment in course.assignments():
            _add_assignment(course, assignment, results)
    return {reference: _summary(result) for reference, result in results.items()}


def _add_assignment(course: Course, assignment: str, results: defaultdict[str, _Results]) -> None:
    """Add the results of an assignment that was released."""
    certificate = course.paths.certificate(assignment)
    if not certificate.is_file():
        return
    when, tasks_of = certificate.stat().st_mtime, tasks_by_student(course, assignment)
    composition = course.composition(assignment)
    for reference in composition.every_task() if composition else tasks_of("").values():
        results[reference].used.append((when, assignment))
    for outcome in outcomes_on_file(course, assignment):
        if outcome.graded:
            _add_outcome(outcome, tasks_of(outcome.student), results)


def _add_outcome(outcome: Outcome, tasks: Mapping[str, str], results: defaultdict[str, _Results]) -> None:
    """Add the verdicts on one student's tasks; `tasks` maps names in the assignment to those of the bank."""
    earned = {tasks[name]: verdict for name, verdict in outcome.verdicts.items() if name in tasks}
    points = {name: verdict["fraction"] * verdict["points"] for name, verdict in earned.items()}
    for reference, verdict in earned.items():
        result = results[reference]
        result.earned.append(verdict["fraction"])
        result.rest.append(_share_of_rest(reference, points, earned))
        if name := verdict.get("misconception"):
            result.misconceptions[name] += 1


def _share_of_rest(
    reference: str, points: Mapping[str, float], verdicts: Mapping[str, VerdictRecord]
) -> float:
    """Return the share of the points of all other tasks that a student earned."""
    possible = sum(verdict["points"] for name, verdict in verdicts.items() if name != reference)
    return sum(share for name, share in points.items() if name != reference) / possible if possible else 0.0


def tasks_by_student(course: Course, assignment: str) -> Callable[[str], dict[str, str]]:
    """Return a function that maps a student to the bank's task in each slot of an assignment."""
    composition = course.composition(assignment)
    if composition is None:
        known = {name: f"{assignment}.{name}" for name in load_tasks(course, assignment)}
        return lambda student: known
    handout = last_handout(course, assignment)
    records = handout.students if handout else {}
    shared = composition.form("", class_seed(course, assignment) or "")

    def tasks(student: str) -> dict[str, str]:
        return composition.tasks(str(records.get(student, {}).get("form", shared)))

    return tasks


def _summary(result: _Results) -> Measured:
    number = len(result.earned)
    last = max(result.used, default=None)
    used = f"{last[1]}, {datetime.fromtimestamp(last[0], UTC):%Y-%m-%d}" if last else ""
    return Measured(
        number,
        1 - float(np.mean(result.earned)) if number else None,
        correlation(np.array(result.earned), np.array(result.rest)) if number else None,
        dict(sorted(result.misconceptions.items(), key=lambda item: -item[1])),
        used,
    )
