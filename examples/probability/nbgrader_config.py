"""Settings with which nbgrader finds this course's folders from any folder."""

from pathlib import Path

from autograder.course.course import find_course
from autograder.grading.nbgrader_settings import nbgrader_config

c = get_config()  # noqa: F821  (nbgrader provides it)
c.merge(nbgrader_config(find_course(Path(__file__).resolve().parent)))
