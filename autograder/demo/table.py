"""Compare intended answers of the made-up class with their verdicts.

`python -m autograder.demo.table` prints the counts of the graded class, and every answer with an unexpected verdict.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from autograder.course.course import Course, find_course
from autograder.demo.classroom import read_meant
from autograder.demo.plan import ANSWER_KINDS, Meant
from autograder.grading.outcome import outcome_on_file
from autograder.judging.verdict import VerdictRecord

TOLD = (
    "right",
    "that misconception",
    "another misconception",
    "wrong",
    "that error",
    "another error",
    "nothing",
)
EXPECTED_VERDICTS = {
    "right": "right",
    "another way": "right",
    "misconception": "that misconception",
    "unforeseen": "wrong",
    "error": "that error",
    "nothing": "nothing",
    "unreadable": "unreadable",
}


def describe_told(meant: Meant, verdict: VerdictRecord | None) -> str:
    """Return the verdict in words, relative to the intended answer."""
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
    """Yield student, task, intended answer and verdict of a graded class."""
    for student, tasks in read_meant(course, topic).items():
        outcome = outcome_on_file(course, topic, student)
        verdicts = outcome.verdicts if outcome else {}
        for task, meant in tasks.items():
            yield student, task, meant, describe_told(meant, verdicts.get(task))


def format_table(counts: Counter[tuple[str, str]]) -> str:
    """Return the counts as a table: intended answers by verdicts."""
    kinds, words = zip(*counts, strict=True) if counts else ((), ())
    columns = [word for word in (*TOLD, "unreadable") if word in words]
    rows = [kind for kind in ANSWER_KINDS if kind in kinds]
    lines = [f"{'meant':<15}" + "".join(f"{word:>{len(word) + 3}}" for word in columns)]
    for kind in rows:
        cells = (f"{counts[kind, word] or '.':>{len(word) + 3}}" for word in columns)
        lines.append(f"{kind:<15}" + "".join(cells))
    return "\n".join(lines)


def main() -> None:
    """Print the table of the named topics, or of all graded ones."""
    course = find_course().demo
    counts: Counter[tuple[str, str]] = Counter()
    for topic in course.require_topics(sys.argv[1:]):
        if not course.paths.verdicts(topic).is_dir():
            continue
        for student, task, meant, word in compared(course, topic):
            counts[meant.kind, word] += 1
            if word != EXPECTED_VERDICTS[meant.kind]:
                print(f"{topic}.{task}, {student}: meant {meant.kind} {meant.name}, told {word}")
    print(format_table(counts))


if __name__ == "__main__":
    main()
