"""Read the file of a composed assignment, and resolve it to tasks of the bank.

    title = "Midterm"
    points = 12                       # optional: the sum that the points of all tasks must have
    text = "Ninety minutes."          # optional: Markdown below the title
    group_column = "section"          # optional: the column of the class list that holds the groups

    [[task]]
    task = "areas.total"              # points are those of the chapter, unless they are given

    [[task]]
    name = "shape"                    # the check is check("midterm.shape", …)
    one_of = ["areas.triangle", "volumes.cone"]   # one of these for each student
    points = 2
    groups = {graduate = ["volumes.ball"]}                  # other tasks for a group

    [[task]]
    choose = {topic = "volumes", kind = "hand", minutes = "..10"}   # the first that fits
    count = 2

What is chosen is written down in the classroom, so a list of tasks does not change with later measurements.
"""

import contextlib
import itertools
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from autograder.authoring.assignment import chapter_block, missing_earlier
from autograder.bank.catalogue import BankTask, bank_tasks
from autograder.bank.media import can_be_shown, shown_in
from autograder.bank.selection import read_selection
from autograder.course.composition import (
    MEDIA,
    Composition,
    Slot,
    dump_composition,
    read_composition,
    split_task,
    write_composition,
)
from autograder.course.course import Course
from autograder.course.files import restore_on_error
from autograder.errors import CourseError
from autograder.grading.recorder import graded_students, has_assignment
from autograder.program import program_name

FIELDS = {"title", "name", "text", "points", "group_column", "medium", "bring_earlier", "task"}
TEXTS = ("title", "name", "text", "group_column", "medium")
TASK_FIELDS = {"task", "one_of", "choose", "count", "name", "points", "groups", "view"}
WAYS = ("task", "one_of", "choose")
MAX_FORMS = 10_000  # forms whose tasks are compared one by one


@dataclass(frozen=True)
class Source:
    """The file of a composed assignment, as read."""

    path: Path
    table: Mapping[str, Any]

    @property
    def where(self) -> str:
        """The file's name, for messages."""
        return self.path.name


def read_source(path: Path) -> Source:
    """Read the TOML file; raise CourseError if it is missing or malformed."""
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise CourseError(
            f"{path} is not there: write a file with a title and a [[task]] for each task"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path.name} cannot be read: {error}") from None
    for name in table:
        if name not in FIELDS:
            raise CourseError(f"{path.name} has a field {name!r}; its fields are {', '.join(sorted(FIELDS))}")
    _require_kinds(path, table)
    if not isinstance(table.get("task"), list) or not table["task"]:
        raise CourseError(f'{path.name} names no tasks: write [[task]] and below it task = "topic.name"')
    return Source(path, table)


def _require_kinds(path: Path, table: Mapping[str, Any]) -> None:
    """Raise CourseError for a text that is none, or points that are no number."""
    for name in TEXTS:
        if not isinstance(table.get(name, ""), str):
            raise CourseError(f"{path.name}: {name} must be a text in quotes, not {table[name]!r}")
    points = table.get("points", 1)
    if isinstance(points, bool) or not isinstance(points, int | float):
        raise CourseError(f"{path.name}: points must be a number, not {points!r}")


def resolve(course: Course, source: Source, medium: str = "") -> Composition:
    """Return the assignment that a file describes, for a medium; raise CourseError if it cannot be made."""
    table, where = source.table, source.where
    medium = medium or table.get("medium", "notebook")
    if medium not in MEDIA:
        raise CourseError(f"{where}: medium must be one of {', '.join(MEDIA)}, not {medium!r}")
    resolver = _Resolver(course, bank_tasks(course), where, medium)
    slots = resolver.slots(table["task"])
    composition = Composition(
        _name(course, source),
        str(table.get("title", source.path.stem.replace("_", " ").capitalize())),
        slots,
        str(table.get("text", "")),
        medium,
        str(table.get("group_column", "")),
    )
    if table.get("bring_earlier", False):
        composition = _with_earlier(course, composition, resolver)
    _require_earlier(course, composition, where)
    _require_distinct(course, composition, where)
    _require_groups(composition, where)
    _require_sum(composition, table.get("points"), where)
    return composition


def write(course: Course, composition: Composition, *, replace: bool = False) -> None:
    """Write the assignment into the classroom; raise CourseError if it would change one that students have."""
    folder = course.paths.composed / composition.name
    before = read_composition(folder)
    changed = before is not None and dump_composition(before) != dump_composition(composition)
    if changed and has_assignment(course, composition.name) and graded_students(course, composition.name):
        raise CourseError(
            f"{composition.name} has graded submissions with other tasks or points: choose another name"
        )
    if changed and course.was_handed_out(composition.name) and not replace:
        raise CourseError(
            f"{composition.name} was handed out with other tasks or points: choose another name, or say --replace"
        )
    course.paths.enter()
    write_composition(folder, composition)


def _name(course: Course, source: Source) -> str:
    name = str(source.table.get("name", source.path.stem))
    if not name.isidentifier() or name != name.lower():
        raise CourseError(
            f"{source.where}: an assignment's name must be of small letters, digits and _, such as midterm_1, "
            f'not {name!r}: rename the file, or write name = "…"'
        )
    if name in course.all_topics():
        raise CourseError(f"{source.where}: {name!r} is a topic of the course: choose another name")
    return name


def _require_task_fields(table: Mapping[str, object], where: str) -> None:
    """Raise CourseError if a task has unknown fields, or not exactly one way to choose it."""
    unknown = sorted(set(table) - TASK_FIELDS)
    if unknown:
        raise CourseError(
            f"{where}: unknown field {unknown[0]!r}; the fields are {', '.join(sorted(TASK_FIELDS))}"
        )
    ways = [way for way in WAYS if way in table]
    if len(ways) != 1:
        raise CourseError(f"{where} must say one of {', '.join(WAYS)}, not {len(ways)} of them")


class _Resolver:
    """Resolve the tables of a file to slots."""

    def __init__(self, course: Course, tasks: Sequence[BankTask], where: str, medium: str) -> None:
        self.course, self.where, self.medium = course, where, medium
        self.tasks = {task.reference: task for task in tasks}
        self.topics = list(dict.fromkeys(task.topic for task in tasks))
        self.taken: set[str] = set()

    def slots(self, tables: Sequence[object]) -> tuple[Slot, ...]:
        """Return the slots of all tables, in their order."""
        self.taken = {str(table["task"]) for table in tables if isinstance(table, dict) and "task" in table}
        slots = [slot for place, table in enumerate(tables, 1) for slot in self._slots(place, table)]
        counts = Counter(slot.name for slot in slots)
        for name, number in counts.items():
            if number > 1:
                raise CourseError(
                    f"{self.where}: {number} tasks have the name {name!r}: give each a name of its own"
                )
        return tuple(slots)

    def _slots(self, place: int, table: Any) -> Iterator[Slot]:
        where = f"{self.where}, task {place}"
        _require_task_fields(table, where)
        if not isinstance(table.get("groups", {}), dict):
            raise CourseError(
                f'{where}: groups are written {{graduate = ["topic.task"]}}, not {table["groups"]!r}'
            )
        groups = {
            str(group): self._names(names, f"{where}, group {group}")
            for group, names in table.get("groups", {}).items()
        }
        show = partial(shown_in, self.course, self.medium, view=str(table.get("view", "")))
        for number, tasks in enumerate(self._choices(table, where), 1):
            default = f"task{place}" if len(tasks) > 1 or groups else self._task_name(tasks[0])
            name = str(table.get("name", default))
            if not name.isidentifier():
                raise CourseError(f"{where}: a name must be of letters, digits and _, not {name!r}")
            groups = {group: tuple(map(show, members)) for group, members in groups.items()}
            yield Slot(
                name if number == 1 or "name" not in table else f"{name}{number}",
                self._points(table, [*tasks, *itertools.chain.from_iterable(groups.values())], where),
                tuple(map(show, tasks)),
                groups,
            )

    def _choices(self, table: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
        """Return the tasks of each slot that a table stands for."""
        if "choose" not in table:
            return [self._names(table.get("one_of", table.get("task")), where)]
        selection = read_selection(table["choose"], where, self.topics)
        fitting = [task for task in selection.chosen(self.tasks.values()) if self._is_free(task.reference)]
        count = table.get("count", 1)
        if not isinstance(count, int) or count < 1:
            raise CourseError(f"{where}: count must be a whole number of at least 1, not {count!r}")
        # those without earlier tasks first: they stand alone
        fitting.sort(key=lambda task: bool(task.needs))
        if len(fitting) < count:
            raise CourseError(
                f"{where}: {len(fitting)} tasks fit what `choose` asks for, not {count}: `{program_name()} bank`"
            )
        chosen = [task.reference for task in fitting[:count]]
        self.taken.update(chosen)
        return [(reference,) for reference in chosen]

    def _is_free(self, reference: str) -> bool:
        return reference not in self.taken and can_be_shown(self.course, self.medium, reference)

    def _names(self, value: object, where: str) -> tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise CourseError(f'{where}: a task is named as in "areas.total", not {value!r}')
        for name in names:
            self._require_task(name, where)
        return tuple(names)

    def _require_task(self, name: str, where: str) -> None:
        topic, task, _ = split_task(name)
        if f"{topic}.{task}" in self.tasks:
            return
        if topic not in self.topics:
            raise CourseError(f"{where}: there is no task {name!r}; the topics are {', '.join(self.topics)}")
        there = [known.name for known in self.tasks.values() if known.topic == topic]
        raise CourseError(f"{where}: there is no task {name!r}; {topic} has {', '.join(there)}")

    def _task_name(self, reference: str) -> str:
        return split_task(reference)[1]

    def _points(self, table: Mapping[str, object], tasks: Sequence[str], where: str) -> float:
        """Return the points of a slot: those of the table, or those of its tasks if they agree."""
        if "points" in table:
            points = table["points"]
            if isinstance(points, bool) or not isinstance(points, int | float) or points <= 0:
                raise CourseError(f"{where}: points must be a number above zero, not {points!r}")
            return float(points)
        known = {self.tasks[".".join(split_task(task)[:2])].points for task in tasks}
        if len(known) > 1:
            raise CourseError(f"{where}: its tasks have different points in their chapters: write points = …")
        return known.pop()

    def slot_of(self, reference: str, taken: Sequence[str]) -> Slot:
        """Return a slot for an earlier task that another one uses."""
        topic, name, _ = split_task(reference)
        return Slot(
            name if name not in taken else f"{topic}_{name}", self.tasks[reference].points, (reference,)
        )


def _forms(composition: Composition) -> list[str]:
    """Return forms in which every task of every slot and group occurs with the first of the others.

    Conflicts between two tasks that vary are found because each pair occurs.
    """
    groups = sorted({group for slot in composition.slots for group in slot.groups}) or [""]
    forms: dict[str, None] = {}
    for group in [*groups, ""]:
        choices = [slot.groups.get(group, slot.tasks) for slot in composition.slots]
        most = max(map(len, choices))
        for first in range(most):
            for place in range(len(choices)):
                for second in range(len(choices[place])):
                    picked = [names[first % len(names)] for names in choices]
                    picked[place] = choices[place][second]
                    forms[",".join(picked)] = None
    return list(forms)[:MAX_FORMS]


def _with_earlier(course: Course, composition: Composition, resolver: _Resolver) -> Composition:
    """Put the earlier tasks that others use before them."""
    slots = list(composition.slots)
    while True:
        current = Composition(**{**vars(composition), "slots": tuple(slots)})
        missing = [pair for form in _forms(current) for pair in missing_earlier(course, current, form)]
        if not missing:
            return current
        reference, earlier = missing[0]
        slots = [slot for slot in slots if slot.tasks != (earlier,)]
        place = next(index for index, slot in enumerate(slots) if reference in slot.every_task())
        slots.insert(place, resolver.slot_of(earlier, [slot.name for slot in slots]))


def _require_earlier(course: Course, composition: Composition, where: str) -> None:
    for form in _forms(composition):
        for reference, earlier in missing_earlier(course, composition, form):
            raise CourseError(
                f"{where}: {reference} uses {earlier}: put that task before it, or write bring_earlier = true"
            )


def _require_distinct(course: Course, composition: Composition, where: str) -> None:
    """Refuse a form that asks a task twice, or two tasks whose answers have the same name."""
    for form in _forms(composition):
        defined: dict[str, str] = {}
        for reference in composition.tasks(form).values():
            topic, name, view = split_task(reference)
            if reference in defined.values():
                raise CourseError(
                    f"{where}: a student could have {reference} twice: leave it out of one task"
                )
            block = chapter_block(course, topic, name)
            for answer in {block.answer} | (frozenset() if view else block.functions):
                if answer in defined:
                    raise CourseError(
                        f"{where}: {defined[answer]} and {reference} both define {answer} in one notebook: "
                        "choose another task for one of them"
                    )
                defined[answer] = reference


def _require_groups(composition: Composition, where: str) -> None:
    if any(slot.groups for slot in composition.slots) and not composition.group_column:
        raise CourseError(
            f'{where}: groups need group_column = "…", the column of the class list that holds them'
        )


def _require_sum(composition: Composition, points: Any, where: str) -> None:
    if points is not None and abs(composition.points - float(points)) > 1e-9:
        parts = " + ".join(f"{slot.points:g}" for slot in composition.slots)
        raise CourseError(
            f"{where}: the points of the tasks are {parts} = {composition.points:g}, not {points:g}"
        )


@contextlib.contextmanager
def composed(course: Course, composition: Composition, *, replace: bool = False) -> Iterator[None]:
    """Keep the assignment in the classroom if what is done with it succeeds, and else what was there before."""
    folder = course.paths.composed / composition.name
    with restore_on_error(folder):
        write(course, composition, replace=replace)
        yield
