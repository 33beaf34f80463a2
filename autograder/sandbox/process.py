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
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from autograder.answers.attempt import Attempt, Call
from autograder.answers.values import NotPlainError, decode, encode
from autograder.sandbox import wire
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import Limits
from autograder.sandbox.untrusted import Room, read_attempts, read_outputs

GRACE = 3.0
START = 180.0  # on a machine that has much else to do
MAX_WANTS = 500  # calls of earlier functions while one function is judged

Oracle = Callable[[str, list[Any], dict[str, Any]], Attempt]
Fork = Callable[[dict[str, Any]], tuple[socket.socket, socket.socket]]


class StartError(RuntimeError):
    """A student's process did not come to life: no fault of the student's, and nothing of theirs has run."""


class StudentProcess(Closing):
    """One student's code in a process of its own. Use as a context manager: leaving it kills everything."""

    def __init__(self, fork: Fork, files: Mapping[str, bytes], limits: Limits, *, confined: bool) -> None:
        """Fork the process and hand it the files; StartError if that fails."""
        self.limits = limits
        self.ended: str | None = None
        self.is_late, self._room = False, Room()
        self.cpu_seconds = 0.0
        self.begun, self.closed = time.monotonic(), 0.0
        self.deadline = self.begun + START
        self.folder = "" if confined else tempfile.mkdtemp(prefix="dimred-")
        self.channel, self.lifeline = fork(
            {**asdict(limits), "cpu_seconds": limits.cpu_seconds, "folder": self.folder}
        )
        self._send({"files": {name: base64.b64encode(data).decode() for name, data in files.items()}})
        self._receive(START)
        if self.ended:
            raise StartError(f"a process for the student's program could not be started ({self.ended})")
        self.deadline = time.monotonic() + limits.notebook_seconds

    @property
    def lasted(self) -> float:
        """Seconds since its beginning, or until its end."""
        return (self.closed or time.monotonic()) - self.begun

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs, parsed as untrusted data."""
        self._send({"op": "run", "source": source, "seconds": self.limits.cell_seconds})
        reply = self._receive(self.limits.patience(1) + GRACE)
        return self._room.kept(read_outputs(reply.get("outputs")))

    def draw_no_figures(self) -> None:
        """Let matplotlib draw nothing from now on: for runs whose pictures nobody sees."""
        self._send({"op": "no figures"})
        self._receive(START)

    def ask(self, expression: str, calls: list[Call] | None) -> list[Attempt]:
        """Return the value of the expression, or what it makes of each set of inputs."""
        reply = self._question("ask", expression, calls)
        return read_attempts(reply.get("attempts"), _number(calls), self.ended)

    def ask_again(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """The same, of what the expression was when it was asked first, and of the cells run since."""
        reply = self._question("ask again", expression, calls)
        return read_attempts(reply.get("attempts"), _number(calls), self.ended)

    def ask_copy(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """Ask a forked copy: if the answer ends its process, or spoils it, the cells that follow do not suffer."""
        seconds = self._patience(calls)
        self._send({"op": "fork", "seconds": seconds})
        reply = self._question("ask", expression, calls)
        if not reply.get("done"):
            self._receive(seconds + GRACE)  # the copy has answered; wait until it has ended
        return read_attempts(reply.get("attempts"), _number(calls), self.ended)

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
                return read_attempts(reply.get("attempts"), len(calls), self.ended)
            self._send(_wanted(reply, names, oracle))
        self._end("it asked for earlier functions too often")
        return read_attempts(None, len(calls), self.ended)

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
                wire.send(self.channel, message)
            except wire.WireError as error:
                self._end(str(error))

    def _receive(self, seconds: float) -> dict[str, Any]:
        if self.ended:
            return {}
        left = self.deadline - time.monotonic()
        try:
            return wire.receive(self.channel, min(seconds, max(left, 0.0)))
        except wire.WireError as error:
            self.is_late = isinstance(error, wire.LateError)
            self._end(str(error))
            return {}

    def _end(self, why: str) -> None:
        self.ended = why
        self.close()

    def close(self) -> None:
        """Let go of the lifeline, which kills the process with all its descendants, and wait until it has."""
        self.channel.close()
        self.closed = self.closed or time.monotonic()
        with contextlib.suppress(OSError, ValueError):
            self.lifeline.shutdown(socket.SHUT_WR)
            self.lifeline.settimeout(GRACE)
            self.cpu_seconds = float(json.loads(self.lifeline.recv(4096))["cpu"])
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
