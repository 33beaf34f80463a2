"""Late work: when it was due, who has more time, and what lateness costs, all by nbgrader's own means.

Due dates come from `course.toml`, extensions from the roster; both go into nbgrader's gradebook, where formgrader
shows them. The penalty is whatever nbgrader's plugin says: `late_plugin`, if the course sets a share per day,
or the one that `nbgrader_config.py` names.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from autograder.course.course import Course
from autograder.course.people import people
from autograder.course.roster import more_time


def set_due(course: Course, topic: str, assignment: Any) -> None:
    """Write the due date of the settings into nbgrader's assignment; one that was set there stays without."""
    assignment.duedate = due_date(course, topic) or assignment.duedate


def due_date(course: Course, topic: str) -> datetime | None:
    """When a topic is due by the settings, as nbgrader writes it: in UTC, without saying so."""
    due = course.settings["due"].get(topic)
    if due is None:
        return None
    local = due if due.tzinfo else due.astimezone()  # a time without zone is this machine's
    return cast("datetime", local.astimezone(UTC).replace(tzinfo=None))


def extensions(course: Course) -> dict[str, timedelta]:
    """How much more time the roster gives, by student."""
    return {folder: more_time(one.extension) for folder, one in people(course).items() if one.extension}


def lateness(seconds: float) -> str:
    """How late, as people say it: "2 days and 3 hours"."""
    days, rest = divmod(round(seconds / 60), 1440)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    said = [f"{number} {unit}{'s' * (number > 1)}" for number, unit in parts if number]
    return " and ".join(said[:2]) or "less than a minute"
