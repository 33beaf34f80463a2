"""How long students worked and how often they tried, where that is known.

JupyterLab writes down when each cell ran if its user wants it so; a notebook always holds how many cells its last
session ran; nbgrader's exchange keeps every hand-in. Nothing of this is certain: a page says from how many it knows.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.errors import UnreadableError
from autograder.grading.grade import handed_in
from autograder.grading.repair import read_notebook

PAUSE = 30 * 60  # seconds without running anything: a pause, not work


@dataclass(frozen=True)
class Effort:
    """What a submission tells of the work behind it; None where it does not."""

    minutes: float | None = None
    runs: int | None = None  # cells run in the last session
    hand_ins: int | None = None


def effort(course: Course, topic: str, student: str, hand_ins: Counter[str]) -> Effort:
    """What is known of one student's work."""
    try:
        cells = read_notebook(handed_in(course.places.submission(student, topic)))["cells"]
        times = sorted(time for cell in cells for time in _times(cell))
        runs = max((number for cell in cells if (number := _count(cell))), default=None)
    except (UnreadableError, OSError, ValueError, LookupError, TypeError, AttributeError):
        times, runs = [], None
    return Effort(_worked(times), runs, hand_ins.get(student))


def _count(cell: Any) -> int:
    number = cell.get("execution_count")
    return number if isinstance(number, int) and 0 < number < 100_000 else 0


def _times(cell: Any) -> list[datetime]:
    """When the cell was run, as JupyterLab's `recordTiming` writes it."""
    found = cell.get("metadata", {}).get("execution", {})
    texts = [found[name] for name in ("iopub.execute_input", "shell.execute_reply") if name in found]
    return [datetime.fromisoformat(str(text).replace("Z", "+00:00")) for text in texts]


def _worked(times: list[datetime]) -> float | None:
    """Minutes between the first run and the last one that a cell keeps, without pauses."""
    gaps = [(after - before).total_seconds() for before, after in pairwise(times)]
    return sum(gap for gap in gaps if gap < PAUSE) / 60 if gaps else None


def hand_ins(course: Course, topic: str) -> Counter[str]:
    """How often each student handed in through nbgrader's exchange, whose folders are student+topic+time."""
    found: list[Path] = sorted(course.exchange.glob(f"*/inbound/*+{topic}+*"))
    return Counter(path.name.split("+")[0] for path in found)
