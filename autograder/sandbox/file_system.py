"""Private, read-only file system of students' processes (mount namespace)."""

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
    call_libc,
    mount,
)

# Devices must stay writable, and every process space gets a /proc of its own.
NOT_REMOUNTED_FOLDERS = ("/dev", "/proc")
LOCKED_MOUNT_FLAGS = NO_SETUID | NO_DEVICES | NO_EXEC | 1024 | 2048  # flags that an ordinary user must repeat


def plan_mounts(shown: Iterable[str], hidden: Iterable[str]) -> list[tuple[str, bool]]:
    """Return the mounts to make, outer folders first, as (path, is shown).

    A path is left out if its nearest outer folder has the same visibility already. A hidden path that lies in no
    shown folder is left out, too.
    """
    visibility = {os.path.realpath(path): False for path in hidden if os.path.exists(path)}
    for path in shown:
        if visibility.get(path) is False:
            raise ConfineError(
                f"{path} holds the course and must be readable to students' programs: move the course elsewhere"
            )
        visibility[path] = True
    steps: dict[str, bool] = {}
    for path in sorted(visibility):
        outer_folders = [folder for folder in steps if path.startswith(f"{folder.rstrip('/')}/")]
        if visibility[path] != (bool(outer_folders) and steps[max(outer_folders, key=len)]):
            steps[path] = visibility[path]
    return list(steps.items())


def enter_private_root(shown: Iterable[str], hidden: Iterable[str], empty: Iterable[str]) -> None:
    """Replace the root file system by one with only the shown paths, read-only.

    Hidden paths below a shown one are covered. `empty` lists folders to create.
    """
    steps = plan_mounts(shown, hidden)
    root = _free_folder([path for path, is_shown in steps if is_shown])
    mount("none", "/", flags=RECURSIVE | PRIVATE)
    mount("tmpfs", root, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    for path, is_shown in steps:
        (_show if is_shown else _cover)(path, root)
    for folder in empty:
        os.makedirs(root + folder, exist_ok=True)
    os.makedirs(root + "/old")
    call_libc("pivot_root", root.encode(), (root + "/old").encode())
    os.chdir("/")
    call_libc("umount2", b"/old", DETACH)
    os.rmdir("/old")
    _make_read_only()


def _free_folder(paths: list[str]) -> str:
    """Return a system folder that contains no shown path.

    The new root is mounted on it, in this namespace only.
    """
    for folder in ("/mnt", "/srv", "/media", "/opt", "/run", "/var", "/home", "/tmp"):
        if os.path.isdir(folder) and not any(f"{path}/".startswith(f"{folder}/") for path in paths):
            return folder
    raise ConfineError("no folder is free to build a private root on")


def _show(path: str, root: str) -> None:
    """Bind one path into the new root, with the mounts below it."""
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
    """Mount an empty folder or /dev/null over a path inside a shown folder."""
    if os.path.isdir(path):
        mount("tmpfs", root + path, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    else:
        mount("/dev/null", root + path, flags=BIND)


def _make_read_only() -> None:
    """Remount every mount of the new root read-only, nested ones included."""
    for mount_point in _list_mount_points():
        if not f"{mount_point}/".startswith(tuple(f"{folder}/" for folder in NOT_REMOUNTED_FOLDERS)):
            locked_flags = os.statvfs(mount_point).f_flag & LOCKED_MOUNT_FLAGS
            mount("none", mount_point, flags=REMOUNT | BIND | READ_ONLY | NO_SETUID | locked_flags)


def _list_mount_points() -> list[str]:
    """Return all mount points, decoding octal escapes such as \\040 for a space."""
    mount_points = (line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())
    return [
        re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), mount_point)
        for mount_point in mount_points
    ]


def mount_writable_folders(sizes: dict[str, int]) -> None:
    """Mount an empty, size-limited tmpfs on each of these folders."""
    for folder, megabytes in sizes.items():
        options = f"size={megabytes}m,nr_inodes=4096,mode=1777"
        mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, options)


def mount_private_proc() -> None:
    """Mount a /proc that shows only the processes of this namespace.

    Files about the whole machine are hidden: its load could carry messages between submissions.
    """
    flags = NO_SETUID | NO_DEVICES | NO_EXEC
    try:
        mount("proc", "/proc", "proc", flags, "subset=pid")
    except ConfineError:  # kernels before 5.8
        mount("proc", "/proc", "proc", flags)
