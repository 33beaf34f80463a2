"""Preview and write score changes after correcting a key or the engine."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from autograder.course.course import Course
from autograder.course.files import exclusive_lock
from autograder.grading.audit import log_changes_around
from autograder.grading.choose import load_assignments
from autograder.grading.grade import (
    FinishedSubmission,
    iter_results,
    with_current_score,
    write_result,
)
from autograder.grading.outcome import Outcome, describe_verdict, outcome_on_file
from autograder.grading.recorder import Recorder
from autograder.grading.submission import GradingOptions
from autograder.grading.workers import GradingPool
from autograder.judging.verdict import VerdictRecord


@dataclass(frozen=True)
class ScoreChange:
    """The score of a regraded submission before and after, with the reasons."""

    finished: FinishedSubmission
    before: float
    after: float
    reasons: tuple[str, ...]  # what changes: verdicts, and points that change the score
    points: Mapping[str, tuple[float, float]]  # of tasks whose points changed, before and after

    @property
    def student(self) -> str:
        """The student who submitted it."""
        return self.finished.student

    @property
    def score_changes(self) -> bool:
        """Tell whether the score becomes another one."""
        return self.before != self.after


@dataclass(frozen=True)
class Regrading:
    """The score changes of a topic, and the failed submissions."""

    topic: str
    changes: tuple[ScoreChange, ...]
    failed: tuple[Outcome, ...]

    def changed_scores(self) -> list[ScoreChange]:
        """Return the changes of students who get another score, by name."""
        return self._by_name(change for change in self.changes if change.score_changes)

    def changed_reasons(self) -> list[ScoreChange]:
        """Return the changes of students who keep their score and get another verdict, by name."""
        return self._by_name(change for change in self.changes if change.reasons and not change.score_changes)

    def changed_points(self) -> dict[str, tuple[float, float]]:
        """Return the points of each task whose points changed, before and after."""
        return {task: points for change in self.changes for task, points in change.points.items()}

    @staticmethod
    def _by_name(changes: Iterable[ScoreChange]) -> list[ScoreChange]:
        return sorted(changes, key=lambda change: change.student)


def preview_regrade(
    course: Course,
    topic: str,
    examiners: GradingPool,
    plan: GradingOptions,
    step: Callable[[], None] = lambda: None,
) -> Regrading:
    """Grade known submissions again without writing; call `step` after each."""
    assignments = load_assignments(course, topic)
    with Recorder(course, topic) as recorder:
        recorder.require_assignment()
        known, manual_cells, now = (
            recorder.students(),
            recorder.manually_scored_cells(),
            recorder.current_scores(),
        )
    changes, failed = [], []
    for result in iter_results(assignments, examiners, plan, known):
        step()
        if isinstance(result, FinishedSubmission) and result.student in known:
            before = with_current_score(
                outcome_on_file(course, topic, result.student) or Outcome(result.student), now
            )
            changes.append(_change(before, result, manual_cells.get(result.student, set())))
        elif isinstance(result, Outcome) and not result.graded:
            failed.append(result)
    return Regrading(topic, tuple(changes), tuple(failed))


def write_regrading(course: Course, regrading: Regrading) -> list[Outcome]:
    """Write all regraded submissions, so that the next run skips them."""
    with (
        exclusive_lock(course.paths.lock),
        log_changes_around(course, regrading.topic, "graded again after a change of key or grader"),
        Recorder(course, regrading.topic) as recorder,
    ):
        return [write_result(course, recorder, change.finished) for change in regrading.changes]


def _change(before: Outcome, finished: FinishedSubmission, by_hand: set[str]) -> ScoreChange:
    was, now = before.verdicts, finished.result.verdicts
    tasks = list(dict.fromkeys([*was, *now]))
    gains = {
        task: 0.0 if f"check-{task}" in by_hand else round(_earned(now.get(task)) - _earned(was.get(task)), 2)
        for task in tasks
    }
    after = round(before.score + sum(gains.values()), 2)
    reasons = [
        _reason(task, was.get(task), now.get(task), f"check-{task}" in by_hand)
        for task in tasks
        if _without_points(was.get(task)) != _without_points(now.get(task))
        or (gains[task] and after != before.score)  # points that only move between tasks need no line
    ]
    return ScoreChange(finished, before.score, after, tuple(reasons), _changed_points(was, now))


def _changed_points(
    was: Mapping[str, VerdictRecord], now: Mapping[str, VerdictRecord]
) -> dict[str, tuple[float, float]]:
    """Map each task that is worth other points than before to both numbers."""
    pairs = {task: (was[task]["points"], now[task]["points"]) for task in was if task in now}
    return {task: pair for task, pair in pairs.items() if pair[0] != pair[1]}


def _earned(verdict: VerdictRecord | None) -> float:
    return round(verdict["fraction"] * verdict["points"], 2) if verdict else 0.0


def _without_points(verdict: VerdictRecord | None) -> dict[str, object]:
    return {name: value for name, value in (verdict or {}).items() if name != "points"}


def _reason(task: str, before: VerdictRecord | None, now: VerdictRecord | None, by_hand: bool) -> str:
    kept = " (a person's score stays)" if by_hand else ""
    was, became = describe_verdict(before), describe_verdict(now)
    why = f"still {became}" if was == became else f"was {was}, now {became}"
    return f"{task}: {_earned(before):g} → {_earned(now):g}, {why}{kept}"
