"""The warm parent of students' processes: libraries are imported once, each submission gets a confined fork.

Started fresh by `autograder.sandbox`, with an empty environment: it never holds a key, a gradebook or another
submission, because every child inherits its memory. It enters a private, read-only file system first; each
child then gets namespaces of its own (processes, network, ipc, host name, mounts), its own small writable
folders, another user where root may choose one, limits, and a filter of system calls.
"""

import contextlib
import dataclasses
import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder import confine, wire

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
    "autograder.checking",
)
WRITABLE = {"/box": 64, "/tmp": 64, "/dev/shm": 16}
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
OWN_NAMESPACES = (
    confine.NEW_MOUNTS | confine.NEW_PROCESSES | confine.NEW_NETWORK | confine.NEW_IPC | confine.NEW_HOST
)
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
IDLE_ROUNDS = 6
FIRST_USER = 61_000
USERS = 4_000
LOOK_EVERY = 0.25


@dataclasses.dataclass(frozen=True)
class Protections:
    """What this platform enforces, and what it cannot."""

    enforced: tuple[str, ...]
    missing: tuple[str, ...]


def protect() -> Protections:
    """Enter the private file system, if a trial shows that every wall will hold here."""
    limits = ("separate process", "limits on time, memory, processes, files and output")
    problem = _problem_on_trial()
    if problem:
        return Protections(limits, (f"private file system, no network, own process space ({problem})",))
    _enter_private_root()
    walls = ("private file system", "no network", "own process space", "filtered system calls")
    another = ("another user",) if os.geteuid() == 0 else ()
    return Protections((*limits, *walls, *another), ())


def _enter_private_root() -> None:
    if os.geteuid() == 0:
        confine.unshare(confine.NEW_MOUNTS)
    else:
        confine.become_root_of_own_users()
    confine.private_root(_visible_paths(), [*WRITABLE, "/proc", "/dev"])


def _problem_on_trial() -> str:
    """Try every wall in a process that ends afterwards; what could not be built, in words, or nothing."""
    heard, said = os.pipe()
    trial = os.fork()
    if trial == 0:
        try:
            _enter_private_root()
            confine.unshare(OWN_NAMESPACES)
            _in_first_process(_try_inner_walls, said)
        except BaseException as error:
            os.write(said, str(error).encode()[:1000] or b"unknown")
        os._exit(0)
    os.close(said)
    os.waitpid(trial, 0)
    with os.fdopen(heard, "rb") as end:
        return end.read().decode(errors="replace")


def _in_first_process(function: Callable[[], None], said: int) -> None:
    """Call the function in the first process of the new process space."""
    first = os.fork()
    if first == 0:
        try:
            function()
        except BaseException as error:
            os.write(said, str(error).encode()[:1000] or b"unknown")
        os._exit(0)
    os.waitpid(first, 0)


def _try_inner_walls() -> None:
    confine.own_folders(_writable())
    confine.own_processes()
    confine.drop_privileges(FIRST_USER if os.geteuid() == 0 else None)
    confine.filter_system_calls()


def _visible_paths() -> list[str]:
    """What a student's program may read: system libraries, the interpreter, its packages, this engine."""
    packages = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    interpreter = {sys.base_prefix, sys.prefix, str(Path(__file__).parent), *packages}
    shown = [path for path in (*SYSTEM, *DEVICES, "/proc", *sorted(interpreter)) if os.path.lexists(path)]
    return [
        path for path in shown if not any(path != other and path.startswith(other + "/") for other in shown)
    ]


def _writable() -> dict[str, int]:
    """Where a student's program may write, with sizes in MiB; never on top of what it must be able to read."""
    shown = _visible_paths()
    return {
        folder: size
        for folder, size in WRITABLE.items()
        if not any(path.startswith(f"{folder}/") for path in shown)
    }


def warm_up() -> Any:
    """Import what notebooks import, and run the paths that a first cell, figure or error would run."""
    from autograder.student_process import Runner

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


def _warm_up_further(runner: Any, control: socket.socket, rounds: int) -> int:
    """Use the time until the next request; returns how many rounds are left."""
    while rounds and not select.select([control], [], [], 0)[0]:
        _one_round(runner)
        rounds -= 1
        gc.freeze()
    return rounds


def serve(control: socket.socket, runner: Any, protections: Protections) -> None:
    """Fork a child for each request until the grader hangs up."""
    gc.collect()
    gc.freeze()  # what is shared now stays shared: the collector does not touch it in the children
    gc.set_threshold(50_000, 20, 20)  # a notebook is over before rare collections could matter
    wire.send(control, dataclasses.asdict(protections))
    rounds = IDLE_ROUNDS
    while True:
        rounds = _warm_up_further(runner, control, rounds)
        message, descriptors, _, _ = socket.recv_fds(control, 4096, 2)
        _bury()
        if not message:
            return
        if os.fork() == 0:
            control.close()
            _guard(runner, descriptors, json.loads(message), confined=not protections.missing)
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def _bury() -> None:
    """Collect the children that have ended: their CPU seconds then count as the grader's."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _guard(runner: Any, descriptors: list[int], limits: dict[str, Any], *, confined: bool) -> None:
    """Start the student's process and wait; when the grader lets go of the lifeline, kill all of it."""
    channel, lifeline = descriptors
    os.setsid()
    if confined:
        confine.unshare(OWN_NAMESPACES)
    guard = os.getpid()
    processes = os.open("/proc", os.O_RDONLY) if confined else None
    student = os.fork()
    if student == 0:
        os.close(lifeline)
        _be_a_student(runner, channel, limits, user=FIRST_USER + guard % USERS, confined=confined)
        os._exit(0)
    os.close(channel)
    _until_over(student, lifeline, limits["memory_bytes"], processes)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    with contextlib.suppress(OSError):
        os.write(lifeline, json.dumps({"cpu": usage.ru_utime + usage.ru_stime}).encode())


def _until_over(student: int, lifeline: int, memory_bytes: int, processes: int | None) -> None:
    """Wait until the student's process ends, is let go, or takes too much memory with all its descendants."""
    while not select.select([lifeline], [], [], LOOK_EVERY)[0]:
        if os.waitpid(student, os.WNOHANG) != (0, 0):
            return
        if processes is not None and _hold_more_than(memory_bytes, student, processes):
            break
    with contextlib.suppress(ProcessLookupError):
        os.kill(student, signal.SIGKILL)  # the first of its process space: the kernel ends the others with it
    os.waitpid(student, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(student, signal.SIGKILL)


def _hold_more_than(limit: int, first: int, processes: int) -> bool:
    """Do a process and its descendants hold more, shared pages counted once? Each alone is limited by the kernel."""
    family = _family(first, processes)
    if sum(_resident(one, processes) for one in family) <= limit:
        return False  # even with shared pages counted for each; the exact count walks through all pages
    return sum(_proportional(one, processes) for one in family) > limit


def _family(first: int, processes: int) -> list[int]:
    found = [first]
    for one in found:
        with contextlib.suppress(OSError, ValueError):
            found += _children(one, processes)
    return found


def _resident(process: int, processes: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return os.sysconf("SC_PAGE_SIZE") * int(_read(f"{process}/statm", processes).split()[1])
    return 0


def _proportional(process: int, processes: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return 1024 * int(_read(f"{process}/smaps_rollup", processes).split("Pss:")[1].split()[0])
    return 0


def _children(process: int, processes: int) -> list[int]:
    """The children of every thread of a process."""
    threads = os.open(f"{process}/task", os.O_RDONLY, dir_fd=processes)
    try:
        return [
            int(child) for one in os.listdir(threads) for child in _read(f"{one}/children", threads).split()
        ]
    finally:
        os.close(threads)


def _read(path: str, folder: int) -> str:
    """A file below an open folder: the student's process puts its own /proc over the one seen here."""
    with os.fdopen(os.open(path, os.O_RDONLY, dir_fd=folder)) as file:
        return file.read()


def _be_a_student(runner: Any, channel: int, limits: dict[str, Any], *, user: int, confined: bool) -> None:
    """Give up everything, then serve the channel."""
    from autograder import student_process

    os.setsid()
    _keep_only(channel)
    if confined:
        confine.process_control(confine.KILL_WITH_PARENT, signal.SIGKILL)
        confine.own_folders(_writable())
        confine.own_processes()
        confine.drop_privileges(user if os.geteuid() == 0 else None)
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
        confine.filter_system_calls()
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
    """Entry point: the number of the control socket, and whether to confine."""
    control = socket.socket(fileno=int(sys.argv[1]))
    runner = warm_up()  # before the file system goes: fonts are listed in the user's cache
    switched_off = Protections((), ("private file system, no network, own process space (switched off)",))
    protections = protect() if sys.argv[2] == "confine" else switched_off
    with contextlib.suppress(wire.WireError, ConnectionError):
        serve(control, runner, protections)


if __name__ == "__main__":
    main()
