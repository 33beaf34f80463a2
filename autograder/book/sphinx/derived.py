"""Pages that are made from data are written before Sphinx looks for pages."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from autograder.book.ledger import write_ledger_pages
from autograder.course.course import Course
from autograder.errors import BookError, CourseError


def write_derived_pages(app: Sphinx, config: Config) -> None:
    """Write the pages of the ledger."""
    try:
        write_ledger_pages(Course(Path(app.srcdir)))
    except (BookError, CourseError) as error:
        raise ExtensionError(str(error)) from error


def setup(app: Sphinx) -> None:
    """Connect to Sphinx, before the table of contents is read (at 900)."""
    app.connect("config-inited", write_derived_pages, priority=100)
