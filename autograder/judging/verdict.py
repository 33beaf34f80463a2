"""Verdicts: the result of judging an answer, as data.

`autograder.judging.render` turns them into text and HTML.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Required, TypedDict


@dataclass(frozen=True)
class FailingCase:
    """The first case that an answer failed, with its public values.

    `number` is its number in the key, counted from 1, by which `autograder.case` gives its inputs; 0 if it has none.
    """

    name: str
    inputs: Mapping[str, Any]
    answer: Any = None
    expected: Any = None
    number: int = 0


class VerdictRecord(TypedDict, total=False):
    """A verdict on file, as reports need it.

    It holds nothing of a secret case. Files of earlier versions hold less.
    """

    passed: Required[bool]
    fraction: Required[float]
    points: Required[float]
    misconception: str | None
    slip: str | None
    see: str | None
    problem: Required[str]
    error: str
    fault: str
    hints: list[int]


@dataclass(frozen=True)
class Verdict:
    """The points that an answer earns, and the reasons.

    `fraction` is the share of `points`, 1.0 exactly if it passed. `error` holds the exception that a function or its
    cell raised, as Python prints it. `misconception` names a mistake of the task's author, `slip` one of the engine.
    `fault` describes an exception of the engine, for the instructor; other tasks are not affected. `hints` are the
    levels of `hint` that the notebook asks for, `hint_charge` is the share of the points that they cost.
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
    hints: tuple[int, ...] = ()
    hint_charge: float = 0.0

    @property
    def earned(self) -> float:
        """Return the points earned, full marks only if it passed.

        It is the plain float that nbgrader reads as partial credit.
        """
        earned = round(max(self.fraction - self.hint_charge, 0.0) * self.points, 2)
        return earned if self.passed else min(earned, round(self.points - 0.01, 2))
