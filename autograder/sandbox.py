"""Start, question and end a student's process. The trusted side of the seam.

What this protects today: time per cell and in all, processor time, memory, file size; a process group of its
own, killed whole; an environment without the grader's variables; a working folder of its own. The network and
the file system are not closed off: `PROTECTIONS` says so, and the class report repeats it.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from autograder import wire
from autograder.attempt import Attempt
from autograder.values import NotPlainError, decode, encode

GRACE = 3.0
START = 60.0
PROTECTIONS = "separate process; limits on time, memory and file size; no isolation of files or network"
PROBLEMS = ("", "missing", "not written", "raised", "too slow", "wrong form", "stopped")


@dataclass(frozen=True)
class Limits:
    """What a submission may use."""

    cell_seconds: float = 30.0
    cpu_seconds: int = 600
    memory_bytes: int = 4 * 2**30
    file_bytes: int = 32 * 2**20


class StudentProcess:
    """One student's code in a process of its own. Use as a context manager: leaving it kills everything."""

    def __init__(self, files: Mapping[str, bytes], limits: Limits) -> None:
        """Start the process in a temporary folder holding the given files."""
        self.limits = limits
        self.ended: str | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="dimred-"))
        for name, data in files.items():
            (self.folder / Path(name).name).write_bytes(data)
        self.channel, child = socket.socketpair()
        self.process = self._start(child)
        child.close()
        self._receive(START)

    def _start(self, child: socket.socket) -> subprocess.Popen[bytes]:
        limits = (self.limits.memory_bytes, self.limits.cpu_seconds, self.limits.file_bytes)
        return subprocess.Popen(
            [sys.executable, "-I", "-m", "autograder.student_process", *map(str, (child.fileno(), *limits))],
            cwd=self.folder,
            env=_environment(self.folder),
            pass_fds=[child.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs, parsed as untrusted data."""
        self._send({"op": "run", "source": source, "seconds": self.limits.cell_seconds})
        return _outputs(self._receive(self.limits.cell_seconds + GRACE).get("outputs"))

    def ask(self, expression: str, calls: list[Mapping[str, Any]] | None) -> list[Attempt]:
        """Return the value of the expression, or what it makes of each set of inputs."""
        number = 1 if calls is None else len(calls)
        seconds = number * self.limits.cell_seconds + GRACE
        self._send({"op": "question", "seconds": seconds})
        encoded = None if calls is None else [encode(dict(inputs)) for inputs in calls]
        question = {
            "op": "ask",
            "expression": expression,
            "seconds": self.limits.cell_seconds,
            "calls": encoded,
        }
        self._send(question)
        reply = self._receive(seconds + GRACE)
        if not reply.get("done"):
            self._receive(seconds + GRACE)  # the forked copy has answered; wait until it has ended
        return _attempts(reply.get("attempts"), number, self.ended)

    def _send(self, message: dict[str, Any]) -> None:
        if not self.ended:
            try:
                wire.send(self.channel, message)
            except wire.WireError as error:
                self._end(str(error))

    def _receive(self, seconds: float) -> dict[str, Any]:
        if self.ended:
            return {}
        try:
            return wire.receive(self.channel, seconds)
        except wire.WireError as error:
            self._end(str(error))
            return {}

    def _end(self, why: str) -> None:
        self.ended = why
        self.close()

    def close(self) -> None:
        """Kill the process with all its group and remove its folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.channel.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill the process, whatever happened."""
        self.close()


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the grader's environment but what Python needs."""
    cache = (
        Path(tempfile.gettempdir()) / f"dimred-matplotlib-{os.getuid()}"
    )  # fonts are listed once, not per student
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "IPYTHONDIR": str(folder / ".ipython"),
        "MPLCONFIGDIR": str(cache),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "NBGRADER_EXECUTION": "autograde",
    }


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
    message = str(tree.get("message", ""))[:500]
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
        return {"output_type": kind, "name": name, "text": str(tree.get("text", ""))}
    if kind in ("display_data", "execute_result") and isinstance(tree.get("data"), dict):
        return _rich(kind, tree["data"])
    if kind == "error":
        return _error(tree)
    return None


def _rich(kind: str, bundle: dict[str, Any]) -> dict[str, Any]:
    data = {name: str(bundle[name]) for name in ("text/plain", "image/png") if name in bundle}
    number = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **number}


def _error(tree: dict[str, Any]) -> dict[str, Any]:
    name, text = str(tree.get("ename", ""))[:100], str(tree.get("evalue", ""))[:2000]
    given = tree.get("traceback")
    lines = given if isinstance(given, list) else []
    traceback = [str(line)[:2000] for line in lines[:40]] or [f"{name}: {text}"]
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": traceback}
