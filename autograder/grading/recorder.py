"""Write scores into nbgrader's gradebook, a transaction per submission."""

import contextlib
import functools
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Any, Self

from autograder.course.course import Course
from autograder.errors import CourseError, MachineError
from autograder.grading import gradebook
from autograder.grading.gradebook import late_penalty
from autograder.grading.gradebook_tables import (
    gradebook_address,
    parse_stamp,
    silence_nbgrader,
    unknown_assignment_error,
)
from autograder.grading.nbgrader_settings import config_with_plugins, directory
from autograder.grading.unchanged import unchanged_cells


class Recorder:
    """Writer of a topic's scores in nbgrader's gradebook."""

    def __init__(self, course: Course, topic: str) -> None:
        """Find the gradebook; use as a context manager to open it."""
        self.course, self.topic = course, topic
        self.folder = directory(course)

    def __enter__(self) -> Self:
        """Open the gradebook."""
        from nbgrader.api import Gradebook

        silence_nbgrader()
        self.gradebook = Gradebook(gradebook_address(self.course))
        self.session = self.gradebook.db()
        self.session.expire_on_commit = False  # `record` drops all rows itself after each submission
        self._opened_inode = self._gradebook_inode()
        return self

    def _gradebook_inode(self) -> int | None:
        """Return the inode of the gradebook's file; None without a file."""
        with contextlib.suppress(FileNotFoundError):
            return self.course.paths.gradebook.stat().st_ino
        return None

    def require_assignment(self) -> None:
        """Raise CourseError if the gradebook does not have the topic."""
        from nbgrader.api import MissingEntry

        try:
            self.gradebook.find_assignment(self.topic)
        except MissingEntry:
            raise unknown_assignment_error(self.topic) from None

    def __exit__(self, *error: object) -> None:
        """Close the gradebook; drop uncommitted changes."""
        self.gradebook.close()

    def students(self) -> set[str]:
        """Return the students who have a submission in the gradebook."""
        from nbgrader.api import Assignment, Student, SubmittedAssignment

        query = self.session.query(Student.id).join(SubmittedAssignment).join(Assignment)
        return {student for (student,) in query.filter(Assignment.name == self.topic)}

    def students_with_current_dates(self, stamp: Callable[[str], str | None]) -> set[str]:
        """Return the students whose dates in the gradebook are up to date.

        The dates are the due date, the extension and the time of submission. `stamp` returns a student's time stamp or
        None. This does not test lateness.
        """
        from nbgrader.api import SubmittedAssignment

        from autograder.grading.late import due_date, extensions

        assignment = self.gradebook.find_assignment(self.topic)
        if due_date(self.course, self.topic) not in (None, assignment.duedate):
            return set()
        current_extensions = extensions(self.course) if assignment.duedate else {}
        known = SubmittedAssignment
        query = self.session.query(known.student_id, known.extension, known.timestamp)
        return {
            student
            for student, extension, when in query.filter(known.assignment_id == assignment.id)
            if current_extensions.get(student, extension) == extension and when == parse_stamp(stamp(student))
        }

    def current_scores(self) -> dict[str, tuple[float, float]]:
        """Map each student to the score before the penalty, and the penalty."""
        penalties = dict(gradebook.penalties(self.gradebook, self.topic))
        earned: dict[str, float] = defaultdict(float)
        for student, _, (auto, manual, extra, _) in gradebook.raw_scores(self.gradebook, self.topic):
            earned[student] += (manual if manual is not None else auto or 0.0) + (extra or 0.0)
        return {
            student: (round(points, 6), penalties.get(student, 0.0)) for student, points in earned.items()
        }

    def late_with_points_by_hand(self) -> list[str]:
        """Return late students with manual scores or extra credit.

        Their penalty may have changed since the submission was graded.
        """
        manually_scored = {
            student
            for student, _, (_, manual, extra, _) in gradebook.raw_scores(self.gradebook, self.topic)
            if manual is not None or extra
        }
        return (
            sorted(manually_scored & gradebook.late_seconds(self.gradebook, self.topic).keys())
            if manually_scored
            else []
        )

    def manually_scored_cells(self) -> dict[str, set[str]]:
        """Map each student to the cells with a manual score."""
        from nbgrader.api import MissingEntry

        cells: dict[str, set[str]] = {}
        with contextlib.suppress(MissingEntry):
            for submission in self.gradebook.find_assignment(self.topic).submissions:
                grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
                cells[submission.student_id] = {
                    grade.name for grade in grades if grade.manual_score is not None
                }
        return cells

    def record(self, student: str, notebook: object, stamp: str | None) -> float:
        """Write the scores of a graded notebook.

        Return the total before the penalty. `notebook` is None for an unreadable submission, which gets zero points.
        """
        try:
            submission = self._submission(student)
            submission.timestamp = parse_stamp(stamp)
            self._apply_extension(submission)
            unchanged = unchanged_cells(self.course.paths.autograded(student, self.topic), notebook)
            for submitted in submission.notebooks:
                submitted.late_submission_penalty = None  # reset the penalty of an earlier grading
                _write_grades(submitted, notebook, self._cell_names, unchanged)
            self.session.flush()
        except BaseException:
            self.session.rollback()
            raise
        self.session.commit()
        if self._gradebook_inode() != self._opened_inode:  # SQLite would keep writing to the deleted file
            raise MachineError(
                "the gradebook was removed or replaced while grading: put it back, then run again"
            )
        if submission.total_seconds_late > 0 and notebook is not None:
            self.penalise(student)
        total = sum(_score_of(grade) for submitted in submission.notebooks for grade in submitted.grades)
        self.session.expunge_all()
        return total

    def _apply_extension(self, submission: Any) -> None:
        """Set the current extension of a submission.

        nbgrader fails on an extension if the assignment has no due date, so then the extension is None.
        """
        more = self._extensions.get(submission.student_id, submission.extension)
        submission.extension = more if submission.assignment.duedate else None

    @functools.cached_property
    def _extensions(self) -> dict[str, Any]:
        """Extensions by student; also writes the due date before the first score."""
        from autograder.grading.late import extensions, set_due

        set_due(self.course, self.topic, self.gradebook.find_assignment(self.topic))
        return extensions(self.course)

    def lateness(self, student: str) -> tuple[float, float]:
        """Return the seconds of lateness and the penalty of a submission."""
        submission = self.gradebook.find_submission(self.topic, student)
        return float(submission.total_seconds_late), late_penalty(submission)

    def write_back(self, student: str, cells: Mapping[str, list[Any]]) -> None:
        """Restore scores by cell from the audit log.

        A score is [automatic score, manual score, extra credit, needs manual grading].
        """
        names = self._cell_names
        for submitted in self._submission(student).notebooks:
            for grade in submitted.grades:
                if names[grade.cell_id] in cells:
                    score = cells[names[grade.cell_id]]
                    grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade = score
        self.session.commit()

    def write_penalty(self, student: str, points: float) -> None:
        """Write the late penalty of a submission."""
        for submitted in self._submission(student).notebooks:
            submitted.late_submission_penalty = points
        self.session.commit()

    def _submission(self, student: str) -> Any:
        from nbgrader.api import MissingEntry

        self._add_student(student)
        try:
            return self.gradebook.find_submission(self.topic, student)
        except MissingEntry:
            self._add_submission(student)
            return self.gradebook.find_submission(self.topic, student)

    def _add_student(self, student: str) -> None:
        """Add a missing student without a commit, which nbgrader's function would do."""
        from nbgrader.api import Student

        if self.session.get(Student, student) is None:
            self.session.add(Student(id=student))
            self.session.flush()

    def _add_submission(self, student: str) -> None:
        """Insert the rows of a new submission in four statements.

        nbgrader's function inserts the same rows one by one.
        """
        from nbgrader import api
        from sqlalchemy import insert

        assignment, notebooks = self._assignment_rows
        submission = api.new_uuid()
        rows: dict[Any, list[dict[str, str]]] = {api.SubmittedNotebook: [], api.Grade: [], api.Comment: []}
        for notebook, graded, commented in notebooks:
            row_id = api.new_uuid()
            rows[api.SubmittedNotebook] += [
                {"id": row_id, "assignment_id": submission, "notebook_id": notebook}
            ]
            rows[api.Grade] += [{"notebook_id": row_id, "cell_id": cell} for cell in graded]
            rows[api.Comment] += [{"notebook_id": row_id, "cell_id": cell} for cell in commented]
        first = {"id": submission, "assignment_id": assignment, "student_id": student}
        for table, new in {api.SubmittedAssignment: [first], **rows}.items():
            if new:
                self.session.execute(insert(table), new)

    @functools.cached_property
    def _assignment_rows(self) -> tuple[str, list[tuple[str, list[str], list[str]]]]:
        """Ids of the assignment, its notebooks, graded and commented cells."""
        assignment = self.gradebook.find_assignment(self.topic)
        return assignment.id, [
            (
                notebook.id,
                [cell.id for cell in (*notebook.grade_cells, *notebook.task_cells)],
                [cell.id for cell in (*notebook.solution_cells, *notebook.task_cells)],
            )
            for notebook in assignment.notebooks
        ]

    @functools.cached_property
    def _cell_names(self) -> dict[str, str]:
        """Map ids of cells to their names, read in one query."""
        from nbgrader.api import Assignment, BaseCell, Notebook

        cells = self.session.query(BaseCell.id, BaseCell.name).join(Notebook).join(Assignment)
        return dict(cells.filter(Assignment.name == self.topic).all())

    def penalise(self, student: str) -> None:
        """Recompute the late penalty from the current score with nbgrader's plugin."""
        from nbconvert.exporters.exporter import ResourcesDict
        from nbformat.v4 import new_notebook
        from nbgrader.preprocessors import AssignLatePenalties

        resources = ResourcesDict()
        names = {"notebook": self.topic, "assignment": self.topic, "student": student}
        resources["nbgrader"] = {**names, "db_url": self.folder.db_url}
        empty = new_notebook()  # the preprocessor does not read the cells
        AssignLatePenalties(config=config_with_plugins(self.course)).preprocess(empty, resources)


def _write_grades(
    submitted: Any, notebook: Any, names: Mapping[str, str], unchanged: Collection[str] = ()
) -> None:
    """Write what nbgrader's SaveAutoGrades writes, on rows that are already loaded.

    nbgrader flags every manual score for another review. Here a score is flagged only if its answer has changed since
    the review: `unchanged` names the cells with the same answer.
    """
    from nbgrader import utils

    grades = {names[grade.cell_id]: grade for grade in submitted.grades}
    comments = {names[comment.cell_id]: comment for comment in submitted.comments}
    if notebook is None:
        for grade in grades.values():
            grade.auto_score, grade.needs_manual_grade = 0.0, False
        return
    for cell in notebook.cells:
        if utils.is_grade(cell):
            name = cell.metadata.nbgrader.grade_id
            grades[name].auto_score = utils.determine_grade(cell)[0]
            _flag_for_review(grades[name], is_unchanged=name in unchanged)
        if utils.is_solution(cell):
            untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            comments[cell.metadata.nbgrader.grade_id].auto_comment = "No response." if untouched else None


def _flag_for_review(grade: Any, *, is_unchanged: bool) -> None:
    """Flag a score that a person must give, unless an unchanged answer was reviewed before."""
    was_read = grade.manual_score is not None and not grade.needs_manual_grade
    needs_person = grade.manual_score is not None or grade.auto_score is None
    grade.needs_manual_grade = needs_person and not (was_read and is_unchanged)


def _score_of(grade: Any) -> float:
    """Return the manual or else the automatic score, plus extra credit."""
    score = grade.manual_score if grade.manual_score is not None else grade.auto_score
    return float(score or 0.0) + float(grade.extra_credit or 0.0)


def graded_students(course: Course, topic: str) -> set[str]:
    """Return the students with a submission of the topic in the gradebook."""
    with Recorder(course, topic) as recorder:
        return recorder.students()


def has_assignment(course: Course, topic: str) -> bool:
    """Tell whether a gradebook exists and has the topic."""
    if not course.settings.get("gradebook") and not course.paths.gradebook.is_file():
        return False
    try:
        with Recorder(course, topic) as recorder:
            recorder.require_assignment()
    except MachineError:
        raise
    except CourseError:
        return False
    return True
