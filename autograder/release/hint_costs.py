"""The costs of hints, from the course's settings into the key of a release."""

from collections.abc import Iterable

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.hint import EVERY_TASK


def hint_costs_of(course: Course, topic: str, tasks: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Return the costs for the tasks of a topic; nothing if all hints are free.

    Raise CourseError for a task that the topic does not have.
    """
    costs: dict[str, tuple[float, ...]] = {}
    known = {f"{topic}.{name}" for name in tasks}
    for name, shares in course.settings["hint_costs"].items():
        if name != EVERY_TASK and name.partition(".")[0] == topic and name not in known:
            raise CourseError(f"course.toml: hint_costs names {name!r}, which is not a task of {topic}")
        if name == EVERY_TASK or name in known:
            costs[name] = tuple(map(float, shares))
    return costs if any(any(shares) for shares in costs.values()) else {}
