"""Regrade after a key or the engine was mended: who changes, by how much and why, before anything is written."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.course.course import Course
from autograder.course.files import alone
from autograder.grading.audit import audited
from autograder.grading.choose import load_assignments
from autograder.grading.grade import Finished, Plan, as_it_stands, results, written
from autograder.grading.gradebook import Recorder
from autograder.grading.outcome import Outcome, in_words, outcome_on_file
from autograder.grading.workers import Examiners


@dataclass(frozen=True)
class Change:
    """One submission examined again: its points before and after, and what became of each task."""

    finished: Finished
    before: float
    after: float
    reasons: tuple[str, ...]

    @property
    def student(self) -> str:
        """Whose submission it is."""
        return self.finished.student


@dataclass(frozen=True)
class Regrading:
    """What grading again would write, and what could not be examined."""

    topic: str
    changes: tuple[Change, ...]
    failed: tuple[Outcome, ...]

    def changed(self) -> list[Change]:
        """Those whose points or verdicts change, by name."""
        return sorted((one for one in self.changes if one.reasons), key=lambda one: one.student)


def regraded(
    course: Course, topic: str, examiners: Examiners, plan: Plan, step: Callable[[], None] = lambda: None
) -> Regrading:
    """Examine again what was graded before and may have changed since, a step each. Nothing is written."""
    assignments = load_assignments(course, topic)
    with Recorder(course, topic) as recorder:
        recorder.require_assignment()
        known, by_hand, now = recorder.students(), recorder.set_by_hand(), recorder.standings()
    changes, failed = [], []
    for found in results(assignments, examiners, plan, known):
        step()
        if isinstance(found, Finished) and found.student in known:
            before = as_it_stands(
                outcome_on_file(course, topic, found.student) or Outcome(found.student), now
            )
            changes.append(_change(before, found, by_hand.get(found.student, set())))
        elif isinstance(found, Outcome) and not found.graded:
            failed.append(found)
    return Regrading(topic, tuple(changes), tuple(failed))


def write(course: Course, regrading: Regrading) -> list[Outcome]:
    """Write what was examined, changed or not, so that the next grading finds it done."""
    with (
        alone(course.places.lock),
        audited(course, regrading.topic, "graded again after a change of key or grader"),
        Recorder(course, regrading.topic) as recorder,
    ):
        return [written(course, recorder, one.finished) for one in regrading.changes]


def _change(before: Outcome, finished: Finished, by_hand: set[str]) -> Change:
    now = finished.result.verdicts
    reasons = [
        _reason(task, before.verdicts.get(task), now.get(task), f"check-{task}" in by_hand)
        for task in dict.fromkeys([*before.verdicts, *now])
        if before.verdicts.get(task) != now.get(task)
    ]
    gained = sum(
        _earned(now.get(task)) - _earned(before.verdicts.get(task))
        for task in dict.fromkeys([*before.verdicts, *now])
        if f"check-{task}" not in by_hand
    )
    return Change(finished, before.score, round(before.score + gained, 2), tuple(reasons))


def _earned(verdict: dict[str, Any] | None) -> float:
    return round(verdict["fraction"] * verdict["points"], 2) if verdict else 0.0


def _reason(task: str, before: dict[str, Any] | None, now: dict[str, Any] | None, by_hand: bool) -> str:
    kept = " (a person's score stays)" if by_hand else ""
    was, became = in_words(before), in_words(now)
    why = f"still {became}" if was == became else f"was {was}, now {became}"
    return f"{task}: {_earned(before):g} → {_earned(now):g}, {why}{kept}"
