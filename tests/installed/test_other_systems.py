"""What a student runs needs nothing that only Linux has: tried here on a Python that says it is another system's.

The release workflow runs `smoke.py` on Windows and macOS themselves, with the wheel that it publishes.
"""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

# Libraries ask for the system when they are imported, and would look for Windows' own files: they come first.
PRETEND = """\
import sys
import asyncio, multiprocessing, platform, shutil, ssl, subprocess, tempfile, urllib.request
import IPython, matplotlib, mpmath, nbformat, numpy, scipy.linalg, scipy.optimize, scipy.sparse, sympy
import os

class Refused:
    NAMES = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "posix1e"}
    def find_spec(self, name, path=None, target=None):
        if name in self.NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in Refused.NAMES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refused())
for name in ("fork", "forkpty", "geteuid", "getuid", "getgid", "setsid", "chown", "sched_getaffinity", "O_NOFOLLOW"):
    if hasattr(os, name):
        delattr(os, name)
sys.platform = SYSTEM
"""


@pytest.fixture(params=["win32", "darwin"])
def system(request, tmp_path):
    """The environment of a Python that says it is another system's."""
    (tmp_path / "sitecustomize.py").write_text(PRETEND.replace("SYSTEM", repr(request.param)), "utf-8")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}


def run(environment, *arguments):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_pretence_holds(system):
    done = run(system, "-c", "import fcntl")
    assert "No module named 'fcntl'" in done.stderr


def test_a_student_checks_in_every_way(system):
    done = run(system, "tests/installed/smoke.py", "exercises/geometry")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: through the container" in done.stdout


def test_a_student_checks_in_every_way_here():
    done = run(dict(os.environ), "tests/installed/smoke.py", "exercises/geometry")
    assert done.returncode == 0, done.stdout + done.stderr
