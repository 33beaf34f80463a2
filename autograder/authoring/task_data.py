"""Tasks as data: what the engine works with.

An author writes a task with the decorators of `autograder.authoring.task`. Three kinds share one shape:

- `code`: the student writes a function; it is called on the inputs of each case;
- `hand`: the inputs are printed in the text; the student works out a value;
- `sym`: the inputs are the values of symbols at sample points; the student gives a formula in them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from autograder.answers.arrays import Inputs
from autograder.judging.key import TaskKind
from autograder.judging.sameness import Sameness, exactly
from autograder.judging.statements import Statement

Cases = Mapping[str, Inputs]  # the name of a situation → its inputs, in the order of the arguments
Way = Callable[..., Any] | str  # a correct way; for `sym` also a formula as text


def _nothing_to_object(*inputs: object) -> str | None:
    """Accept every draw as well posed, and every wrong answer as definite."""
    return None


@dataclass(frozen=True)
class Misconception:
    """A mistake as a program, with a hint for the student.

    The function's name is the misconception's name: past tense, as a teacher would say it. `credit` is the share of the
    points that this mistake, made consistently, still earns. `same` is the sameness under which the mistake itself is
    recognised, if it has freedoms of its own, and the task's own otherwise. For example, two problems solved separately
    leave the sign of each column undetermined. `indefinite(*inputs)` says why mathematics does not determine the result
    of this mistake, or None. For example, the library chooses which part of a null space it returns. Such a case proves
    nothing about the mistake, and the other cases decide.
    """

    wrong: Callable[..., Any]
    hint: str
    see: str
    credit: float = 0.0
    same: Sameness | tuple[Sameness, ...] | None = None
    indefinite: Callable[..., str | None] = field(default=_nothing_to_object)

    @property
    def name(self) -> str:
        """Return the name in keys, reports and tests."""
        return self.wrong.__name__


@dataclass(frozen=True)
class Follows:
    """An earlier function that this task's function is likely to call.

    `answer` is the earlier task's reference. `inputs` maps this task's inputs to the arguments of the call, by name, or
    to a list of them for several calls. A mistake in the earlier function then costs nothing here.
    """

    name: str
    answer: Callable[..., Any]
    inputs: Callable[..., Inputs | list[Inputs]]


@dataclass(frozen=True)
class Announced:
    """A situation that the text of a task announces in these words.

    `situation` names the case of every draw that has it; `holds(*inputs)` tests the inputs of that case.
    """

    words: str
    situation: str
    holds: Callable[..., bool]


@dataclass(frozen=True)
class Task:
    """A task: its draws, its right answer, and its typical mistakes.

    `draw(rng)` returns the inputs of each case, by the name of the situation. Each case is worth the same share of the
    points. `answer(*inputs)` is the reference answer, `alternatives` are other correct programs. A tuple of samenesses
    reads a tuple of answers, part by part. `ill_posed(*inputs)` says why a draw would be unfair (a tie, a gap too
    small), or None.

    `tied` names arguments that are one object together, such as a map and the table it was made from: a message never
    says what happens if only one of them is changed. `parts` names the parts of the answer in messages. With
    `exact_form` an answer in another shape is wrong, even if it holds the right numbers. `must_fail` holds wrong
    programs that a draw could let pass by chance; such a draw is drawn again. `hard(rng)` returns further valid inputs,
    by name, on which a program that only fits the drawn cases should fail. They are used for mutation testing, never
    for a grade. `worked(*inputs)` returns the steps of a worked solution, in Markdown, and the answer to which they
    lead. `practice_draw` replaces `draw` for practice problems, where the task's own draw has few variants. `may_agree`
    names sources of numbers (an input, "steps", "counts", "answer", a misconception) that may equal a part of the
    answer, each with the reason; other equal numbers are drawn again (see `autograder.release.coincidences`).
    `by_looking` says that a `hand` task is answered from a picture which the student draws by program, so it is no
    practice problem for pencil and paper. `announced` lists the situations that the text announces. `always` lists what
    is true of every right answer, with the sentence for an answer of which it is not.
    """

    kind: TaskKind
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
    tied: tuple[str, ...] = ()
    worked: Callable[..., tuple[str, Any]] | None = None
    may_agree: tuple[tuple[str, str], ...] = ()
    by_looking: bool = False
    practice_draw: Callable[[np.random.Generator], Cases] | None = None
    announced: tuple[Announced, ...] = ()
    always: tuple[Statement, ...] = ()

    def __post_init__(self) -> None:
        """Refuse two misconceptions of one name, because keys identify them by it."""
        names = [misconception.name for misconception in self.misconceptions]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"misconceptions must have different names, not {repeated[0]!r} twice")

    @property
    def samenesses(self) -> tuple[Sameness, ...]:
        """Return the sameness of each part of the answer."""
        return self.same if isinstance(self.same, tuple) else (self.same,)
