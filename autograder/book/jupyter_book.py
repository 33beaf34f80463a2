"""Run Jupyter Book in a subprocess and report errors in one line.

A subprocess is needed because Jupyter Book changes global state of docutils and Sphinx.
"""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.book.live.publish import LATER
from autograder.book.run.pages import PageError
from autograder.errors import BookError

COMMAND = "import sys; from jupyter_book.cli.main import main; main(sys.argv[1:])"
BOOK_LOG = "book.log"


def run_jupyter_book(root: Path, *, live: bool = False) -> None:
    """Build the book in a folder; a warning raises BookError.

    The log is _build/book.log. With `live`, pages are live once `publish_live_assets` has put the files beside them.
    """
    process = subprocess.run(
        [sys.executable, "-c", COMMAND, "build", str(root), "-W", "-n", "--keep-going"],
        env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "COURSE_LIVE": LATER if live else ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    output = re.sub(r"\x1b\[[0-9;]*m", "", process.stdout)  # Jupyter Book ignores NO_COLOR
    log = _write_log(root, output)
    if process.returncode != 0:
        raise BookError(_first_problem(output.replace(f"{root}{os.sep}", ""), log))


@contextlib.contextmanager
def log_failures(root: Path) -> Iterator[None]:
    """Log a failed page's traceback and name its cell in the error."""
    try:
        yield
    except PageError as failure:
        log = _write_log(root, f"{failure.page}: Executing notebook failed\n{failure.log}")
        cause = _exception(failure.log) or failure.log.strip().rpartition("\n")[2]
        raise BookError(f"{failure.page}: a cell failed: {cause}; see {log}") from None


def _write_log(root: Path, output: str) -> Path:
    log = root / "_build" / BOOK_LOG
    log.parent.mkdir(exist_ok=True)
    log.write_text(output, "utf-8")
    return log


def _first_problem(output: str, log: Path) -> str:
    """Return the page and the first exception or warning in one line."""
    warnings = re.findall(
        r"^(?:(\S+?\.\w+(?::\d+)?): )?(?:WARNING|ERROR|CRITICAL): (.*)$", output, re.MULTILINE
    )
    if not warnings:
        # Sphinx names its own errors, Jupyter Book puts them into a box.
        box = re.search(r"^(?:\w+ error:|=+)\n\s*(\S.*)$", output, re.MULTILINE)
        return f"the book was not built: {box[1] if box else output.strip()[-200:]}; see {log}"
    place, message = warnings[0]
    if message.startswith("Executing notebook failed"):
        traceback = output.partition("Executing notebook failed")[2].partition("[mystnb.exec]")[0]
        message = f"a cell failed: {_exception(traceback)}"
    others = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return f"{place or 'the book'}: {message}{others}; see {log}"


def _exception(traceback: str) -> str:
    """Return a cell's exception and the line that raised it."""
    traceback = re.sub(r"\x1b\[[0-9;]*m", "", traceback)
    names = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception|Warning|Interrupt)\b.*$", traceback, re.MULTILINE)
    arrows = re.findall(r"^-+> \d+ (.*)$", traceback, re.MULTILINE)
    return " in ".join([*names[-1:], *(f"`{line.strip()}`" for line in arrows[:1])])
