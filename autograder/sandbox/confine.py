"""What Linux gives to confine a process, through the C library: namespaces, a private root, seccomp.

Used by the warm parent alone. Nothing here needs a package or a set-uid helper, and all of it works for
root and, where user namespaces are allowed, for an ordinary user.
"""

import contextlib
import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable
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


def _call(name: str, *arguments: object) -> int:
    if _libc is None:
        raise ConfineError(f"{name}: only Linux has it")
    result = int(getattr(_libc, name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise ConfineError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave the shared namespaces that the flags name."""
    _call("unshare", flags)


def unshare_for_next_child() -> None:
    """Let the next child be the first process of a new process space."""
    with open("/proc/self/ns/pid", "rb") as own:
        _call(
            "setns", own.fileno(), NEW_PROCESSES
        )  # the last child's space can have no further child of ours
    unshare(NEW_PROCESSES)


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind a folder."""
    _call("mount", source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None)


def process_control(option: int, value: int) -> None:
    """Set one of the attributes that prctl(2) keeps for this process."""
    _call("prctl", *(ctypes.c_ulong(number) for number in (option, value, 0, 0, 0)))


def become_root_of_own_users() -> None:
    """Enter a user namespace in which this ordinary user may make the other namespaces."""
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER | NEW_MOUNTS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def private_root(read_only: Iterable[str], empty: Iterable[str]) -> None:
    """Exchange the file system for one that shows the given paths, read-only, and some empty folders."""
    paths = list(read_only)
    root = _folder_to_cover(paths)
    mount("none", "/", flags=RECURSIVE | PRIVATE)
    mount("tmpfs", root, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    for path in paths:
        _show(path, root)
    for folder in empty:
        os.makedirs(root + folder, exist_ok=True)
    os.makedirs(root + "/old")
    _call("pivot_root", root.encode(), (root + "/old").encode())
    os.chdir("/")
    _call("umount2", b"/old", DETACH)
    os.rmdir("/old")
    mount("none", "/", flags=REMOUNT | BIND | READ_ONLY | NO_SETUID | NO_DEVICES)


def _folder_to_cover(paths: list[str]) -> str:
    """A folder that nothing to be shown lies in: the new root is built on it, in this namespace only."""
    for folder in ("/mnt", "/srv", "/media", "/opt", "/run", "/var", "/home", "/tmp"):
        if os.path.isdir(folder) and not any(f"{path}/".startswith(f"{folder}/") for path in paths):
            return folder
    raise ConfineError("no folder is free to build a private root on")


def _show(path: str, root: str) -> None:
    """Bind one path into the new root, read-only."""
    target = root + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        Path(target).touch()
    mount(path, target, flags=BIND | RECURSIVE)
    if not path.startswith(("/dev/", "/proc")):
        # an ordinary user must repeat the flags that the original mount is locked with
        locked = os.statvfs(path).f_flag & (NO_SETUID | NO_DEVICES | NO_EXEC | 1024 | 2048)
        mount("none", target, flags=BIND | REMOUNT | READ_ONLY | NO_SETUID | locked)


def own_folders(sizes: dict[str, int]) -> None:
    """Put fresh, bounded, writable memory file systems on the given folders of this process's root."""
    for folder, megabytes in sizes.items():
        options = f"size={megabytes}m,nr_inodes=4096,mode=1777"
        mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, options)


def own_processes() -> None:
    """Show only this namespace's processes in /proc."""
    mount("proc", "/proc", "proc", NO_SETUID | NO_DEVICES | NO_EXEC)


def drop_privileges(user: int | None) -> None:
    """Become another user if root may; without that, give up every capability. Neither can be regained."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    else:
        for capability in range(41):
            _ignore(process_control, DROP_FROM_BOUNDING_SET, capability)
        header = struct.pack("Ii", 0x20080522, 0)
        _call("capset", header, bytes(24))
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


# System calls that no exercise needs: tracing, mounting, namespaces, keys, kernel modules, clocks, io_uring.
_DENIED = {
    "x86_64": (
        *(101, 103, 133, 134, 135, 153, 154, 155, 156, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171),
        *(
            172,
            173,
            174,
            175,
            176,
            177,
            178,
            179,
            180,
            212,
            227,
            246,
            248,
            249,
            250,
            253,
            254,
            259,
            272,
            279,
            298,
        ),
        *(300, 304, 305, 308, 310, 311, 312, 313, 319, 320, 321, 323, *range(425, 434), 438, 442, 443),
    ),
    "aarch64": (
        *(
            18,
            33,
            39,
            40,
            41,
            42,
            51,
            60,
            89,
            92,
            97,
            104,
            105,
            106,
            112,
            116,
            117,
            161,
            162,
            170,
            171,
            217,
            218,
        ),
        *(
            219,
            224,
            225,
            238,
            239,
            241,
            262,
            265,
            266,
            268,
            270,
            271,
            272,
            273,
            279,
            280,
            282,
            294,
            *range(425, 434),
        ),
        *(438, 442, 443),
    ),
}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SOCKET = {"x86_64": 41, "aarch64": 198}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS, _NO_FAMILY = _ERROR | 1, _ERROR | 38, _ERROR | 97
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


def filter_system_calls() -> None:
    """Refuse the system calls above, new namespaces, and every socket but unix ones."""
    machine = platform.machine()
    if machine not in _DENIED:
        raise ConfineError(f"no list of system calls for {machine}")
    program = _filter(machine)
    buffer = ctypes.create_string_buffer(b"".join(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    packed = Program(len(program), ctypes.cast(buffer, ctypes.c_void_p).value)
    _call("prctl", SECCOMP, 2, ctypes.byref(packed), 0, 0)


def _filter(machine: str) -> list[bytes]:
    """The program for the kernel's packet filter: (operation, jump if true, jump if false, value)."""
    steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    if machine == "x86_64":  # the x32 calls share the architecture's number
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    for number in _DENIED[machine]:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    steps += [
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _ENOSYS),
    ]  # the C library then uses clone, checked below
    steps += [(_EQUAL, 0, 4, _CLONE[machine]), (_LOAD, 0, 0, 16), (_ANY_BIT, 0, 1, NAMESPACE_FLAGS)]
    steps += [(_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    steps += [
        (_EQUAL, 0, 3, _SOCKET[machine]),
        (_LOAD, 0, 0, 16),
        (_EQUAL, 1, 0, 1),
        (_RETURN, 0, 0, _NO_FAMILY),
    ]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    return [struct.pack("<HBBI", *step) for step in steps]
