"""Code katas: small functions of the assignments to write again, on fresh cases.

A page names them in `{kata}`. Their keys are those of seeds of their own, as for practice problems: open, because a
kata earns nothing.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.topic import load_tasks
from autograder.book.kata_pages import KATA_FOLDER, KATA_LINE
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.judging.key import Key, dump_key, read_key
from autograder.release.draw import draw_task

N_KATA_KEYS = 4


def kata_seed(number: int) -> str:
    """Return the seed of a kata's cases, unlike any class's and any practice problem's."""
    return f"a kata, number {number}"


def katas_of(course: Course, topic: str) -> list[str]:
    """Return the tasks of a topic that pages name as katas."""
    pages = sorted(course.book.glob("*.md"))
    named = [name for page in pages for name in KATA_LINE.findall(page.read_text("utf-8"))]
    return [name for name in dict.fromkeys(named) if name.partition(".")[0] == topic]


def kata_file(course: Course, name: str) -> Path:
    """Return the path of a kata's keys."""
    return course.book / KATA_FOLDER / f"{name}.json"


def kata_keys(course: Course, name: str) -> list[object]:
    """Draw the keys of a kata: each holds this task alone."""
    topic, _, short = name.partition(".")
    task = load_tasks(course, topic).get(short)
    if task is None or task.kind != "code":
        raise CourseError(f"{name} is no code task: a kata is one")
    public = read_key(course.exercises / topic / f"{topic}.key.json")
    keys = []
    for number in range(1, N_KATA_KEYS + 1):
        drawn = draw_task(name, task, kata_seed(number), "").public
        labels = {drawn.see, *(hint.see for hint in drawn.hints.values())}
        pages = {label: page for label, page in public.pages.items() if label in labels}
        keys.append(json.loads(dump_key(Key(topic, kata_seed(number), {short: drawn}, pages))))
    return keys


def write_katas(course: Course, topic: str) -> Iterator[tuple[str, int]]:
    """Write the keys of a topic's katas; yield each with their number. Keys of others are deleted."""
    names = katas_of(course, topic)
    for path in (course.book / KATA_FOLDER).glob(f"{topic}.*.json"):
        if path.stem not in names:
            path.unlink()
    for name in names:
        keys = kata_keys(course, name)
        lines = ",\n".join(json.dumps(key, ensure_ascii=False, separators=(",", ":")) for key in keys)
        write_text(kata_file(course, name), f"[\n{lines}\n]\n")
        yield name, len(keys)
