"""A task: one graded thing a student makes, with what counts as right and the classic ways to be wrong.

Three kinds share one shape:

- `code`: the student writes a function; it is called on the inputs of each case;
- `hand`: the inputs are printed in the text; the student works out a value;
- `sym`: the inputs are the values of symbols at sample points; the student gives a formula in them.

Tasks are module-level names of the modules in `solutions/<topic>/` (see `autograder.authoring.topic`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from autograder.judging.key import Kind
from autograder.judging.sameness import Sameness, exactly

Inputs = Mapping[str, Any]
Cases = Mapping[str, Inputs]  # the name of a situation → its inputs, in the order of the arguments
Way = Callable[..., Any] | str  # a correct way; for `sym` also a formula as text


def _nothing_to_object(*inputs: Any) -> str | None:
    """Every draw is well posed, every wrong answer definite."""
    return None


@dataclass(frozen=True)
class Misconception:
    """A wrong way, as running code, with the hint that helps whoever took it.

    The function's name is the misconception's name: past tense, as a teacher would say it. `credit` is the share of
    the points that this mistake, made consistently, still earns. `same` is the sameness under which the mistake
    itself is recognised, if it has freedoms of its own (two problems solved apart leave the sign of each column to
    chance); the task's own if it is not given. `indefinite(*inputs)` says why mathematics does not determine what
    this mistake gives (a part of a null space: which part is the library's choice), or None. Such a case tells
    nothing about the mistake: the others decide.
    """

    wrong: Callable[..., Any]
    hint: str
    see: str
    credit: float = 0.0
    same: Sameness | tuple[Sameness, ...] | None = None
    indefinite: Callable[..., str | None] = field(default=_nothing_to_object)

    @property
    def name(self) -> str:
        """The name under which keys, reports and tests know this misconception."""
        return self.wrong.__name__


@dataclass(frozen=True)
class Follows:
    """An earlier function of the same notebook that this task's function is likely to call.

    `answer` is the earlier task's reference; `inputs`, from this task's inputs, gives by name the arguments with
    which it will be called, or a list of them if it will be called several times. A mistake in the earlier function
    then costs nothing here.
    """

    name: str
    answer: Callable[..., Any]
    inputs: Callable[..., Inputs | list[Inputs]]


@dataclass(frozen=True)
class Task:
    """What is asked, how its numbers are drawn, what is right, and what is classically wrong.

    `draw(rng)` names each situation that the answer must survive and gives its inputs; each situation
    is worth the same share of the points. `answer(*inputs)` is the reference answer, `alternatives` other
    correct ways. A tuple of samenesses reads a tuple of answers, part by part. `ill_posed(*inputs)` says
    why a draw would be unfair (a tie, a gap too small), or None.

    `parts` says what the parts of the answer are called in messages. `exact_form` makes the form of the answer part
    of the task: shapes and containers are then not forgiven. `must_fail` holds wrong programs that a draw could let
    pass by luck: such a draw is drawn again. `hard(rng)` gives further inputs inside the contract, by name, on which
    a program that only fits the drawn cases should fail: they are used when the task is tried by mutation, never for
    a grade.
    """

    kind: Kind
    points: float
    minutes: int
    draw: Callable[[np.random.Generator], Cases]
    answer: Callable[..., Any]
    see: str
    same: Sameness | tuple[Sameness, ...] = exactly
    misconceptions: tuple[Misconception, ...] = ()
    alternatives: tuple[Way, ...] = ()
    ill_posed: Callable[..., str | None] = field(default=_nothing_to_object)
    follows: tuple[Follows, ...] = ()
    tolerance: float = 1e-6
    picture: Literal["points", "bars", None] = None
    parts: tuple[str, ...] = ()
    exact_form: bool = False
    must_fail: tuple[Callable[..., Any], ...] = ()
    hard: Callable[[np.random.Generator], Cases] | None = None

    @property
    def samenesses(self) -> tuple[Sameness, ...]:
        """The sameness of each part of the answer; one part unless the answer is a tuple."""
        return self.same if isinstance(self.same, tuple) else (self.same,)
