"""Students' formulas evaluated in a process of its own, which the kernel ends when they take too long or too much.

What `expressions` bounds before it evaluates should suffice; this is for what nobody has thought of. Notebooks and the
browser evaluate where they are: there a formula keeps only its author waiting.
"""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from autograder.answers.values import NotPlainError
from autograder.judging import expressions

SECONDS, ALL_SECONDS = 10.0, 30.0  # of CPU time, for one part of an answer and for all without a budget
MEMORY = 2**30
TOO_LONG = "the formulas of the answer take too long to evaluate"

_own = threading.local()


class Budget(Protocol):
    """The CPU time that the grader may spend on a submission."""

    @property
    def seconds_left(self) -> float:
        """The seconds that may still be spent."""

    def charge(self, seconds: float) -> None:
        """Count seconds that were spent."""


class FormulaBudget:
    """A budget for formulas alone."""

    def __init__(self) -> None:
        """Start with ALL_SECONDS."""
        self.seconds_left = ALL_SECONDS

    def charge(self, seconds: float) -> None:
        """Count seconds that were spent."""
        self.seconds_left -= seconds


@contextlib.contextmanager
def elsewhere(budget: Budget | None = None) -> Iterator[None]:
    """Let this thread evaluate the formulas of one submission in another process meanwhile."""
    before = expressions.evaluation.values
    expressions.evaluation.values, _own.budget = _far_values, budget or FormulaBudget()
    try:
        yield
    finally:
        expressions.evaluation.values = before


def _far_values(texts: list[str], points: list[Mapping[str, float]]) -> list[list[float]]:
    """Ask this thread's process, begun when there is none; NotPlainError if it was ended."""
    process, seconds = getattr(_own, "process", None), min(SECONDS, _own.budget.seconds_left)
    if seconds <= 0:
        raise NotPlainError(TOO_LONG)
    if process is None or process.poll() is not None:
        process = _own.process = _begin()
    try:
        used, reply = _asked(process, [seconds, texts, points])
    except (OSError, ValueError):
        _own.budget.charge(seconds)
        process.kill()
        process.wait()
        raise NotPlainError(TOO_LONG) from None
    _own.budget.charge(used)
    if isinstance(reply, str):
        raise NotPlainError(reply)
    return [[float(value) for value in row] for row in reply]


def _asked(process: "subprocess.Popen[bytes]", request: Any) -> Any:
    asks, hears = process.stdin, process.stdout
    assert asks is not None
    assert hears is not None
    asks.write(json.dumps(request).encode() + b"\n")
    asks.flush()
    return json.loads(hears.readline())


def _begin() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-I", "-m", "autograder.judging.calculator"]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _answer(texts: list[str], points: list[Mapping[str, float]]) -> Any:
    try:
        values = expressions.near_values(texts, points)
    except NotPlainError as error:
        return str(error)
    return [[repr(value) for value in row] for row in values]


def main() -> None:
    """Answer one request a line, until there are no more."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.setrecursionlimit(10_000)  # there is little else on the stack
    for line in sys.stdin.buffer:
        seconds, texts, points = json.loads(line)
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # nobody handles its signal: it ends this process
        reply = _answer(texts, points)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(json.dumps([time.process_time() - begun, reply]), flush=True)


if __name__ == "__main__":
    main()
