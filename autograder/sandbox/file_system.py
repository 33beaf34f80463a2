"""The private, read-only file system of students' processes: what is shown, what is hidden in it, what is writable."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox.confine import (
    BIND,
    DETACH,
    NO_DEVICES,
    NO_EXEC,
    NO_SETUID,
    PRIVATE,
    READ_ONLY,
    RECURSIVE,
    REMOUNT,
    ConfineError,
    call,
    mount,
)

NOT_REMOUNTED = ("/dev", "/proc")  # devices must be written to, and every process gets a /proc of its own
LOCKED = NO_SETUID | NO_DEVICES | NO_EXEC | 1024 | 2048  # flags that an ordinary user must repeat


def arranged(shown: Iterable[str], hidden: Iterable[str]) -> list[tuple[str, bool]]:
    """What to mount, outer folders first: a path, and whether to show or to cover it.

    A path says nothing that the nearest folder around it does not say already. What lies outside of everything that
    is shown need not be covered.
    """
    says = {os.path.realpath(path): False for path in hidden if os.path.exists(path)}
    for path in shown:
        if says.get(path) is False:
            raise ConfineError(
                f"{path} holds the course and must be readable to students' programs: move the course elsewhere"
            )
        says[path] = True
    steps: dict[str, bool] = {}
    for path in sorted(says):
        around = [one for one in steps if path.startswith(f"{one.rstrip('/')}/")]
        if says[path] != (bool(around) and steps[max(around, key=len)]):
            steps[path] = says[path]
    return list(steps.items())


def private_root(shown: Iterable[str], hidden: Iterable[str], empty: Iterable[str]) -> None:
    """Exchange the file system for one that shows some paths, read-only, but not the hidden ones below them."""
    steps = arranged(shown, hidden)
    root = _folder_to_cover([path for path, is_shown in steps if is_shown])
    mount("none", "/", flags=RECURSIVE | PRIVATE)
    mount("tmpfs", root, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    for path, is_shown in steps:
        (_show if is_shown else _cover)(path, root)
    for folder in empty:
        os.makedirs(root + folder, exist_ok=True)
    os.makedirs(root + "/old")
    call("pivot_root", root.encode(), (root + "/old").encode())
    os.chdir("/")
    call("umount2", b"/old", DETACH)
    os.rmdir("/old")
    _make_read_only()


def _folder_to_cover(paths: list[str]) -> str:
    """A folder that nothing to be shown lies in: the new root is built on it, in this namespace only."""
    for folder in ("/mnt", "/srv", "/media", "/opt", "/run", "/var", "/home", "/tmp"):
        if os.path.isdir(folder) and not any(f"{path}/".startswith(f"{folder}/") for path in paths):
            return folder
    raise ConfineError("no folder is free to build a private root on")


def _show(path: str, root: str) -> None:
    """Bind one path into the new root, with all that is mounted below it."""
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


def _cover(path: str, root: str) -> None:
    """Put something empty over a path that lies in one that is shown."""
    if os.path.isdir(path):
        mount("tmpfs", root + path, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    else:
        mount("/dev/null", root + path, flags=BIND)


def _make_read_only() -> None:
    """Every mount of the new root, also those that came along below what was shown."""
    for place in _mounted():
        if not f"{place}/".startswith(tuple(f"{folder}/" for folder in NOT_REMOUNTED)):
            locked = os.statvfs(place).f_flag & LOCKED
            mount("none", place, flags=REMOUNT | BIND | READ_ONLY | NO_SETUID | locked)


def _mounted() -> list[str]:
    """Where something is mounted; spaces in names are written in octal."""
    places = (line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())
    return [re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), place) for place in places]


def own_folders(sizes: dict[str, int]) -> None:
    """Put fresh, bounded, writable memory file systems on the given folders of this process's root."""
    for folder, megabytes in sizes.items():
        options = f"size={megabytes}m,nr_inodes=4096,mode=1777"
        mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, options)


def own_processes() -> None:
    """Show only this namespace's processes in /proc, and nothing of the machine: its load can carry a message."""
    flags = NO_SETUID | NO_DEVICES | NO_EXEC
    try:
        mount("proc", "/proc", "proc", flags, "subset=pid")
    except ConfineError:  # kernels before 5.8
        mount("proc", "/proc", "proc", flags)
