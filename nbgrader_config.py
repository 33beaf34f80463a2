"""Where nbgrader finds this course's folders: `nbgrader autograde pca` works from this folder as it is."""

from autograder.course.course import find_course
from autograder.grading.gradebook import nbgrader_config

c = get_config()  # noqa: F821  (nbgrader provides it)
c.merge(nbgrader_config(find_course()))
