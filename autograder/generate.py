"""Regenerate exercises: draw, certify, write. Nothing is written before everything is certified.

A variant of a topic is one student notebook with its public key, the nbgrader source with the secret key, and
the certificate. `exercises/` holds the variant of the public seed; a class gets the variant of its own seed
through nbgrader's `generate_assignment`.
"""

import contextlib
import copy
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.book import labels
from autograder.course import Course, CourseError
from autograder.examine import Examined, examine
from autograder.key import Key, dump_key
from autograder.placeholders import PlaceholderError
from autograder.sandbox import Limits, Nursery
from autograder.source_notebook import SourceError, dump, released, source_notebook
from autograder.task import Task
from autograder.variant import DrawnTask, UncertifiedError, draw_task


@dataclass(frozen=True)
class Variant:
    """A certified variant of one topic."""

    topic: str
    seed: str
    source: Any
    release: Any
    public: Key
    secret: Key
    certificate: Mapping[str, Any]

    def student_files(self) -> dict[str, str]:
        """What a student gets, by file name."""
        return {f"{self.topic}.ipynb": dump(self.release), f"{self.topic}.key.json": dump_key(self.public)}

    def certificate_text(self) -> str:
        """The certificate as a file."""
        return json.dumps(self.certificate, indent=1, ensure_ascii=False) + "\n"


def make_variant(
    course: Course, topic: str, seed: str, secret: str, nursery: Nursery | None = None
) -> Variant:
    """Draw and certify a variant; CourseError says in one line what is wrong where.

    Many variants are made quicker in one nursery; without one, a nursery is started and ended here.
    """
    try:
        tasks = course.tasks(topic)
        drawn = {name: draw_task(f"{topic}.{name}", task, seed, secret) for name, task in tasks.items()}
        source = source_notebook(course.notebook_text(topic), topic, tasks, _numbers(tasks, drawn))
    except (UncertifiedError, SourceError, PlaceholderError) as error:
        raise CourseError(str(error)) from error
    source.metadata["dimred"]["seed"] = seed
    pages = _pages(course, tasks)
    public = Key(topic, seed, {name: task.public for name, task in drawn.items()}, pages)
    hidden = Key(topic, seed, {name: task.secret for name, task in drawn.items()}, pages)
    release = released(copy.deepcopy(source))
    variant = Variant(topic, seed, source, release, public, hidden, _certificate(topic, seed, tasks, drawn))
    # the code that runs here is the course's own, so a machine without walls will do
    with contextlib.nullcontext(nursery) if nursery else Nursery(allow_unsafe=True) as warm:
        _certify_notebooks(variant, warm)
    return variant


def _numbers(tasks: Mapping[str, Task], drawn: Mapping[str, DrawnTask]) -> dict[str, dict[str, Any]]:
    """What placeholders may name: the printed inputs of each task, and its reference answer."""
    numbers = {}
    for name, task in drawn.items():
        inputs = dict(task.public.cases[0].inputs)
        numbers[name] = {**inputs, "answer": tasks[name].answer(*inputs.values())}
    return numbers


def _pages(course: Course, tasks: Mapping[str, Task]) -> dict[str, str]:
    """The address in the book of every label that a verdict may name."""
    places = labels(course.book)
    named = {task.see for task in tasks.values()}
    named |= {wrong.see for task in tasks.values() for wrong in task.misconceptions}
    unknown = sorted(named - set(places))
    if unknown:
        raise CourseError(f"{unknown[0]} is not a label of the book: mend the `see` of the task or the page")
    base = str(course.settings.get("book_url", "")).rstrip("/")
    return {name: f"{base}/book/{places[name].page}.html#{places[name].anchor}" for name in sorted(named)}


def _certify_notebooks(variant: Variant, nursery: Nursery) -> None:
    """The solution earns full marks and the untouched notebook none, by the grader itself."""
    for name, verdict in _examined(variant, variant.source, nursery).verdicts.items():
        if not verdict.passed:
            why = f"the solution in notebook.md does not earn full marks: {verdict.message}"
            raise CourseError(f"{variant.topic}.{name}: {why}")
    _require_nothing(variant.topic, _examined(variant, variant.release, nursery))


def _examined(variant: Variant, notebook: Any, nursery: Nursery) -> Examined:
    files = {f"{variant.topic}.key.json": dump_key(variant.public).encode()}
    start = functools.partial(nursery.start, files, Limits())
    return examine(copy.deepcopy(notebook), variant.public, variant.secret, start)


def _require_nothing(topic: str, untouched: Examined) -> None:
    for name, verdict in untouched.verdicts.items():
        if verdict.fraction > 0:
            raise CourseError(f"{topic}.{name}: the untouched notebook earns {verdict.earned:g} points")


def _certificate(
    topic: str, seed: str, tasks: Mapping[str, Task], drawn: Mapping[str, DrawnTask]
) -> dict[str, Any]:
    return {
        "topic": topic,
        "seed": seed,
        "rules": [
            "the solution earns full marks",
            "the untouched notebook earns none",
            "every alternative correct solution passes",
            "every misconception is rejected and recognised as itself",
            "no case is ill-posed",
        ],
        "tasks": {
            name: {
                "kind": task.kind,
                "points": float(task.points),
                "cases": len(drawn[name].public.cases),
                "alternatives accepted": len(task.alternatives),
                "misconceptions recognised": [wrong.name for wrong in task.misconceptions],
                "draws": drawn[name].tries,
            }
            for name, task in tasks.items()
        },
    }


def write_exercises(course: Course, variant: Variant) -> Path:
    """Write the public variant into exercises/."""
    folder = course.exercises / variant.topic
    files = {**variant.student_files(), f"{variant.topic}.certificate.json": variant.certificate_text()}
    _write(folder, files)
    return folder


def write_classroom(course: Course, variant: Variant) -> Path:
    """Write nbgrader's source and the secret key; nbgrader makes the release and fills its gradebook."""
    from autograder.gradebook import release_assignment

    topic = variant.topic
    source = course.classroom / "source" / topic
    _write(source, {**variant.student_files(), f"{topic}.ipynb": dump(variant.source)})
    release_assignment(course, topic, variant.seed)
    keys = course.classroom / "keys"
    _write(keys, {f"{topic}.secret.json": dump_key(variant.secret)})
    _write(keys, {f"{topic}.certificate.json": variant.certificate_text()})
    return course.classroom / "release" / topic


def _write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        new = folder / (name + ".tmp")
        new.write_text(text, encoding="utf-8")
        new.replace(folder / name)  # whole or not at all
