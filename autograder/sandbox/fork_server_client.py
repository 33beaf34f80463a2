"""Client of the fork server: start it, request students' processes, end it."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.errors import UnsafeError
from autograder.program import program_name
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.fork_server import Protections
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import REPLY_GRACE_SECONDS, START_TIMEOUT_SECONDS, StudentProcess
from autograder.sandbox.readers_writer_lock import ReadersWriterLock
from autograder.sandbox.session import SubmissionSession
from autograder.sandbox.visible import ENGINE_FOLDER, installed_paths

CONFINEMENT = "confine"


class ForkServerClient(Closing):
    """Client of one fork server. Use as a context manager."""

    def __init__(self, *, allow_unsafe: bool = False, trusted: bool = False) -> None:
        """Start the fork server, or take one that was prestarted.

        Raise UnsafeError if a protection is missing and `allow_unsafe` is false. Students' code never runs as root.
        `trusted`: only the course's own code will run, so missing protections are accepted.
        """
        self.control, self.process = _prestarted.pop() if _prestarted else _start_fork_server()
        self.lock, self.submission_lock = threading.Lock(), ReadersWriterLock()
        try:
            reply = wire.receive(self.control, wire.deadline_after(START_TIMEOUT_SECONDS))
        except wire.WireError as error:
            self.close()
            raise UnsafeError(f"students' processes could not be started ({error})") from None
        self.protections = Protections(tuple(reply["enforced"]), tuple(reply["missing"]), reply["as_root"])
        refusal = "" if trusted else _reason_to_refuse(self.protections, allow_unsafe)
        if refusal:
            self.close()
            raise UnsafeError(refusal)

    def start(
        self, files: Mapping[str, bytes], limits: Limits, budget: Budget | None = None
    ) -> StudentProcess:
        """Fork a student's process and send it these files."""
        confined = not self.protections.missing
        return StudentProcess(self.fork, files, limits, confined=confined, budget=budget)

    def open_session(
        self, files: Mapping[str, bytes], limits: Limits, budget: Budget | None = None
    ) -> SubmissionSession:
        """Return a session for one submission.

        Its processes get these files and share its budget.
        """
        submission_budget = budget or Budget(limits)
        return SubmissionSession(
            lambda capped: self.start(files, capped, submission_budget),
            submission_budget,
            self.submission_lock,
        )

    def fork(self, limits: dict[str, object]) -> tuple[socket.socket, socket.socket]:
        """Fork a child; return the channel to it and its lifeline."""
        channel, its_channel = socket.socketpair()
        lifeline, its_lifeline = socket.socketpair()
        with self.lock, its_channel, its_lifeline:
            descriptors = [its_channel.fileno(), its_lifeline.fileno()]
            socket.send_fds(self.control, [json.dumps(limits).encode()], descriptors)
        return channel, lifeline

    def close(self) -> None:
        """End the fork server and thereby all its children."""
        self.control.close()
        try:
            self.process.wait(REPLY_GRACE_SECONDS)  # it ends by itself when the control socket is closed
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _reason_to_refuse(protections: Protections, allow_unsafe: bool) -> str:
    """Describe why students' code must not run here; empty if it may."""
    missing = "; ".join(protections.missing)
    if protections.as_root:
        return (
            f"this machine cannot enforce: {missing}; students' code would run as root ({protections.as_root}): "
            f"run {program_name()} as an ordinary user, "
            "or put Python and its packages where every account can read them"
        )
    if missing and not allow_unsafe:
        return f"this machine cannot enforce: {missing}; --allow-unsafe runs students' code all the same"
    return ""


_hidden_paths: set[str] = set()
_hidden_packages: set[str] = set()


def hide_paths(*folders: Path) -> None:
    """Hide these folders from students' programs.

    For the folders of a course and its classroom. Call before a fork server is started.
    """
    _hidden_paths.update(str(folder.resolve()) for folder in folders)


def hide_packages(names: Iterable[str]) -> None:
    """Hide these installed packages from students' programs.

    Call before a fork server is started, on each machine that runs one.
    """
    _hidden_packages.update(names)


def packages_hidden() -> list[str]:
    """Return the names of the packages that `hide_packages` was called with."""
    return sorted(_hidden_packages)


def _paths_to_hide() -> list[str]:
    """Return the paths to hide.

    These are those of `hide_paths` and `hide_packages`, the current folder, and the engine's checkout if there is one.
    """
    checkout = [str(ENGINE_FOLDER.parent)] if (ENGINE_FOLDER.parent / "pyproject.toml").exists() else []
    return sorted({*_hidden_paths, *installed_paths(_hidden_packages), *checkout, os.getcwd()} - {"/"})


_prestarted: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


def prestart_fork_server() -> None:
    """Start a fork server early; the next `ForkServerClient` takes it.

    It ends by itself when this process ends.
    """
    _prestarted.append(_start_fork_server())


def _start_fork_server() -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    control, child = socket.socketpair()
    with child:
        process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-m", "autograder.sandbox.fork_server"),
                *(str(child.fileno()), CONFINEMENT, json.dumps(_paths_to_hide())),
            ],
            env=_server_environment(),
            cwd="/",
            pass_fds=[child.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    return control, process


def _server_environment() -> dict[str, str]:
    """Return fixed variables plus the few that Python and matplotlib's font list need."""
    inherited = {
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
    return {**inherited, **fixed}
