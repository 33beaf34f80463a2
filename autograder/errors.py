"""Exceptions with a one-line message that tells the user what to do.

`autograder.cli.main` prints subclasses of `CourseError`, and errors of the machine (a full disk, a folder without write
permission), as one line. Any other exception is a bug and keeps its traceback. Errors that never leave a room, such as
`WireError` and `UnsupportedAnswerError`, are defined in that room.
"""

import errno


class CourseError(Exception):
    """An error that the user can fix; the message is one line that says how."""

    def _render_traceback_(self) -> list[str]:
        """Return the message alone, which Jupyter then shows instead of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class BookError(CourseError):
    """The book could not be built; the message says where and why."""


class LiveError(BookError):
    """The files of live pages are not available; the message says what is missing."""


class BadKeyError(CourseError, ValueError):
    """A key that is missing or cannot be read; the message says what to do."""


class FormatError(CourseError, ValueError):
    """A file of a version that cannot be read; the message says which one is needed."""


class SourceError(CourseError, ValueError):
    """A mistake in the text of an exercise; the message says which cell."""


class PlaceholderError(CourseError, ValueError):
    """A placeholder with an unknown name; the message lists the known names."""


class UncertifiedError(CourseError, ValueError):
    """No draw of a task passed every rule; the message names the task, the rule and the number of tries."""


class UnreadableError(CourseError, ValueError):
    """A submission that is not a notebook; the message is for the student and the instructor."""


class UnsafeError(CourseError, RuntimeError):
    """This platform cannot confine students' code; the message says what is missing."""


class MachineError(CourseError):
    """An error of the machine that stops the run: it would affect every submission."""


class TimeLimitError(BaseException):
    """A program has used its time. No Exception: `except Exception` in that program must not swallow it."""


REFUSALS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
GRADEBOOK_BUSY = "the gradebook is being written by another program: close it"


def describe_machine_error(error: BaseException | None) -> str:
    """Describe an error of the machine and what to do; empty for other errors."""
    while error is not None:
        message = _describe_refusal(error)
        if message:
            return message
        error = error.__cause__ or error.__context__  # nbgrader wraps the error in its own exceptions
    return ""


def _describe_refusal(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in REFUSALS:
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror}{where}; free some space or get write permission, then run again"
    import sqlite3  # imported here, because the browser has no sqlite3 at start

    database = getattr(error, "orig", error)  # SQLAlchemy keeps the original error in `orig`
    if isinstance(database, sqlite3.OperationalError | sqlite3.DatabaseError):
        message = str(database)
        reason = (
            GRADEBOOK_BUSY
            if "locked" in message
            else f"the gradebook cannot be used: {message}; repair it or restore a copy"
        )
        return f"{reason}, then run again"
    return ""


def raise_if_machine_error(error: BaseException) -> None:
    """Raise MachineError for an error of the machine, to stop the whole run."""
    message = describe_machine_error(error)
    if message:
        raise MachineError(f"{message}; what was finished is kept") from error
