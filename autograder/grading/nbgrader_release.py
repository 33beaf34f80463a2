"""Run nbgrader's generate_assignment and release_assignment."""

import re
from collections.abc import Mapping

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.gradebook_tables import gradebook_address
from autograder.grading.nbgrader_settings import nbgrader_config


def release_assignment(course: Course, topic: str) -> None:
    """Run nbgrader's generate_assignment."""
    from nbgrader.apps import NbGraderAPI

    gradebook_address(course)
    api = NbGraderAPI(config=nbgrader_config(course))
    result = api.generate_assignment(topic, force=True)
    if not result["success"]:
        raise CourseError(f"nbgrader could not release {topic}: {_reason(result)}")


def release_to_exchange(course: Course, topic: str) -> None:
    """Run nbgrader's release_assignment."""
    from nbgrader.apps import NbGraderAPI

    result = NbGraderAPI(config=nbgrader_config(course)).release_assignment(topic)
    if not result["success"]:
        raise CourseError(f"nbgrader could not hand out {topic}: {_reason(result)}")


def _reason(result: Mapping[str, object]) -> str:
    """Return the last exception in nbgrader's log, or the last line."""
    lines = [
        line.strip() for line in str(result.get("log") or result.get("error")).splitlines() if line.strip()
    ]
    errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Entry): ", line)]
    return (errors or lines or ["it gave no reason"])[-1]
