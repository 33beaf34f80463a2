"""Run a notebook without a sandbox and print its verdicts.

`dimred check` uses it on Windows and macOS, where people check their own notebooks. The notebook runs in a separate
Python process, so it cannot change or end the program that prints the verdicts.
"""

import json
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.errors import UnreadableError
from autograder.judging import check as checking
from autograder.judging import render
from autograder.judging.key_lookup import find_key
from autograder.judging.notebook_identity import named_topic
from autograder.judging.verdict import Verdict
from autograder.program import program_name

NO_SANDBOX_WARNING = "no sandbox on this system; the notebook runs with your own rights\n"


def preview_plainly(path: Path) -> Iterator[str]:
    """Run a notebook against its public key and yield the output lines."""
    topic_of(path)
    yield NO_SANDBOX_WARNING
    command = [sys.executable, "-X", "utf8", "-m", "autograder.judging.plain_preview", path.name]
    with subprocess.Popen(
        command,
        cwd=path.resolve().parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield line.rstrip("\n")
    if process.returncode:
        raise UnreadableError(f"{path.name}: the notebook ended Python before its last cell")


def require_notebook_file(path: Path) -> None:
    """Raise UnreadableError, with what to do, if there is no file at a path."""
    if not path.is_file():
        raise UnreadableError(
            f"{path} is not a file: give the path of the notebook to check, "
            f"for instance {program_name()} check exercises/<topic>/<topic>.ipynb"
        )


def topic_of(path: Path) -> str:
    """Return the topic of a notebook file.

    Raise UnreadableError if it cannot be read or is no assignment.
    """
    require_notebook_file(path)
    try:
        notebook = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{path.name} cannot be read as a notebook: {error}") from None
    return named_topic(notebook, path.name)


def main(name: str) -> None:
    """Run all cells of a notebook and print the verdicts."""
    verdicts: dict[str, Verdict] = {}

    def show(verdict: Verdict, pages: Any) -> None:
        verdicts[verdict.task] = verdict
        print(render.text(verdict, pages) + "\n", flush=True)

    key = find_key(topic_of(Path(name)))
    checking.show_verdict = show
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(_cells(Path(name)), start=1):
        try:
            exec(compile(source, f"cell {number}", "exec"), namespace)
        except Exception as error:
            message = "".join(traceback.format_exception_only(error)).strip()
            print(f"code cell {number} failed: {message}\n", flush=True)
    earned = sum(verdict.earned for verdict in verdicts.values())
    print(f"{earned:g} of {sum(task.points for task in key.tasks.values()):g} points that a check can give")


def _cells(path: Path) -> Iterator[str]:
    """Yield the code of each cell, without IPython's own commands."""
    for cell in json.loads(path.read_text("utf-8-sig"))["cells"]:
        if cell.get("cell_type") == "code":
            lines = "".join(cell["source"]).replace("\r\n", "\n").split("\n")
            yield "\n".join("pass" if line.startswith(("%", "!")) else line for line in lines)


if __name__ == "__main__":
    sys.path.insert(0, "")
    main(sys.argv[1])
