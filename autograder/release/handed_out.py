"""Protect the numbers that students work with, and archive replaced keys.

A new variant is compared with the one in its place, task by task, by the inputs of all cases. Texts, hints and answers
may change at any time. Numbers may not change once they were handed out. Replaced files are first copied to
`kept/<topic>/<number>/`, laid out like the classroom.
"""

import contextlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.recorder import graded_students
from autograder.release.variant import Files


class ReleaseGuard:
    """Check one release of a topic against what the class has."""

    def __init__(
        self, course: Course, topic: str, students_with_variant: Mapping[str, object], *, replace: bool
    ) -> None:
        """Read which students have, handed in or were graded on variants.

        `replace` allows new numbers as long as no submission was graded.
        """
        self.course, self.topic, self.replace = course, topic, replace
        was_released = course.paths.certificate(topic).is_file()  # else there may be no gradebook yet
        self.graded = graded_students(course, topic) if was_released else set()
        self.busy = self.graded | set(course.paths.students_with(topic))
        self.with_own = set(students_with_variant)
        self.was_given = course.was_handed_out(topic)
        self.kept = course.paths.next_archive(topic)

    def require_same_numbers(self, folder: str | None, files: Files) -> None:
        """Raise CourseError if a variant changes numbers that students work with."""
        changed = [] if self.course.is_demo else sorted(self._changed_tasks(folder, files))
        if not changed:
            return
        busy = self._students_concerned(folder, self.busy)
        if self._students_concerned(folder, self.graded) or (not self.replace and (busy or self.was_given)):
            raise CourseError(
                self._describe_refusal(
                    changed, len(busy), bool(self._students_concerned(folder, self.graded))
                )
            )

    def _students_concerned(self, folder: str | None, students: set[str]) -> set[str]:
        """Select the students who have this variant."""
        return students & {folder} if folder else students - self.with_own

    def _describe_refusal(self, changed: list[str], number: int, graded: bool) -> str:
        who = f"{number} submissions were handed in with" if number else "the class was given"
        if graded:
            way = "a new term takes another classroom (`classroom` in course.toml)"
        else:
            way = "--replace gives out new numbers (the old keys are kept)"
        return (
            f"{self.topic}: {who} other numbers of {', '.join(changed)}, so nothing was written: "
            f"undo the change of the draw; {way}"
        )

    def _changed_tasks(self, folder: str | None, files: Files) -> set[str]:
        """Return the tasks whose numbers differ from the variant in place.

        The set is empty if there is no variant yet.
        """
        places, topic = self.course.paths, self.topic
        public = places.release(topic, folder) / f"{topic}.key.json"
        pairs = [
            (public, files.student[f"{topic}.key.json"]),
            (places.secret_key(topic, folder), files.secret),
        ]
        tasks: set[str] = set()
        for path, text in pairs:
            before, after = (
                _inputs_by_task_name(path.read_text("utf-8") if path.is_file() else "{}"),
                _inputs_by_task_name(text),
            )
            tasks |= {name for name in before if before[name] != after.get(name)}
            tasks |= {name for name in after if before and name not in before}
        return tasks

    @contextlib.contextmanager
    def archive_replaced(self, folders: Iterable[str | None]) -> Iterator[None]:
        """Copy these variants to the archive while they are replaced.

        The copies are deleted if the replacement fails.
        """
        for folder in folders:
            self._keep(folder)
        try:
            yield
        except BaseException:
            shutil.rmtree(self.kept, ignore_errors=True)
            raise

    def _keep(self, folder: str | None) -> None:
        places, archive = self.course.paths, Classroom(self.kept)
        pairs = zip(
            _files_of(places, self.topic, folder), _files_of(archive, self.topic, folder), strict=True
        )
        for path, copy_path in pairs:
            if path.is_dir():
                shutil.copytree(path, copy_path)
            elif path.is_file():
                copy_path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copy_path)

    def differs(self, folder: str | None, files: Files) -> bool:
        """Return whether these files would replace different files."""
        places, name = self.course.paths, f"{self.topic}.ipynb"
        release = places.release(self.topic, folder)
        text = places.source_notebook(self.topic) if folder is None else release / name
        pairs = {
            text: files.source if folder is None else files.student[name],
            release / f"{self.topic}.key.json": files.student[f"{self.topic}.key.json"],
            places.secret_key(self.topic, folder): files.secret,
        }
        return any(path.is_file() and path.read_text("utf-8") != new for path, new in pairs.items())


def _files_of(places: Classroom, topic: str, folder: str | None) -> list[Path]:
    """Return all files and folders of one variant."""
    sources = [places.source(topic)] if folder is None else []
    keys = [places.secret_key(topic, folder), places.certificate(topic, folder)]
    return [*sources, places.release(topic, folder), *keys]


def _inputs_by_task_name(key: str) -> dict[str, object]:
    """Return the inputs of all cases of a key, by task.

    An unreadable key has no tasks.
    """
    try:
        tasks = json.loads(key)["tasks"]
        return {name: [case["inputs"] for case in task["cases"]] for name, task in tasks.items()}
    except (ValueError, LookupError, TypeError):
        return {}
