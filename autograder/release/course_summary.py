"""Summary of a course's tasks as data, to compare two versions of it.

    python -m autograder.release.course_summary FOLDER TOPIC...

Modules of two courses have the same names, so each course is read by a process of its own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.authoring.topic import load_tasks, read_notebook_text, task_modules
from autograder.course.course import Course
from autograder.course.digests import program_digest, text_digest
from autograder.errors import CourseError


def summarise(course: Course, topic: str) -> dict[str, Any]:
    """Return the text of a topic as a digest, and points, hints and program of its tasks."""
    modules = task_modules(course, topic)
    tasks = {
        name: {
            "points": float(task.points),
            "hints": {mistake.name: mistake.hint for mistake in task.misconceptions},
            "program": program_digest(modules[name][:1], course.root),
        }
        for name, task in load_tasks(course, topic).items()
    }
    return {"text": text_digest(read_notebook_text(course, topic)), "tasks": tasks}


def published_inputs(folder: Path, topic: str) -> dict[str, str]:
    """Return digests of the numbers in the exercises that a course was published with, by task; none without them."""
    try:
        tree = json.loads((folder / "exercises" / topic / f"{topic}.key.json").read_text("utf-8"))
        return {
            name: text_digest(*(json.dumps(case["inputs"], sort_keys=True) for case in task["cases"]))
            for name, task in tree["tasks"].items()
        }
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def summarise_elsewhere(folder: Path, topics: Sequence[str], site: Path | None = None) -> Mapping[str, Any]:
    """Return the summaries of topics, by a process; with `site`, packages of this folder come first."""
    paths = [str(path) for path in (site, os.environ.get("PYTHONPATH")) if path]
    done = subprocess.run(
        [sys.executable, "-m", "autograder.release.course_summary", str(folder), *topics],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise CourseError(f"the tasks of {folder.name} cannot be read: {last}")
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    try:
        read = Course(Path(sys.argv[1]))
        print(json.dumps({name: summarise(read, name) for name in sys.argv[2:]}))
    except CourseError as error:
        sys.exit(str(error))
