"""The trusted handle on the warm parent: start it, ask it for students' processes, end it."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.errors import UnsafeError
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import GRACE, START, StudentProcess
from autograder.sandbox.seat import Seat
from autograder.sandbox.turns import Turns
from autograder.sandbox.visible import ENGINE
from autograder.sandbox.warm_parent import Protections

CONFINEMENT = "confine"


class Nursery(Closing):
    """The warm parent from which students' processes are forked. Use as a context manager."""

    def __init__(self, *, allow_unsafe: bool = False, trusted: bool = False) -> None:
        """Start it; UnsafeError if a protection is missing, unless the instructor allows that.

        Students' code never runs as root. `trusted`: only the course's own code will run, with whatever protects it.
        """
        self.control, self.process = _begun.pop() if _begun else _begin()
        self.lock, self.turns = threading.Lock(), Turns()
        try:
            found = wire.receive(self.control, wire.within(START))
        except wire.WireError as error:
            self.close()
            raise UnsafeError(f"students' processes could not be started ({error})") from None
        self.protections = Protections(tuple(found["enforced"]), tuple(found["missing"]), found["as_root"])
        refused = "" if trusted else _reason_to_refuse(self.protections, allow_unsafe)
        if refused:
            self.close()
            raise UnsafeError(refused)

    def start(
        self, files: Mapping[str, bytes], limits: Limits, budget: Budget | None = None
    ) -> StudentProcess:
        """Fork a process that holds the given files."""
        confined = not self.protections.missing
        return StudentProcess(self.fork, files, limits, confined=confined, budget=budget)

    def seat(self, files: Mapping[str, bytes], limits: Limits, budget: Budget | None = None) -> Seat:
        """Return a seat for one submission, whose processes hold the given files and share its budget."""
        shared = budget or Budget(limits)
        return Seat(lambda capped: self.start(files, capped, shared), shared, self.turns)

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
            self.process.wait(GRACE)  # it ends by itself when the grader hangs up
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _reason_to_refuse(protections: Protections, allow_unsafe: bool) -> str:
    """Say why students' code must not run here and what to do; empty if it may."""
    missing = "; ".join(protections.missing)
    if protections.as_root:
        return (
            f"this machine cannot enforce: {missing}; students' code would run as root ({protections.as_root}): "
            "run dimred as an ordinary user, or put Python and its packages where every account can read them"
        )
    if missing and not allow_unsafe:
        return f"this machine cannot enforce: {missing}; --allow-unsafe runs students' code all the same"
    return ""


_private: set[str] = set()


def keep_private(*folders: Path) -> None:
    """Never show these folders to students' programs, wherever they lie: for a course and its classroom."""
    _private.update(str(folder.resolve()) for folder in folders)


def _hidden() -> list[str]:
    """The course, which is worked on from somewhere in it, and the checkout that the engine may belong to."""
    checkout = [str(ENGINE.parent)] if (ENGINE.parent / "pyproject.toml").exists() else []
    return sorted({*_private, *checkout, os.getcwd()} - {"/"})


_begun: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


def begin_nursery() -> None:
    """Let a nursery warm up from now on; the next `Nursery` takes it. It ends by itself with this process."""
    _begun.append(_begin())


def _begin() -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    control, child = socket.socketpair()
    with child:
        process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-m", "autograder.sandbox.warm_parent"),
                *(str(child.fileno()), CONFINEMENT, json.dumps(_hidden())),
            ],
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
