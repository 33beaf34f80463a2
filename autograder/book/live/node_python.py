"""Run a Python file in the browser's Python, under node."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.book.live.packages import NPM, require_node
from autograder.errors import LiveError

NODE_RUN_SCRIPT = NPM / "run.mjs"


def run_in_python(
    python: Path, script: Path, mounts: Mapping[str, Path], job: object = None, packages: Iterable[str] = ()
) -> str:
    """Run a Python file in the browser's Python under node; return what it printed."""
    options = {
        "packages": list(packages),
        "mounts": {inside: str(outside) for inside, outside in mounts.items()},
        "job": job,
    }
    command = [require_node(), str(NODE_RUN_SCRIPT), str(python), str(script), json.dumps(options)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise LiveError(f"{script.name} failed in the browser's Python: {done.stderr.strip()[-500:]}")
    return done.stdout
