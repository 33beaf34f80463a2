"""Configure nbgrader for a course: folders, exchange, penalties, graders' pages."""

import importlib
import os
import re
import sys
import threading
from pathlib import Path
from typing import Any

from autograder.authoring.source_notebook import CODE_STUB
from autograder.course.course import Course
from autograder.course.files import write_text


def nbgrader_config(course: Course) -> Any:
    """Return nbgrader's configuration for this course.

    `nbgrader_config.py` at the root of the repository loads the same configuration.
    """
    from traitlets.config import Config

    _put_scripts_on_path()
    course.paths.enter()
    config = Config()
    config.CourseDirectory.root = str(course.classroom)
    config.CourseDirectory.groupshared = bool(course.settings["group"])
    # the exchange requires a course id, and a database server checks the assignment's foreign key to its course
    config.CourseDirectory.course_id = str(course.settings["course_id"])
    address = course.settings.get("gradebook")  # such as postgresql://grader:$PASSWORD@host/course
    if address:
        # name the driver of the extra `postgres`, because the default of SQLAlchemy 2.1 is another driver
        driver = re.sub(r"^postgres(ql)?://", "postgresql+psycopg2://", os.path.expandvars(address))
        config.CourseDirectory.db_url = driver
    if share := course.settings["late_penalty_per_day"]:
        config.AssignLatePenalties.plugin_class = "autograder.grading.late_plugin.SharePerDay"
        config.SharePerDay.share = float(share)
    config.ClearSolutions.code_stub = CODE_STUB
    config.OverwriteCells.add_missing_cells = True
    config.HTMLExporter.update(_pages_for_graders())
    # so that nbgrader's button and command for feedback write the course's pages
    config.GenerateFeedback.exporter_class = "autograder.reports.nbgrader_feedback.CourseFeedbackExporter"
    config.CourseFeedbackExporter.course_root = str(course.root)
    config.CourseFeedbackExporter.course_room = course.room or ""
    config.ExportApp.plugin_class = "autograder.grading.export.SafeCsvExport"
    _make_exchange(course.exchange)
    config.Exchange.root = str(course.exchange)
    config.ExchangeFactory.collect = "autograder.grading.collect.CarefulCollect"
    return config


def _make_exchange(folder: Path) -> None:
    """Create the exchange folder, which nbgrader expects at every start.

    All accounts may write to it. The sticky bit prevents an account from deleting files of another one, as in /tmp.
    """
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o1777)
        write_text(folder / ".gitignore", "*\n")


def _pages_for_graders() -> dict[str, Any]:
    """Return the exporter settings of formgrader: sanitised text, rubric buttons.

    Classes are given by name, so they are imported only by an export.
    """
    pages, rubrics = "autograder.grading.formgrader", "autograder.grading.rubric_buttons"
    filters = {
        "markdown2html": f"{pages}.markdown2html",
        "strip_files_prefix": f"{rubrics}.with_buttons",
    }
    return {"preprocessors": [f"{rubrics}.RubricButtons", f"{pages}.LocalMathJax"], "filters": filters}


def config_with_plugins(course: Course) -> object:
    """Return nbgrader's configuration merged with the course's nbgrader_config.py.

    The file may add a plugin for late penalties, for example.
    """
    from traitlets.config import PyFileConfigLoader

    config = nbgrader_config(course)
    if (course.root / "nbgrader_config.py").is_file():
        config.merge(PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config())
        config.merge(
            nbgrader_config(course)
        )  # restore the folders of this classroom, which the file may replace
    return config


def _put_scripts_on_path() -> None:
    """Add Python's scripts folder to PATH, because nbgrader calls `alembic` by name."""
    scripts = str(Path(sys.executable).parent)
    if scripts not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", "")])


def preload_nbgrader() -> None:
    """Import nbgrader in a thread while the fork server starts."""
    threading.Thread(target=importlib.import_module, args=("nbgrader.api",), daemon=True).start()


def directory(course: Course) -> Any:
    """Return nbgrader's CourseDirectory of the course."""
    from nbgrader.coursedir import CourseDirectory

    return CourseDirectory(config=nbgrader_config(course))
