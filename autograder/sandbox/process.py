"""The grader's handle on one student's process: run cells, call functions, end it.

Every reply is parsed as untrusted data (`autograder.sandbox.untrusted`): known types, bounded sizes.
"""

import base64
import contextlib
import json
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from autograder.answers.attempt import Call, CallResult
from autograder.answers.raised import RaisedError, read_error
from autograder.answers.values import UnsupportedAnswerError, decode, encode
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import CLOSING_SECONDS, MIN_PROCESS_SECONDS, WALL_CLOCK_FACTOR, Limits
from autograder.sandbox.untrusted import OutputQuota, read_attempts, read_outputs, too_slow

REPLY_GRACE_SECONDS = 3.0
START_TIMEOUT_SECONDS = 180.0  # generous, for a busy machine
CLOCK_MARGIN_SECONDS = 0.05  # closer than this to a limit, contention is not queried again
MAX_ORACLE_CALLS = 60  # calls of stubs while one function is tested; an honest one makes a few per case

CallOracle = Callable[[str, list[object], dict[str, object]], CallResult]
Fork = Callable[[dict[str, object]], tuple[socket.socket, socket.socket]]


class StartError(RuntimeError):
    """A student's process could not start.

    The student is not to blame: no code of theirs has run.
    """


class StudentProcess(Closing):
    """A confined process with one student's code.

    Use as a context manager. Leaving it kills the process and all its descendants.
    """

    def __init__(
        self,
        fork: Fork,
        files: Mapping[str, bytes],
        limits: Limits,
        *,
        confined: bool,
        budget: Budget | None = None,
    ) -> None:
        """Fork the process and send it the files; raise StartError if that fails."""
        self.limits, self._budget = limits, budget
        self.end_reason: str | None = None
        self.is_late, self._output_quota = False, OutputQuota()
        self.cell_error: RaisedError | None = None  # the exception of the last cell
        self.cpu_seconds = 0.0
        self.begun = self._idle_since = time.monotonic()
        self._idle_seconds = self._contended_seconds = 0.0
        self.folder = "" if confined else tempfile.mkdtemp(prefix="dimred-")
        self.channel, self.lifeline = fork(
            {**asdict(limits), "cpu_seconds": limits.cpu_seconds, "folder": self.folder}
        )
        self._end_at = self._min_end_at = START_TIMEOUT_SECONDS
        self._send({"files": {name: base64.b64encode(data).decode() for name, data in files.items()}})
        self._receive(START_TIMEOUT_SECONDS)
        if self.end_reason and not (budget and budget.is_spent):
            raise StartError(f"a process for the student's program could not be started ({self.end_reason})")
        self._end_at = self.running_seconds + limits.notebook_seconds
        self._min_end_at = self.running_seconds + MIN_PROCESS_SECONDS
        if budget:
            budget.add_process(lambda: self.charged_seconds)

    @property
    def running_seconds(self) -> float:
        """Seconds in which the grader waited for it, minus contended seconds."""
        return self._wall_seconds - self._contended_seconds

    @property
    def charged_seconds(self) -> float:
        """Seconds charged to the submission.

        The CPU time counts if it is larger: threads may compute while the grader does not wait for the process.
        """
        return max(self.running_seconds, self.cpu_seconds)

    @property
    def _wall_seconds(self) -> float:
        return (self._idle_since or time.monotonic()) - self.begun - self._idle_seconds

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs, parsed as untrusted data."""
        self._send({"op": "run", "source": source, "seconds": self.limits.cell_seconds})
        reply = self._receive(self.limits.answer_timeout(1) + REPLY_GRACE_SECONDS)
        late = RaisedError("TimeLimitError", f"the cell took longer than {self.limits.cell_seconds:g} s")
        self.cell_error = late if reply.get("late") is True else read_error(reply.get("error"))
        return self._output_quota.trim(read_outputs(reply.get("outputs")))

    def draw_no_figures(self) -> None:
        """Switch matplotlib to a backend that draws nothing, for runs without output."""
        self._send({"op": "no figures"})
        self._receive(START_TIMEOUT_SECONDS)

    def ask(self, expression: str, calls: list[Call] | None) -> list[CallResult]:
        """Evaluate the expression; with `calls`, call its value on each set of inputs."""
        return self._read_results(self._ask("ask", expression, calls), _count_calls(calls))

    def ask_captured(self, expression: str, calls: list[Call]) -> list[CallResult]:
        """Call the object that the first `ask` found under this expression.

        Cells run since then may have changed the globals that it uses.
        """
        return self._read_results(self._ask("ask again", expression, calls), len(calls))

    def ask_in_fork(self, expression: str, calls: list[Call]) -> list[CallResult]:
        """Ask a forked copy, so that later cells run in an unchanged process."""
        seconds = self._answer_timeout(calls)
        self._send({"op": "fork", "seconds": seconds})
        reply = self._ask("ask", expression, calls)
        if not reply.get("done"):
            self._receive(seconds + REPLY_GRACE_SECONDS)  # the copy has answered; wait until it has ended
        return self._read_results(reply, len(calls))

    def ask_with_stubs(
        self, expression: str, calls: list[Call], names: list[str], oracle: CallOracle
    ) -> list[CallResult]:
        """Ask while the named earlier functions are replaced by stubs.

        A stub sends its arguments here and gets the oracle's answer, at most MAX_ORACLE_CALLS times.
        """
        encoded = [_encode_call(call) for call in calls]
        seconds = self.limits.cell_seconds
        self._send(
            {"op": "lean", "expression": expression, "seconds": seconds, "calls": encoded, "names": names}
        )
        for _ in range(MAX_ORACLE_CALLS):
            reply = self._receive(self._answer_timeout(calls) + REPLY_GRACE_SECONDS)
            if "wants" not in reply:
                return self._read_results(reply, len(calls))
            with (
                self._counting_time()
            ):  # the time counts: another thread of the process may compute meanwhile
                answer = _answer_stub(reply, names, oracle)
            self._send(answer)
        self._end("it asked for earlier functions too often")
        return read_attempts(None, len(calls), self.end_reason)

    def _read_results(self, reply: dict[str, object], number: int) -> list[CallResult]:
        """Read the call results of a reply, 'too slow' if it timed out."""
        if reply.get("late") is True and "attempts" not in reply:
            return too_slow(self.limits.cell_seconds, number)
        return read_attempts(reply.get("attempts"), number, self.end_reason)

    def _ask(self, op: str, expression: str, calls: list[Call] | None) -> dict[str, object]:
        encoded = None if calls is None else [_encode_call(call) for call in calls]
        seconds = self.limits.cell_seconds
        self._send({"op": op, "expression": expression, "seconds": seconds, "calls": encoded})
        return self._receive(self._answer_timeout(calls) + REPLY_GRACE_SECONDS)

    def _answer_timeout(self, calls: list[Call] | None) -> float:
        return self.limits.answer_timeout(_count_calls(calls)) + REPLY_GRACE_SECONDS

    def _send(self, message: dict[str, object]) -> None:
        if not self.end_reason:
            try:
                with self._counting_time():  # sending waits as well if the process does not read
                    wire.send(self.channel, message, self._time_left(START_TIMEOUT_SECONDS))
            except wire.WireError as error:
                self._end_with(error)

    def _receive(self, seconds: float) -> dict[str, object]:
        if self.end_reason:
            return {}
        try:
            with self._counting_time():
                return self._receive_within_budget(seconds)
        except wire.WireError as error:
            self._end_with(error)
            return {"late": True} if self.is_late else {}

    def _end_with(self, error: wire.WireError) -> None:
        self.is_late = isinstance(error, wire.ReplyTimeoutError)
        self._end(str(error))

    def _receive_within_budget(self, seconds: float) -> dict[str, object]:
        if self._budget is None:
            return wire.receive(self.channel, self._time_left(seconds))
        self._budget.require()
        return wire.receive(self.channel, self._time_left(seconds), self._budget.receive)

    @contextlib.contextmanager
    def _counting_time(self) -> Iterator[None]:
        """Count the time inside the block; time outside it is idle time."""
        self._idle_seconds += time.monotonic() - self._idle_since
        self._idle_since = 0.0
        try:
            yield
        finally:
            self._idle_since = time.monotonic()

    def _time_left(self, seconds: float) -> wire.TimeLeft:
        """Return a function that counts down these seconds and the remaining budget.

        When they seem to be used up, it queries the contention and does not count contended seconds.
        """
        end_at = min(self.running_seconds + seconds, self._end_at, self._shared_end_at)
        abandon_at = min(self._wall_seconds + WALL_CLOCK_FACTOR * seconds, WALL_CLOCK_FACTOR * self._end_at)

        def left() -> float:
            if self.running_seconds >= end_at - CLOCK_MARGIN_SECONDS:
                self._contended_seconds = self._query_contention()
            return min(end_at - CLOCK_MARGIN_SECONDS - self.running_seconds, abandon_at - self._wall_seconds)

        return left

    @property
    def _shared_end_at(self) -> float:
        """Running seconds at which the submission's budget is used up.

        A process that started late has MIN_PROCESS_SECONDS all the same.
        """
        left = self._budget.process_seconds_left if self._budget else self.limits.notebook_seconds
        return max(self.running_seconds + left, self._min_end_at)

    def _query_contention(self) -> float:
        """Ask the fork server for the contended seconds; keep the last value on error."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            self.lifeline.settimeout(START_TIMEOUT_SECONDS)
            self.lifeline.sendall(b"?")
            return float(json.loads(self.lifeline.recv(4096))["taken"])
        return self._contended_seconds

    def _end(self, why: str) -> None:
        self.end_reason = why
        self.close()

    def close(self) -> None:
        """Shut down the lifeline and wait for the fork server to kill the process.

        The fork server kills its descendants as well, and reports the CPU and contended seconds.
        """
        self.channel.close()
        with contextlib.suppress(OSError, ValueError), self._counting_time():
            self.lifeline.shutdown(socket.SHUT_WR)
            self.lifeline.settimeout(CLOSING_SECONDS)
            used = json.loads(self.lifeline.recv(4096))
            self.cpu_seconds, self._contended_seconds = float(used["cpu"]), float(used["taken"])
        self.lifeline.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _answer_stub(request: dict[str, object], names: list[str], oracle: CallOracle) -> dict[str, object]:
    """Answer the request of a stub, which is untrusted data."""
    name = request["wants"]
    if name not in names:
        return {"refused": "no such function"}
    try:
        positional, named = decode(request.get("positional")), decode(request.get("named"))
    except UnsupportedAnswerError as error:
        return {"refused": str(error)}
    if (
        not isinstance(positional, list)
        or not isinstance(named, dict)
        or not all(map(str.isidentifier, named))
    ):
        return {"refused": "the arguments cannot be read"}
    result = oracle(name, positional, named)
    return (
        {"refused": result.message or result.problem} if result.problem else {"answer": encode(result.value)}
    )


def _encode_call(call: Call) -> object:
    return encode({name: dict(part) for name, part in vars(call).items()})


def _count_calls(calls: list[Call] | None) -> int:
    return 1 if calls is None else len(calls)
