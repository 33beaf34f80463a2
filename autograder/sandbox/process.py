"""One student's code in a process of its own: run its cells, question it, end it.

What comes back is parsed as untrusted data (`autograder.sandbox.untrusted`): known types, bounded sizes.
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

from autograder.answers.attempt import Attempt, Call
from autograder.answers.raised import RaisedError, read_error
from autograder.answers.values import NotPlainError, decode, encode
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import BACKSTOP, MIN_PROCESS_SECONDS, Limits
from autograder.sandbox.untrusted import Room, read_attempts, read_outputs, too_slow

GRACE = 3.0
START = 180.0  # on a machine that has much else to do
CLOSE = 0.05  # seconds to the end of a limit at which nobody asks again what others took
MAX_WANTS = 60  # calls of earlier functions while one is judged: an honest one makes some for each case

Oracle = Callable[[str, list[Any], dict[str, Any]], Attempt]
Fork = Callable[[dict[str, Any]], tuple[socket.socket, socket.socket]]


class StartError(RuntimeError):
    """A student's process did not come to life: no fault of the student's, and nothing of theirs has run."""


class StudentProcess(Closing):
    """One student's code in a process of its own. Use as a context manager: leaving it kills everything."""

    def __init__(
        self,
        fork: Fork,
        files: Mapping[str, bytes],
        limits: Limits,
        *,
        confined: bool,
        budget: Budget | None = None,
    ) -> None:
        """Fork the process and hand it the files; StartError if that fails."""
        self.limits, self._budget = limits, budget
        self.ended: str | None = None
        self.is_late, self._room = False, Room()
        self.cell_error: RaisedError | None = None  # what the last cell raised
        self.cpu_seconds = 0.0
        self.begun = self._rests_since = time.monotonic()
        self._rested = self._taken = 0.0
        self.folder = "" if confined else tempfile.mkdtemp(prefix="dimred-")
        self.channel, self.lifeline = fork(
            {**asdict(limits), "cpu_seconds": limits.cpu_seconds, "folder": self.folder}
        )
        self._end_at = self._least_end_at = START
        self._send({"files": {name: base64.b64encode(data).decode() for name, data in files.items()}})
        self._receive(START)
        if self.ended and not (budget and budget.is_spent):
            raise StartError(f"a process for the student's program could not be started ({self.ended})")
        self._end_at = self.lasted + limits.notebook_seconds
        self._least_end_at = self.lasted + MIN_PROCESS_SECONDS
        if budget:
            budget.add_process(lambda: self.lasted)

    @property
    def lasted(self) -> float:
        """Seconds in which it was waited for, but for those in which others are known to have had its core."""
        return self._by_the_clock - self._taken

    @property
    def _by_the_clock(self) -> float:
        return (self._rests_since or time.monotonic()) - self.begun - self._rested

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs, parsed as untrusted data."""
        self._send({"op": "run", "source": source, "seconds": self.limits.cell_seconds})
        reply = self._receive(self.limits.patience(1) + GRACE)
        late = RaisedError("OutOfTimeError", f"the cell took longer than {self.limits.cell_seconds:g} s")
        self.cell_error = late if reply.get("late") is True else read_error(reply.get("error"))
        return self._room.kept(read_outputs(reply.get("outputs")))

    def draw_no_figures(self) -> None:
        """Let matplotlib draw nothing from now on: for runs whose pictures nobody sees."""
        self._send({"op": "no figures"})
        self._receive(START)

    def ask(self, expression: str, calls: list[Call] | None) -> list[Attempt]:
        """Return the value of the expression, or what it makes of each set of inputs."""
        return self._attempts_in(self._question("ask", expression, calls), _number(calls))

    def ask_again(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """The same, of what the expression was when it was asked first, and of the cells run since."""
        return self._attempts_in(self._question("ask again", expression, calls), len(calls))

    def ask_copy(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """Ask a forked copy: if the answer ends its process, or spoils it, the cells that follow do not suffer."""
        seconds = self._patience(calls)
        self._send({"op": "fork", "seconds": seconds})
        reply = self._question("ask", expression, calls)
        if not reply.get("done"):
            self._receive(seconds + GRACE)  # the copy has answered; wait until it has ended
        return self._attempts_in(reply, len(calls))

    def lean(self, expression: str, calls: list[Call], names: list[str], oracle: Oracle) -> list[Attempt]:
        """Ask, while earlier functions are stood in for.

        What it asks of them is answered by the oracle, so many times.
        """
        encoded = [_encoded(call) for call in calls]
        seconds = self.limits.cell_seconds
        self._send(
            {"op": "lean", "expression": expression, "seconds": seconds, "calls": encoded, "names": names}
        )
        for _ in range(MAX_WANTS):
            reply = self._receive(self._patience(calls) + GRACE)
            if "wants" not in reply:
                return self._attempts_in(reply, len(calls))
            with self._waited_for():  # a thread of the student's may compute meanwhile
                answer = _wanted(reply, names, oracle)
            self._send(answer)
        self._end("it asked for earlier functions too often")
        return read_attempts(None, len(calls), self.ended)

    def _attempts_in(self, reply: dict[str, Any], number: int) -> list[Attempt]:
        """Read the attempts; a process that was ended because it did not answer in time was too slow."""
        if reply.get("late") is True and "attempts" not in reply:
            return too_slow(self.limits.cell_seconds, number)
        return read_attempts(reply.get("attempts"), number, self.ended)

    def _question(self, op: str, expression: str, calls: list[Call] | None) -> dict[str, Any]:
        encoded = None if calls is None else [_encoded(call) for call in calls]
        seconds = self.limits.cell_seconds
        self._send({"op": op, "expression": expression, "seconds": seconds, "calls": encoded})
        return self._receive(self._patience(calls) + GRACE)

    def _patience(self, calls: list[Call] | None) -> float:
        return self.limits.patience(_number(calls)) + GRACE

    def _send(self, message: dict[str, Any]) -> None:
        if not self.ended:
            try:
                with self._waited_for():  # a process that does not listen keeps us waiting, too
                    wire.send(self.channel, message, self._within(START))
            except wire.WireError as error:
                self._end_by(error)

    def _receive(self, seconds: float) -> dict[str, Any]:
        if self.ended:
            return {}
        try:
            with self._waited_for():
                return self._receive_within_budget(seconds)
        except wire.WireError as error:
            self._end_by(error)
            return {"late": True} if self.is_late else {}

    def _end_by(self, error: wire.WireError) -> None:
        self.is_late = isinstance(error, wire.LateError)
        self._end(str(error))

    def _receive_within_budget(self, seconds: float) -> dict[str, Any]:
        if self._budget is None:
            return wire.receive(self.channel, self._within(seconds))
        self._budget.require()
        return wire.receive(self.channel, self._within(seconds), self._budget.receive)

    @contextlib.contextmanager
    def _waited_for(self) -> Iterator[None]:
        """Only now does its time pass: while its answers are judged, it has nothing to do."""
        self._rested += time.monotonic() - self._rests_since
        self._rests_since = 0.0
        try:
            yield
        finally:
            self._rests_since = time.monotonic()

    def _within(self, seconds: float) -> wire.Left:
        """So many seconds, and no more than the notebook has; when they seem to be over, ask what others took."""
        end_at = min(self.lasted + seconds, self._end_at, self._shared_end_at)
        given_up_at = min(self._by_the_clock + BACKSTOP * seconds, BACKSTOP * self._end_at)

        def left() -> float:
            if self.lasted >= end_at - CLOSE:
                self._taken = self._ask_what_others_took()
            return min(end_at - CLOSE - self.lasted, given_up_at - self._by_the_clock)

        return left

    @property
    def _shared_end_at(self) -> float:
        """When the submission's seconds are used up; a process that started late has its minimum."""
        left = self._budget.process_seconds_left if self._budget else self.limits.notebook_seconds
        return max(self.lasted + left, self._least_end_at)

    def _ask_what_others_took(self) -> float:
        """The nursery knows; what is known already if it has nothing more to say."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            self.lifeline.settimeout(START)
            self.lifeline.sendall(b"?")
            return float(json.loads(self.lifeline.recv(4096))["taken"])
        return self._taken

    def _end(self, why: str) -> None:
        self.ended = why
        self.close()

    def close(self) -> None:
        """Let go of the lifeline, which kills the process with all its descendants, and wait until it has."""
        self.channel.close()
        with contextlib.suppress(OSError, ValueError):
            self.lifeline.shutdown(socket.SHUT_WR)
            self.lifeline.settimeout(GRACE)
            used = json.loads(self.lifeline.recv(4096))
            self.cpu_seconds, self._taken = float(used["cpu"]), float(used["taken"])
        self.lifeline.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _wanted(request: dict[str, Any], names: list[str], oracle: Oracle) -> dict[str, Any]:
    """The answer to what a stand-in asks, from untrusted data."""
    name = request["wants"]
    if name not in names:
        return {"refused": "no such function"}
    try:
        positional, named = decode(request.get("positional")), decode(request.get("named"))
    except NotPlainError as error:
        return {"refused": str(error)}
    if (
        not isinstance(positional, list)
        or not isinstance(named, dict)
        or not all(map(str.isidentifier, named))
    ):
        return {"refused": "the arguments cannot be read"}
    made = oracle(name, positional, named)
    return {"refused": made.message or made.problem} if made.problem else {"answer": encode(made.value)}


def _encoded(call: Call) -> Any:
    return encode({name: dict(part) for name, part in vars(call).items()})


def _number(calls: list[Call] | None) -> int:
    return 1 if calls is None else len(calls)
