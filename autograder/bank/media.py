"""Table of the views that each kind of task has in each medium.

Every view is judged by the same rules: what is written on paper is typed into the cell of the notebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.authoring.assignment import load_task
from autograder.authoring.views import VIEWS, paper_obstacle
from autograder.course.composition import split_task
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.question import QUESTION_KINDS


@dataclass(frozen=True)
class Shown:
    """Views of a kind of task in a medium, best first, and the lines of its answer box.

    The empty view is that of the chapter.
    """

    views: tuple[str, ...]
    lines: int = 0


MEDIA_OF_KINDS: Mapping[tuple[str, str], Shown] = {
    ("code", "notebook"): Shown(("", *VIEWS)),
    ("hand", "notebook"): Shown(("",)),
    ("sym", "notebook"): Shown(("",)),
    ("code", "paper"): Shown(VIEWS, 3),
    ("hand", "paper"): Shown(("",), 2),
    ("sym", "paper"): Shown(("",), 2),
    **{(kind, "paper"): Shown(("",), 1) for kind in QUESTION_KINDS},
}


def shown_in(course: Course, medium: str, reference: str, view: str = "") -> str:
    """Return a task's reference with the view that a medium needs; raise CourseError if there is none."""
    topic, name, named_view = split_task(reference)
    task = load_task(course, topic, name)
    chosen = view or named_view
    shown = MEDIA_OF_KINDS.get((task.kind, medium))
    if shown is None:
        raise CourseError(
            f"{topic}.{name} is a quick question, which earns points on paper only: "
            "in a notebook an answer can be tried until it is right"
        )
    if chosen and chosen not in shown.views:
        known = ", ".join(filter(None, shown.views)) or "none"
        raise CourseError(
            f"{topic}.{name}: a {task.kind} task has no view {chosen!r} on {medium}; there is {known}"
        )
    if medium != "paper" and not chosen:
        return f"{topic}.{name}"
    if obstacle := paper_obstacle(task, f"{topic}.{name}"):
        raise CourseError(obstacle)
    return f"{topic}.{name}:{chosen or shown.views[0]}".removesuffix(":")


def can_be_shown(course: Course, medium: str, reference: str) -> bool:
    """Return whether a medium can show a task."""
    try:
        shown_in(course, medium, reference)
    except CourseError:
        return False
    return True


def paper_lines(kind: str) -> int:
    """Return the number of lines that an answer gets on paper."""
    return MEDIA_OF_KINDS[kind, "paper"].lines
