"""Evaluate students' formulas in a subprocess with limits on time and memory.

`expressions` bounds formulas before it evaluates them; the process limits are a second line of defence. Notebooks and
the browser evaluate in their own process, where a slow formula delays only its author.
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

from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import expressions

PART_CPU_SECONDS = 10.0  # for one part of an answer
SUBMISSION_CPU_SECONDS = 30.0  # for all formulas of a submission, where the grader gives no budget
MAX_MEMORY_BYTES = 2**30
FORMULA_TIMEOUT_MESSAGE = "the formulas of the answer take too long to evaluate"

_thread = threading.local()


class TimeBudget(Protocol):
    """The CPU time that the grader may spend on one submission."""

    @property
    def seconds_left(self) -> float:
        """Return the seconds that may still be spent."""

    def charge(self, seconds: float) -> None:
        """Subtract seconds that were spent."""


class FormulaBudget:
    """A time budget for the formulas of one submission."""

    def __init__(self) -> None:
        """Start with SUBMISSION_CPU_SECONDS."""
        self.seconds_left = SUBMISSION_CPU_SECONDS

    def charge(self, seconds: float) -> None:
        """Subtract seconds that were spent."""
        self.seconds_left -= seconds


@contextlib.contextmanager
def formulas_in_subprocess(budget: TimeBudget | None = None) -> Iterator[None]:
    """Evaluate the formulas of this thread in a subprocess, within a budget."""
    before = expressions.evaluation.values
    expressions.evaluation.values, _thread.budget = _values_in_subprocess, budget or FormulaBudget()
    try:
        yield
    finally:
        expressions.evaluation.values = before


def _values_in_subprocess(texts: list[str], points: list[Mapping[str, float]]) -> list[list[float]]:
    """Evaluate formulas in this thread's subprocess, started on first use.

    Raise UnsupportedAnswerError if the kernel ended the process or the budget is used up.
    """
    process, seconds = getattr(_thread, "process", None), min(PART_CPU_SECONDS, _thread.budget.seconds_left)
    if seconds <= 0:
        raise UnsupportedAnswerError(FORMULA_TIMEOUT_MESSAGE)
    if process is None or process.poll() is not None:
        process = _thread.process = _start_process()
    try:
        used, reply = _send_request(process, [seconds, texts, points])
    except (OSError, ValueError):
        _thread.budget.charge(seconds)
        process.kill()
        process.wait()
        raise UnsupportedAnswerError(FORMULA_TIMEOUT_MESSAGE) from None
    _thread.budget.charge(used)
    if isinstance(reply, str):
        raise UnsupportedAnswerError(reply)
    return [[float(value) for value in row] for row in reply]


def _send_request(process: "subprocess.Popen[bytes]", request: object) -> Any:
    requests, replies = process.stdin, process.stdout
    assert requests is not None
    assert replies is not None
    requests.write(json.dumps(request).encode() + b"\n")
    requests.flush()
    return json.loads(replies.readline())


def _start_process() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-I", "-m", "autograder.judging.formula_process"]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _answer(texts: list[str], points: list[Mapping[str, float]]) -> object:
    try:
        values = expressions.near_values(texts, points)
    except UnsupportedAnswerError as error:
        return str(error)
    return [[repr(value) for value in row] for row in values]


def main() -> None:
    """Answer one request per line until standard input ends."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    sys.setrecursionlimit(10_000)  # evaluation is recursive, and little else is on the stack
    for line in sys.stdin.buffer:
        seconds, texts, points = json.loads(line)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # its signal has no handler, so it ends this process
        reply = _answer(texts, points)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(json.dumps([time.process_time() - start, reply]), flush=True)


if __name__ == "__main__":
    main()
