"""The command line, run in the test's own process: what it imports takes longer than what it does.

Where that makes a difference, `program` starts it as people do.
"""

import contextlib
import io
import subprocess
import sys
from pathlib import Path

from autograder import cli


def dimred(folder: Path, *arguments: object) -> tuple[int, str, str]:
    """Run the command in a folder; returns (exit code, standard output, standard error)."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = cli.main([str(one) for one in arguments])
        except SystemExit as end:  # argparse ends so, after help or a wrong option
            code = end.code
    return code, out.getvalue(), error.getvalue()


def program(folder: Path, *arguments: object) -> tuple[int, str, str]:
    """The same as a process of its own."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr
