"""One tree of errors: what a person can mend, said in one line.

Everything below `CourseError` becomes that line in one place, `autograder.cli.main`, and so does what the machine
refuses (a full disk, a folder that may not be written). The rest is a mistake of ours and keeps its traceback. Errors
that never leave a room (a broken wire, an answer that is not plain) are defined there.
"""

import errno


class CourseError(Exception):
    """Something that the person at the keyboard can mend; the message is one line that says how."""


class BookError(CourseError):
    """The book could not be built; the message says where and why."""


class LiveError(BookError):
    """The files of live pages cannot be had here; the message says what is missing."""


class BadKeyError(CourseError, ValueError):
    """A key that is missing or cannot be read; the message says what to do."""


class SourceError(CourseError, ValueError):
    """A mistake in the text of an exercise; the message says which cell."""


class PlaceholderError(CourseError, ValueError):
    """A placeholder that names nothing; the message says what it may name."""


class UncertifiedError(CourseError, ValueError):
    """No draw of a task passed every rule; the message names the task, the rule and the number of tries."""


class UnreadableError(CourseError, ValueError):
    """A submission that is not a notebook; the message is for the student and the instructor."""


class UnsafeError(CourseError, RuntimeError):
    """This platform cannot confine students' code; the message says what is missing."""


class MachineError(CourseError):
    """The machine refuses, and would refuse the next one too: no student's fault, and a reason to stop."""


REFUSALS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
BUSY = "the gradebook is being written by another program: close it"


def refusal(error: BaseException | None) -> str:
    """What the machine refuses, in one line that says what to do; empty if the error is of another kind."""
    while error is not None:
        said = _refused(error)
        if said:
            return said
        error = error.__cause__ or error.__context__  # nbgrader raises an error of its own instead
    return ""


def _refused(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in REFUSALS:
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror}{where}; make room or give yourself the right to write, then run again"
    import sqlite3  # here, because the engine in the browser starts without a database

    database = getattr(error, "orig", error)  # as SQLAlchemy wraps them
    if isinstance(database, sqlite3.OperationalError | sqlite3.DatabaseError):
        said = str(database)
        return f"{BUSY if 'locked' in said else f'the gradebook: {said}; mend it or put it back'}, then run again"
    return ""


def stop_if_refused(error: BaseException) -> None:
    """Stop the whole run when the error is the machine's; others may be one student's alone."""
    said = refusal(error)
    if said:
        raise MachineError(f"{said}; what was finished is kept") from error
