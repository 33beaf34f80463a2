"""The fork server of students' processes: import libraries once, give each submission a confined fork.

`autograder.sandbox.fork_server_client` starts it as a new Python process with a small environment. It never holds a
key, a gradebook or a submission, because every child inherits its memory. It enters a private, read-only file system
first. Each child then gets its own namespaces (PID, network, IPC, host name, mounts), small writable folders, its own
user id if the server runs as root, resource limits, and a seccomp filter.
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
from autograder.sandbox.child import POLL_SECONDS, Child
from autograder.sandbox.cores import Cores
from autograder.sandbox.visible import ENGINE_FOLDER, hidden_packages, visible_paths

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
WRITABLE_FOLDER_MIB = {"/box": 64, "/tmp": 64, "/dev/shm": 16}
OWN_NAMESPACES = confine.NEW_MOUNTS | confine.NEW_NETWORK | confine.NEW_IPC | confine.NEW_HOST
# CPython specialises the bytecode of functions that have run a few times, and forked children inherit that. After some
# rounds drawing a figure takes two thirds of the time. The first round is part of the start, the others run while the
# server is idle.
WARM_UP_CELLS = (
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
N_IDLE_ROUNDS = 3
ALWAYS_ENFORCED = ("separate process", "limits on time, memory, processes, files and output")
STUDENT_NICE = 5  # students' processes get a lower priority than the grader
FIRST_STUDENT_UID = 61_000
N_STUDENT_UIDS = 4_000


ANOTHER_USER = "another user"


@dataclasses.dataclass(frozen=True)
class Protections:
    """Protections that this platform enforces, and those it cannot.

    `as_root`: reason why students' programs would run as root; empty if they would not.
    """

    enforced: tuple[str, ...]
    missing: tuple[str, ...]
    as_root: str = ""


def enter_private_namespaces(hidden: list[str]) -> Protections:
    """Enter a private file system and PID namespace, if a trial succeeds.

    Hidden folders are not visible, except for the parts that students' programs need in order to run.
    The call returns in a forked process, the first of the new PID namespace. The original process waits for it to end.
    """
    problem = _try_private_space(hidden)
    if problem:
        return describe_no_confinement(problem)
    _enter_private_space(hidden)
    enforced = ("private file system", "no network", "own process space", "filtered system calls")
    user_protection = (ANOTHER_USER,) if os.geteuid() == 0 else ()
    return Protections((*ALWAYS_ENFORCED, *enforced, *user_protection), ())


def describe_no_confinement(problem: str) -> Protections:
    """Return the protections left where namespaces cannot be used.

    As root, students' programs can still run under another user id.
    """
    missing = f"private file system, no network, own process space ({problem})"
    if os.geteuid() != 0:
        return Protections(ALWAYS_ENFORCED, (missing,))
    as_root = _try_another_user()
    return Protections(ALWAYS_ENFORCED if as_root else (*ALWAYS_ENFORCED, ANOTHER_USER), (missing,), as_root)


def _enter_private_space(hidden: list[str]) -> None:
    if os.geteuid() == 0:
        confine.unshare(confine.NEW_MOUNTS)
    else:
        confine.enter_user_namespace()
    confine.unshare(confine.NEW_PROCESSES)
    first_process = os.fork()
    if first_process:
        os.closerange(3, 4096)  # otherwise the grader would not see the end of the first process
        os.waitpid(first_process, 0)
        os._exit(0)
    confine.process_control(confine.KILL_WITH_PARENT, signal.SIGKILL)
    file_system.enter_private_root(
        visible_paths(), [*hidden, *hidden_packages()], [*WRITABLE_FOLDER_MIB, "/proc", "/dev"]
    )
    file_system.mount_private_proc()


def _try_private_space(hidden: list[str]) -> str:
    """Try every protection in short-lived processes.

    Return the error message of the first failure, or an empty string.
    """
    read_end, write_end = os.pipe()
    trial = os.fork()
    if trial == 0:
        os.dup2(write_end, 2)  # errors are written to descriptor 2, because all from 3 on get closed
        try:
            _enter_private_space(hidden)
            confine.unshare_pid_for_next_child()
            _run_in_child(_try_protections)
        except BaseException as error:
            _report_error(error)
        os._exit(0)
    os.close(write_end)
    os.waitpid(trial, 0)
    with os.fdopen(read_end, "rb") as stream:
        return stream.read().decode(errors="replace")


def _run_in_child(function: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            function()
        except BaseException as error:
            _report_error(error)
        os._exit(0)
    os.waitpid(child, 0)


def _report_error(error: BaseException) -> None:
    os.write(2, str(error).encode()[:1000] or b"unknown")


def _try_protections() -> None:
    _apply_protections(FIRST_STUDENT_UID)
    system_calls.filter_system_calls()


def _apply_protections(user: int) -> None:
    """Enter namespaces of its own and drop privileges.

    The process is in a new PID namespace already.
    """
    confine.unshare(OWN_NAMESPACES)
    confine.process_control(confine.KILL_WITH_PARENT, signal.SIGKILL)
    file_system.mount_writable_folders(_writable_folder_sizes())
    file_system.mount_private_proc()
    confine.drop_privileges(user if os.geteuid() == 0 else None)


def _try_another_user() -> str:
    """Try in a short-lived process whether another user can read the needed packages.

    Return the error message, or an empty string.
    """
    import numpy

    required_paths = (os.__file__, numpy.__file__, str(ENGINE_FOLDER / "__init__.py"))
    read_end, write_end = os.pipe()
    trial = os.fork()
    if trial == 0:
        os.dup2(write_end, 2)
        try:
            with tempfile.TemporaryDirectory() as folder:
                _become_another_user(FIRST_STUDENT_UID, folder)
                for path in required_paths:
                    Path(path).read_bytes()
        except BaseException as error:
            _report_error(error)
        os._exit(0)
    os.close(write_end)
    os.waitpid(trial, 0)
    with os.fdopen(read_end, "rb") as stream:
        return stream.read().decode(errors="replace")


def _become_another_user(user: int, folder: str) -> None:
    """Switch to another user id, so that file permissions protect the key."""
    os.chown(folder, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _writable_folder_sizes() -> dict[str, int]:
    """Return the writable folders and their sizes in MiB.

    A folder that contains visible paths is left out, because a mount would cover them.
    """
    shown = visible_paths()
    return {
        folder: size
        for folder, size in WRITABLE_FOLDER_MIB.items()
        if not any(path.startswith(f"{folder}/") for path in shown)
    }


def warm_up() -> object:
    """Import the usual libraries and run one warm-up round; return the runner."""
    from autograder.sandbox.student import Runner

    runner = Runner()  # before the imports: matplotlib's inline backend attaches itself to an existing shell
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _run_warm_up_round(runner)
    return runner


def _run_warm_up_round(runner: Any) -> None:
    """Run the warm-up cells: a result, a function, an error, a syntax error and a figure."""
    for source in WARM_UP_CELLS:
        runner.run(source, 60)
    runner.reset()


class ForkServer:
    """Fork a child for each request and supervise all children.

    A child is killed when the grader closes its lifeline.
    """

    def __init__(self, control: socket.socket, runner: object, protections: Protections) -> None:
        """Take requests from this socket."""
        self._control, self._runner = control, runner
        self._protections, self._confined = protections, not protections.missing
        self._children: dict[int, Child] = {}  # key: descriptor of the lifeline
        self._rounds = N_IDLE_ROUNDS
        self._cores = Cores()
        # a user id of its own for each child, from a random start per server: some limits count per user
        self._user_offsets = itertools.count(secrets.randbelow(N_STUDENT_UIDS))

    def serve(self) -> None:
        """Serve until the grader closes the control socket."""
        while True:
            self._warm_up_while_idle()
            ready = self._wait_readable(POLL_SECONDS if self._children else None)
            for lifeline in ready:
                if lifeline in self._children and not self._children[lifeline].answer_lifeline():
                    self._end(lifeline)
            for child in self._children.values():
                child.poll()
            if self._control.fileno() in ready and not self._take_request():
                return

    def close(self) -> None:
        """End all children."""
        for lifeline in list(self._children):
            self._end(lifeline)

    def _end(self, lifeline: int) -> None:
        self._children.pop(lifeline).end()
        self._cores.release(lifeline)

    def _wait_readable(self, seconds: float | None) -> list[int]:
        return select.select([self._control.fileno(), *self._children], [], [], seconds)[0]

    def _warm_up_while_idle(self) -> None:
        """Run warm-up rounds until a request arrives or all rounds are done."""
        while self._rounds and not self._wait_readable(0):
            _run_warm_up_round(self._runner)
            self._rounds -= 1
            gc.freeze()

    def _take_request(self) -> bool:
        """Fork a child as requested; return False if the control socket was closed."""
        message, descriptors, _, _ = socket.recv_fds(self._control, 4096, 2)
        if not message:
            return False
        channel, lifeline = descriptors
        limits, user = json.loads(message), FIRST_STUDENT_UID + next(self._user_offsets) % N_STUDENT_UIDS
        if self._confined:
            confine.unshare_pid_for_next_child()
        core = self._cores.acquire(lifeline)
        student = os.fork()
        if student == 0:
            try:
                core.pin_this_process()
                _run_student_process(self._runner, channel, limits, user, self._protections)
            finally:
                os._exit(0)  # the child must never return into the server's loop
        os.close(channel)
        self._children[lifeline] = Child(student, lifeline, limits["memory_bytes"], self._confined)
        return True


def serve_fork_requests(control: socket.socket, runner: object, protections: Protections) -> None:
    """Send the enforced protections to the grader, then serve."""
    gc.collect()
    gc.freeze()  # keeps pages shared: the garbage collector in a child does not write to these objects
    gc.set_threshold(50_000, 20, 20)  # a process is too short-lived to profit from frequent collections
    wire.send(control, dataclasses.asdict(protections))
    server = ForkServer(control, runner, protections)
    try:
        server.serve()
    finally:
        server.close()


def _run_student_process(
    runner: Any, channel: int, limits: dict[str, Any], user: int, protections: Protections
) -> None:
    """Apply all protections, then serve requests on the channel."""
    from autograder.sandbox import student as student_process

    os.setsid()
    os.nice(STUDENT_NICE)
    _close_descriptors_except(channel)
    confined = not protections.missing
    if confined:
        _apply_protections(user)
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
        student_process.serve_requests(socket.socket(fileno=channel), runner)


def _close_descriptors_except(channel: int) -> None:
    """Close every descriptor but the channel; connect 0 to 2 to /dev/null."""
    null_device = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(null_device, standard)
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
    """Run the server.

    Arguments: descriptor of the control socket, "confine" or another word, JSON list of hidden paths.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    runner = (
        warm_up()
    )  # before the file system becomes private: matplotlib reads its font list from the user's cache
    confine_them = sys.argv[2] == "confine"
    protections = (
        enter_private_namespaces(json.loads(sys.argv[3]))
        if confine_them
        else describe_no_confinement("switched off")
    )
    with contextlib.suppress(wire.WireError, ConnectionError):
        serve_fork_requests(control, runner, protections)


if __name__ == "__main__":
    main()
