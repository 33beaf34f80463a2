"""Write a task: a function with its mistakes on it.

The function is the reference answer. Decorators of its name add everything else, and return the functions unchanged:

    from autograder.authoring import task


    @task.hand(points=1, minutes=6, see="eq-areas-rectangle")
    def area(width, height):
        return width * height


    @area.draw
    def draw(rng):
        return {"the numbers of the text": {"width": float(rng.integers(2, 9)), "height": 3.0}}


    @area.wrong("The sides are added here. What do you do with them to get an area?")
    def added_the_sides(width, height):
        return width + height

`area(4, 3)` calls the reference answer; `area.task` is the finished `Task`, which takes no more decorators.
"""

import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any, Generic, Literal, ParamSpec, Required, TypedDict, TypeVar, Unpack

import numpy as np

from autograder.answers.arrays import Inputs
from autograder.authoring.inherited import Rest, inherited
from autograder.authoring.task_data import (
    Announced,
    Cases,
    Follows,
    Misconception,
    Task,
    Way,
)
from autograder.errors import CourseError
from autograder.judging.key import TaskKind
from autograder.judging.sameness import Sameness, exactly
from autograder.judging.statements import Statement

__all__ = [
    "Announced",
    "Cases",
    "Follows",
    "Inputs",
    "Misconception",
    "Task",
    "TaskBuilder",
    "TaskError",
    "Way",
    "code",
    "hand",
    "sym",
]

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound=Callable[..., Any])
AnyWay = TypeVar("AnyWay", bound=Way)
Draw = Callable[[np.random.Generator], Cases]


class TaskError(CourseError):
    """A task is wrong or incomplete."""


class TaskSettings(TypedDict, total=False):
    """Settings of a task; `Task` describes them."""

    points: Required[float]
    minutes: Required[int]
    see: Required[str]
    same: Sameness | tuple[Sameness, ...]
    parts: tuple[str, ...]
    tolerance: float
    picture: Literal["points", "bars", None]
    exact_form: bool
    tied: tuple[str, ...]
    may_agree: tuple[tuple[str, str], ...]
    by_looking: bool
    always: tuple[Statement, ...]


class MistakeSettings(TypedDict, total=False):
    """Settings of a mistake; `Misconception` describes them. `see` is that of the task if it is left out."""

    see: str
    credit: float
    same: Sameness | tuple[Sameness, ...]
    indefinite: Callable[..., str | None]


class TaskBuilder(Generic[P, R]):
    """A reference answer, and the parts that its decorators added."""

    def __init__(self, kind: TaskKind, settings: TaskSettings, answer: Callable[P, R]) -> None:
        """Start a task with its answer, for `code`, `hand` and `sym`."""
        functools.update_wrapper(self, answer)
        self.answer = answer
        self.name = answer.__name__
        self._kind: TaskKind = kind
        self._settings = settings
        self._functions: dict[str, Callable[..., Any]] = {}
        self._mistakes: list[Misconception] = []
        self._ways: list[Way] = []
        self._must_fail: list[Callable[..., Any]] = []
        self._follows: list[Follows] = []
        self._announced: list[Announced] = []

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the reference answer to these inputs."""
        return self.answer(*args, **kwargs)

    def draw(self, function: Draw) -> Draw:
        """Register the function that draws the inputs of every case."""
        return self._set("draw", function)

    def hard(self, function: Draw) -> Draw:
        """Register a draw of further inputs for mutation testing.

        A program that only fits the drawn cases should fail on them.
        """
        return self._set("hard", function)

    def practice_draw(self, function: Draw) -> Draw:
        """Register a draw for practice problems.

        It is needed where the task's own draw has few variants.
        """
        return self._set("practice_draw", function)

    def ill_posed(self, function: Function) -> Function:
        """Register a function that returns why a draw is unfair, or None."""
        return self._set("ill_posed", self._of_inputs(function))

    def worked(self, function: Function) -> Function:
        """Register a worked solution.

        The function returns its steps, in Markdown, and the answer to which they lead.
        """
        return self._set("worked", self._of_inputs(function))

    def wrong(self, hint: str, **settings: Unpack[MistakeSettings]) -> Callable[[Function], Function]:
        """Add a mistake with a hint; the function's name is its name."""
        if not isinstance(hint, str) or not hint.strip():
            raise TaskError(f'a mistake needs a hint: @{self.name}.wrong("…"), not {hint!r}')
        values: dict[str, Any] = {"see": self._settings["see"], **settings}

        def add(function: Function) -> Function:
            name = function.__name__
            if name in (mistake.name for mistake in self._mistakes):
                raise TaskError(f"{self.name} has two mistakes of the name {name}: keys know a mistake by it")
            mistake = Misconception(self._of_inputs(function), hint, **values)
            if function.__module__ != self.__module__:  # such as the mistakes that an overlay adds
                self.__dict__.pop("task", None)
            self._add(self._mistakes, mistake)
            return function

        return add

    def also(self, way: AnyWay) -> AnyWay:
        """Add another correct program, or a formula for a `sym` task."""
        if isinstance(way, str) and self._kind != "sym":
            raise TaskError(f"{self.name} is no sym task: another right way is a function, not {way!r}")
        self._add(self._ways, way if isinstance(way, str) else self._of_inputs(way))
        return way

    def must_fail(self, program: Function) -> Function:
        """Add a wrong program that some draws might let pass.

        Such a draw is drawn again.
        """
        self._add(self._must_fail, self._of_inputs(program))
        return program

    def follows(self, earlier: "TaskBuilder[..., Any]") -> Callable[[Function], Function]:
        """Declare that this task's function may call an earlier one.

        The decorated function returns the inputs of that call.
        """
        if not isinstance(earlier, TaskBuilder):
            raise TaskError(f"{self.name} must follow a task of the same notebook, not {earlier!r}")

        def add(function: Function) -> Function:
            self._add(self._follows, Follows(earlier.name, earlier.answer, self._of_inputs(function)))
            return function

        return add

    def inherits(
        self, earlier: "TaskBuilder[..., Any]", *, without: Collection[str] = ()
    ) -> Callable[[Rest], Rest]:
        """Add the mistakes of an earlier task.

        The decorated function computes the answer with any function for that step. `without` names mistakes that do not
        show here, or that this task defines itself.
        """
        steps = [step for step in self._follows if step.answer is earlier.answer]
        if not steps:
            raise TaskError(f"put @{self.name}.follows({earlier.name}) before @{self.name}.inherits(…)")

        def add(rest: Rest) -> Rest:
            self._add(self._mistakes, *inherited(steps[0], earlier.task, rest, without))
            return rest

        return add

    def announces(self, words: str, situation: str, holds: Callable[..., bool]) -> None:
        """Declare a case that the text announces in these words."""
        self._add(self._announced, Announced(words, situation, holds))

    @functools.cached_property
    def task(self) -> Task:
        """Return the finished task, to which nothing can be added."""
        if "draw" not in self._functions:
            raise TaskError(
                f"{self.name} has no draw: put @{self.name}.draw over the function that draws its inputs"
            )
        values: dict[str, Any] = {**self._settings, "same": self._same(), **self._functions}
        return Task(
            kind=self._kind,
            answer=self.answer,
            misconceptions=tuple(self._mistakes),
            alternatives=tuple(self._ways),
            must_fail=tuple(self._must_fail),
            follows=tuple(self._follows),
            announced=tuple(self._announced),
            **values,
        )

    def _same(self) -> Sameness | tuple[Sameness, ...]:
        """Return the sameness of each part.

        A single one holds for all named parts.
        """
        same, parts = self._settings.get("same", exactly), self._settings.get("parts", ())
        samenesses = same if isinstance(same, tuple) else (same,)
        if self._kind == "sym" and any(part.kind for part in samenesses):
            raise TaskError(
                f"{self.name} is a sym task: its answer is a formula, without a kind of another answer"
            )
        if isinstance(same, Sameness):
            return (same,) * len(parts) if parts else same
        if parts and len(parts) != len(same):
            raise TaskError(
                f"{self.name} names {len(parts)} parts and the sameness of {len(same)}: they must agree"
            )
        return same

    def _set(self, role: str, function: Function) -> Function:
        self._require_open(role)
        if role in self._functions:
            before = self._functions[role].__name__
            raise TaskError(
                f"{self.name} has two functions for {role}: {before} and {function.__name__}; keep one"
            )
        self._functions[role] = function
        return function

    def _add(self, parts: list[Any], *new: object) -> None:
        self._require_open("more")
        parts.extend(new)

    def _require_open(self, role: str) -> None:
        if "task" in self.__dict__:
            raise TaskError(
                f"{self.name} is complete and takes no {role}: move this before the first use of its task"
            )

    def _of_inputs(self, function: Function) -> Function:
        """Refuse a function that cannot be called with the inputs of this task."""
        names = list(inspect.signature(self.answer).parameters)
        try:
            inspect.signature(function).bind(*names)
        except (TypeError, ValueError):
            received = (
                f"{function.__name__}{inspect.signature(function)}" if callable(function) else repr(function)
            )
            raise TaskError(
                f"{received} must be a function of the inputs of {self.name}: {', '.join(names)}"
            ) from None
        return function


def code(**settings: Unpack[TaskSettings]) -> Callable[[Callable[P, R]], TaskBuilder[P, R]]:
    """Begin a task whose student writes a function."""
    return lambda answer: TaskBuilder("code", settings, answer)


def hand(**settings: Unpack[TaskSettings]) -> Callable[[Callable[P, R]], TaskBuilder[P, R]]:
    """Begin a task whose student works out a value from printed numbers."""
    return lambda answer: TaskBuilder("hand", settings, answer)


def sym(**settings: Unpack[TaskSettings]) -> Callable[[Callable[P, R]], TaskBuilder[P, R]]:
    """Begin a task whose student gives a formula in symbols."""
    return lambda answer: TaskBuilder("sym", settings, answer)
