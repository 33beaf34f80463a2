"""What happened to one submission; kept on file for feedback, reports and the next run."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from autograder.course.course import Course
from autograder.course.roster import short_name

State = Literal["graded", "repaired", "unreadable", "unchanged", "not graded"]


@dataclass
class Outcome:
    """What happened to one submission; kept on file for feedback, reports and the next run."""

    student: str
    score: float = 0.0
    notes: list[str] = field(default_factory=list)
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    digest: str = ""
    remarks: list[str] = field(default_factory=list)  # for the instructor only, not for feedback
    graded: bool = True
    state: State = "graded"
    late: str = ""  # how late the work was, as people say it
    penalty: float = 0.0  # what that costs; `score` is before it
    returned: dict[str, Any] = field(default_factory=dict)  # by wrong answers that no misconception explains

    @property
    def counted(self) -> float:
        """What counts: the score after the penalty."""
        return max(0.0, self.score - self.penalty)

    @property
    def told(self) -> list[str]:
        """Everything that the instructor should know."""
        late = [f"{self.late} late: {self.penalty:g} of {self.score:g} points taken off"] if self.late else []
        faults = [f"{task}: {one['fault']}" for task, one in self.verdicts.items() if one.get("fault")]
        return [*late, *self.remarks, *self.notes, *faults]  # what a fault says may come from a secret case


def summary(outcomes: list[Outcome]) -> str:
    """How many submissions there were and what became of them."""
    counted = Counter(one.state for one in outcomes)
    return f"{len(outcomes)} submissions: " + ", ".join(
        f"{counted[state]} {state}" for state in get_args(State)
    )


def in_words(verdict: dict[str, Any] | None) -> str:
    """A verdict in a few words."""
    if verdict is None:
        return "not judged"
    if verdict["passed"]:
        return "right"
    problem = verdict["problem"]
    if problem in ("raised", "did not run") and verdict.get("error"):
        return f"{problem}: {verdict['error'].partition(':')[0]}"
    return str(verdict["misconception"] or problem or "wrong")


def outcome_path(course: Course, topic: str, student: str) -> Path:
    """Where the outcome of a submission is kept; an id too long for a file name is kept under its digest."""
    return course.places.verdicts(topic) / f"{short_name(student)}.json"


def outcome_on_file(course: Course, topic: str, student: str) -> Outcome | None:
    """The outcome of the last run, if there was one and it can be read."""
    return _read_outcome(outcome_path(course, topic, student))


def _read_outcome(path: Path) -> Outcome | None:
    try:
        return Outcome(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def outcomes_on_file(course: Course, topic: str) -> Iterator[Outcome]:
    """The outcomes of the last grading, for feedback and reports."""
    for path in sorted(course.places.verdicts(topic).glob("*.json")):
        outcome = _read_outcome(path)
        if outcome:
            yield outcome
