"""Stand-ins: while a function is judged, what it calls from earlier tasks answers as it should.

Runs beside the student's code. In a notebook a stand-in knows what the earlier function should return on the inputs
that the key lists, and asks the student's own function on others and where that one gives no answer. While grading it
asks the trusted side, on whatever inputs.
"""

import contextlib
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

CLOSE = 1e-9
Oracle = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]


class StandIn:
    """Answers as the earlier function should on the inputs that are known; asks the student's own on others."""

    def __init__(self, given: Mapping[str, Any], own: Any) -> None:
        """`own` is what the student has under that name."""
        self._calls, self._own = given["calls"] if "calls" in given else [given], own

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Arguments that the task did not name, such as tolerances, are free."""
        for call in self._calls:
            inputs = call["inputs"]
            arguments = dict(zip(inputs, positional, strict=False)) | named
            if all(name in arguments and _is_same(arguments[name], want) for name, want in inputs.items()):
                result = self._own(*copy.deepcopy(positional), **copy.deepcopy(named))
                right = call["answer"]
                return copy.deepcopy(right) if is_answer(result, arguments.values(), right) else result
        return self._own(*positional, **named)


def is_answer(result: Any, arguments: Iterable[Any], right: Any) -> bool:
    """Return whether a function computed something: numbers that are no copy of an argument.

    They are finite unless the right answer holds infinite ones. Nothing stands in for a function that is not written.
    """
    try:
        parts = [
            np.asarray(part, dtype=float) for part in (result if isinstance(result, tuple) else (result,))
        ]
    except (TypeError, ValueError):
        return False
    if result is None or not all(np.isfinite(part).all() for part in parts if not holds_infinity(right)):
        return False
    if any(np.isnan(part).any() for part in parts):
        return False
    return not any(np.ndim(argument) and _is_same(result, argument) for argument in arguments)


def holds_infinity(answer: Any) -> bool:
    """Return whether an answer, or a part of it, holds an infinite number: the length of no path is one."""
    if isinstance(answer, list | tuple):
        return any(map(holds_infinity, answer))
    return isinstance(answer, float | np.ndarray) and bool(np.isinf(answer).any())


class AskingStandIn:
    """Answers as the earlier function should, on any inputs, by asking whoever knows."""

    def __init__(self, name: str, oracle: Oracle) -> None:
        """`oracle(name, positional, named)` gives the answer or raises."""
        self._name, self._oracle = name, oracle

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Pass the arguments on."""
        return self._oracle(self._name, positional, named)


def _is_same(value: Any, want: Any) -> bool:
    try:
        return np.shape(value) == np.shape(want) and np.allclose(value, want, rtol=CLOSE, atol=CLOSE)
    except (TypeError, ValueError):
        return False


@contextlib.contextmanager
def standing_in(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[None]:
    """Put stand-ins, by data, where the function looks for the earlier ones; put everything back afterwards."""
    names = getattr(function, "__globals__", {}) if given else {}
    made = {name: StandIn(one, names.get(name)) for name, one in given.items()}
    with _replaced(names, made):
        yield


@contextlib.contextmanager
def asking(function: Callable[..., Any], names: list[str], oracle: Oracle) -> Iterator[None]:
    """Put stand-ins that ask for these functions where the function looks for them."""
    space = getattr(function, "__globals__", {})
    with _replaced(space, {name: AskingStandIn(name, oracle) for name in names if name in space}):
        yield


@contextlib.contextmanager
def _replaced(space: dict[str, Any], made: Mapping[str, Any]) -> Iterator[None]:
    before = {name: space[name] for name in made if name in space}
    space.update(made)
    try:
        yield
    finally:
        for name in made:
            space.pop(name, None)
        space.update(before)
