"""The pages of the published site, as addresses below its root."""

from autograder.book.assignments import ASSIGNMENTS_FOLDER, assignments
from autograder.course.contents import pages
from autograder.course.course import Course
from tests.conftest import ROOT

CHAPTERS = [page.relative_to(ROOT).with_suffix(".html").as_posix() for page in pages(ROOT)]
ASSIGNMENTS = [f"book/{ASSIGNMENTS_FOLDER}/{one.topic}.html" for one in assignments(Course(ROOT))]
PAGES = [*CHAPTERS, *ASSIGNMENTS]
