"""Write the page that shows teachers the tasks of all chapters, each with a preview.

It is made from the published exercises, so it holds public numbers and no answers. `dimred bank` adds what classes made
of each task.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from autograder.program import program_name

BANK_PAGE = "bank"
BANK_TITLE = "The bank of tasks"
GUIDE_PAGE = "instructor_bank"  # the page stands beside this one, if the table of contents names it
BANK_HEADER = """\
(task-bank)=
# The bank of tasks

All {number} tasks of the course, {points:g} points and about {hours:.0f} hours of work, as a list to choose from. An
assignment of your own names them: `{command} compose` makes an exercise of them, `{command} exam` a printed one
(<a href="../instructor_bank.html">Compose assignments, print exams</a>). A preview shows the question with public
numbers. `{command} bank` lists the same tasks with what your classes made of them, and the quick questions, which stand
on the pages of the chapters and can be asked in a printed exam, too.
"""
ASKED_FOR = {"code": "a function", "hand": "a value", "sym": "a formula"}
_POINTS_HEADING = re.compile(
    r"^#+ (?:[\d.]+ )?(?P<title>.+?) \((?P<points>[\d.]+) points?, about (?P<minutes>\d+) minutes?\)$", re.M
)
_CHECK = re.compile(r"""check\(\s*["']\w+\.(?P<task>\w+)["']""")


class PublicExercise(Protocol):
    """The public exercise of a topic."""

    @property
    def topic(self) -> str:
        """The topic."""

    @property
    def folder(self) -> Path:
        """The folder of its files."""

    @property
    def notebook(self) -> dict[str, Any]:
        """The student's notebook."""

    @property
    def title(self) -> str:
        """The title of the exercise."""


@dataclass(frozen=True)
class Preview:
    """A task as it is listed: its place, its text, and what the certificate says."""

    topic: str
    name: str
    title: str
    points: float
    minutes: int
    text: str
    record: Mapping[str, Any]

    def row(self) -> str:
        """Return the row of the table."""
        kind = ASKED_FOR.get(str(self.record.get("kind")), str(self.record.get("kind")))
        mistakes = len(self.record.get("misconceptions recognised", ()))
        return f"| `{self.topic}.{self.name}` | {self.title} | {kind} | {self.points:g} | {self.minutes} | {mistakes} |"

    def preview(self) -> str:
        """Return the question, folded."""
        names = ", ".join(name.replace("_", " ") for name in self.record.get("misconceptions recognised", ()))
        told = f"\n\n*Recognised mistakes:* {names}." if names else ""
        return f"``````{{dropdown}} {self.topic}.{self.name}: {self.title}\n{self.text}{told}\n``````"


def bank_page(exercises: Sequence[PublicExercise], with_links: Callable[[str], str]) -> str:
    """Return the page; `with_links` turns links to the book into links inside it."""
    chapters = {exercise: list(previews(exercise)) for exercise in exercises}
    every = [task for tasks in chapters.values() for task in tasks]
    hours = sum(task.minutes for task in every) / 60
    points = sum(task.points for task in every)
    parts = [BANK_HEADER.format(number=len(every), points=points, hours=hours, command=program_name())]
    for exercise, tasks in chapters.items():
        parts += [f"## {exercise.title}", _table(tasks), *(with_links(task.preview()) for task in tasks)]
    return "\n\n".join(parts) + "\n"


def _table(tasks: Sequence[Preview]) -> str:
    head = "| task | title | asks for | points | minutes | mistakes recognised |\n|---|---|---|---|---|---|"
    return "\n".join([head, *(task.row() for task in tasks)])


def previews(exercise: PublicExercise) -> Iterator[Preview]:
    """Yield the tasks of an exercise, in the order of its notebook."""
    path = exercise.folder / f"{exercise.topic}.certificate.json"
    records = json.loads(path.read_text("utf-8"))["tasks"] if path.is_file() else {}
    heading, parts = None, list[str]()
    for cell in exercise.notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            headings = list(_POINTS_HEADING.finditer(source))
            if headings:
                heading = headings[-1]
                parts = [source[heading.end() :].strip()]
            elif heading:
                parts.append(re.sub(r"^#+ .*$", "", source, flags=re.MULTILINE).strip())
        elif heading and (check := _CHECK.match(source)):
            text = "\n\n".join(filter(None, parts))
            name = check["task"]
            yield Preview(
                exercise.topic,
                name,
                heading["title"],
                float(heading["points"]),
                int(heading["minutes"]),
                text,
                records.get(name, {}),
            )
            heading = None
