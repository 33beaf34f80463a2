"""The untrusted side: a process that runs a student's cells and answers questions with plain data.

Started by `autograder.sandbox`; it never sees a secret case's answer, the reference or a gradebook. It runs a
cell (`run`) or evaluates a name and calls it on given inputs (`ask`), and replies with outputs and attempts.
What it says is data for the trusted side to judge: nothing here decides a score.
"""

import contextlib
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

from autograder import attempt, wire
from autograder.attempt import Attempt
from autograder.values import decode, encode

MAX_OUTPUT = 100_000
MAX_OUTPUTS = 50
SAFE_TYPES = ("text/plain", "image/png")


class OutOfTimeError(BaseException):
    """The cell has used its time; not an Exception, so that `except Exception` does not swallow it."""


def limit(memory_bytes: int, cpu_seconds: int, file_bytes: int) -> None:
    """Lower this process's own limits; they cannot be raised again."""
    for what, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the student's code when the time is up."""

    def stop(signum: int, frame: Any) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)  # and again, should the code swallow it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _make_shell() -> Any:
    """An IPython shell that keeps results and tracebacks as data instead of printing them."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell

    class ResultHook(DisplayHook):  # type: ignore[misc]
        def write_output_prompt(self) -> None:
            """The number is no part of the result."""

        def write_format_data(self, format_dict: dict[str, Any], md_dict: Any = None) -> None:
            self.shell.results.append(format_dict)

        def finish_displayhook(self) -> None:
            """Nothing was printed, so nothing needs flushing."""

    class NotebookShell(InteractiveShell):  # type: ignore[misc]
        displayhook_class = ResultHook
        results: list[dict[str, Any]] = []  # noqa: RUF012
        traceback: list[str] = []  # noqa: RUF012

        def enable_gui(self, gui: Any = None) -> None:
            """There is no window to open: figures are inline, as MPLBACKEND says."""

        def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
            self.traceback = stb

    shell = NotebookShell.instance(colors="NoColor")
    shell.history_manager.enabled = False
    return shell


class Runner:
    """Runs cells as a notebook would, magics and rich output included, without a kernel's start-up."""

    def __init__(self) -> None:
        """Make the shell."""
        self.shell = _make_shell()

    def run(self, source: str, seconds: float) -> dict[str, Any]:
        """Run one cell; return its outputs and whether it raised."""
        from IPython.utils.capture import capture_output

        self.shell.results, self.shell.traceback = [], []
        error: Any = None
        with capture_output(display=True) as captured:
            try:
                with time_limit(seconds):
                    result = self.shell.run_cell(source, store_history=True)
                error = result.error_before_exec or result.error_in_exec
            except OutOfTimeError as late:
                error = late
        if isinstance(error, OutOfTimeError):
            error = OutOfTimeError(f"the cell took longer than {seconds:g} s")
            self.shell.traceback = []
        outputs = _outputs(captured) + [_rich("execute_result", data) for data in self.shell.results]
        if error is not None:
            outputs.append(_error(error, self.shell.traceback))
        return {"outputs": [output for output in outputs if output][:MAX_OUTPUTS]}

    def ask(self, expression: str, calls: list[Any] | None, seconds: float) -> dict[str, Any]:
        """Evaluate the expression (a name, usually); call it on each set of inputs if calls are given."""
        from IPython.utils.capture import capture_output

        with capture_output():
            attempts = self._attempts(expression, calls, seconds)
        return {"attempts": [_message(made) for made in attempts]}

    def _attempts(self, expression: str, calls: list[Any] | None, seconds: float) -> list[Attempt]:
        number = 1 if calls is None else len(calls)
        try:
            with time_limit(seconds):
                answer = eval(compile(expression, "<check>", "eval"), self.shell.user_ns)
        except OutOfTimeError:
            return [_too_slow(seconds)] * number
        except BaseException:
            missing = f"`{expression}` is not defined: the cell that defines it is missing or did not run"
            return [Attempt(problem="missing", message=missing)] * number
        if calls is None:
            return [attempt.value(answer)]
        if not callable(answer):
            return [Attempt(problem="wrong form", message=f"`{expression}` should be a function")] * number
        return [self._call(answer, inputs, seconds) for inputs in calls]

    def _call(self, function: Any, inputs: Any, seconds: float) -> Attempt:
        try:
            with time_limit(seconds):
                return attempt.call(function, decode(inputs))
        except OutOfTimeError:
            return _too_slow(seconds)
        except BaseException as error:  # SystemExit and its like end nothing here
            return Attempt(problem="raised", message=type(error).__name__)


def _too_slow(seconds: float) -> Attempt:
    return Attempt(problem="too slow", message=f"the answer took longer than {seconds:g} s")


def _message(made: Attempt) -> dict[str, Any]:
    return {"value": encode(made.value), "problem": made.problem, "message": made.message}


def _outputs(captured: Any) -> list[dict[str, Any] | None]:
    """What a cell printed and displayed, in notebook format: text and pictures only, bounded."""
    outputs: list[dict[str, Any] | None] = [
        {"output_type": "stream", "name": name, "text": text[:MAX_OUTPUT]}
        for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr))
        if text
    ]
    return outputs + [_rich("display_data", rich.data) for rich in captured.outputs[:MAX_OUTPUTS]]


def _rich(kind: str, bundle: Any) -> dict[str, Any] | None:
    data = {name: text for name, text in bundle.items() if name in SAFE_TYPES and isinstance(text, str)}
    return {"output_type": kind, "data": data, "metadata": {}} if data else None


def _error(error: BaseException, traceback: list[str]) -> dict[str, Any]:
    name, text = type(error).__name__, _safe_text(error)
    return {
        "output_type": "error",
        "ename": name,
        "evalue": text,
        "traceback": traceback or [f"{name}: {text}"],
    }


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)[:2000]
    except BaseException:
        return ""


def serve(channel: socket.socket) -> None:
    """Answer requests until the other side hangs up."""
    runner = Runner()
    wire.send(channel, {"ready": True})
    while True:
        request = wire.receive(channel)
        if request["op"] == "run":
            wire.send(channel, runner.run(request["source"], request["seconds"]))
        else:
            _question(runner, channel, request["seconds"])


def _question(runner: Runner, channel: socket.socket, seconds: float) -> None:
    """Let a forked copy take one question and end: what it was asked is never seen by later cells."""
    copy = os.fork()
    if copy == 0:
        with contextlib.suppress(BaseException):
            request = wire.receive(channel)
            wire.send(channel, runner.ask(request["expression"], request["calls"], request["seconds"]))
        os._exit(0)
    _wait(copy, seconds)
    wire.send(channel, {"done": True})


def _wait(child: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.002)


def main() -> None:
    """Entry point: FD MEMORY CPU FILE, as `autograder.sandbox` passes them."""
    descriptor, memory, cpu, file = (int(argument) for argument in sys.argv[1:5])
    limit(memory, cpu, file)
    with contextlib.suppress(wire.WireError):
        serve(socket.socket(fileno=descriptor))
    os._exit(0)  # whatever threads or exit handlers the student's code left behind


if __name__ == "__main__":
    main()
