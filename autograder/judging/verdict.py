"""A verdict: what judging an answer found, in data; `autograder.judging.render` turns it into text and HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FailingCase:
    """The first situation that an answer did not survive. Values are shown only where they are public."""

    name: str
    inputs: Mapping[str, Any]
    answer: Any = None
    expected: Any = None


@dataclass(frozen=True)
class Verdict:
    """How much an answer earns and why; `fraction` of `points`, 1.0 exactly when it passed.

    `error` holds the exception that a function or its cell raised, as Python prints it.
    `misconception` names a mistake that the task's author foresaw, `slip` one that the engine knows. `fault` says
    what went wrong in the engine itself, for the instructor; the student's other tasks, and this one's comparison, do
    not suffer.
    """

    task: str
    passed: bool
    fraction: float
    points: float
    message: str
    misconception: str | None = None
    slip: str | None = None
    see: str | None = None
    problem: str = ""
    failing: FailingCase | None = None
    survived: tuple[str, ...] = ()
    picture: str | None = None
    same: tuple[str, ...] = ()
    fault: str = ""
    error: str = ""

    @property
    def earned(self) -> float:
        """The points earned, as the plain float that nbgrader reads as partial credit; full marks only if it passed."""
        earned = round(self.fraction * self.points, 2)
        return earned if self.passed else min(earned, round(self.points - 0.01, 2))
