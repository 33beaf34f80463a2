"""A course: the folder, its settings, its topics."""

import secrets
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course import contents
from autograder.course.classroom import Classroom
from autograder.course.files import write_text
from autograder.errors import CourseError


@dataclass(frozen=True)
class Course:
    """A folder with `_toc.yml`, `solutions/` and a `[tool.dimred]` table in its `pyproject.toml`."""

    root: Path

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The `[tool.dimred]` table."""
        with (self.root / "pyproject.toml").open("rb") as file:
            table: dict[str, Any] = tomllib.load(file).get("tool", {}).get("dimred", {})
        return table

    @property
    def public_seed(self) -> str:
        """The seed of the exercises that everyone may see."""
        return str(self.settings["public_seed"])

    @property
    def classroom(self) -> Path:
        """The instructor's side: nbgrader's folders, secret keys, verdicts, reports. Never committed."""
        return self.root / str(self.settings.get("classroom", "classroom"))

    @property
    def places(self) -> Classroom:
        """Where everything lies in the classroom."""
        return Classroom(self.classroom)

    @property
    def exchange(self) -> Path:
        """Where nbgrader hands assignments out and in: outside the classroom, which nobody else may enter."""
        return self.root / str(self.settings.get("exchange") or "exchange")

    @property
    def exercises(self) -> Path:
        """What students open, for the public seed."""
        return self.root / "exercises"

    @property
    def book(self) -> Path:
        """The pages of the book."""
        return self.root / "book"

    def source(self, topic: str) -> Path:
        """The folder of a topic's exercise: its text with solutions, and its tasks."""
        return self.root / "solutions" / topic

    def topics(self) -> list[str]:
        """The topics that have exercises, in the order of the table of contents."""
        names = [Path(entry).name for entry in contents.entries(self.root)]
        return [name for name in names if (self.source(name) / "notebook.md").is_file()]

    def require_topics(self, names: list[str]) -> list[str]:
        """The named topics, or all of them; an unknown name is refused with the names that exist."""
        known = self.topics()
        for name in names:
            if name not in known:
                raise CourseError(f"unknown topic {name!r}; the topics are {', '.join(known)}")
        return names or known

    def secret(self) -> str:
        """The course's secret word, made once; without it secret cases cannot be computed from a seed."""
        path = self.places.secret_word
        if not path.is_file():
            self.places.enter()
            write_text(path, secrets.token_hex(32) + "\n")
        return path.read_text(encoding="ascii").strip()


def find_course(start: Path | None = None) -> Course:
    """The course that a folder belongs to: the nearest parent with a table of contents and solutions."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / contents.NAME).is_file() and (folder / "solutions").is_dir():
            return Course(folder)
    raise CourseError(f"{start} is not inside a course: no parent has _toc.yml and solutions/")
