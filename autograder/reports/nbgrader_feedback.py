"""Exporter that makes nbgrader's "generate feedback" write the course's pages.

nbgrader lets a course set this exporter (`GenerateFeedback.exporter_class`). Assignments that are not topics of the
course are exported as nbgrader does.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from traitlets import Unicode

from autograder.course.course import Course
from autograder.grading import gradebook
from autograder.grading.audit import update_late_penalties
from autograder.grading.outcome import outcome_on_file
from autograder.reports.feedback import feedback_of, let_the_exchange_return, render_feedback
from autograder.reports.mathml import TexFormula, formulas_in, to_mathml


class CourseFeedbackExporter(HTMLExporter):  # type: ignore[misc]  # nbconvert has no types
    """Export the course's feedback page instead of nbgrader's."""

    course_root = Unicode("", help="the folder of the course").tag(config=True)
    course_room = Unicode("", help="another classroom in it").tag(config=True)

    @cached_property
    def course(self) -> Course:
        """The course named in the exporter's configuration."""
        return Course(Path(self.course_root), self.course_room or None)

    def from_filename(self, filename: str, resources: Any = None, **options: Any) -> tuple[str, object]:
        """Return the page of a graded notebook; fall back to nbgrader's page."""
        names = (resources or {}).get("nbgrader", {})
        topic, student = names.get("assignment", ""), names.get("student", "")
        page = self._page(topic, student) if topic in self.course.assignments() else None
        if page is None:
            result: tuple[str, Any] = super().from_filename(filename, resources, **options)
            return result
        let_the_exchange_return(self.course, topic, student)
        return page, {**(resources or {}), "output_extension": self.file_extension}

    def _page(self, topic: str, student: str) -> str | None:
        outcome = outcome_on_file(self.course, topic, student)
        scores, comments = self._gradebook(topic)
        if outcome is None or student not in scores:
            return None
        score = {**scores[student], "comments": comments.get(student, {})}
        feedback = feedback_of(self.course, topic, outcome, score)
        return render_feedback(self.course, topic, feedback, self._mathml(list(feedback.texts)))

    def _gradebook(self, topic: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Update late penalties and read scores and comments, once per topic."""
        if topic not in self._read:
            update_late_penalties(self.course, topic)
            self._read[topic] = gradebook.scores(self.course, topic), gradebook.comments(self.course, topic)
        return self._read[topic]

    def _mathml(self, texts: list[str]) -> dict[TexFormula, str]:
        """Convert the formulas of a page that are not converted yet."""
        new = [formula for formula in formulas_in(texts) if formula not in self._tried]
        self._tried.update(new)
        self._converted.update(to_mathml([new]))
        return self._converted

    @cached_property
    def _read(self) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
        return {}

    @cached_property
    def _tried(self) -> set[TexFormula]:
        return set()

    @cached_property
    def _converted(self) -> dict[TexFormula, str]:
        return {}
