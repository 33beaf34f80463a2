"""Call a student's function and return its result as plain data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from autograder.answers.arguments import arguments
from autograder.answers.raised import RaisedError, raised_error
from autograder.answers.tables import DataTable
from autograder.answers.values import UnsupportedAnswerError, to_plain_data, with_half_precision

Problem = Literal["", "missing", "did not run", "not written", "raised", "too slow", "wrong form", "stopped"]


@dataclass(frozen=True)
class Call:
    """The inputs of one call, and the tables of the stubs for earlier functions."""

    inputs: Mapping[str, Any]
    stubs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CallResult:
    """The result of one call: a plain value, or a problem with a message.

    `value` keeps 16-bit floats, so that a hint can name their low precision. `changed` lists the arguments that the
    function modified. `error` is the exception that it raised.
    """

    value: Any = None
    problem: Problem = ""
    message: str = ""
    changed: tuple[str, ...] = ()
    error: RaisedError | None = None


def call_answer(function: Callable[..., object], inputs: Mapping[str, object]) -> CallResult:
    """Call the function and return its result; an exception is a result, too."""
    try:
        values = arguments(inputs)
        result = value(function(*values))
        if result.problem:
            return result
        return replace(result, changed=_find_changed_arguments(inputs, values))
    except NotImplementedError:
        return CallResult(problem="not written", message="it raises NotImplementedError")
    except Exception as error:
        return raised(error)


def raised(error: BaseException) -> CallResult:
    """Return the result of a call that raised this exception."""
    return CallResult(problem="raised", error=raised_error(error))


def _find_changed_arguments(inputs: Mapping[str, object], values: list[object]) -> tuple[str, ...]:
    """Return the names of the arguments that the function modified."""
    return tuple(
        name
        for (name, before), after in zip(inputs.items(), values, strict=True)
        if not _is_unchanged(before, after)
    )


def _is_unchanged(before: Any, after: Any) -> bool:
    """Return whether an array, or each array in a list, is unchanged.

    Values of other types count as unchanged if their type is the same.
    """
    if isinstance(before, frozenset | DataTable):
        return isinstance(before, DataTable) or before == after
    if type(before) is not type(after):
        return False
    if isinstance(before, dict):
        return list(before) == list(after) and all(map(_is_unchanged, before.values(), after.values()))
    if isinstance(before, np.ndarray):
        return bool(np.array_equal(before, after, equal_nan=before.dtype.kind == "f"))
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(_is_unchanged, before, after))
    return True


def value(answer: object) -> CallResult:
    """Return the answer as plain data, or the reason why it is not supported."""
    if answer is None or answer is Ellipsis:
        return CallResult(problem="not written", message="nothing was returned")
    try:
        return CallResult(with_half_precision(answer, to_plain_data(answer)))
    except UnsupportedAnswerError as error:
        return CallResult(problem="wrong form", message=str(error))
    except Exception as error:  # an object whose attributes or methods raise
        return CallResult(problem="wrong form", message=f"the answer cannot be read ({type(error).__name__})")
