"""The trusted handle on students' processes: start one, question it, end it.

Students' code runs in children of a nursery (`autograder.sandbox.warm_parent`), a process without secrets that confines
each child as far as the platform can. What comes back is parsed here as untrusted data: known types, bounded
sizes.
"""

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

from autograder.answers.attempt import Attempt, Call
from autograder.answers.values import NotPlainError, decode, encode
from autograder.errors import UnsafeError
from autograder.sandbox import wire
from autograder.sandbox.warm_parent import Protections

CONFINEMENT = "confine"
MAX_TEXT = 100_000
MAX_PICTURE = 1_000_000
GRACE = 3.0
MAX_WANTS = 500  # calls of earlier functions while one function is judged
START = 60.0
PROBLEMS = ("", "missing", "not written", "raised", "too slow", "wrong form", "stopped")


Oracle = Callable[[str, list[Any], dict[str, Any]], Attempt]


class StartError(RuntimeError):
    """A student's process did not come to life: no fault of the student's, and nothing of theirs has run."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use."""

    cell_seconds: float = 30.0
    notebook_seconds: float = 300.0
    cpu_seconds: int = 600
    memory_bytes: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    processes: int = 64
    open_files: int = 256


class _Closing:
    """What a `with` block closes when it is left, whatever happened."""

    def close(self) -> None:
        """End it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


class Nursery(_Closing):
    """The warm parent from which students' processes are forked. Use as a context manager."""

    def __init__(self, *, allow_unsafe: bool = False) -> None:
        """Start it; UnsafeError if a protection is missing, unless the instructor allows that."""
        self.control, self.process = _begun.pop() if _begun else _begin()
        self.lock = threading.Lock()
        try:
            found = wire.receive(self.control, START)
        except wire.WireError as error:
            self.close()
            raise UnsafeError(f"students' processes could not be started ({error})") from None
        self.protections = Protections(tuple(found["enforced"]), tuple(found["missing"]))
        if self.protections.missing and not allow_unsafe:
            self.close()
            missing = "; ".join(self.protections.missing)
            raise UnsafeError(f"this machine cannot enforce: {missing}; --allow-unsafe grades all the same")

    def start(self, files: Mapping[str, bytes], limits: Limits) -> "StudentProcess":
        """Fork a process that holds the given files."""
        return StudentProcess(self, files, limits)

    def fork(self, limits: dict[str, Any]) -> tuple[socket.socket, socket.socket]:
        """Ask for a child; returns the channel to it and the lifeline that keeps it alive."""
        channel, its_channel = socket.socketpair()
        lifeline, its_lifeline = socket.socketpair()
        with self.lock, its_channel, its_lifeline:
            descriptors = [its_channel.fileno(), its_lifeline.fileno()]
            socket.send_fds(self.control, [json.dumps(limits).encode()], descriptors)
        return channel, lifeline

    def close(self) -> None:
        """End the nursery; its children end when their lifelines do."""
        self.control.close()
        try:
            self.process.wait(GRACE)  # it ends by itself when the grader hangs up, and counts its dead
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_begun: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


def begin_nursery() -> None:
    """Let a nursery warm up from now on; the next `Nursery` takes it. It ends by itself with this process."""
    _begun.append(_begin())


def _begin() -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    control, child = socket.socketpair()
    with child:
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", "autograder.sandbox.warm_parent", str(child.fileno()), CONFINEMENT],
            env=_environment(),
            cwd="/",
            pass_fds=[child.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    return control, process


def _environment() -> dict[str, str]:
    """Nothing of the grader's environment but what Python and matplotlib's font list need."""
    kept = {
        name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "MPLCONFIGDIR") if name in os.environ
    }
    fixed = {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
    return {**kept, **fixed}


class StudentProcess(_Closing):
    """One student's code in a process of its own. Use as a context manager: leaving it kills everything."""

    def __init__(self, nursery: Nursery, files: Mapping[str, bytes], limits: Limits) -> None:
        """Fork the process and hand it the files; StartError if that fails."""
        self.limits = limits
        self.ended: str | None = None
        self.cpu_seconds = 0.0
        self.deadline = time.monotonic() + limits.notebook_seconds
        self.folder = tempfile.mkdtemp(prefix="dimred-") if nursery.protections.missing else ""
        self.channel, self.lifeline = nursery.fork({**asdict(limits), "folder": self.folder})
        self._send({"files": {name: base64.b64encode(data).decode() for name, data in files.items()}})
        self._receive(START)
        if self.ended:
            raise StartError(f"a process for the student's program could not be started ({self.ended})")

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs, parsed as untrusted data."""
        self._send({"op": "run", "source": source, "seconds": self.limits.cell_seconds})
        return _outputs(self._receive(self.limits.cell_seconds + GRACE).get("outputs"))

    def draw_no_figures(self) -> None:
        """Let matplotlib draw nothing from now on: for runs whose pictures nobody sees."""
        self._send({"op": "no figures"})
        self._receive(START)

    def ask(self, expression: str, calls: list[Call] | None) -> list[Attempt]:
        """Return the value of the expression, or what it makes of each set of inputs."""
        reply = self._question("ask", expression, calls)
        return _attempts(reply.get("attempts"), _number(calls), self.ended)

    def ask_again(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """The same, of what the expression was when it was asked first, and of the cells run since."""
        reply = self._question("ask again", expression, calls)
        return _attempts(reply.get("attempts"), _number(calls), self.ended)

    def ask_copy(self, expression: str, calls: list[Call]) -> list[Attempt]:
        """Ask a forked copy: if the answer ends its process, or spoils it, the cells that follow do not suffer."""
        seconds = self._patience(calls)
        self._send({"op": "fork", "seconds": seconds})
        reply = self._question("ask", expression, calls)
        if not reply.get("done"):
            self._receive(seconds + GRACE)  # the copy has answered; wait until it has ended
        return _attempts(reply.get("attempts"), _number(calls), self.ended)

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
                return _attempts(reply.get("attempts"), len(calls), self.ended)
            self._send(_wanted(reply, names, oracle))
        self._end("it asked for earlier functions too often")
        return _attempts(None, len(calls), self.ended)

    def _question(self, op: str, expression: str, calls: list[Call] | None) -> dict[str, Any]:
        encoded = None if calls is None else [_encoded(call) for call in calls]
        seconds = self.limits.cell_seconds
        self._send({"op": op, "expression": expression, "seconds": seconds, "calls": encoded})
        return self._receive(self._patience(calls) + GRACE)

    def _patience(self, calls: list[Call] | None) -> float:
        return _number(calls) * self.limits.cell_seconds + GRACE

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
            self._end(str(error))
            return {}

    def _end(self, why: str) -> None:
        self.ended = why
        self.close()

    def close(self) -> None:
        """Let go of the lifeline, which kills the process with all its descendants, and wait until it has."""
        self.channel.close()
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


def _attempts(trees: Any, number: int, ended: str | None) -> list[Attempt]:
    if trees is None:
        why = ended or "it ended itself"
        return [Attempt(problem="stopped", message=f"the program ended before it answered ({why})")] * number
    if not isinstance(trees, list) or len(trees) != number:
        return [Attempt(problem="wrong form", message="the program did not answer as asked")] * number
    return [_attempt(tree) for tree in trees]


def _attempt(tree: Any) -> Attempt:
    """An attempt from untrusted data: exact types, known problems, bounded text."""
    if not isinstance(tree, dict) or tree.get("problem") not in PROBLEMS:
        return Attempt(problem="wrong form", message="the program did not answer as asked")
    message = _text(tree.get("message", ""), 500)
    if tree["problem"]:
        return Attempt(problem=tree["problem"], message=message)
    try:
        return Attempt(decode(tree.get("value")))
    except NotPlainError as error:
        return Attempt(problem="wrong form", message=str(error))


def _outputs(trees: Any) -> list[dict[str, Any]]:
    """Outputs from untrusted data: only the fields that a notebook's text and pictures have."""
    if not isinstance(trees, list):
        return []
    return [output for output in (_output(tree) for tree in trees[:60]) if output]


def _output(tree: Any) -> dict[str, Any] | None:
    kind = tree.get("output_type") if isinstance(tree, dict) else None
    if kind == "stream":
        name = "stderr" if tree.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": _text(tree.get("text", ""))}
    if kind in ("display_data", "execute_result") and isinstance(tree.get("data"), dict):
        return _rich(kind, tree["data"])
    if kind == "error":
        return _error(tree)
    return None


def _text(value: Any, most: int = MAX_TEXT) -> str:
    """Text that every file and page can hold: bounded, and without half characters."""
    return str(value)[:most].encode("utf-8", "replace").decode()


def _rich(kind: str, bundle: dict[str, Any]) -> dict[str, Any]:
    data = {"text/plain": _text(bundle["text/plain"])} if "text/plain" in bundle else {}
    if _is_png(bundle.get("image/png")):
        data["image/png"] = "".join(bundle["image/png"].split())
    number = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **number}


def _is_png(value: Any) -> bool:
    """A picture of a sensible size in base64, and nothing that only says it is one."""
    if not isinstance(value, str) or len(value) > MAX_PICTURE:
        return False
    try:
        return base64.b64decode("".join(value.split()), validate=True).startswith(b"\x89PNG\r\n\x1a\n")
    except ValueError:
        return False


def _error(tree: dict[str, Any]) -> dict[str, Any]:
    name, text = _text(tree.get("ename", ""), 100), _text(tree.get("evalue", ""), 2000)
    given = tree.get("traceback")
    lines = given if isinstance(given, list) else []
    traceback = [_text(line, 2000) for line in lines[:40]] or [f"{name}: {text}"]
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": traceback}
