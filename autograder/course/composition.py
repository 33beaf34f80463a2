"""Composed assignments: tasks of several topics that an instructor put together, as data.

`classroom/composed/<name>/composition.json` holds the resolved choice. To all other rooms a composed assignment is a
topic of that name. A task is named `topic.task`, or `topic.task:view` if it is shown in another way than in its chapter
(see `autograder.authoring.views`). A slot is a place in the assignment with fixed points: which task fills it may
depend on the student's group, and on chance. The tasks that one student has, in order, are a form.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.program import program_name

COMPOSITION_FILE = "composition.json"
MEDIA = ("notebook", "paper")


@dataclass(frozen=True)
class Slot:
    """A place in a composed assignment.

    Each student has one of `tasks`, or one of the tasks of the student's group.
    """

    name: str
    points: float
    tasks: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def every_task(self) -> tuple[str, ...]:
        """Return the tasks of all groups."""
        return tuple(
            dict.fromkeys([*self.tasks, *(task for tasks in self.groups.values() for task in tasks)])
        )

    def pick(self, group: str, seed: str) -> str:
        """Choose the task of a student; the same seed gives the same task."""
        tasks = self.groups.get(group, self.tasks)
        digest = hashlib.sha256(json.dumps(["slot", self.name, seed]).encode()).digest()
        return tasks[int.from_bytes(digest[:8], "big") % len(tasks)]


@dataclass(frozen=True)
class Composition:
    """A composed assignment. `group_column` is the column of the class list that holds the groups.

    A retake (`retake_of`) has `own_forms`: by student's folder, the tasks that the student lost, with nothing in the
    other slots. `counts` says how both results are combined, `uncounted` has the slots of each student that were not
    lost, but are used by a task that was.
    """

    name: str
    title: str
    slots: tuple[Slot, ...]
    text: str = ""
    medium: str = "notebook"
    group_column: str = ""
    retake_of: str = ""
    counts: str = ""
    own_forms: Mapping[str, str] = field(default_factory=dict)
    uncounted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def form(self, group: str, seed: str, folder: str = "") -> str:
        """Return the form of a student: the tasks in the order of the slots."""
        if folder in self.own_forms:
            return self.own_forms[folder]
        return ",".join(slot.pick(group, seed) for slot in self.slots)

    def group_of(self, columns: Mapping[str, str]) -> str:
        """Return the group of a student, from the columns of the class list."""
        folded = {heading.casefold(): text for heading, text in columns.items()}
        return folded.get(self.group_column.casefold(), "").strip() if self.group_column else ""

    def tasks(self, form: str) -> dict[str, str]:
        """Return the task in each slot; without a form, the first of each."""
        chosen = form.split(",") if form else [slot.tasks[0] for slot in self.slots]
        return {slot.name: task for slot, task in zip(self.slots, chosen, strict=True) if task}

    def every_task(self) -> tuple[str, ...]:
        """Return all tasks that some student may have."""
        return tuple(dict.fromkeys(task for slot in self.slots for task in slot.every_task()))

    def topics(self) -> list[str]:
        """Return the topics from which tasks come, in the order of their first use."""
        return list(dict.fromkeys(split_task(task)[0] for task in self.every_task()))

    @property
    def points(self) -> float:
        """The points of all slots."""
        return sum(slot.points for slot in self.slots)

    @property
    def varies(self) -> bool:
        """Whether students may have different tasks."""
        return bool(self.own_forms) or any(len(slot.every_task()) > 1 for slot in self.slots)


def split_task(reference: str) -> tuple[str, str, str]:
    """Split `topic.task:view` into its three names; the view may be empty."""
    name, _, view = reference.partition(":")
    topic, _, task = name.partition(".")
    return topic, task, view


def dump_composition(composition: Composition) -> str:
    """Return a composition as text."""
    return json.dumps(asdict(composition), indent=1, ensure_ascii=False) + "\n"


def write_composition(folder: Path, composition: Composition) -> None:
    """Write a composition into its folder."""
    write_text(folder / COMPOSITION_FILE, dump_composition(composition))


def read_composition(folder: Path) -> Composition | None:
    """Read the composition in a folder, or None if there is none."""
    path = folder / COMPOSITION_FILE
    try:
        return _parse(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError):
        raise CourseError(f"{path} cannot be read: run `{program_name()} compose` again") from None


def _parse(tree: Mapping[str, Any]) -> Composition:
    slots = tuple(
        Slot(
            slot["name"],
            float(slot["points"]),
            tuple(slot["tasks"]),
            {group: tuple(tasks) for group, tasks in slot["groups"].items()},
        )
        for slot in tree["slots"]
    )
    return Composition(**{**tree, "slots": slots})
