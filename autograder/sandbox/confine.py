"""Linux system calls that confine a process: namespaces, mounts, user ids, limits.

Only the fork server uses them. They are called through the C library, without packages or set-uid helpers. They work
for root, and for an ordinary user where user namespaces are allowed.
"""

import contextlib
import ctypes
import os
import resource
import struct
import sys
from pathlib import Path

NEW_MOUNTS, NEW_USER = 0x00020000, 0x10000000
NEW_HOST, NEW_IPC, NEW_PROCESSES, NEW_NETWORK = 0x04000000, 0x08000000, 0x20000000, 0x40000000
NAMESPACE_FLAGS = NEW_MOUNTS | NEW_USER | NEW_HOST | NEW_IPC | NEW_PROCESSES | NEW_NETWORK | 0x02000000

READ_ONLY, NO_SETUID, NO_DEVICES, NO_EXEC, REMOUNT, BIND, RECURSIVE, PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
DETACH = 2
KILL_WITH_PARENT, NO_NEW_PRIVILEGES, SECCOMP, DROP_FROM_BOUNDING_SET, DUMPABLE = 1, 38, 22, 24, 4

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class ConfineError(OSError):
    """This platform or this user cannot provide a protection."""


def call_libc(name: str, *arguments: object) -> int:
    """Call a function of the C library; raise ConfineError if it fails."""
    if _libc is None:
        raise ConfineError(f"{name}: only Linux has it")
    result = int(getattr(_libc, name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise ConfineError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Enter new namespaces of the kinds in `flags`."""
    call_libc("unshare", flags)


def unshare_pid_for_next_child() -> None:
    """Make the next child the first process of a new PID namespace."""
    with open("/proc/self/ns/pid", "rb") as namespace:
        call_libc(
            "setns", namespace.fileno(), NEW_PROCESSES
        )  # back to our own: unshare(2) fails while children go to another PID namespace
    unshare(NEW_PROCESSES)


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind a folder."""
    call_libc(
        "mount", source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None
    )


def process_control(option: int, value: int) -> None:
    """Set an attribute of this process with prctl(2)."""
    call_libc("prctl", *(ctypes.c_ulong(number) for number in (option, value, 0, 0, 0)))


def enter_user_namespace(other_flags: int = NEW_MOUNTS) -> None:
    """Enter a user namespace in which this user may create the other namespaces.

    The kernel counts the limit on processes per user and user namespace.
    """
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER | other_flags)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def drop_privileges(user: int | None) -> None:
    """Switch to the given user, or drop every capability if it is None.

    Neither step can be undone by the process.
    """
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    else:
        enter_user_namespace(0)  # a namespace per student: each has its own limit on processes
        for capability in range(41):
            _call_if_supported(process_control, DROP_FROM_BOUNDING_SET, capability)
        header = struct.pack("Ii", 0x20080522, 0)
        call_libc("capset", header, bytes(24))
    process_control(KILL_WITH_PARENT, 9)  # the kernel clears this setting when the user changes
    process_control(NO_NEW_PRIVILEGES, 1)
    # The fork server reads the memory use of the process. Without root it may do so only if the process is dumpable.
    process_control(DUMPABLE, 0 if user is not None else 1)


def _call_if_supported(function: object, *arguments: int) -> None:
    try:
        function(*arguments)  # type: ignore[operator]
    except ConfineError:  # this kernel does not know the capability
        pass


MAX_PENDING_SIGNALS = 256  # signals and timers: the kernel charges their memory to no process


def limit(memory_bytes: int, cpu_seconds: int, file_bytes: int, processes: int, open_files: int) -> None:
    """Lower the resource limits of this process with setrlimit(2).

    Without privileges they cannot be raised again. The memory limit is added to the memory that is mapped already,
    because that differs between machines.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    for resource_kind, maximum in (
        (resource.RLIMIT_AS, pages * resource.getpagesize() + memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CORE, 0),
        *([(resource.RLIMIT_SIGPENDING, MAX_PENDING_SIGNALS)] if sys.platform == "linux" else []),
    ):
        hard = resource.getrlimit(resource_kind)[1]
        maximum = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
        with contextlib.suppress(ValueError):  # some systems do not support every limit; Linux does
            resource.setrlimit(resource_kind, (maximum, maximum))
