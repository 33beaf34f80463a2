"""What was handed out stays: new numbers under students' work are refused, and no key is ever thrown away.

A variant is compared with the one in its place, task by task, by the inputs of all its cases. Its text, its hints and
its answers may be mended at any time; the numbers that somebody works with may not change. Whatever is replaced is
first copied to `kept/<topic>/<number>/`, laid out like the classroom.
"""

import contextlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.gradebook import graded_students
from autograder.release.variant import Files


class HandedOut:
    """What a class has of one topic, while its next release is being made."""

    def __init__(self, course: Course, topic: str, own: Mapping[str, Any], *, replace: bool) -> None:
        """`own` are the students with own variants; `replace` allows new numbers where nobody is graded."""
        self.course, self.topic, self.replace = course, topic, replace
        was_released = course.places.certificate(topic).is_file()  # else there may be no gradebook yet
        self.graded = graded_students(course, topic) if was_released else set()
        self.busy = self.graded | set(course.places.students_with(topic))
        self.with_own = set(own)
        self.was_given = course.was_handed_out(topic)
        self.kept = course.places.next_kept(topic)

    def require_same_numbers(self, folder: str | None, files: Files) -> None:
        """Refuse a variant whose numbers differ from those that somebody works with."""
        changed = [] if self.course.is_demo else sorted(self._changed(folder, files))
        if not changed:
            return
        busy = self._concerned(folder, self.busy)
        if self._concerned(folder, self.graded) or (not self.replace and (busy or self.was_given)):
            raise CourseError(self._refusal(changed, len(busy), bool(self._concerned(folder, self.graded))))

    def _concerned(self, folder: str | None, students: set[str]) -> set[str]:
        """Those among the students who have this variant."""
        return students & {folder} if folder else students - self.with_own

    def _refusal(self, changed: list[str], number: int, graded: bool) -> str:
        who = f"{number} submissions were handed in with" if number else "the class was given"
        if graded:
            way = "a new term takes another classroom (`classroom` in course.toml)"
        else:
            way = "--replace gives out new numbers (the old keys are kept)"
        return (
            f"{self.topic}: {who} other numbers of {', '.join(changed)}, so nothing was written: "
            f"undo the change of the draw; {way}"
        )

    def _changed(self, folder: str | None, files: Files) -> set[str]:
        """The tasks whose numbers are not those in place; none if nothing is in place."""
        places, topic = self.course.places, self.topic
        public = places.release(topic, folder) / f"{topic}.key.json"
        pairs = [
            (public, files.student[f"{topic}.key.json"]),
            (places.secret_key(topic, folder), files.secret),
        ]
        found: set[str] = set()
        for path, text in pairs:
            before, after = _numbers(path.read_text("utf-8") if path.is_file() else "{}"), _numbers(text)
            found |= {name for name in before if before[name] != after.get(name)}
            found |= {name for name in after if before and name not in before}
        return found

    @contextlib.contextmanager
    def keeping(self, folders: Iterable[str | None]) -> Iterator[None]:
        """Copy these variants to the kept ones, and let them be replaced; if that fails, nothing was kept."""
        for folder in folders:
            self._keep(folder)
        try:
            yield
        except BaseException:
            shutil.rmtree(self.kept, ignore_errors=True)
            raise

    def _keep(self, folder: str | None) -> None:
        places, kept = self.course.places, Classroom(self.kept)
        pairs = zip(_files_of(places, self.topic, folder), _files_of(kept, self.topic, folder), strict=True)
        for one, its_copy in pairs:
            if one.is_dir():
                shutil.copytree(one, its_copy)
            elif one.is_file():
                its_copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(one, its_copy)

    def differs(self, folder: str | None, files: Files) -> bool:
        """Would these files replace others?"""
        places, name = self.course.places, f"{self.topic}.ipynb"
        release = places.release(self.topic, folder)
        text = places.source_notebook(self.topic) if folder is None else release / name
        pairs = {
            text: files.source if folder is None else files.student[name],
            release / f"{self.topic}.key.json": files.student[f"{self.topic}.key.json"],
            places.secret_key(self.topic, folder): files.secret,
        }
        return any(path.is_file() and path.read_text("utf-8") != new for path, new in pairs.items())


def _files_of(places: Classroom, topic: str, folder: str | None) -> list[Path]:
    """All that belongs to one variant."""
    own = [places.source(topic)] if folder is None else []
    keys = [places.secret_key(topic, folder), places.certificate(topic, folder)]
    return [*own, places.release(topic, folder), *keys]


def _numbers(key: str) -> dict[str, Any]:
    """The inputs of every case of a key, by task."""
    try:
        tasks = json.loads(key)["tasks"]
        return {name: [case["inputs"] for case in task["cases"]] for name, task in tasks.items()}
    except (ValueError, LookupError, TypeError):
        return {}
