"""Skeleton of a new course: small, complete, and certified as it is.

The texts lie in `skeletons/course/`. The first topic is written as `new topic` writes it, with a task of each kind.
"""

import re
import shutil
from datetime import date
from pathlib import Path

from autograder.course.course import Course
from autograder.course.files import move_files, scratch_folder, write_text
from autograder.course.overlay import Base
from autograder.errors import CourseError
from autograder.judging.key import TaskKind
from autograder.program import ENGINE, ENGINE_VERSION, program_name
from autograder.release.skeleton import fill_skeleton, write_task, write_topic

FIRST_TOPIC = "lists"
FURTHER_TASKS: dict[str, TaskKind] = {"farthest": "hand", "half_way": "sym"}
COURSE_NAME = re.compile(r"[a-z][a-z0-9_-]*")
# Text in `skeletons/course/` and its place in the course. Setuptools would take a file .py for one of its own.
COURSE_FILES = {
    "_config.yml": "_config.yml",
    "_toc.yml": "_toc.yml",
    "course.toml": "course.toml",
    "gitignore": ".gitignore",
    "README.md": "README.md",
    "requirements.txt": "requirements.txt",
    "pyproject.toml": "pyproject.toml",
    "nbgrader_config.py.txt": "nbgrader_config.py",
    "workflow.yml": ".github/workflows/course.yml",
    "intro.md": "book/intro.md",
    "rules.md": "solutions/rules.md",
    "library.py.txt": "<library>/__init__.py",
    "test_course.py.txt": "tests/test_course.py",
}


def write_course(folder: Path, topic: str = FIRST_TOPIC) -> list[Path]:
    """Write a course into a new or empty folder, all of it or nothing; return its files, relative to it."""
    folder = folder.resolve()
    _require_free(folder)
    words = _words(folder.name, topic)
    with scratch_folder(folder / ".new") as staging:
        for name, place in COURSE_FILES.items():
            path = staging / place.replace("<library>", words["library"])
            write_text(path, fill_skeleton(f"course/{name}", words))
        course = Course(staging)
        write_topic(course, topic)
        for task, kind in FURTHER_TASKS.items():
            write_task(course, topic, task, kind)
        files = [path.relative_to(staging) for path in sorted(staging.rglob("*")) if path.is_file()]
        written = [path for path in files if "__pycache__" not in path.parts]
        shutil.rmtree(staging / "solutions" / topic / "__pycache__", ignore_errors=True)
        move_files(staging, folder)
    return written


OVERLAY_FILES = {
    "course.toml": "course.toml",
    "gitignore": ".gitignore",
    "README.md": "README.md",
    "workflow.yml": ".github/workflows/course.yml",
}


def write_overlay(folder: Path, base: Base) -> list[Path]:
    """Write the folder of an overlay on an installed course; return its files, relative to it."""
    folder = folder.resolve()
    _require_free(folder)
    words = _words(folder.name, "") | {
        "base": f"{base.name}=={base.version}",
        "course_id": folder.name,
        "command": program_name(),
    }
    for name, place in OVERLAY_FILES.items():
        write_text(folder / place, fill_skeleton(f"overlay/{name}", words))
    return [Path(place) for place in sorted(OVERLAY_FILES.values())]


def _words(name: str, topic: str) -> dict[str, str]:
    return {
        "name": name,
        "topic": topic,
        "title": re.sub(r"[-_]", " ", name).capitalize(),
        "year": str(date.today().year),
        "library": f"{name.replace('-', '_')}_ref",
        "command": ENGINE,
        "version": ENGINE_VERSION,
        "version_start": ENGINE_VERSION.rpartition(".")[0],
    }


def _require_free(folder: Path) -> None:
    if not COURSE_NAME.fullmatch(folder.name):
        raise CourseError(
            f"a course is named by small letters, digits, - and _, such as stats, not {folder.name!r}"
        )
    if folder.is_dir() and all(path.name.startswith(".") for path in folder.iterdir()):
        return  # empty, or a new repository or environment
    if folder.exists():
        raise CourseError(f"{folder} is there already: name a new folder, or empty this one")
