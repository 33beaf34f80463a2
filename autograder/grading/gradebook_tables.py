"""Open nbgrader's gradebook and create the tables of a new one."""

import contextlib
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.nbgrader_settings import directory
from autograder.program import program_name

GRADEBOOK_TIMEOUT_SECONDS = 60  # wait while another program, such as formgrader, writes the gradebook


def silence_nbgrader() -> None:
    """Suppress harmless warnings and tracebacks of nbgrader.

    nbgrader 0.9 causes an SAWarning of SQLAlchemy 2 for each new submission. It also logs the traceback of a database
    error, which the engine reports in one line.
    """
    from sqlalchemy.exc import SAWarning

    warnings.filterwarnings("ignore", category=SAWarning)
    logging.getLogger("tornado.application").setLevel(logging.CRITICAL)


@contextlib.contextmanager
def open_gradebook(course: Course) -> Iterator[Any]:
    """Open nbgrader's gradebook as a context manager."""
    from nbgrader.api import Gradebook

    silence_nbgrader()
    with Gradebook(gradebook_address(course)) as gradebook:
        yield gradebook


def gradebook_address(course: Course) -> str:
    """Return the gradebook's URL; create the file and its tables if needed.

    The file is created with restricted permissions before anything is written to it.
    """
    address = str(directory(course).db_url)
    if not course.settings.get("gradebook"):
        course.paths.gradebook.touch(mode=0o660 if course.settings["group"] else 0o600)
        address = f"{address}?timeout={GRADEBOOK_TIMEOUT_SECONDS}"
        if course.paths.gradebook.stat().st_size:
            return address
    _make_tables(address)
    return address


def _make_tables(address: str) -> None:
    """Create the tables of a new gradebook.

    nbgrader itself would start a second Python process to find the schema version.
    """
    import nbgrader.api
    from alembic.script import ScriptDirectory
    from sqlalchemy import create_engine, inspect, text

    engine = create_engine(address)
    with engine.begin() as connection:
        if not inspect(connection).get_table_names():
            version = ScriptDirectory(
                str(Path(nbgrader.api.__file__).with_name("alembic"))
            ).get_current_head()
            nbgrader.api.Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})
    engine.dispose()


def parse_utc(text: str) -> Any:
    """Parse a time as nbgrader does; raise ValueError if invalid."""
    from nbgrader.utils import parse_utc as parse

    return parse(text)


def parse_stamp(stamp: str | None) -> Any:
    """Parse a time stamp; return None without a stamp."""
    return parse_utc(stamp) if stamp else None


def unknown_assignment_error(topic: str) -> CourseError:
    """Return the error for a gradebook without this assignment."""
    return CourseError(
        f"the gradebook does not know {topic}: put the lost one back, "
        f"or run `{program_name()} regenerate` with the seed of "
        f"this class, as before, and `{program_name()} audit --restore {topic}`"
    )
