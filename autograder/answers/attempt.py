"""Attempts: what a student's code gave when it was called, as plain data, whatever happened."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from autograder.answers.raised import RaisedError, raised_error
from autograder.answers.values import NotPlainError, plain, with_half_precision

Problem = Literal["", "missing", "did not run", "not written", "raised", "too slow", "wrong form", "stopped"]


@dataclass(frozen=True)
class Call:
    """The inputs of one call; `given` says what stands in for earlier functions meanwhile."""

    inputs: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Attempt:
    """A plain value, or a problem and a sentence about it; `error` is the exception that was raised.

    Numbers of 16 bits stay such in the value: they are right within the three digits that they hold. `changed` says
    which arguments the function left other than they were.
    """

    value: Any = None
    problem: Problem = ""
    message: str = ""
    changed: tuple[str, ...] = ()
    error: RaisedError | None = None


def call(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Attempt:
    """Return what the function makes of the inputs; an exception is an attempt too."""
    arguments = copy.deepcopy(list(inputs.values()))  # a copy, because an answer may overwrite its arguments
    try:
        made = value(function(*arguments))
        if made.problem:
            return made
        return replace(made, changed=_changed(inputs, arguments))
    except NotImplementedError:
        return Attempt(problem="not written", message="it raises NotImplementedError")
    except Exception as error:
        return raised(error)


def raised(error: BaseException) -> Attempt:
    """Return the attempt of a function that raised this exception."""
    return Attempt(problem="raised", error=raised_error(error))


def _changed(inputs: Mapping[str, Any], after: list[Any]) -> tuple[str, ...]:
    return tuple(
        name
        for (name, before), now in zip(inputs.items(), after, strict=True)
        if not _is_as_it_was(before, now)
    )


def _is_as_it_was(before: Any, now: Any) -> bool:
    """Is an array, or are the arrays of a list, unchanged? Other values cannot be changed by a function."""
    if type(before) is not type(now):
        return False
    if isinstance(before, np.ndarray):
        return bool(np.array_equal(before, now, equal_nan=before.dtype.kind == "f"))
    if isinstance(before, list | tuple):
        return len(before) == len(now) and all(map(_is_as_it_was, before, now))
    return True


def value(answer: Any) -> Attempt:
    """Return the answer as plain data, or the reason why it cannot be one."""
    if answer is None or answer is Ellipsis:
        return Attempt(problem="not written", message="nothing was returned")
    try:
        return Attempt(with_half_precision(answer, plain(answer)))
    except NotPlainError as error:
        return Attempt(problem="wrong form", message=str(error))
    except Exception as error:  # an object that raises when it is looked at
        return Attempt(problem="wrong form", message=f"the answer cannot be read ({type(error).__name__})")
