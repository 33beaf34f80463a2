"""Lines and tables about tasks of the bank and composed assignments."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.authoring.assignment import load_task
from autograder.bank.catalogue import BankTask
from autograder.course.composition import Composition, split_task
from autograder.course.course import Course
from autograder.course.files import write_text

HEADINGS = (
    "task",
    "title",
    "kind",
    "points",
    "minutes",
    "students",
    "difficulty",
    "discrimination",
    "last used",
    "uses",
    "misconceptions",
)


def format_rows(tasks: Sequence[BankTask], *, verbose: bool = False) -> Iterator[str]:
    """Yield a line for each task, in columns."""
    width = max((len(task.reference) for task in tasks), default=0)
    if tasks:
        yield f"{'task':<{width}}  kind  points  min  difficulty  discr.  students  last used"
    for task in tasks:
        measured = task.measured
        yield (
            f"{task.reference:<{width}}  {task.kind:<6}{task.points:>5g}{task.minutes:>6}"
            f"{_number(measured.difficulty):>12}{_number(measured.discrimination):>8}{measured.students:>10}  "
            f"{measured.last_used or '–'}"
        )
        if verbose:
            yield from (f"    {line}" for line in _details(task))


def _details(task: BankTask) -> Iterator[str]:
    yield task.title
    if task.needs:
        yield f"uses {', '.join(f'{task.topic}.{name}' for name in task.needs)}"
    for name in task.misconceptions:
        number = task.measured.misconceptions.get(name, 0)
        yield f"{name}{f': {number} students' if number else ''}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def write_csv(path: Path, tasks: Sequence[BankTask]) -> None:
    """Write the tasks as a table."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(HEADINGS)
    for task in tasks:
        measured = task.measured
        table.writerow(
            [
                task.reference,
                task.title,
                task.kind,
                f"{task.points:g}",
                task.minutes,
                measured.students,
                "" if measured.difficulty is None else f"{measured.difficulty:.3f}",
                "" if measured.discrimination is None else f"{measured.discrimination:.3f}",
                measured.last_used,
                " ".join(f"{task.topic}.{name}" for name in task.needs),
                " ".join(task.misconceptions),
            ]
        )
    write_text(path, text.getvalue())


def describe_composition(course: Course, composition: Composition) -> Iterator[str]:
    """Yield the lines that show what a composed assignment holds."""
    minutes = 0
    for number, slot in enumerate(composition.slots, 1):
        tasks = [load_task(course, *split_task(task)[:2]) for task in slot.tasks]
        minutes += max(task.minutes for task in tasks)
        groups = "".join(f"; {group}: {' or '.join(names)}" for group, names in slot.groups.items())
        yield f"{number}. {slot.name}  {slot.points:g} points  {' or '.join(slot.tasks)}{groups}"
    yield f"{composition.title}: {composition.points:g} points, about {minutes} minutes"
