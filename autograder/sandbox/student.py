"""The student's process: run cells and answer requests with plain data.

The fork server forks it. It never sees the answer of a secret case, the reference or a gradebook. It runs a cell
(`run`) or evaluates an expression and calls its value (`ask`), and replies with outputs and call results.
Its replies are untrusted data that the grader judges; no score is decided here.
"""

import base64
import contextlib
import io
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograder
from autograder.answers import attempt
from autograder.answers.attempt import CallResult
from autograder.answers.raised import raised_error
from autograder.answers.stubs import oracle_stubs, table_stubs
from autograder.answers.values import decode, encode, to_plain_data
from autograder.errors import TimeLimitError
from autograder.sandbox import wire
from autograder.sandbox.limits import WALL_CLOCK_FACTOR

MAX_OUTPUT_CHARACTERS = 100_000
MAX_OUTPUTS = 50
SAFE_TYPES = ("text/plain", "image/png")
# Limit of each call after one that was too slow. A function that never ends on one case rarely ends on another, and one
# that is fast on the other cases still gets their points.
SECONDS_AFTER_LATE = 1.0


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the student's code when its time is up.

    Time that the thread waited for a core does not count, up to WALL_CLOCK_FACTOR times the limit.
    """
    start, waited_before = time.monotonic(), _read_waiting_seconds()

    def stop(signum: int, frame: object) -> None:
        elapsed = time.monotonic() - start
        left = seconds - (elapsed - (_read_waiting_seconds() - waited_before))
        if left <= 0.01 or elapsed > WALL_CLOCK_FACTOR * seconds:
            raise TimeLimitError
        signal.setitimer(signal.ITIMER_REAL, left, 0.2)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)  # repeated, in case the code catches the exception
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _read_waiting_seconds(thread: str = "thread-self") -> float:
    """Return the seconds a thread has waited for a core; 0 without schedstat."""
    try:
        file = os.open(f"/proc/{thread}/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    finally:
        os.close(file)


def _make_shell() -> Any:
    """Create an IPython shell that stores results and tracebacks instead of printing."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class ResultHook(DisplayHook):  # type: ignore[misc]
        def write_output_prompt(self) -> None:
            """Write nothing: the output number is not part of the result."""

        def write_format_data(self, format_dict: dict[str, object], md_dict: object = None) -> None:
            self.shell.results.append(format_dict)

        def finish_displayhook(self) -> None:
            """Do nothing: no output was printed that needs flushing."""

    class NotebookShell(InteractiveShell):  # type: ignore[misc]
        displayhook_class = ResultHook
        results: list[dict[str, Any]] = []  # noqa: RUF012
        traceback: list[str] = []  # noqa: RUF012

        def enable_gui(self, gui: object = None) -> None:
            """Do nothing: MPLBACKEND selects inline figures already."""

        def _showtraceback(self, etype: object, evalue: object, stb: list[str]) -> None:
            self.traceback = stb

    config = Config()
    config.HistoryManager.enabled = (
        False  # its thread would not survive a fork, and no history file is needed
    )
    # a tight bounding box draws every figure twice; high compression saves a tenth of the bytes for twice the time
    config.InlineBackend.print_figure_kwargs = {"bbox_inches": None, "pil_kwargs": {"compress_level": 1}}
    # default tracebacks parse the source of every frame: half a second if matplotlib is among them
    return NotebookShell.instance(config=config, colors="NoColor", xmode="Plain")


def silent_check(task: str, answer: object) -> float:
    """Replace `autograder.check` in this process: the grader judges later."""
    print(f"{task}: judged when the notebook is graded")
    return 0.0


def silent_hint(task: str, level: int = 1, answer: object = None) -> None:
    """Replace `autograder.hint` in this process: the grader reads in the cells which hints were asked for."""


class Runner:
    """Run cells like a notebook, with magics and rich output, without a kernel."""

    def __init__(self) -> None:
        """Create the shell and replace `check` and `hint`."""
        self.shell = _make_shell()
        vars(autograder)["check"] = silent_check  # the real one would import judging code into this process
        vars(autograder)["hint"] = silent_hint
        self.answers: dict[str, Any] = {}  # value of each expression, for `ask_captured`

    def reset(self) -> None:
        """Empty the namespace and restart the cell numbers."""
        self.shell.reset(new_session=True)
        self.shell.execution_count = 1

    def run(self, source: str, seconds: float) -> dict[str, Any]:
        """Run one cell; return its outputs and its error."""
        self.shell.results, self.shell.traceback = [], []
        error: Any = None
        with _capture() as captured:
            try:
                with time_limit(seconds):
                    result = self.shell.run_cell(source, store_history=True)
                error = result.error_before_exec or result.error_in_exec
            except TimeLimitError as late:
                error = late
        if isinstance(error, TimeLimitError):
            error = TimeLimitError(f"the cell took longer than {seconds:g} s")
            self.shell.traceback = []
        outputs = _collect_outputs(captured) + [
            _rich_output("execute_result", data) for data in self.shell.results
        ]
        if error is not None:
            outputs.append(_error_output(error, self.shell.traceback))
        raised = vars(raised_error(error)) if error is not None else None
        return {"outputs": [output for output in outputs if output][:MAX_OUTPUTS], "error": raised}

    def ask(self, expression: str, calls: list[Any] | None, seconds: float) -> dict[str, Any]:
        """Evaluate the expression, usually a name; with `calls`, call its value on each."""
        with _capture():
            attempts = self._evaluate(expression, calls, seconds)
        return {"attempts": [_encode_result(result) for result in attempts]}

    def ask_captured(self, expression: str, calls: list[Any], seconds: float) -> dict[str, Any]:
        """Call the value that the first `ask` stored, even if later cells rebound the name."""
        with _capture():
            attempts = self._call_each(expression, self.answers[expression], calls, seconds)
        return {"attempts": [_encode_result(result) for result in attempts]}

    def ask_with_stubs(self, request: dict[str, Any], channel: socket.socket) -> dict[str, Any]:
        """Call a function while stubs for earlier ones ask the grader.

        After a call that was too slow, the remaining calls are not made.
        """

        def oracle(name: str, positional: tuple[object, ...], named: dict[str, Any]) -> Any:
            wire.send(
                channel,
                {
                    "wants": name,
                    "positional": encode(to_plain_data(list(positional))),
                    "named": encode(to_plain_data(named)),
                },
            )
            reply = wire.receive(channel)
            if "answer" not in reply:
                raise RuntimeError(str(reply.get("refused", "no answer")))
            return decode(reply["answer"])

        function, results = self.shell.user_ns.get(request["expression"]), []
        with _capture():
            for call in request["calls"]:
                with oracle_stubs(function, request["names"], oracle):
                    results.append(self._call_once(function, call, request["seconds"]))
                if results[-1].problem == "too slow":
                    break
        skipped = [_too_slow(request["seconds"])] * (len(request["calls"]) - len(results))
        return {"attempts": [_encode_result(result) for result in [*results, *skipped]]}

    def _evaluate(self, expression: str, calls: list[Any] | None, seconds: float) -> list[CallResult]:
        number = 1 if calls is None else len(calls)
        try:
            with time_limit(seconds):
                answer = eval(compile(expression, "<check>", "eval"), self.shell.user_ns)
        except TimeLimitError:
            return [_too_slow(seconds)] * number
        except BaseException:
            missing = f"`{expression}` is not defined: no cell that ran defines it"
            return [CallResult(problem="missing", message=missing)] * number
        self.answers[expression] = answer
        if calls is None:
            return [attempt.value(answer)]
        return self._call_each(expression, answer, calls, seconds)

    def _call_each(
        self, expression: str, answer: object, calls: list[Any], seconds: float
    ) -> list[CallResult]:
        if not callable(answer):
            wrong = CallResult(problem="wrong form", message=f"`{expression}` should be a function")
            return [wrong] * len(calls)
        attempts: list[CallResult] = []
        for call in calls:
            is_late = any(result.problem == "too slow" for result in attempts)
            attempts.append(
                self._call_once(answer, call, min(seconds, SECONDS_AFTER_LATE) if is_late else seconds)
            )
        return attempts

    def _call_once(self, function: Any, encoded: Any, seconds: float) -> CallResult:
        call = decode(encoded)
        try:
            with table_stubs(function, call["stubs"]), time_limit(seconds):
                return attempt.call_answer(function, call["inputs"])
        except TimeLimitError:
            return _too_slow(seconds)
        except BaseException as error:  # SystemExit and KeyboardInterrupt must not end this process
            return attempt.raised(error)


def _too_slow(seconds: float) -> CallResult:
    return CallResult(problem="too slow", message=f"your answer took longer than {seconds:g} s")


def _encode_result(result: CallResult) -> dict[str, Any]:
    return {
        "value": encode(result.value),
        "changed": list(result.changed),
        "problem": result.problem,
        "message": result.message,
        "error": result.error and vars(result.error),
    }


class BoundedText(io.StringIO):
    """A text buffer that keeps the first MAX_OUTPUT_CHARACTERS and drops the rest."""

    def write(self, text: str) -> int:
        """Store what fits and report the whole text as written."""
        if self.tell() < MAX_OUTPUT_CHARACTERS:
            super().write(str(text)[: MAX_OUTPUT_CHARACTERS - self.tell()])
        return len(text)

    def close(self) -> None:
        """Do nothing, because the text is read after the cell has ended."""


@dataclass
class Captured:
    """Printed text and displayed objects of one cell."""

    out: BoundedText
    err: BoundedText
    outputs: list[Any]


@contextlib.contextmanager
def _capture() -> Iterator[Captured]:
    """Capture printed text and displayed objects inside the block."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    publisher = CapturingDisplayPublisher()
    before = sys.stdout, sys.stderr, shell.display_pub
    captured = Captured(BoundedText(), BoundedText(), publisher.outputs)
    sys.stdout, sys.stderr, shell.display_pub = captured.out, captured.err, publisher
    try:
        yield captured
    finally:
        sys.stdout, sys.stderr, shell.display_pub = before


def _collect_outputs(captured: Any) -> list[dict[str, Any] | None]:
    """Return the captured outputs in notebook format: bounded text and pictures."""
    outputs: list[dict[str, Any] | None] = [
        {"output_type": "stream", "name": name, "text": text}
        for name, text in (("stdout", captured.out.getvalue()), ("stderr", captured.err.getvalue()))
        if text
    ]
    return outputs + [_rich_output("display_data", rich["data"]) for rich in captured.outputs[:MAX_OUTPUTS]]


def _rich_output(kind: str, bundle: Any) -> dict[str, Any] | None:
    data = {name: _as_text(value) for name, value in bundle.items() if name in SAFE_TYPES}
    return {"output_type": kind, "data": data, "metadata": {}} if data else None


def _as_text(value: object) -> str:
    """Return text; encode the bytes of a picture as base64, like a notebook."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def _error_output(error: BaseException, traceback: list[str]) -> dict[str, Any]:
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


def serve_requests(channel: socket.socket, runner: Runner) -> None:
    """Receive the submission's files, then answer requests until the channel closes."""
    for name, data in wire.receive(channel)["files"].items():
        Path(name).write_bytes(base64.b64decode(data))
    wire.send(channel, {"ready": True})
    while True:
        request = wire.receive(channel)
        if request["op"] == "no figures":
            _draw_no_figures()
            wire.send(channel, {"done": True})
        elif request["op"] == "fork":
            _answer_in_fork(runner, channel, request["seconds"])
        else:
            _answer_request(runner, channel, request)


def _draw_no_figures() -> None:
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("template")  # a backend that does nothing


def _answer_request(runner: Runner, channel: socket.socket, request: dict[str, Any]) -> None:
    if request["op"] == "run":
        wire.send(channel, runner.run(request["source"], request["seconds"]))
    elif request["op"] == "lean":
        wire.send(channel, runner.ask_with_stubs(request, channel))
    else:
        ask = runner.ask_captured if request["op"] == "ask again" else runner.ask
        wire.send(channel, ask(request["expression"], request["calls"], request["seconds"]))


def _answer_in_fork(runner: Runner, channel: socket.socket, seconds: float) -> None:
    """Answer one request in a forked copy, so that later cells cannot see it."""
    copy = os.fork()
    if copy == 0:
        with contextlib.suppress(BaseException):
            _answer_request(runner, channel, wire.receive(channel))
        os._exit(0)
    is_late = _wait_for_fork(copy, seconds)
    wire.send(channel, {"done": True, "late": is_late})


def _wait_for_fork(child: int, seconds: float) -> bool:
    """Wait for the copy to end, and kill it at the time limit; return whether it was killed.

    The polling interval grows with the elapsed time, to leave the core to the copy.
    """
    is_late = False
    start = time.monotonic()
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        elapsed = time.monotonic() - start
        if elapsed - _read_waiting_seconds(str(child)) > seconds:
            os.kill(child, signal.SIGKILL)
            is_late = True
        time.sleep(min(max(0.002, elapsed / 20), 0.1))
    return is_late
