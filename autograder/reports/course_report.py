"""Write the report on the whole course."""

from collections import Counter
from operator import itemgetter
from pathlib import Path
from statistics import mean
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import known_students
from autograder.reports import statistics
from autograder.reports.pages import render_page
from autograder.reports.report import NEEDS_HELP_SHARE, ReportOptions
from autograder.reports.results import ShownNames, TopicResults, read_results

SCORE_DROP = 0.2  # a share of the points, below the mean of the student's earlier topics


def write_course_report(course: Course, topics: list[str], options: ReportOptions | None = None) -> Path:
    """Write the course's report, which links to the topics' reports.

    Return its path.
    """
    options = options or ReportOptions()
    all_results = [read_results(course, topic, options.section) for topic in topics]
    topics_with_results = [results for results in all_results if results.marks]
    students = sorted(set[str]().union(*(results.marks for results in topics_with_results)))
    names = ShownNames(course, students, hidden=options.hide_names)
    rows = _student_rows(course, students, names, topics_with_results)
    bins = statistics.bins([row["mean"] for row in rows])
    if options.best_first:
        rows.sort(key=itemgetter("mean"), reverse=True)
        bins.reverse()
    page = course.paths.report / options.file("index")
    values = {
        "topics": [_topic_row(results, options.file(results.topic)) for results in topics_with_results],
        "students": rows,
        "help": list(filter(itemgetter("why"), rows)),
        "misconceptions": _most_common_misconceptions(topics_with_results),
        "bins": bins,
        "names_of_topics": [results.topic for results in topics_with_results],
        "section": options.section,
        "hidden": options.hide_names,
        "help_below": NEEDS_HELP_SHARE,
        "falling": SCORE_DROP,
        "has_sections": any(names.sections.values()),
    }
    write_text(page, render_page("course.html", **values))
    return page


def _topic_row(results: TopicResults, page: str) -> dict[str, Any]:
    shares = list(results.shares().values())
    tasks: dict[str, list[float]] = {}
    for result in results.marks.values():
        for task, verdict in result.outcome.verdicts.items():
            tasks.setdefault(task, []).append(verdict["fraction"])
    return {
        "topic": results.topic,
        "page": page,
        "number": len(shares),
        "mean": mean(shares),
        "median": statistics.quartiles(shares)[1],
        "pending": sum(result.is_pending for result in results.marks.values()),
        "hardest": min(tasks, key=lambda task: mean(tasks[task]), default=""),
    }


def _most_common_misconceptions(topics: list[TopicResults]) -> list[tuple[str, str, int]]:
    counts = Counter(
        (f"{results.topic}.{task}", str(verdict["misconception"]).replace("_", " "))
        for results in topics
        for result in results.marks.values()
        for task, verdict in result.outcome.verdicts.items()
        if verdict["misconception"]
    )
    return [(task, name, number) for (task, name), number in counts.most_common(20)]


SharesByTopic = dict[str, dict[str, float]]  # topic → student → share of the points


def _student_rows(
    course: Course, students: list[str], names: ShownNames, topics: list[TopicResults]
) -> list[dict[str, Any]]:
    """Return the rows of the students; those who have left the class need no help."""
    shares = {results.topic: results.shares() for results in topics}
    graded = {results.topic: results.graded_shares() for results in topics}
    counted = [topic for topic in shares if not course.retake_of(topic)]  # a retake counts in its original
    rows = [_student_row(student, names, shares, graded, counted) for student in students]
    listed = known_students(course)
    for student, row in zip(students, rows, strict=True):
        if student in listed and listed[student].has_left:
            row["why"] = ""
    return rows


def _student_row(
    student: str, names: ShownNames, shares: SharesByTopic, graded: SharesByTopic, counted: list[str]
) -> dict[str, object]:
    topic_shares = [shares[topic].get(student) for topic in counted]
    known = [share for share in topic_shares if share is not None]
    graded_shares = [graded[topic].get(student) for topic in counted]
    return {
        "name": names[student],
        "section": names.sections.get(student, ""),
        "shares": [of_topic.get(student) for of_topic in shares.values()],
        "mean": mean(known) if known else 0.0,
        "missing": len(topic_shares) - len(known),
        "why": _describe_need_for_help(
            graded_shares, [share for share in graded_shares if share is not None]
        ),
    }


def _describe_need_for_help(topic_shares: list[float | None], known: list[float]) -> str:
    """Describe why a student needs help; return an empty string if not."""
    missing = len(topic_shares) - len(known)
    reasons = (
        [f"below {NEEDS_HELP_SHARE:.0%} in the mean"] if known and mean(known) < NEEDS_HELP_SHARE else []
    )
    if len(known) > 2 and known[-1] < mean(known[:-1]) - SCORE_DROP:
        reasons.append(f"the last topic is {mean(known[:-1]) - known[-1]:.0%} below the mean before")
    if len(topic_shares) > 2 and missing * 3 > len(topic_shares):
        reasons.append(f"{missing} of {len(topic_shares)} topics not handed in")
    return "; ".join(reasons)
