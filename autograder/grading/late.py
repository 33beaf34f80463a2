"""Due dates, extensions and lateness.

Due dates come from `course.toml` and extensions from the roster. Both are written to nbgrader's gradebook, and
formgrader shows them. nbgrader's plugin computes the penalty: `late_plugin` if the course sets a share per day, else
the plugin that `nbgrader_config.py` names.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from autograder.course.course import Course
from autograder.course.people import known_students
from autograder.course.roster import parse_extension


def set_due(course: Course, topic: str, assignment: Any) -> None:
    """Write the due date of the settings to nbgrader's assignment.

    If the settings have none, keep the date in the gradebook.
    """
    assignment.duedate = due_date(course, topic) or assignment.duedate


def due_date(course: Course, topic: str) -> datetime | None:
    """Return a topic's due date as a naive datetime in UTC.

    nbgrader stores dates in this form.
    """
    due = course.settings["due"].get(topic)
    if due is None:
        return None
    return local_to_utc(course, due)


def local_to_utc(course: Course, time: datetime) -> datetime:
    """Return a time as a naive datetime in UTC.

    A time without a zone is in the zone of the course. Of the two that are alike when clocks are set back, it is the
    earlier one, so that nobody is late by the change.
    """
    zoned = time if time.tzinfo else with_course_zone(course, time)
    return zoned.astimezone(UTC).replace(tzinfo=None)


def with_course_zone(course: Course, time: datetime) -> datetime:
    """Add the zone of the course to a local time: that of the settings, or else the machine's."""
    name = course.settings["time_zone"]
    return time.replace(tzinfo=ZoneInfo(name)) if name else time.astimezone()


def in_course_zone(course: Course, time: datetime) -> datetime:
    """Convert a naive datetime in UTC to the zone of the course."""
    name = course.settings["time_zone"]
    return time.replace(tzinfo=UTC).astimezone(ZoneInfo(name) if name else None)


def extensions(course: Course) -> dict[str, timedelta]:
    """Map each student with an extension to the extra time."""
    return {
        folder: parse_extension(student.extension)
        for folder, student in known_students(course).items()
        if student.extension
    }


def lateness(seconds: float) -> str:
    """Format a duration, such as "2 days and 3 hours"."""
    days, rest = divmod(round(seconds / 60), 1440)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    terms = [f"{number} {unit}{'s' * (number > 1)}" for number, unit in parts if number]
    return " and ".join(terms[:2]) or "less than a minute"
