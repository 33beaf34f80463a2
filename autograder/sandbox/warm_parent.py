"""The warm parent of students' processes: libraries are imported once, each submission gets a confined fork.

Started fresh by `autograder.sandbox.nursery`, with an empty environment: it never holds a key, a gradebook or another
submission, because every child inherits its memory. It enters a private, read-only file system first; each
child then gets namespaces of its own (processes, network, ipc, host name, mounts), its own small writable
folders, another user where root may choose one, limits, and a filter of system calls.
"""

import contextlib
import dataclasses
import gc
import importlib
import itertools
import json
import os
import secrets
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.sandbox import confine, file_system, system_calls, wire
from autograder.sandbox.child import LOOK_EVERY, Child
from autograder.sandbox.cores import Cores
from autograder.sandbox.visible import ENGINE, hidden_packages, visible_paths

PRELOADED = (
    "numpy",
    "numpy.linalg",
    "scipy",
    "scipy.linalg",
    "scipy.sparse",
    "scipy.sparse.linalg",
    "scipy.spatial.distance",
    "scipy.optimize",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
    "sympy",
)
WRITABLE = {"/box": 64, "/tmp": 64, "/dev/shm": 16}
OWN_NAMESPACES = confine.NEW_MOUNTS | confine.NEW_NETWORK | confine.NEW_IPC | confine.NEW_HOST
# Python runs a function faster once it has run a few times (its bytecode is specialised), and children inherit that:
# after some rounds a figure takes two thirds of the time. The first round is part of the start, the others are run
# while there is nothing else to do.
WARMING = (
    "1",
    "def f(x):\n    return x + 1\nf(1)",
    "1/0",
    "def f(:",
    """import matplotlib.pyplot as plt
figure, (left, right) = plt.subplots(1, 2, figsize=(3, 1.5))
left.plot([1, 2], label="a")
left.legend()
right.bar([1, 2, 3], [1, 2, 3])
right.set_title("b")
plt.show()""",
)
IDLE_ROUNDS = 3
LIMITED = ("separate process", "limits on time, memory, processes, files and output")
PRIORITY = 5  # of students' processes, below that of whoever grades them
FIRST_USER = 61_000
USERS = 4_000


ANOTHER_USER = "another user"


@dataclasses.dataclass(frozen=True)
class Protections:
    """What this platform enforces, and what it cannot.

    `as_root`: why students' programs would run as root; empty if they would not.
    """

    enforced: tuple[str, ...]
    missing: tuple[str, ...]
    as_root: str = ""


def protect(hidden: list[str]) -> Protections:
    """Enter a private file system and process space, if a trial shows that every wall will hold here.

    Nothing of the hidden folders is shown but what students' programs need in order to run.

    The caller goes on as the first process of that space; what it was waits for it to end.
    """
    problem = _problem_on_trial(hidden)
    if problem:
        return without_walls(problem)
    _enter_private_space(hidden)
    walls = ("private file system", "no network", "own process space", "filtered system calls")
    another = (ANOTHER_USER,) if os.geteuid() == 0 else ()
    return Protections((*LIMITED, *walls, *another), ())


def without_walls(problem: str) -> Protections:
    """List what is left where no walls can be built: the rights of another user, if root can give them."""
    missing = f"private file system, no network, own process space ({problem})"
    if os.geteuid() != 0:
        return Protections(LIMITED, (missing,))
    as_root = _problem_with_another_user()
    return Protections(LIMITED if as_root else (*LIMITED, ANOTHER_USER), (missing,), as_root)


def _enter_private_space(hidden: list[str]) -> None:
    if os.geteuid() == 0:
        confine.unshare(confine.NEW_MOUNTS)
    else:
        confine.become_root_of_own_users()
    confine.unshare(confine.NEW_PROCESSES)
    first = os.fork()
    if first:
        os.closerange(3, 4096)  # the grader must see when the other one hangs up
        os.waitpid(first, 0)
        os._exit(0)
    confine.process_control(confine.KILL_WITH_PARENT, signal.SIGKILL)
    file_system.private_root(visible_paths(), [*hidden, *hidden_packages()], [*WRITABLE, "/proc", "/dev"])
    file_system.own_processes()


def _problem_on_trial(hidden: list[str]) -> str:
    """Try every wall in processes that end afterwards; what could not be built, in words, or nothing."""
    heard, said = os.pipe()
    trial = os.fork()
    if trial == 0:
        os.dup2(said, 2)  # which stays open where all others are closed
        try:
            _enter_private_space(hidden)
            confine.unshare_for_next_child()
            _in_a_child(_try_walls)
        except BaseException as error:
            _say_why(error)
        os._exit(0)
    os.close(said)
    os.waitpid(trial, 0)
    with os.fdopen(heard, "rb") as end:
        return end.read().decode(errors="replace")


def _in_a_child(function: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            function()
        except BaseException as error:
            _say_why(error)
        os._exit(0)
    os.waitpid(child, 0)


def _say_why(error: BaseException) -> None:
    os.write(2, str(error).encode()[:1000] or b"unknown")


def _try_walls() -> None:
    _build_walls(FIRST_USER)
    system_calls.filter_system_calls()


def _build_walls(user: int) -> None:
    """Leave all that is shared with other students; the process space is new already."""
    confine.unshare(OWN_NAMESPACES)
    confine.process_control(confine.KILL_WITH_PARENT, signal.SIGKILL)
    file_system.own_folders(_writable())
    file_system.own_processes()
    confine.drop_privileges(user if os.geteuid() == 0 else None)


def _problem_with_another_user() -> str:
    """Become another user in a trial process and read what students' programs import; return what failed."""
    import numpy

    needed = (os.__file__, numpy.__file__, str(ENGINE / "__init__.py"))
    read_end, write_end = os.pipe()
    trial = os.fork()
    if trial == 0:
        os.dup2(write_end, 2)
        try:
            with tempfile.TemporaryDirectory() as folder:
                _become_another_user(FIRST_USER, folder)
                for path in needed:
                    Path(path).read_bytes()
        except BaseException as error:
            _say_why(error)
        os._exit(0)
    os.close(write_end)
    os.waitpid(trial, 0)
    with os.fdopen(read_end, "rb") as end:
        return end.read().decode(errors="replace")


def _become_another_user(user: int, folder: str) -> None:
    """Without walls, the rights of files are all that keeps the key from a student's program."""
    os.chown(folder, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _writable() -> dict[str, int]:
    """Where a student's program may write, with sizes in MiB; never on top of what it must be able to read."""
    shown = visible_paths()
    return {
        folder: size
        for folder, size in WRITABLE.items()
        if not any(path.startswith(f"{folder}/") for path in shown)
    }


def warm_up() -> Any:
    """Import what notebooks import, and run the paths that a first cell, figure or error would run."""
    from autograder.sandbox.student import Runner

    runner = Runner()  # first: matplotlib's inline figures attach themselves to a shell that is there
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _one_round(runner)
    return runner


def _one_round(runner: Any) -> None:
    for source in WARMING:
        runner.run(source, 60)
    runner.forget()


class Ward:
    """Forks a child for each request, watches over all of them, ends each when the grader lets go of it."""

    def __init__(self, control: socket.socket, runner: Any, protections: Protections) -> None:
        """Take requests from this socket."""
        self._control, self._runner = control, runner
        self._protections, self._confined = protections, not protections.missing
        self._children: dict[int, Child] = {}  # by lifeline
        self._rounds = IDLE_ROUNDS
        self._cores = Cores()
        # another user for each child, and other ones for each nursery: some limits count by user
        self._users = itertools.count(secrets.randbelow(USERS))

    def serve(self) -> None:
        """Go on until the grader hangs up."""
        while True:
            self._warm_up_further()
            ready = self._waiting(LOOK_EVERY if self._children else None)
            for lifeline in ready:
                if lifeline in self._children and not self._children[lifeline].hear():
                    self._end(lifeline)
            for child in self._children.values():
                child.look()
            if self._control.fileno() in ready and not self._take_request():
                return

    def close(self) -> None:
        """End all children."""
        for lifeline in list(self._children):
            self._end(lifeline)

    def _end(self, lifeline: int) -> None:
        self._children.pop(lifeline).end()
        self._cores.give_back(lifeline)

    def _waiting(self, seconds: float | None) -> list[int]:
        return select.select([self._control.fileno(), *self._children], [], [], seconds)[0]

    def _warm_up_further(self) -> None:
        """Use the time until something is to be done."""
        while self._rounds and not self._waiting(0):
            _one_round(self._runner)
            self._rounds -= 1
            gc.freeze()

    def _take_request(self) -> bool:
        """Fork a child as asked; False if the grader has hung up."""
        message, descriptors, _, _ = socket.recv_fds(self._control, 4096, 2)
        if not message:
            return False
        channel, lifeline = descriptors
        limits, user = json.loads(message), FIRST_USER + next(self._users) % USERS
        if self._confined:
            confine.unshare_for_next_child()
        core = self._cores.lend(lifeline)
        student = os.fork()
        if student == 0:
            try:
                core.stay()
                _be_a_student(self._runner, channel, limits, user, self._protections)
            finally:
                os._exit(0)  # whatever happened: what follows is the parent's business
        os.close(channel)
        self._children[lifeline] = Child(student, lifeline, limits["memory_bytes"], self._confined)
        return True


def serve(control: socket.socket, runner: Any, protections: Protections) -> None:
    """Say what is enforced, then serve."""
    gc.collect()
    gc.freeze()  # what is shared now stays shared: the collector does not touch it in the children
    gc.set_threshold(50_000, 20, 20)  # a notebook is over before rare collections could matter
    wire.send(control, dataclasses.asdict(protections))
    ward = Ward(control, runner, protections)
    try:
        ward.serve()
    finally:
        ward.close()


def _be_a_student(
    runner: Any, channel: int, limits: dict[str, Any], user: int, protections: Protections
) -> None:
    """Give up everything, then serve the channel."""
    from autograder.sandbox import student as student_process

    os.setsid()
    os.nice(PRIORITY)
    _keep_only(channel)
    confined = not protections.missing
    if confined:
        _build_walls(user)
    elif ANOTHER_USER in protections.enforced:
        _become_another_user(user, limits["folder"])
    box = "/box" if confined else limits["folder"]
    os.chdir(box)
    os.environ.clear()
    os.environ.update(_environment(box))
    confine.limit(
        limits["memory_bytes"],
        limits["cpu_seconds"],
        limits["file_bytes"],
        limits["processes"],
        limits["open_files"],
    )
    if confined:
        system_calls.filter_system_calls()
    with contextlib.suppress(wire.WireError):
        student_process.serve(socket.socket(fileno=channel), runner)


def _keep_only(channel: int) -> None:
    """Close every descriptor but the channel; the standard three lead nowhere."""
    nowhere = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    os.closerange(3, channel)
    os.closerange(channel + 1, 4096)


def _environment(box: str) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": box,
        "TMPDIR": "/tmp" if os.access("/tmp", os.W_OK) else box,
        "MPLCONFIGDIR": f"{box}/.matplotlib",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "NBGRADER_EXECUTION": "autograde",
    }


def main() -> None:
    """Entry point: the number of the control socket, whether to confine, and what never to show."""
    control = socket.socket(fileno=int(sys.argv[1]))
    runner = warm_up()  # before the file system goes: fonts are listed in the user's cache
    confine_them = sys.argv[2] == "confine"
    protections = protect(json.loads(sys.argv[3])) if confine_them else without_walls("switched off")
    with contextlib.suppress(wire.WireError, ConnectionError):
        serve(control, runner, protections)


if __name__ == "__main__":
    main()
