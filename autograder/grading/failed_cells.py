"""Cells of a notebook that raised or took too long, and the answers that are missing because of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.answers.attempt import Attempt
from autograder.answers.raised import RaisedError, plain_line
from autograder.judging.raised import describe_error

NOT_WRITTEN = "NotImplementedError"
OUT_OF_TIME = "OutOfTimeError"
MAX_FIRST_LINE_CHARACTERS = 60
DEFINITIONS = (
    r"^\s*(?:async\s+)?(?:def|class)\s+NAME\b",
    r"^[^#\n=(]*\bNAME\b[^#\n=(]*=(?!=)",
    r"\bimport\b.*\bNAME\b",
)


@dataclass(frozen=True)
class FailedCell:
    """A cell that did not run to its end, and the error that ended it."""

    source: str
    error: RaisedError

    @property
    def is_late(self) -> bool:
        """Did it take too long?"""
        return self.error.type == OUT_OF_TIME

    @property
    def first_line(self) -> str:
        """Return the first line of code, by which a reader finds the cell."""
        lines = [line.strip() for line in self.source.splitlines()]
        code = next((line for line in lines if line and not line.startswith(("#", "%"))), "")
        return plain_line(code, MAX_FIRST_LINE_CHARACTERS).replace("`", "'")

    def defines(self, name: str) -> bool:
        """Does its text give this name a value? A text that Python cannot read is searched, too."""
        word = re.escape(name)
        return any(re.search(form.replace("NAME", word), self.source, re.MULTILINE) for form in DEFINITIONS)


Failed = Mapping[int, FailedCell]  # by the number of the cell


def explain_missing(answer: str, attempts: Sequence[Attempt], failed: Failed) -> list[Attempt]:
    """Say of attempts at an answer which cell's error is behind a name that is not defined."""
    return [_explained(answer, attempt, failed) for attempt in attempts]


def _explained(answer: str, attempt: Attempt, failed: Failed) -> Attempt:
    if attempt.problem == "missing":
        cell = _cell_of(answer, failed)
        return attempt if cell is None else _of_failed_cell(answer, cell)
    if attempt.problem == "stopped" and failed:
        last = failed[max(failed)]
        return attempt if not last.is_late else _ended_in(last)
    if attempt.error and attempt.error.type == "NameError":
        name = re.search(r"'(\w{1,60})'", attempt.error.message)
        cell = _cell_of(name[1], failed) if name else None
        return attempt if cell is None else replace(attempt, message=_behind(name[1], cell))  # type: ignore[index]
    return attempt


def _cell_of(name: str, failed: Failed) -> FailedCell | None:
    """Return the last failed cell that should have defined a name."""
    return next((cell for _, cell in sorted(failed.items(), reverse=True) if cell.defines(name)), None)


def _of_failed_cell(answer: str, cell: FailedCell) -> Attempt:
    if cell.error.type == NOT_WRITTEN:
        return Attempt(problem="not written", message="its cell raises NotImplementedError")
    if cell.is_late:
        seconds = cell.error.message.removeprefix("the cell took longer than ")
        return Attempt(
            problem="too slow", message=f"the cell that defines `{answer}` took longer than {seconds}"
        )
    message = f"the cell that defines `{answer}` did not run: {describe_error(cell.error)}"
    return Attempt(problem="did not run", message=message, error=cell.error)


def _ended_in(cell: FailedCell) -> Attempt:
    seconds = cell.error.message.removeprefix("the cell took longer than ")
    text = (
        f"the program was ended in the cell that begins `{cell.first_line}`, which took longer than {seconds}"
    )
    return Attempt(problem="stopped", message=f"{text}: does a loop never end?")


def _behind(name: str, cell: FailedCell) -> str:
    if cell.is_late:
        return f"`{name}` is defined in the cell that begins `{cell.first_line}`, which took too long."
    return f"`{name}` is defined in the cell that begins `{cell.first_line}`, which did not run: {cell.error.name}."
