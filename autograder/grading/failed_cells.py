"""Explain missing answers by the notebook cells that raised or timed out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.answers.attempt import CallResult
from autograder.answers.raised import RaisedError, plain_line
from autograder.judging.raised import describe_error

NOT_WRITTEN = "NotImplementedError"
OUT_OF_TIME = "TimeLimitError"
MAX_FIRST_LINE_CHARACTERS = 60
MAX_SEARCHED_CHARACTERS = 10_000  # per cell
MAX_SEARCHED_CELLS = 20  # only the last failed cells are searched


@dataclass(frozen=True)
class FailedCell:
    """A cell that did not finish, and the error that ended it."""

    source: str
    error: RaisedError

    @property
    def is_late(self) -> bool:
        """Whether the cell timed out."""
        return self.error.type == OUT_OF_TIME

    @property
    def first_line(self) -> str:
        """The first line of code, to identify the cell in messages."""
        lines = [line.strip() for line in self.source.splitlines()]
        code = next((line for line in lines if line and not line.startswith(("#", "%"))), "")
        return plain_line(code, MAX_FIRST_LINE_CHARACTERS).replace("`", "'")

    def defines(self, name: str) -> bool:
        """Tell whether the cell defines a name; works without valid syntax, too."""
        text = self.source[:MAX_SEARCHED_CHARACTERS]
        lines = text.split("\n") if name in text else []
        return any(_defines(line, name) for line in lines if name in line)


def _defines(line: str, name: str) -> bool:
    """Tell whether a line defines, assigns or imports a name.

    Each pattern is anchored, because an unanchored pattern that runs to the end of the line takes quadratic time.
    """
    word = re.compile(rf"\b{re.escape(name)}\b")
    target, equals, value = line.partition("=")
    is_assigned = equals and not value.startswith("=") and "#" not in target and "(" not in target
    imported = re.search(r"\bimport\b", line)
    return bool(
        re.match(rf"\s*(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b", line)
        or (is_assigned and word.search(target))
        or (imported and word.search(line, imported.end()))
    )


Failed = Mapping[int, FailedCell]  # number of the cell → failed cell


def explain_missing(answer: str, attempts: Sequence[CallResult], failed: Failed) -> list[CallResult]:
    """Add the failed cell to results whose answer or name is undefined."""
    return [_explain_attempt(answer, attempt, failed) for attempt in attempts]


def _explain_attempt(answer: str, attempt: CallResult, failed: Failed) -> CallResult:
    if attempt.problem == "missing":
        cell = _defining_cell(answer, failed)
        return attempt if cell is None else _result_of_failed_cell(answer, cell)
    if attempt.problem == "stopped" and failed:
        last = failed[max(failed)]
        return attempt if not last.is_late else _result_of_ended_program(last)
    if name := _undefined_name(attempt):
        cell = _defining_cell(name, failed)
        return attempt if cell is None else replace(attempt, message=_describe_failed_definition(name, cell))
    return attempt


def _undefined_name(attempt: CallResult) -> str:
    """Return the name that a NameError quotes, or ""."""
    if attempt.error is None or attempt.error.type != "NameError":
        return ""
    quoted = re.search(r"'(\w{1,60})'", attempt.error.message)
    return quoted[1] if quoted else ""


def _defining_cell(name: str, failed: Failed) -> FailedCell | None:
    """Return the last failed cell that should have defined a name."""
    last = sorted(failed.items(), reverse=True)[:MAX_SEARCHED_CELLS]
    return next((cell for _, cell in last if cell.defines(name)), None)


def _result_of_failed_cell(answer: str, cell: FailedCell) -> CallResult:
    if cell.error.type == NOT_WRITTEN:
        return CallResult(problem="not written", message="its cell raises NotImplementedError")
    if cell.is_late:
        seconds = cell.error.message.removeprefix("the cell took longer than ")
        return CallResult(
            problem="too slow", message=f"the cell that defines `{answer}` took longer than {seconds}"
        )
    message = f"the cell that defines `{answer}` did not run: {describe_error(cell.error)}"
    return CallResult(problem="did not run", message=message, error=cell.error)


def _result_of_ended_program(cell: FailedCell) -> CallResult:
    seconds = cell.error.message.removeprefix("the cell took longer than ")
    text = (
        f"the program was ended in the cell that begins `{cell.first_line}`, which took longer than {seconds}"
    )
    return CallResult(problem="stopped", message=f"{text}: does a loop never end?")


def _describe_failed_definition(name: str, cell: FailedCell) -> str:
    if cell.is_late:
        return f"`{name}` is defined in the cell that begins `{cell.first_line}`, which took too long."
    return f"`{name}` is defined in the cell that begins `{cell.first_line}`, which did not run: {cell.error.name}."
