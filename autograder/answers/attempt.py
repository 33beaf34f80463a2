"""Attempts: what a student's code gave when it was called, as plain data, whatever happened."""

import copy
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from autograder.answers.values import NotPlainError, holds_half_precision, plain

Problem = Literal["", "missing", "not written", "raised", "too slow", "wrong form", "stopped"]


@dataclass(frozen=True)
class Call:
    """The inputs of one call; `given` says what stands in for earlier functions meanwhile."""

    inputs: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Attempt:
    """A plain value, or a problem and a sentence about it.

    `in_half_precision` says that numbers of the value came with the three digits that 16 bits hold.
    """

    value: Any = None
    problem: Problem = ""
    message: str = ""
    in_half_precision: bool = False


def call(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Attempt:
    """Return what the function makes of the inputs; an exception is an attempt too."""
    arguments = copy.deepcopy(list(inputs.values()))  # a copy, because an answer may overwrite its arguments
    try:
        return value(function(*arguments))
    except NotImplementedError:
        return Attempt(problem="not written", message="it raises NotImplementedError")
    except Exception as error:
        return Attempt(problem="raised", message=_where(error))


def value(answer: Any) -> Attempt:
    """Return the answer as plain data, or the reason why it cannot be one."""
    if answer is None or answer is Ellipsis:
        return Attempt(problem="not written", message="nothing was returned")
    try:
        return Attempt(plain(answer), in_half_precision=holds_half_precision(answer))
    except NotPlainError as error:
        return Attempt(problem="wrong form", message=str(error))
    except Exception as error:  # an object that raises when it is looked at
        return Attempt(problem="wrong form", message=f"the answer cannot be read ({type(error).__name__})")


def _where(error: Exception) -> str:
    """Name the error and the student's own line; frames of this file and of libraries are skipped."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and "site-packages" not in frame.filename
    ]
    if own and own[-1].line:
        text += f" (line {own[-1].lineno}: {own[-1].line.strip()})"
    return text[:500]
