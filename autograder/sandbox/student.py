"""The untrusted side: a process that runs a student's cells and answers questions with plain data.

Forked by the warm parent; it never sees a secret case's answer, the reference or a gradebook. It runs a
cell (`run`) or evaluates a name and calls it on given inputs (`ask`), and replies with outputs and attempts.
What it says is data for the trusted side to judge: nothing here decides a score.
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
from autograder.answers.attempt import Attempt
from autograder.answers.raised import raised_error
from autograder.answers.stand_in import asking, standing_in
from autograder.answers.values import decode, encode, plain
from autograder.sandbox import wire
from autograder.sandbox.limits import BACKSTOP

MAX_OUTPUT = 100_000
MAX_OUTPUTS = 50
SAFE_TYPES = ("text/plain", "image/png")
# For each call after one that was too slow: what never ends on one case rarely ends on another, and a function that
# is quick elsewhere keeps its share.
SECONDS_AFTER_LATE = 1.0


class OutOfTimeError(BaseException):
    """The cell has used its time; not an Exception, so that `except Exception` does not swallow it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the student's code when its time is up; while others have its core, none passes."""
    begun, waited = time.monotonic(), _waited()

    def stop(signum: int, frame: Any) -> None:
        lasted = time.monotonic() - begun
        left = seconds - (lasted - (_waited() - waited))
        if left <= 0.01 or lasted > BACKSTOP * seconds:
            raise OutOfTimeError
        signal.setitimer(signal.ITIMER_REAL, left, 0.2)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)  # and again, should the code swallow it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _waited(who: str = "thread-self") -> float:
    """For how many seconds a thread was ready to run while others had the core; 0 where nobody counts that."""
    try:
        file = os.open(f"/proc/{who}/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    finally:
        os.close(file)


def _make_shell() -> Any:
    """An IPython shell that keeps results and tracebacks as data instead of printing them."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

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

    config = Config()
    config.HistoryManager.enabled = (
        False  # its thread would not survive a fork, and its file is not ours to keep
    )
    # a tight frame is found by drawing everything twice; the last tenth of compression takes half of its time
    config.InlineBackend.print_figure_kwargs = {"bbox_inches": None, "pil_kwargs": {"compress_level": 1}}
    # the default tracebacks parse every file on the way, half a second for one that passes through matplotlib
    return NotebookShell.instance(config=config, colors="NoColor", xmode="Plain")


def check(task: str, answer: Any) -> float:
    """What `from autograder import check` gives here: the notebook is judged elsewhere, later."""
    print(f"{task}: judged when the notebook is graded")
    return 0.0


class Runner:
    """Runs cells as a notebook would, magics and rich output included, without a kernel's start-up."""

    def __init__(self) -> None:
        """Make the shell."""
        self.shell = _make_shell()
        vars(autograder)["check"] = check  # the engine's own would bring the judging side into this process
        self.answers: dict[str, Any] = {}  # what each question found, for further calls at the end

    def forget(self) -> None:
        """Start over with an empty namespace."""
        self.shell.reset(new_session=True)
        self.shell.execution_count = 1

    def run(self, source: str, seconds: float) -> dict[str, Any]:
        """Run one cell; return its outputs."""
        self.shell.results, self.shell.traceback = [], []
        error: Any = None
        with _captured() as captured:
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
        raised = vars(raised_error(error)) if error is not None else None
        return {"outputs": [output for output in outputs if output][:MAX_OUTPUTS], "error": raised}

    def ask(self, expression: str, calls: list[Any] | None, seconds: float) -> dict[str, Any]:
        """Evaluate the expression (a name, usually); call it on each set of inputs if calls are given."""
        with _captured():
            attempts = self._attempts(expression, calls, seconds)
        return {"attempts": [_message(made) for made in attempts]}

    def ask_again(self, expression: str, calls: list[Any], seconds: float) -> dict[str, Any]:
        """Call what the expression was when it was asked first, whatever later cells made of the name."""
        with _captured():
            attempts = self._calls(expression, self.answers[expression], calls, seconds)
        return {"attempts": [_message(made) for made in attempts]}

    def lean(self, request: dict[str, Any], channel: socket.socket) -> dict[str, Any]:
        """Call a function with stand-ins for earlier ones that ask the other side.

        A call that is late ends them all.
        """

        def oracle(name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
            wire.send(
                channel,
                {"wants": name, "positional": encode(plain(list(positional))), "named": encode(plain(named))},
            )
            reply = wire.receive(channel)
            if "answer" not in reply:
                raise RuntimeError(str(reply.get("refused", "no answer")))
            return decode(reply["answer"])

        function, made = self.shell.user_ns.get(request["expression"]), []
        with _captured():
            for call in request["calls"]:
                with asking(function, request["names"], oracle):
                    made.append(self._call(function, call, request["seconds"]))
                if made[-1].problem == "too slow":
                    break
        rest = [_too_slow(request["seconds"])] * (len(request["calls"]) - len(made))
        return {"attempts": [_message(one) for one in [*made, *rest]]}

    def _attempts(self, expression: str, calls: list[Any] | None, seconds: float) -> list[Attempt]:
        number = 1 if calls is None else len(calls)
        try:
            with time_limit(seconds):
                answer = eval(compile(expression, "<check>", "eval"), self.shell.user_ns)
        except OutOfTimeError:
            return [_too_slow(seconds)] * number
        except BaseException:
            missing = f"`{expression}` is not defined: no cell that ran defines it"
            return [Attempt(problem="missing", message=missing)] * number
        self.answers[expression] = answer
        if calls is None:
            return [attempt.value(answer)]
        return self._calls(expression, answer, calls, seconds)

    def _calls(self, expression: str, answer: Any, calls: list[Any], seconds: float) -> list[Attempt]:
        if not callable(answer):
            wrong = Attempt(problem="wrong form", message=f"`{expression}` should be a function")
            return [wrong] * len(calls)
        attempts: list[Attempt] = []
        for call in calls:
            is_late = any(made.problem == "too slow" for made in attempts)
            attempts.append(
                self._call(answer, call, min(seconds, SECONDS_AFTER_LATE) if is_late else seconds)
            )
        return attempts

    def _call(self, function: Any, encoded: Any, seconds: float) -> Attempt:
        call = decode(encoded)
        try:
            with standing_in(function, call["given"]), time_limit(seconds):
                return attempt.call(function, call["inputs"])
        except OutOfTimeError:
            return _too_slow(seconds)
        except BaseException as error:  # SystemExit and its like end nothing here
            return attempt.raised(error)


def _too_slow(seconds: float) -> Attempt:
    return Attempt(problem="too slow", message=f"your answer took longer than {seconds:g} s")


def _message(made: Attempt) -> dict[str, Any]:
    said = {"problem": made.problem, "message": made.message, "error": made.error and vars(made.error)}
    return {"value": encode(made.value), "changed": list(made.changed), **said}


class BoundedText(io.StringIO):
    """Keeps the first characters written to it and forgets the rest."""

    def write(self, text: str) -> int:
        """Pretend to write all of it."""
        if self.tell() < MAX_OUTPUT:
            super().write(str(text)[: MAX_OUTPUT - self.tell()])
        return len(text)


@dataclass
class Captured:
    """What a cell printed and displayed."""

    out: BoundedText
    err: BoundedText
    outputs: list[Any]


@contextlib.contextmanager
def _captured() -> Iterator[Captured]:
    """Collect what is printed and displayed meanwhile, bounded."""
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


def _outputs(captured: Any) -> list[dict[str, Any] | None]:
    """What a cell printed and displayed, in notebook format: text and pictures only, bounded."""
    outputs: list[dict[str, Any] | None] = [
        {"output_type": "stream", "name": name, "text": text}
        for name, text in (("stdout", captured.out.getvalue()), ("stderr", captured.err.getvalue()))
        if text
    ]
    return outputs + [_rich("display_data", rich["data"]) for rich in captured.outputs[:MAX_OUTPUTS]]


def _rich(kind: str, bundle: Any) -> dict[str, Any] | None:
    data = {name: _as_text(value) for name, value in bundle.items() if name in SAFE_TYPES}
    return {"output_type": kind, "data": data, "metadata": {}} if data else None


def _as_text(value: Any) -> str:
    """Notebooks hold pictures as base64 text."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


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


def serve(channel: socket.socket, runner: Runner) -> None:
    """Take the submission's files, then answer requests until the other side hangs up."""
    for name, data in wire.receive(channel)["files"].items():
        Path(name).write_bytes(base64.b64decode(data))
    wire.send(channel, {"ready": True})
    while True:
        request = wire.receive(channel)
        if request["op"] == "no figures":
            _draw_no_figures()
            wire.send(channel, {"done": True})
        elif request["op"] == "fork":
            _fork_for_one_question(runner, channel, request["seconds"])
        else:
            _answer(runner, channel, request)


def _draw_no_figures() -> None:
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("template")  # a backend that does nothing


def _answer(runner: Runner, channel: socket.socket, request: dict[str, Any]) -> None:
    if request["op"] == "run":
        wire.send(channel, runner.run(request["source"], request["seconds"]))
    elif request["op"] == "lean":
        wire.send(channel, runner.lean(request, channel))
    else:
        ask = runner.ask_again if request["op"] == "ask again" else runner.ask
        wire.send(channel, ask(request["expression"], request["calls"], request["seconds"]))


def _fork_for_one_question(runner: Runner, channel: socket.socket, seconds: float) -> None:
    """Let a copy take one question and end: what it was asked is never seen by later cells."""
    copy = os.fork()
    if copy == 0:
        with contextlib.suppress(BaseException):
            _answer(runner, channel, wire.receive(channel))
        os._exit(0)
    is_late = _wait(copy, seconds)
    wire.send(channel, {"done": True, "late": is_late})


def _wait(child: int, seconds: float) -> bool:
    """Wait until the copy ends by itself or has had its time; return whether it was killed.

    It is rarely looked at if it takes long, to leave it the core.
    """
    is_late = False
    begun = time.monotonic()
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        lasted = time.monotonic() - begun
        if lasted - _waited(str(child)) > seconds:
            os.kill(child, signal.SIGKILL)
            is_late = True
        time.sleep(min(max(0.002, lasted / 20), 0.1))
    return is_late
