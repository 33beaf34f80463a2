"""`nbgrader export`: the grades as a table that a spreadsheet opens without running anything of it."""

import csv
import io
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.plugins.export import CsvExportPlugin

from autograder.course.files import write_text

COLUMNS = (
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
FORMULA = tuple("=+-@\t\r＝＋－＠")


def safe_cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote in front; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


class SafeCsvExport(CsvExportPlugin):  # type: ignore[misc]
    """nbgrader's table of grades, with cells that are quoted where CSV asks for it and never formulas."""

    def export(self, gradebook: Any) -> None:
        """Write the table to `--to`, or grades.csv, for its owner alone."""
        table = io.StringIO(newline="")
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(COLUMNS)
        for assignment in gradebook.assignments:
            for student in gradebook.students:
                if _wanted(assignment.name, self.assignment) and _wanted(student.id, self.student):
                    writer.writerow([safe_cell(one) for one in _row(gradebook, assignment, student)])
        path = Path(self.to or "grades.csv")
        write_text(path, table.getvalue())
        path.chmod(0o600)


def _wanted(name: str, names: list[Any]) -> bool:
    return not names or name in map(str, names)


def _row(gradebook: Any, assignment: Any, student: Any) -> list[Any]:
    who = [student.id, student.last_name, student.first_name, student.email]
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:  # nothing handed in: no points, as nbgrader has it
        return [assignment.name, assignment.duedate, "", *who, 0.0, 0.0, 0.0, assignment.max_score]
    penalty = submission.late_submission_penalty
    score = max(0.0, submission.score - penalty)
    points = [submission.score, penalty, score, assignment.max_score]
    return [assignment.name, assignment.duedate, submission.timestamp, *who, *points]
