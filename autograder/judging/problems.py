"""Explain attempts without a value: not written, unreadable, raised, too slow."""

from collections.abc import Sequence

from autograder.answers.attempt import CallResult
from autograder.judging.key import TaskKey
from autograder.judging.raised import describe_error


def explain_problem(key: TaskKey, attempts: Sequence[CallResult], position: int, trouble: str = "") -> str:
    """Explain what is wrong with one attempt.

    `trouble` says why its value cannot be read.
    """
    attempt = attempts[position]
    if attempt.problem == "not written":
        return "Not written yet." if key.kind != "code" else f"Not written yet, or {attempt.message}."
    if attempt.problem == "raised":
        return _explain_error(key, attempts, position)
    if attempt.problem == "too slow":
        text = f"{attempt.message or 'your answer took too long'}: does a loop never end?"
        return _capital(_where(key, attempts, position) + text)
    return _sentence(attempt.message or trouble or "the answer is not the expected one")


def _explain_error(key: TaskKey, attempts: Sequence[CallResult], position: int) -> str:
    attempt = attempts[position]
    what = describe_error(attempt.error, attempt.message) if attempt.error else "an error."
    return _capital(f"{_where(key, attempts, position)}your function raised {what}")


def _where(key: TaskKey, attempts: Sequence[CallResult], position: int) -> str:
    """Name the case, unless all cases have the same problem."""
    problem = attempts[position].problem
    if all(attempt.problem == problem for attempt in attempts):
        return ""
    return f"On “{key.cases[position].name}” "


def _sentence(text: str) -> str:
    return _capital(text) + ("" if text.endswith((".", "?")) else ".")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
