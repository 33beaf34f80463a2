"""A course: its folder, settings and topics."""

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course import contents
from autograder.course.classroom import Classroom
from autograder.course.composition import COMPOSITION_FILE, Composition, read_composition
from autograder.course.files import write_text
from autograder.course.overlay import MERGE_RECORD, base_of, find_base, merge, merged_base
from autograder.course.settings import SETTINGS_FILE, read_settings
from autograder.errors import CourseError

DEMO = "demo"  # classroom folder of the demo class
PUBLIC_ROOM = "_build/public_room"
DEMO_FIRST_DUE = datetime(2027, 1, 10, 23, 59, tzinfo=UTC)  # due date of the first topic of the demo class
DEMO_PENALTY_PER_DAY = 0.1  # of the points, per day


def demo_due(topic_place: int) -> datetime:
    """Return the demo class's due date of a topic, by its place in the contents."""
    return DEMO_FIRST_DUE + timedelta(weeks=topic_place)


@dataclass(frozen=True)
class Course:
    """A folder with `_toc.yml`, `solutions/` and settings in `course.toml`.

    `root` may be the folder into which an overlay and its base were merged. What a command makes for a class lies in
    `home`, the folder of the overlay; without one, both are the same.
    `room` names another classroom in it. `with_private` includes the instructor's private tasks (setting `private`).
    `form` names the tasks of one student in a composed assignment; without it, the first of each slot.
    """

    root: Path
    room: str | None = None
    with_private: bool = True
    form: str = ""

    @cached_property
    def home(self) -> Path:
        """The folder that an instructor keeps: of the overlay, or of the course itself."""
        return self.root.parent if (self.root / MERGE_RECORD).is_file() else self.root

    @property
    def is_overlay(self) -> bool:
        """Return whether the course was merged from an overlay and its base."""
        return self.home != self.root

    @property
    def base_folder(self) -> Path | None:
        """Folder of the installed course on which an overlay is based, or None."""
        return find_base(merged_base(self.root)).folder if self.is_overlay else None

    def own(self, path: Path) -> Path:
        """Return the place at which an author writes a file of the course: in the overlay, if there is one."""
        return self.home / path.relative_to(self.root)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """All settings, from `course.toml` or by default."""
        return read_settings(self.root) | (self._demo_settings() if self.is_demo else {})

    def _demo_settings(self) -> dict[str, object]:
        """Return the settings of the demo class.

        It has its own gradebook, a due date each week and a late penalty.
        """
        due = {topic: demo_due(place) for place, topic in enumerate(self.topics())}
        return {"gradebook": "", "attempts": "last", "late_penalty_per_day": DEMO_PENALTY_PER_DAY, "due": due}

    @property
    def public_seed(self) -> str:
        """Seed of the published exercises."""
        if not self.settings["public_seed"]:
            raise CourseError(
                f'{SETTINGS_FILE} has no public_seed: write a line such as public_seed = "2027"'
            )
        return str(self.settings["public_seed"])

    @property
    def classroom(self) -> Path:
        """The instructor's folder: nbgrader's folders, secret keys, verdicts, reports. Never committed."""
        return self.home / (self.room or str(self.settings["classroom"]))

    @property
    def demo(self) -> "Course":
        """The same course with the classroom of the demo class."""
        return replace(self, room=DEMO, with_private=False)

    @property
    def published(self) -> "Course":
        """The same course without private tasks, from which public files are made."""
        return replace(self, with_private=False)

    @property
    def formless(self) -> "Course":
        """Course without a form, to which caches of topics belong."""
        return replace(self, form="") if self.form else self

    @property
    def aside(self) -> "Course":
        """The same course with a scratch classroom for making the public exercises."""
        return replace(self, room=PUBLIC_ROOM)

    @property
    def is_demo(self) -> bool:
        """Whether this is the demo class."""
        return self.room == DEMO

    @property
    def paths(self) -> Classroom:
        """Paths in the classroom."""
        return Classroom(self.classroom, "" if self.is_demo else str(self.settings["group"]))

    @property
    def exercises(self) -> Path:
        """Folder of the public exercises."""
        return self.root / "exercises"

    @property
    def book(self) -> Path:
        """Folder of the book's pages."""
        return self.root / "book"

    @property
    def exchange(self) -> Path:
        """nbgrader's exchange folder, outside the private classroom except for the demo class."""
        if self.is_demo:
            return self.classroom / "exchange"
        return self.home / (str(self.settings["exchange"]) or "exchange")

    def was_handed_out(self, topic: str) -> bool:
        """Return whether a topic was handed out, by `dimred distribute` or nbgrader's exchange."""
        outbound = self.exchange / str(self.settings["course_id"]) / "outbound" / topic
        return outbound.is_dir() or (self.paths.handed_out / topic).is_dir()

    def source(self, topic: str) -> Path:
        """Return the folder of a topic's text with solutions and tasks, or of a composed assignment."""
        folder = self.paths.composed / topic
        return folder if self.is_composed(topic) else self.root / "solutions" / topic

    def is_composed(self, topic: str) -> bool:
        """Return whether this is a composed assignment."""
        return (self.paths.composed / topic / COMPOSITION_FILE).is_file()

    def composition(self, topic: str) -> Composition | None:
        """Return a composed assignment, or None for a topic."""
        return read_composition(self.paths.composed / topic)

    def retake_of(self, topic: str) -> str:
        """Return the assignment that a retake repeats, or an empty string."""
        composition = self.composition(topic)
        return composition.retake_of if composition else ""

    def composed(self) -> list[str]:
        """Return the names of the composed assignments."""
        folders = (path.parent.name for path in self.paths.composed.glob(f"*/{COMPOSITION_FILE}"))
        return sorted(name for name in folders if name.isidentifier())  # others are copies that a run keeps

    def assignments(self) -> list[str]:
        """Return all that can be handed in: topics, then composed assignments."""
        return [*self.topics(), *self.composed()]

    @property
    def private_folder(self) -> Path | None:
        """Folder of tasks that are never published, or None."""
        setting = str(self.settings["private"])
        if not setting or not self.with_private:
            return None
        folder = (self.home / setting).resolve()
        if folder.is_relative_to(self.home.resolve()):
            raise CourseError(
                f"private must be a folder outside the course, not {setting!r}: what lies inside may be published"
            )
        if not folder.is_dir():
            raise CourseError(f"private must be a folder, not {folder}: create it, or remove the setting")
        return folder

    def private_source(self, topic: str) -> Path | None:
        """Return the folder of a topic's private tasks, or None."""
        folder = self.private_folder
        place = folder / "solutions" / topic if folder else None
        return place if place and place.is_dir() else None

    def sources(self, topic: str) -> list[Path]:
        """Return the source folders of a topic: the public one, then any private one.

        A composed assignment has its own folder, then those of the topics of its tasks.
        """
        composition = self.composition(topic)
        if composition:
            return [
                self.source(topic),
                *(place for name in composition.topics() for place in self.sources(name)),
            ]
        private = self.private_source(topic)
        return [self.source(topic), *([private] if private else [])]

    def topics(self) -> list[str]:
        """Return the topics chosen by the setting `topics`, in the order of the contents."""
        known, chosen = self.all_topics(), self._chosen_topics()
        for name in chosen:
            if name not in known:
                raise CourseError(
                    f"{SETTINGS_FILE}: topics names {name!r}; the topics are {', '.join(known)}"
                )
        return [name for name in known if name in chosen or not chosen]

    def all_topics(self) -> list[str]:
        """Return all topics with exercises, in the order of the contents."""
        names = [Path(entry).name for entry in contents.contents_entries(self.root)]
        return [name for name in names if (self.root / "solutions" / name / "notebook.md").is_file()]

    def _chosen_topics(self) -> list[str]:
        """Return the setting `topics` of the file.

        `self.settings` cannot be used: the demo class's settings depend on the topics.
        """
        return list(read_settings(self.root)["topics"])

    def short(self, path: Path) -> str:
        """Return a path relative to the course's folder, if it is inside."""
        return str(path.relative_to(self.home)) if path.is_relative_to(self.home) else str(path)

    def titles(self) -> dict[str, str]:
        """Return the title of each assignment."""
        return {topic: self.title(topic) for topic in self.assignments()}

    def title(self, topic: str) -> str:
        """Return the first heading of a topic's page; the topic itself if there is none."""
        composition = self.composition(topic)
        if composition:
            return composition.title
        page = self.book / f"{topic}.md"
        lines = page.read_text("utf-8").splitlines() if page.is_file() else []
        return next((line[2:].strip() for line in lines if line.startswith("# ")), topic)

    def require_topics(self, names: list[str]) -> list[str]:
        """Return the named topics, or all topics if none is named.

        Raise CourseError for an unknown name.
        """
        known = self.topics()
        for name in names:
            if name not in known:
                raise CourseError(f"unknown topic {name!r}; the topics are {', '.join(known)}")
        return names or known

    def require_assignments(self, names: list[str]) -> list[str]:
        """Return the named topics and composed assignments, or all if none is named.

        Raise CourseError for an unknown name.
        """
        known = self.assignments()
        for name in names:
            if name not in known:
                raise CourseError(f"unknown topic {name!r}; the topics are {', '.join(known)}")
        return names or known

    def secret(self) -> str:
        """Return the course's secret; create it at the first call.

        Secret cases cannot be computed from a seed without it.
        """
        path = self.paths.secret_word
        if not path.is_file():
            self.paths.enter()
            write_text(path, secrets.token_hex(32) + "\n")
        return path.read_text(encoding="ascii").strip()


def find_course(start: Path | None = None) -> Course:
    """Return the course of a folder: the nearest parent with `_toc.yml` and `solutions/`.

    A parent whose `course.toml` names a base is an overlay; it is merged with the base.
    """
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if base_of(folder):
            return Course(merge(folder))
        if (folder / contents.CONTENTS_FILE).is_file() and (folder / "solutions").is_dir():
            return Course(folder)
    raise CourseError(f"{start} is not inside a course: no parent has _toc.yml and solutions/")
