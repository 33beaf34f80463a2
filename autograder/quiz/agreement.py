"""The table of agreement: a written quiz, read back, beside the judge."""

from collections.abc import Sequence
from itertools import groupby

from autograder.quiz.readers.reading import ReadingAgreement

COLUMNS = ("task", "answers", "verdict", "points", "own hint", "only it")


def agreement_table(agreements: Sequence[ReadingAgreement]) -> str:
    """Return a table with a row for each task: in how many answers file and judge agree."""
    groups = [(task, list(group)) for task, group in groupby(agreements, lambda item: item.task)]
    rows = [(task, *map(str, _counts(group))) for task, group in groups]
    width = max((len(task) for task, _ in groups), default=0)
    lines = [(COLUMNS[0].ljust(width), *COLUMNS[1:]), *((row[0].ljust(width), *row[1:]) for row in rows)]
    return "\n".join("  ".join([line[0], *(cell.rjust(8) for cell in line[1:])]) for line in lines)


def count_line(agreements: Sequence[ReadingAgreement]) -> str:
    """Return the counts of all tasks in one sentence."""
    answers, verdicts, points, hints, alone = _counts(agreements)
    return (
        f"of {answers} foreseen answers the file agrees with the notebook on the verdict of {verdicts} and the points "
        f"of {points}; {hints} show their own hint, {alone} nothing else"
    )


def _counts(agreements: Sequence[ReadingAgreement]) -> tuple[int, int, int, int, int]:
    return (
        len(agreements),
        sum(item.is_verdict_equal for item in agreements),
        sum(item.is_score_equal for item in agreements),
        sum(item.is_hint_shown for item in agreements),
        sum(item.is_only_hint for item in agreements),
    )
