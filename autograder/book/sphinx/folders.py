"""Keep Sphinx out of folders that hold no pages: environments, hidden folders, the classroom.

Sphinx reads every Markdown file below the root of a book, also those of packages in `.venv`.
"""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.course.course import DEMO, Course

ENVIRONMENT_FILE = "pyvenv.cfg"  # marks the folder of a Python environment
GENERATED_FOLDERS = ("_build", "exercises", "solutions", DEMO)


def exclude_folders(app: Sphinx, config: Config) -> None:
    """Add the folders beside the pages to `exclude_patterns`."""
    root = Path(app.srcdir)
    course = Course(root)
    beside = [folder.name for folder in sorted(root.iterdir()) if folder.is_dir() and _has_no_pages(folder)]
    rooms = [folder for folder in (course.classroom, course.exchange) if folder.is_relative_to(root)]
    names = [*beside, *(folder.relative_to(root).as_posix() for folder in rooms)]
    config.exclude_patterns = [*config.exclude_patterns, *dict.fromkeys(names)]


def _has_no_pages(folder: Path) -> bool:
    is_environment = (folder / ENVIRONMENT_FILE).is_file()
    return folder.name.startswith(".") or folder.name in GENERATED_FOLDERS or is_environment


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("config-inited", exclude_folders, priority=100)
