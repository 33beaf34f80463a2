"""Run the programs of a find-the-fault question on an input.

The programs are the author's and come from a trusted key; the input is a student's plain data of bounded size. A
student's own line is run only where the caller says that this is safe, as in the student's own process.
"""

import ast
import copy
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.answers.attempt import call_answer
from autograder.answers.values import UnsupportedAnswerError, to_plain_data
from autograder.judging.question import FaultPrograms
from autograder.judging.sameness import SAMENESSES, discrepancy

MAX_INPUT_ENTRIES = 400
MAX_INPUT_MAGNITUDE = 1e6
RESULT_RTOL = 1e-6
FaultProgram = Callable[..., Any]


@lru_cache(maxsize=256)
def compiled(source: str) -> FaultProgram:
    """Return the function that a source defines; it may use numpy as `np`."""
    names: dict[str, Any] = {"np": np}
    exec(compile(source, "<program of a question>", "exec"), names)
    program: FaultProgram = names[fault_function(source).name]
    return program


@lru_cache(maxsize=256)
def fault_function(source: str) -> ast.FunctionDef:
    """Return the syntax tree of the function that a source defines."""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def parameters(source: str) -> list[str]:
    """Return the names of a function's parameters."""
    return [argument.arg for argument in fault_function(source).args.args]


def read_input(programs: FaultPrograms, answer: object) -> dict[str, object]:
    """Return a student's input by the names of the parameters.

    A dict, a tuple with an entry for each parameter, or the value of a single parameter is accepted. Raise
    UnsupportedAnswerError, with a sentence for the student, for anything else.
    """
    names = parameters(programs.correct)
    values = _by_name(names, answer)
    example = programs.tests[0]
    inputs = {name: _like(name, to_plain_data(values[name]), example[name]) for name in names}
    why = _why_not_valid(programs, inputs)
    if why:
        raise UnsupportedAnswerError(f"this input is not allowed: {why}")
    return inputs


def _by_name(names: list[str], answer: object) -> Mapping[str, object]:
    listed = ", ".join(f"`{name}`" for name in names)
    if isinstance(answer, dict):
        if set(answer) != set(names):
            raise UnsupportedAnswerError(f"the input must have exactly the names {listed}")
        return answer
    if len(names) == 1:
        return {names[0]: answer}
    if isinstance(answer, tuple | list) and len(answer) == len(names):
        return dict(zip(names, answer, strict=True))
    raise UnsupportedAnswerError(f"the input must be a tuple of {len(names)} values: {listed}")


def _like(name: str, value: object, example: object) -> object:
    """Return a value in the form of the example: whole number, number, list or table."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise UnsupportedAnswerError(f"`{name}` must be made of numbers, all rows equally long") from None
    expected = np.asarray(example)
    if array.ndim != expected.ndim:
        forms = ("a number", "a list of numbers", "a table: a list of rows")
        raise UnsupportedAnswerError(f"`{name}` must be {forms[min(expected.ndim, 2)]}")
    if array.size > MAX_INPUT_ENTRIES or not array.size:
        raise UnsupportedAnswerError(f"`{name}` must have from 1 to {MAX_INPUT_ENTRIES} numbers")
    if not np.isfinite(array).all() or np.abs(array).max() > MAX_INPUT_MAGNITUDE:
        raise UnsupportedAnswerError(
            f"the numbers of `{name}` must be finite, and at most {MAX_INPUT_MAGNITUDE:g} in size"
        )
    if isinstance(example, int):
        if array % 1:
            raise UnsupportedAnswerError(f"`{name}` must be a whole number")
        return int(array)
    return array if array.ndim else float(array)


def _why_not_valid(programs: FaultPrograms, inputs: Mapping[str, object]) -> str | None:
    """Return why an input is outside the domain, on which the correct program has a result."""
    with np.errstate(all="ignore"):
        try:
            why = compiled(programs.valid)(*copy.deepcopy(list(inputs.values())))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        if why is None and result_of(programs.correct, inputs) is None:
            return "the correct function has no finite result on it"
    return None if why is None else str(why)


def result_of(source: str, inputs: Mapping[str, object]) -> Any:
    """Return the result of a program as an array; None if it raises, or if a number is not finite."""
    with np.errstate(all="ignore"):
        result = call_answer(compiled(source), inputs)
    if result.problem:
        return None
    try:
        array = np.asarray(result.value, dtype=float)
    except (TypeError, ValueError):
        return None
    return array if np.isfinite(array).all() else None


def differs(programs: FaultPrograms, source: str, inputs: Mapping[str, object]) -> bool:
    """Return whether a program gives another result than the correct one."""
    right, result = result_of(programs.correct, inputs), result_of(source, inputs)
    if right is None:
        return False
    if result is None:
        return True
    try:
        return not discrepancy(result, right, SAMENESSES[programs.same]) <= RESULT_RTOL
    except ValueError:
        return True


def with_line(programs: FaultPrograms, line: str) -> str | None:
    """Return the shown program with its faulty line replaced, or None if it is no program then."""
    lines = programs.shown.splitlines()
    old = lines[programs.line - 1]
    lines[programs.line - 1] = old[: len(old) - len(old.lstrip())] + line.strip()
    source = "\n".join(lines)
    try:
        return source if fault_function(source) else None
    except (SyntaxError, ValueError, AssertionError):
        return None


def is_known_mend(programs: FaultPrograms, line: str) -> bool:
    """Return whether a line is a certified correction, apart from white space and brackets."""
    return _normalised(line) in {_normalised(mend) for mend in programs.mends}


def _normalised(line: str) -> str:
    try:
        return ast.unparse(ast.parse(line.strip()))
    except (SyntaxError, ValueError):
        return line.strip()
