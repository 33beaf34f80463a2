"""Outcomes of graded submissions, stored as JSON files."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from autograder.course.course import Course
from autograder.course.roster import short_name
from autograder.errors import FormatError
from autograder.formats import OUTCOME
from autograder.judging.verdict import VerdictRecord

if TYPE_CHECKING:
    from autograder.grading.returned import AnswerSignature

GradingState = Literal["graded", "repaired", "unreadable", "unchanged", "not graded"]


@dataclass
class Outcome:
    """The outcome of a submission, stored as a JSON file.

    `score` is the score before the late penalty.
    """

    student: str
    score: float = 0.0
    notes: list[str] = field(default_factory=list)
    verdicts: dict[str, VerdictRecord] = field(default_factory=dict)
    digest: str = ""
    remarks: list[str] = field(default_factory=list)  # for the instructor only, not for feedback
    graded: bool = True
    state: GradingState = "graded"
    late: str = ""  # the lateness in words, such as "2 days and 3 hours"
    penalty: float = 0.0  # late penalty in points
    returned: "dict[str, AnswerSignature]" = field(default_factory=dict)  # of unexplained wrong answers
    format: int = OUTCOME.version

    @property
    def final_score(self) -> float:
        """The score after the penalty, at least zero."""
        return max(0.0, self.score - self.penalty)

    @property
    def instructor_notes(self) -> list[str]:
        """All notes for the instructor."""
        late = [f"{self.late} late: {self.penalty:g} of {self.score:g} points taken off"] if self.late else []
        faults = [
            f"{task}: {verdict['fault']}" for task, verdict in self.verdicts.items() if verdict.get("fault")
        ]
        return [
            *late,
            *self.remarks,
            *self.notes,
            *faults,
        ]  # a fault may quote a secret case, so students get none


def format_summary(outcomes: list[Outcome]) -> str:
    """Format the number of submissions by grading state."""
    counts = Counter(outcome.state for outcome in outcomes)
    return f"{len(outcomes)} submissions: " + ", ".join(
        f"{counts[state]} {state}" for state in get_args(GradingState)
    )


def describe_verdict(verdict: VerdictRecord | None) -> str:
    """Describe a verdict in a few words."""
    if verdict is None:
        return "not judged"
    if verdict["passed"]:
        return "right"
    problem = verdict["problem"]
    if problem in ("raised", "did not run") and verdict.get("error"):
        return f"{problem}: {verdict['error'].partition(':')[0]}"
    return str(verdict["misconception"] or problem or "wrong")


def outcome_path(course: Course, topic: str, student: str) -> Path:
    """Return the path of a stored outcome.

    A long id is shortened to a digest.
    """
    return course.paths.verdicts(topic) / f"{short_name(student)}.json"


def outcome_on_file(course: Course, topic: str, student: str) -> Outcome | None:
    """Read the outcome of the last run, or return None."""
    return _read_outcome(outcome_path(course, topic, student))


def _read_outcome(path: Path) -> Outcome | None:
    try:
        tree = json.loads(path.read_text("utf-8"))
        OUTCOME.require_readable(tree, path.name)
        return Outcome(**tree)
    except FormatError:
        raise
    except (OSError, ValueError, TypeError):
        return None


def outcomes_on_file(course: Course, topic: str) -> Iterator[Outcome]:
    """Yield the stored outcomes of a topic that can be read."""
    for path in sorted(course.paths.verdicts(topic).glob("*.json")):
        outcome = _read_outcome(path)
        if outcome:
            yield outcome
