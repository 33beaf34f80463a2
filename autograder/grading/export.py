"""Export grades as CSV for `nbgrader export`, safe from formula injection."""

from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.plugins.export import CsvExportPlugin

from autograder.course.files import write_text
from autograder.course.tables import csv_text

EXPORT_COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


class SafeCsvExport(CsvExportPlugin):  # type: ignore[misc]
    """nbgrader's table of grades, quoted as CSV, with formulas escaped."""

    def export(self, gradebook: Any) -> None:
        """Write the table to `--to` or grades.csv, readable by its owner only."""
        rows = (
            _row(gradebook, assignment, student)
            for assignment in gradebook.assignments
            for student in gradebook.students
            if _is_selected(assignment.name, self.assignment) and _is_selected(student.id, self.student)
        )
        path = Path(self.to or "grades.csv")
        write_text(path, csv_text(EXPORT_COLUMNS, rows))
        path.chmod(0o600)


def _is_selected(name: str, names: list[object]) -> bool:
    return not names or name in map(str, names)


def _row(gradebook: Any, assignment: Any, student: Any) -> list[object]:
    who = [student.id, student.last_name, student.first_name, student.email]
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:  # nothing handed in: no points, as nbgrader has it
        return [assignment.name, assignment.duedate, "", *who, 0.0, 0.0, 0.0, assignment.max_score]
    penalty = submission.late_submission_penalty
    score = max(0.0, submission.score - penalty)
    points = [submission.score, penalty, score, assignment.max_score]
    return [assignment.name, assignment.duedate, submission.timestamp, *who, *points]
