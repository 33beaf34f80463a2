"""Read a submission's notebook, time stamp and secret, all of them untrusted."""

import contextlib
import os
import re
from pathlib import Path

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.grading.gradebook_tables import parse_utc

SECRET = re.compile(r"[0-9a-f]{16,200}")


def unknown_submissions(course: Course) -> list[str]:
    """List submissions to unknown assignments, as `student/assignment`."""
    known, paths = set(course.assignments()), course.paths
    return [
        f"{student}/{name}"
        for student in paths.students()
        for name in paths.assignments_of(student)
        if name not in known
    ]


def find_notebook(path: Path) -> Path:
    """Return the notebook at this path, or the only one beside it.

    A browser names a second download `areas (1).ipynb`, and JupyterLite names each one `areas_areas.ipynb`.
    """
    names = _other_names(path)
    return path.with_name(names[0]) if len(names) == 1 else path


def _other_names(path: Path) -> list[str]:
    """List other notebooks in the folder if the expected one is missing."""
    if os.path.lexists(path):
        return []
    return sorted(other.name for other in path.parent.glob("*.ipynb") if not other.name.startswith("."))


def describe_misnamed(path: Path) -> str:
    """Name other notebooks, for a message, if the expected one is missing."""
    names = ", ".join(repr(name[:80]) for name in _other_names(path)[:3])
    return f" under this name; what was handed in is called {names}" if names else ""


def read_timestamp(path: Path) -> str | None:
    """Read the time of submission.

    Return None for a link, a pipe or an invalid text.
    """
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 200:
            return None
        text = path.read_text("utf-8").strip()
        return text if parse_utc(text) else None
    except (OSError, ValueError, OverflowError):
        return None


def copy_submission_metadata(submitted: Path, target: Path) -> None:
    """Copy time stamp and secret of a submission to another folder.

    nbgrader's exchange needs them to return feedback.
    """
    # a linked folder may be another student's; islink returns False if the folder cannot be read
    if os.path.islink(submitted) or os.path.islink(submitted.parent):
        return
    metadata = {
        "timestamp.txt": read_timestamp(submitted / "timestamp.txt"),
        "submission_secret.txt": read_secret(submitted / "submission_secret.txt"),
    }
    for name, text in metadata.items():
        if text:
            write_text(target / name, text)


def read_secret(path: Path) -> str | None:
    """Read the secret that identifies the submitter; None if missing or invalid.

    nbgrader writes 128 hexadecimal digits.
    """
    with contextlib.suppress(OSError, ValueError):
        if not path.is_symlink() and path.is_file() and path.stat().st_size <= 200:
            text = path.read_text("ascii").strip()
            return text if SECRET.fullmatch(text) else None
    return None
