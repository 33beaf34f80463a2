"""Meant against told: what made-up students meant, and what the verdicts said.

`python -m autograder.demo.table` prints the counts of the graded class, and every answer that was told something else.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from autograder.course.course import Course, find_course
from autograder.demo.classroom import read_meant
from autograder.demo.plan import KINDS, Meant
from autograder.grading.outcome import outcome_on_file

TOLD = (
    "right",
    "that misconception",
    "another misconception",
    "wrong",
    "that error",
    "another error",
    "nothing",
)
EXPECTED = {
    "right": "right",
    "another way": "right",
    "misconception": "that misconception",
    "unforeseen": "wrong",
    "error": "that error",
    "nothing": "nothing",
    "unreadable": "unreadable",
}


def describe_told(meant: Meant, verdict: dict[str, Any] | None) -> str:
    """Return in a word what a verdict says, compared with what was meant."""
    if verdict is None:
        return "unreadable"
    if verdict["passed"]:
        return "right"
    if verdict["misconception"]:
        return f"{'that' if verdict['misconception'] == meant.name else 'another'} misconception"
    if verdict["problem"] == "not written":
        return "nothing"
    if verdict["problem"]:
        named = meant.kind == "error" and str(verdict.get("error")).startswith(meant.name)
        return f"{'that' if named else 'another'} error"
    return "wrong"


def compared(course: Course, topic: str) -> Iterator[tuple[str, str, Meant, str]]:
    """Yield student, task, what was meant and what was told, for every answer of a graded class."""
    for student, tasks in read_meant(course, topic).items():
        outcome = outcome_on_file(course, topic, student)
        verdicts = outcome.verdicts if outcome else {}
        for task, meant in tasks.items():
            yield student, task, meant, describe_told(meant, verdicts.get(task))


def format_table(counts: Counter[tuple[str, str]]) -> str:
    """Return the counts as a table: rows what was meant, columns what was told."""
    columns = [told for told in (*TOLD, "unreadable") if any(pair[1] == told for pair in counts)]
    rows = [kind for kind in KINDS if any(pair[0] == kind for pair in counts)]
    lines = [f"{'meant':<15}" + "".join(f"{told:>{len(told) + 3}}" for told in columns)]
    for kind in rows:
        cells = (f"{counts[kind, told] or '.':>{len(told) + 3}}" for told in columns)
        lines.append(f"{kind:<15}" + "".join(cells))
    return "\n".join(lines)


def main() -> None:
    """Print the table of the topics named, or of all that have a made-up class."""
    course = find_course().demo
    counts: Counter[tuple[str, str]] = Counter()
    for topic in course.require_topics(sys.argv[1:]):
        if not course.places.verdicts(topic).is_dir():
            continue
        for student, task, meant, told in compared(course, topic):
            counts[meant.kind, told] += 1
            if told != EXPECTED[meant.kind]:
                print(f"{topic}.{task}, {student}: meant {meant.kind} {meant.name}, told {told}")
    print(format_table(counts))


if __name__ == "__main__":
    main()
