"""Questions as their authors build them: parts with hints, and the programs that prove them.

Authors use the functions of `autograder.authoring.question`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Required, TypedDict

import numpy as np

from autograder.authoring.task import Function, TaskError
from autograder.authoring.task_data import Cases, Misconception
from autograder.judging.question import QuestionKind
from autograder.judging.sameness import Sameness, exactly

QuestionDraw = Callable[[np.random.Generator], Mapping[str, object]]
Claim = Callable[[np.random.Generator], object]
CLAIM_TRIALS = 20
DEFAULT_MINUTES = {"choice": 2, "order": 4, "fault": 5}
Hinted = str | Misconception


class QuestionSettings(TypedDict, total=False):
    """Settings of a question; `QuickQuestion` describes them.

    `same` compares results of programs, `explanation` is told after a right answer, `show` writes the result of an
    option as Markdown, and `picture` draws it as points. `figure` names a drawn table of points that the text shows.
    """

    see: Required[str]
    minutes: int
    points: float
    several: bool
    same: Sameness
    explanation: str
    show: Callable[[object], str]
    picture: bool
    figure: str


class PredictionSettings(QuestionSettings, total=False):
    """Settings of a prediction; `part` is the number of the part that is asked, counted from 0."""

    part: int


@dataclass(frozen=True)
class QuestionPart:
    """An option, a line or a step, as its author wrote it.

    `make` gives the value of an option, or says whether the claim of a proof's step is true on random numbers.
    """

    name: str
    text: str
    is_right: bool
    hint: str = ""
    see: str = ""
    after: tuple[str, ...] = ()
    make: Callable[..., Any] | None = None


class QuestionBuilder:
    """A question with the parts that its decorators added."""

    kind: QuestionKind

    def __init__(self, title: str, text: str, settings: QuestionSettings) -> None:
        """Begin a question."""
        self.title, self.text, self.settings = title, text, settings
        self.parts: list[QuestionPart] = []

    def _add(self, part: QuestionPart) -> None:
        if part.name in (other.name for other in self.parts):
            raise TaskError(f"the question {self.title!r} has two parts of the name {part.name}")
        if not part.is_right and not part.hint.strip():
            raise TaskError(f"the question {self.title!r}: {part.name} needs a hint")
        self.parts.append(part)

    @property
    def points(self) -> float:
        """Return the points that the question is worth on paper and in a quiz."""
        return float(self.settings.get("points", 1))

    @property
    def minutes(self) -> int:
        """Return the minutes that the question takes."""
        return self.settings.get("minutes", DEFAULT_MINUTES[self.kind])

    @property
    def same(self) -> Sameness:
        """Return the sameness of results."""
        return self.settings.get("same", exactly)


def _hint_and_see(hint: Hinted, see: str) -> tuple[str, str]:
    return (hint.hint, see or hint.see) if isinstance(hint, Misconception) else (hint, see)


class Choice(QuestionBuilder):
    """Options, each decided by the test."""

    kind: QuestionKind = "choice"

    def __init__(self, title: str, text: str, settings: QuestionSettings, test: Callable[..., bool]) -> None:
        """Begin a choice with its test: value of an option, drawn numbers → right or not."""
        super().__init__(title, text, settings)
        self.test = test
        self.drawing: Callable[[np.random.Generator], Mapping[str, object]] = _nothing

    def draw(self, function: QuestionDraw) -> QuestionDraw:
        """Register the function that draws the numbers."""
        self.drawing = function
        return function

    def right(self, text: str = "") -> Callable[[Function], Function]:
        """Add a right option; without a text its value is shown."""

        def add(function: Function) -> Function:
            self._add(QuestionPart(function.__name__, text, True, make=function))
            return function

        return add

    def wrong(self, hint: Hinted, text: str = "", *, see: str = "") -> Callable[[Function], Function]:
        """Add a wrong option with a hint; without a text its value is shown."""
        words, label = _hint_and_see(hint, see)

        def add(function: Function) -> Function:
            self._add(QuestionPart(_name_of(hint, function), text, False, words, label, make=function))
            return function

        return add


class Claims(Choice):
    """Statements, each a program that tries it on random numbers.

    A right one must hold at every trial, a wrong one must fail at one of them.
    """

    def __init__(self, title: str, text: str, settings: QuestionSettings) -> None:
        """Begin with no statement."""
        super().__init__(title, text, {**settings, "several": True}, bool)

    def holds(self, name: str, text: str, claim: Claim) -> None:
        """Add a true statement; `claim(rng)` tries it."""
        self._add(QuestionPart(name, text, True, make=_trials(claim)))

    def fails(self, name: str, text: str, hint: Hinted, claim: Claim) -> None:
        """Add a false statement with a hint; `claim(rng)` tries it."""
        words, label = _hint_and_see(hint, "")
        self._add(QuestionPart(name, text, False, words, label, make=_trials(claim)))


def _trials(claim: Claim) -> Callable[[np.random.Generator], bool]:
    return lambda rng: all(bool(claim(rng)) for _ in range(CLAIM_TRIALS))


def _name_of(hint: Hinted, function: Callable[..., object]) -> str:
    """Return the name of an option: of a mistake its own, whatever program gives it here."""
    return hint.name if isinstance(hint, Misconception) else function.__name__


def _nothing(rng: np.random.Generator) -> Mapping[str, Any]:
    return {}


class Order(QuestionBuilder):
    """Lines of a function with wrong lines among them."""

    kind: QuestionKind = "order"

    def __init__(
        self, title: str, text: str, settings: QuestionSettings, program: Callable[..., object]
    ) -> None:
        """Begin an order; the lines of the program are the right ones."""
        super().__init__(title, text, settings)
        self.program = program
        self.drawing: Callable[[np.random.Generator], Cases] | None = None

    def draw(self, function: Callable[[np.random.Generator], Cases]) -> Callable[..., Cases]:
        """Register the draw of inputs on which every order is run."""
        self.drawing = function
        return function

    def wrong_line(self, line: str, hint: Hinted, *, name: str = "", see: str = "") -> None:
        """Add a wrong line with its hint."""
        words, label = _hint_and_see(hint, see)
        known = hint.name if isinstance(hint, Misconception) else f"line {len(self.parts) + 1}"
        self._add(QuestionPart(name or known, line, False, words, label))


class Proof(QuestionBuilder):
    """Steps of a proof with wrong steps among them."""

    kind: QuestionKind = "order"

    def step(
        self, name: str, text: str, *, after: tuple[str, ...] = (), true: Callable[..., bool] | None = None
    ) -> None:
        """Add a step. `after` names steps that it uses; `true(rng)` tries its claim on random numbers."""
        self._add(QuestionPart(name, text, True, after=after, make=true))

    def wrong_step(self, text: str, hint: Hinted, *, false: Callable[..., bool], name: str = "") -> None:
        """Add a wrong step with its hint. `false(rng)` tries its claim, which must fail on random numbers."""
        words, label = _hint_and_see(hint, "")
        self._add(QuestionPart(name or f"step {len(self.parts) + 1}", text, False, words, label, make=false))


class Fault(QuestionBuilder):
    """A wrong program that passes its visible tests."""

    kind: QuestionKind = "fault"

    def __init__(
        self, title: str, text: str, settings: QuestionSettings, correct: Callable[..., object]
    ) -> None:
        """Begin a fault with the correct program, which needs numpy alone."""
        super().__init__(title, text, settings)
        self.correct = correct
        self.wrong_program: Callable[..., object] | None = None
        self.is_valid: Callable[..., str | None] | None = None
        self.hint = ""
        self.tests: tuple[Mapping[str, Any], ...] = ()

    def shown(self, hint: str) -> Callable[[Function], Function]:
        """Register the wrong program, and the hint for an input on which its fault does not show."""

        def add(function: Function) -> Function:
            self.wrong_program, self.hint = function, hint
            return function

        return add

    def valid(self, function: Function) -> Function:
        """Register the function that returns why an input is not allowed, or None."""
        self.is_valid = function
        return function

    def passes(self, *tests: Mapping[str, object]) -> None:
        """Register the visible tests, which the wrong program passes."""
        self.tests = tests

    def hides(self, *inputs: Mapping[str, object]) -> None:
        """Add inputs on which the fault does not show; they are the wrong choices where no program can run."""
        for values in inputs:
            self._add(
                QuestionPart(f"input {len(self.parts) + 1}", "", False, self.hint, make=_constant(values))
            )

    def reveals(self, *inputs: Mapping[str, object]) -> None:
        """Add inputs on which the fault shows."""
        for values in inputs:
            self._add(QuestionPart(f"input {len(self.parts) + 1}", "", True, make=_constant(values)))


def _constant(values: Mapping[str, object]) -> Callable[[], Mapping[str, Any]]:
    return lambda: values
