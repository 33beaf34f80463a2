"""A course: the folder, its settings, its topics."""

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course import contents
from autograder.course.classroom import Classroom
from autograder.course.files import write_text
from autograder.course.settings import NAME as SETTINGS
from autograder.course.settings import read_settings
from autograder.errors import CourseError

DEMO = "demo"  # the room of the made-up class, beside the real one
DEMO_TERM = datetime(2027, 1, 10, 23, 59, tzinfo=UTC)  # when the first topic of the made-up class is due
DEMO_PENALTY = 0.1  # of the points, per day


def demo_due(topic_place: int) -> datetime:
    """Return when the made-up class hands in the topic at a place of the table of contents."""
    return DEMO_TERM + timedelta(weeks=topic_place)


@dataclass(frozen=True)
class Course:
    """A folder with `_toc.yml`, `solutions/` and settings in `course.toml`; `room` names another classroom in it.

    `with_private` says whether the instructor's private tasks (the setting `private`) belong to it.
    """

    root: Path
    room: str | None = None
    with_private: bool = True

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Every setting, given in `course.toml` or by default."""
        return read_settings(self.root) | (self._demo_settings() if self.is_demo else {})

    def _demo_settings(self) -> dict[str, Any]:
        """Settings of the made-up class: a gradebook of its own, a due date each week, a penalty for late work."""
        due = {topic: demo_due(place) for place, topic in enumerate(self.topics())}
        return {"gradebook": "", "attempts": "last", "late_penalty_per_day": DEMO_PENALTY, "due": due}

    @property
    def public_seed(self) -> str:
        """The seed of the exercises that everyone may see."""
        if not self.settings["public_seed"]:
            raise CourseError(f'{SETTINGS} has no public_seed: write a line such as public_seed = "2027"')
        return str(self.settings["public_seed"])

    @property
    def classroom(self) -> Path:
        """The instructor's side: nbgrader's folders, secret keys, verdicts, reports. Never committed."""
        return self.root / (self.room or str(self.settings["classroom"]))

    @property
    def demo(self) -> "Course":
        """The same course with the room of its made-up class: what is tried there touches no real class."""
        return replace(self, room=DEMO, with_private=False)

    @property
    def published(self) -> "Course":
        """The same course without private tasks: what everybody may see is made from it."""
        return replace(self, with_private=False)

    @property
    def is_demo(self) -> bool:
        """Is this the room of the made-up class?"""
        return self.room == DEMO

    @property
    def places(self) -> Classroom:
        """Where everything lies in the classroom."""
        return Classroom(self.classroom)

    @property
    def exercises(self) -> Path:
        """What students open, for the public seed."""
        return self.root / "exercises"

    @property
    def book(self) -> Path:
        """The pages of the book."""
        return self.root / "book"

    @property
    def exchange(self) -> Path:
        """Where nbgrader hands assignments out and in: outside the classroom, which nobody else may enter."""
        if self.is_demo:
            return self.classroom / "exchange"
        return self.root / (str(self.settings["exchange"]) or "exchange")

    def was_handed_out(self, topic: str) -> bool:
        """Did students get this topic, by `dimred distribute` or by nbgrader's exchange?"""
        outbound = self.exchange / str(self.settings["course_id"]) / "outbound" / topic
        return outbound.is_dir() or (self.places.handed_out / topic).is_dir()

    def source(self, topic: str) -> Path:
        """The folder of a topic's exercise: its text with solutions, and its tasks."""
        return self.root / "solutions" / topic

    @property
    def private_folder(self) -> Path | None:
        """The folder of tasks that are never published; None if there is none."""
        setting = str(self.settings["private"])
        if not setting or not self.with_private:
            return None
        folder = (self.root / setting).resolve()
        if folder.is_relative_to(self.root.resolve()):
            raise CourseError(
                f"private must be a folder outside the course, not {setting!r}: what lies inside may be published"
            )
        if not folder.is_dir():
            raise CourseError(
                f"private names {folder}, which is no folder: make it, or take the setting away"
            )
        return folder

    def private_source(self, topic: str) -> Path | None:
        """The folder of a topic's private tasks, laid out like `source`; None if there is none."""
        folder = self.private_folder
        place = folder / "solutions" / topic if folder else None
        return place if place and place.is_dir() else None

    def sources(self, topic: str) -> list[Path]:
        """Every folder that a topic's exercise is made from: the public one, then the private one."""
        private = self.private_source(topic)
        return [self.source(topic), *([private] if private else [])]

    def topics(self) -> list[str]:
        """The topics that have exercises, in the order of the table of contents."""
        names = [Path(entry).name for entry in contents.entries(self.root)]
        return [name for name in names if (self.source(name) / "notebook.md").is_file()]

    def titles(self) -> dict[str, str]:
        """What each topic is called: the first heading of its page."""
        found = {}
        for topic in self.topics():
            page = self.book / f"{topic}.md"
            lines = page.read_text("utf-8").splitlines() if page.is_file() else []
            found[topic] = next((line[2:].strip() for line in lines if line.startswith("# ")), topic)
        return found

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
