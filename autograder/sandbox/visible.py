"""What students' programs may see of this machine: system libraries, the interpreter, its packages, this engine."""

import os
import sys
import sysconfig
from functools import cache
from pathlib import Path

PARTS = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share")  # of a system; its sources are not shown
OTHERS = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/proc",
)
ENGINE = Path(__file__).parents[1]


def visible_paths() -> list[str]:
    """The outermost folders and files to be shown."""
    prefixes = ("/", "/usr", "/usr/local", sys.base_prefix, sys.prefix)
    parts = {
        os.path.join(prefix, part) for prefix in prefixes for part in PARTS[: 5 if prefix == "/" else None]
    }
    packages = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    wanted = {*parts, *packages, *OTHERS, str(ENGINE), f"{sys.prefix}/pyvenv.cfg"}
    return [path for path in sorted(wanted) if os.path.lexists(path)]


@cache
def hidden_packages() -> tuple[str, ...]:
    """What was installed together with this engine: a course's reference and solutions, which know the answers."""
    own = f"{ENGINE.name}/__init__.py,"
    for record in ENGINE.parent.glob("*.dist-info/RECORD"):
        lines = record.read_text("utf-8", "replace").splitlines()
        if any(line.startswith(own) for line in lines):
            beside = {line.partition(",")[0].partition("/")[0] for line in lines}
            return tuple(
                str(ENGINE.parent / name) for name in sorted(beside - {ENGINE.name, record.parent.name, ".."})
            )
    return ()
