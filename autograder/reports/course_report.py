"""The report of the whole course: every topic in a line, every student in a line, who is falling behind."""

from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.reports import statistics
from autograder.reports.marks import Marks, Names, read_marks
from autograder.reports.pages import render_page
from autograder.reports.report import HELP, Wanted

FALLING = 0.2  # of the points: so far below the own mean of earlier topics


def write_course_report(course: Course, topics: list[str], wanted: Wanted | None = None) -> Path:
    """Write the page that leads to the topics' reports, and return its path."""
    wanted = wanted or Wanted()
    everything = [read_marks(course, topic, wanted.section) for topic in topics]
    found = [marks for marks in everything if marks.marks]
    students = sorted({student for marks in found for student in marks.marks})
    names = Names(course, students, hidden=wanted.hide_names)
    shares = {marks.topic: marks.shares() for marks in found}
    rows = [_student(one, names, shares) for one in students]
    page = course.places.report / wanted.file("index")
    values = {
        "topics": [_topic(marks, wanted.file(marks.topic)) for marks in found],
        "students": rows,
        "help": [row for row in rows if row["why"]],
        "misconceptions": _misconceptions(found),
        "bins": statistics.bins([row["mean"] for row in rows]),
        "names_of_topics": list(shares),
        "section": wanted.section,
        "hidden": wanted.hide_names,
        "help_below": HELP,
        "falling": FALLING,
        "has_sections": any(names.sections.values()),
    }
    write_text(page, render_page("course.html", **values))
    return page


def _topic(marks: Marks, page: str) -> dict[str, Any]:
    shares = list(marks.shares().values())
    tasks: dict[str, list[float]] = {}
    for one in marks.marks.values():
        for task, verdict in one.outcome.verdicts.items():
            tasks.setdefault(task, []).append(verdict["fraction"])
    return {
        "topic": marks.topic,
        "page": page,
        "number": len(shares),
        "mean": mean(shares),
        "median": statistics.quartiles(shares)[1],
        "pending": sum(one.is_pending for one in marks.marks.values()),
        "hardest": min(tasks, key=lambda task: mean(tasks[task]), default=""),
    }


def _misconceptions(found: list[Marks]) -> list[tuple[str, str, int]]:
    counted = Counter(
        (f"{marks.topic}.{task}", str(verdict["misconception"]).replace("_", " "))
        for marks in found
        for one in marks.marks.values()
        for task, verdict in one.outcome.verdicts.items()
        if verdict["misconception"]
    )
    return [(task, name, number) for (task, name), number in counted.most_common(20)]


def _student(student: str, names: Names, shares: dict[str, dict[str, float]]) -> dict[str, Any]:
    own = [of_topic.get(student) for of_topic in shares.values()]
    known = [share for share in own if share is not None]
    return {
        "name": names[student],
        "section": names.sections.get(student, ""),
        "shares": own,
        "mean": mean(known) if known else 0.0,
        "missing": len(own) - len(known),
        "why": _why(own, known),
    }


def _why(own: list[float | None], known: list[float]) -> str:
    """Why somebody needs help, in words; empty if nobody need worry."""
    missing = len(own) - len(known)
    reasons = [f"below {HELP:.0%} in the mean"] if known and mean(known) < HELP else []
    if len(known) > 2 and known[-1] < mean(known[:-1]) - FALLING:
        reasons.append(f"the last topic is {mean(known[:-1]) - known[-1]:.0%} below the mean before")
    if len(own) > 2 and missing * 3 > len(own):
        reasons.append(f"{missing} of {len(own)} topics not handed in")
    return "; ".join(reasons)
