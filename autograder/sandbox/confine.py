"""What Linux gives to confine a process, through the C library: namespaces, users, limits.

Used by the warm parent alone. Nothing here needs a package or a set-uid helper, and all of it works for
root and, where user namespaces are allowed, for an ordinary user.
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
    """A protection that this platform, or this user on it, cannot provide."""


def call(name: str, *arguments: object) -> int:
    """Call a function of the C library; ConfineError if it refuses."""
    if _libc is None:
        raise ConfineError(f"{name}: only Linux has it")
    result = int(getattr(_libc, name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise ConfineError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave the shared namespaces that the flags name."""
    call("unshare", flags)


def unshare_for_next_child() -> None:
    """Let the next child be the first process of a new process space."""
    with open("/proc/self/ns/pid", "rb") as own:
        call("setns", own.fileno(), NEW_PROCESSES)  # the last child's space can have no further child of ours
    unshare(NEW_PROCESSES)


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind a folder."""
    call("mount", source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None)


def process_control(option: int, value: int) -> None:
    """Set one of the attributes that prctl(2) keeps for this process."""
    call("prctl", *(ctypes.c_ulong(number) for number in (option, value, 0, 0, 0)))


def become_root_of_own_users(others: int = NEW_MOUNTS) -> None:
    """Enter a user namespace in which this ordinary user may make the other namespaces.

    The limit on processes counts those of one user in one such namespace.
    """
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER | others)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def drop_privileges(user: int | None) -> None:
    """Become another user if root may; without that, give up every capability. Neither can be regained."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    else:
        become_root_of_own_users(0)  # so that students do not share one limit on processes
        for capability in range(41):
            _ignore(process_control, DROP_FROM_BOUNDING_SET, capability)
        header = struct.pack("Ii", 0x20080522, 0)
        call("capset", header, bytes(24))
    process_control(KILL_WITH_PARENT, 9)  # changing the user has cleared it
    process_control(NO_NEW_PRIVILEGES, 1)
    # A root nursery may look at what the process holds in any case; one without privileges only if it may be dumped.
    process_control(DUMPABLE, 0 if user is not None else 1)


def _ignore(function: object, *arguments: int) -> None:
    try:
        function(*arguments)  # type: ignore[operator]
    except ConfineError:  # a capability that this kernel does not know
        pass


def limit(memory_bytes: int, cpu_seconds: int, file_bytes: int, processes: int, open_files: int) -> None:
    """Lower this process's own limits; without privileges they cannot be raised again.

    The memory limit counts from what the process has mapped already, which differs between machines.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    for what, most in (
        (resource.RLIMIT_AS, pages * resource.getpagesize() + memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError):  # not every system enforces every limit; Linux does
            resource.setrlimit(what, (most, most))
