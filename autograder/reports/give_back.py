"""Pack feedback for a learning platform, with a list for mail merge.

Moodle ("Upload multiple feedback files in a zip") finds a student by the folder `Name_123456_assignsubmission_file`,
or by a file name that begins so. The rest of the path is the name of the feedback file. Canvas ("Upload Submissions" of
the gradebook) finds a student by the first two numbers between underscores in a file name: the user and the submitted
file. It attaches the file under the name of the submitted one. Both accept only names from their own download, which
`dimred collect` recorded.
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.course.course import Course
from autograder.course.files import write_bytes
from autograder.course.people import known_students
from autograder.course.roster import Student
from autograder.course.tables import safe_cell
from autograder.grading.collected_from import CollectedFrom, read_collected_from
from autograder.program import program_name
from autograder.reports.feedback import Feedback, collect_feedback
from autograder.reports.feedback_notebook import feedback_notebook

OWNER_ONLY_FILE_MODE = 0o600
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same feedback gives the same bytes
MOODLE_PREFIX = re.compile(r"^[^_/]*_\d+_assignsubmission_(?:file|onlinetext)_?")
CANVAS_NUMBERS = re.compile(r"(?:^|_)\d+_\d+_|^anon_\w+_\d+_")
DELIVERY_COLUMNS = ("id", "name", "email", "file", "score", "points", "complete")


@dataclass(frozen=True)
class ReturnedFeedback:
    """The files in the archive, and the students without a file."""

    archive: Path
    table: Path
    files: Mapping[str, str]  # student → file in the archive
    missing: Mapping[str, str]  # student → reason why there is no file


@dataclass(frozen=True)
class Delivery:
    """The data for one student's file."""

    title: str
    topic: str
    person: Student
    feedback: Feedback
    page: bytes
    source: CollectedFrom | None


File = tuple[str, bytes]  # a path in the archive, and its content


class NotReturnableError(Exception):
    """A student's feedback cannot be put into the archive of a platform."""


def give_back(
    course: Course, topic: str, platform: str, target: Path, *, with_answers: bool = False
) -> ReturnedFeedback:
    """Pack a topic's feedback for a platform, with a list of files."""
    files, missing, rows = {}, {}, []
    contents: list[File] = []
    for delivery in _deliveries(course, topic, with_answers):
        student = delivery.feedback.student
        try:
            path, data = LAYOUTS[platform](delivery)
            files[student] = path
            contents.append((path, data))
        except NotReturnableError as error:
            missing[student] = str(error)
        rows.append(_row(delivery, files.get(student, "")))
    write_bytes(target, _zipped(contents))
    target.chmod(OWNER_ONLY_FILE_MODE)
    table = target.with_suffix(".csv")
    write_bytes(table, _table(rows))
    table.chmod(OWNER_ONLY_FILE_MODE)
    return ReturnedFeedback(target, table, files, missing)


def platform_of_topic(course: Course, topic: str) -> str:
    """Return the platform of the collected submissions; "files" if none or several.

    Submissions without a recorded origin are ignored here. They are listed as missing in the archive.
    """
    submissions = [course.paths.submission(student, topic) for student in course.paths.students_with(topic)]
    names = {source.platform for path in submissions if (source := read_collected_from(path))}
    return names.pop() if len(names) == 1 and names <= LAYOUTS.keys() else "files"


def _deliveries(course: Course, topic: str, with_answers: bool) -> Iterable[Delivery]:
    """Yield the data of each student with a feedback page."""
    known = known_students(course)
    title = course.title(topic)
    for feedback in collect_feedback(course, topic, with_answers=with_answers)[0]:
        student = feedback.student
        page = course.paths.feedback_page(student, topic)
        if page.is_file():
            source = read_collected_from(course.paths.submission(student, topic))
            person = known.get(student) or Student(student, student)
            yield Delivery(title, topic, person, feedback, page.read_bytes(), source)


def _as_file(delivery: Delivery) -> File:
    return f"{delivery.feedback.student}_{delivery.topic}.html", delivery.page


def _for_moodle(delivery: Delivery) -> File:
    """Return the page with the prefix of the Moodle download."""
    source = _source(delivery, "moodle")
    name = f"feedback_{delivery.topic}.html"
    if MOODLE_PREFIX.match(PurePosixPath(source.folder).name):
        return f"{source.folder}/{name}", delivery.page
    prefix = MOODLE_PREFIX.match(source.file)
    if prefix:
        return f"{prefix[0].rstrip('_')}_{name}", delivery.page
    raise NotReturnableError(f"Moodle would not know whose {source.folder or source.file!r} is")


def _for_canvas(delivery: Delivery) -> File:
    """Return a file with the download's name, in its format."""
    source = _source(delivery, "canvas")
    if not CANVAS_NUMBERS.search(source.file):
        raise NotReturnableError(f"Canvas would not know whose {source.file!r} is: it has no numbers")
    suffix = PurePosixPath(source.file).suffix.lower()
    if suffix == ".ipynb":
        shown = delivery.person.shown
        return source.file, feedback_notebook(delivery.title, shown, delivery.feedback).encode()
    if suffix == ".zip":
        return source.file, _zipped([(f"feedback_{delivery.topic}.html", delivery.page)])
    return source.file, delivery.page


def _source(delivery: Delivery, platform: str) -> CollectedFrom:
    source = delivery.source
    if source is None or source.platform != platform:
        whence = f"from {source.platform}" if source else f"by `{program_name()} collect`"
        how = f"was collected {whence}" if source else f"was not collected {whence}"
        raise NotReturnableError(f"{how}, so {platform.capitalize()} does not know the file")
    return source


LAYOUTS: Mapping[str, Callable[[Delivery], File]] = {
    "moodle": _for_moodle,
    "canvas": _for_canvas,
    "files": _as_file,
}


def _row(delivery: Delivery, file: str) -> list[object]:
    person, score = delivery.person, delivery.feedback.score
    complete = "no" if score.get("needs_manual_grade") else "yes"
    return [person.id, person.shown, person.email, file, f"{score['score']:g}", f"{score['max']:g}", complete]


def _table(rows: Iterable[list[object]]) -> bytes:
    """Return a CSV table for a mail merge, with formulas escaped."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(DELIVERY_COLUMNS)
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _zipped(files: Iterable[File]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, data in sorted(files):
            info = zipfile.ZipInfo(path, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            packed.writestr(info, data)
    return archive.getvalue()
