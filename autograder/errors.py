"""One tree of errors: what a person can mend, said in one line.

Everything below `CourseError` becomes that line in one place, `autograder.cli.main`. What is not below it is a mistake
of ours and keeps its traceback. Errors that never leave
a room (a broken wire, an answer that is not plain) are defined there.
"""


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
