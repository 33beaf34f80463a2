"""Estimate working time and number of runs from submissions.

JupyterLab can record when each cell ran (`recordTiming`). A notebook holds the number of cells run in its last session.
nbgrader's exchange keeps every submission. All three may be missing, so the report states for how many students each is
known.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.errors import UnreadableError
from autograder.grading.hand_in import find_notebook
from autograder.grading.repair import read_notebook

SESSION_GAP_SECONDS = 30 * 60  # a longer time between two runs counts as a pause


@dataclass(frozen=True)
class Effort:
    """The work on a submission; None where it is not known."""

    minutes: float | None = None
    runs: int | None = None  # cells run in the last session
    hand_ins: int | None = None


def effort(course: Course, topic: str, student: str, hand_ins: Counter[str]) -> Effort:
    """Read the effort from a student's submission."""
    try:
        cells = read_notebook(find_notebook(course.paths.submission(student, topic)))["cells"]
        times = sorted(time for cell in cells for time in _run_times(cell))
        runs = max((number for cell in cells if (number := _execution_count(cell))), default=None)
    except (UnreadableError, OSError, ValueError, LookupError, TypeError, AttributeError):
        times, runs = [], None
    return Effort(_worked_minutes(times), runs, hand_ins.get(student))


def _execution_count(cell: Any) -> int:
    number = cell.get("execution_count")
    return number if isinstance(number, int) and 0 < number < 100_000 else 0


def _run_times(cell: Any) -> list[datetime]:
    """Return start and end of a cell's run, if recorded."""
    execution = cell.get("metadata", {}).get("execution", {})
    texts = [execution[name] for name in ("iopub.execute_input", "shell.execute_reply") if name in execution]
    return [datetime.fromisoformat(str(text).replace("Z", "+00:00")) for text in texts]


def _worked_minutes(times: list[datetime]) -> float | None:
    """Return the minutes between the first and the last run, without pauses."""
    gaps = [(after - before).total_seconds() for before, after in pairwise(times)]
    return sum(gap for gap in gaps if gap < SESSION_GAP_SECONDS) / 60 if gaps else None


def hand_ins(course: Course, topic: str) -> Counter[str]:
    """Count the submissions of each student in nbgrader's exchange.

    The names of its folders are student+topic+time.
    """
    folders: list[Path] = sorted(course.exchange.glob(f"*/inbound/*+{topic}+*"))
    return Counter(path.name.split("+")[0] for path in folders)
