"""Problems to practise on, for the pages of the book: many certified variants of each `hand` task, as compact data.

A page judges an answer by itself, without a server, so its data hold what judging needs: the right answer, and a short
mark of what every misconception and slip would give on these numbers. Nothing here is anyone's assignment: the random
streams are practice's own, a draw that equals the public exercise is left out, and tasks with secret cases are none of
its business.

Numbers are drawn and certified exactly as for a class. Texts that differ in their numbers alone are written once.
"""

import base64
import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.authoring.asked import Asked, asked
from autograder.authoring.placeholders import filled
from autograder.authoring.task import Task
from autograder.authoring.topic import load_beside, load_slips, load_tasks
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.judging import seal, slips
from autograder.judging.key import TaskKey
from autograder.judging.sameness import Sameness, fits
from autograder.release.draw import draw_task, properties, wrong_parts
from autograder.release.mistakes import Mistake, own_mistakes, possible, right_parts
from autograder.release.prose import html_of

Array = NDArray[np.float64]
VARIANTS = 50
PATIENCE = 120  # draws in a row that bring nothing new: then there are no more
FOLDER = Path("_static", "practice", "data")  # in the folder of the pages
NONE = "...."  # in place of a mark
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# true in an assignment, not on another chapter's page
OF_THE_CHAPTER = re.compile(r"(?<=`)\s+of the chapter\b")


def practice_seed(number: int) -> str:
    """The seed of a variant for practice; no class has it by accident."""
    return f"to practise on, number {number}"


def mark(quantity: Array, grid: float) -> str:
    """A short mark of what an answer is in steps of the grid: FNV-1a of its text, mixed, 24 bits in four characters."""
    counted = np.rint(seal.steps(quantity, grid) + seal.BESIDE_TIES) + 0.0
    if not np.isfinite(counted).all():
        return NONE
    number = 0x811C9DC5
    for letter in ",".join(format(one, ".0f") for one in counted.ravel()).encode():
        number = (number ^ letter) * 0x01000193 & 0xFFFFFFFF
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        number = (number ^ number >> shift) * factor & 0xFFFFFFFF
    return base64.urlsafe_b64encode((number >> 8).to_bytes(3, "big")).decode()


@functools.lru_cache(maxsize=64)
def hand_tasks(course: Course, topic: str) -> dict[str, Task]:
    """The tasks of a topic that are solved with a pencil, with the draws to practise on."""
    wider = load_beside(course, topic, "wider")
    return {
        name: replace(task, draw=wider.get(name, task.draw))
        for name, task in load_tasks(course, topic).items()
        if task.kind == "hand"
    }


def variants(
    course: Course, topic: str, name: str, task: Task, most: int = VARIANTS
) -> Iterator[tuple[int, TaskKey]]:
    """Certified draws that differ from each other and from the public exercise, with the numbers of their seeds."""
    full = f"{topic}.{name}"
    own = load_tasks(course, topic)[name]
    seen = {_spelled(draw_task(full, own, course.public_seed, "").public)}
    number = fruitless = found = 0
    while found < most and fruitless < PATIENCE:
        number, fruitless = number + 1, fruitless + 1
        key = draw_task(full, task, practice_seed(number), "").public
        if _spelled(key) not in seen:
            seen.add(_spelled(key))
            found, fruitless = found + 1, 0
            yield number, key


def _spelled(key: TaskKey) -> str:
    return repr({name: np.asarray(value).tolist() for name, value in key.cases[0].inputs.items()})


def practice_data(course: Course, topic: str, name: str, most: int = VARIANTS) -> dict[str, Any]:
    """Everything that a page needs for one task; the page is published, so no private task is meant."""
    course = course.published
    task = hand_tasks(course, topic)[name]
    if name not in asked(course, topic):
        raise CourseError(f"{topic}.{name}: its cell must say `# your answer: …`, as other tasks do")
    words = asked(course, topic)[name]
    wrong = [*own_mistakes(task), *possible(task, load_slips(course))]
    drawn = list(variants(course, topic, name, task, most))
    judged = [_judged(task, wrong, key) for _, key in drawn]
    inputs = [key.cases[0].inputs for _, key in drawn]
    worked = load_beside(course, topic, "worked").get(name)
    always = [list(properties(task, [values])) for values in inputs]
    kinds = [one for place, one in enumerate(always) if one not in always[:place]]
    return {
        "task": f"{topic}.{name}",
        "title": words.title,
        "form": words.parts(len(task.samenesses)),
        "parts": task.parts,
        "same": [same.name for same in task.samenesses],
        "see": task.see,
        "wrongs": [_wrong(one) for one in wrong],
        # slips of the course, which know more than the engine's
        "hinted": [place for place, one in enumerate(wrong) if one.hint and not one.is_own],
        "text": _folded([_statement(words, topic, name, values) for values in inputs]),
        "worked": _folded([html_of(worked(*values.values())[0]) for values in inputs]) if worked else None,
        "always": kinds,
        "variants": [
            {"seed": number, "always": kinds.index(holds), **one}
            for (number, _), holds, one in zip(drawn, always, judged, strict=True)
        ],
    }


def _statement(words: Asked, topic: str, name: str, inputs: Mapping[str, Any]) -> str:
    return html_of(filled(OF_THE_CHAPTER.sub("", words.text), {name: inputs}, as_code=False))


def _wrong(one: Mistake) -> list[Any]:
    """Name, words, label and credit of a wrong way, and its freedoms where they are not those of the right answer."""
    freedoms = [[same.name for same in one.same]] if one.same else []
    if one.hint:
        return [one.name, one.hint.text, one.hint.see, one.hint.credit, *freedoms]
    return [one.name, slips.sentence(one.name), "", 0, *freedoms]


def _judged(task: Task, wrong: Sequence[Mistake], key: TaskKey) -> dict[str, Any]:
    """The right answer of a variant, and the marks of the wrong ones, part by part."""
    (case,) = key.cases
    inputs, right = case.inputs, right_parts(task, case.inputs)
    grids = [float(grid) for grid in case.grids]  # type: ignore[union-attr]
    made = [wrong_parts(task, one, inputs, right) for one in wrong]
    columns = [
        "".join(
            _mark_of(parts[place], want.shape, grids[place], (one.same or task.samenesses)[place])
            for one, parts in zip(wrong, made, strict=True)
        )
        for place, want in enumerate(right)
    ]
    return {
        "answer": [np.round(part, 12).tolist() for part in right],
        "grids": grids,
        "wrong": columns,
    }


def _mark_of(part: Array | None, shape: tuple[int, ...], grid: float, same: Sameness) -> str:
    try:
        return NONE if part is None or not fits(part, shape, same) else mark(same.quantity(part), grid)
    except ValueError:  # the zero vector has no direction
        return NONE


def _folded(texts: Sequence[str]) -> dict[str, Any]:
    """Texts that differ in their numbers alone: what they share, and the numbers of each."""
    shared = [NUMBER.split(text) for text in texts]
    forms: list[list[str]] = []
    for one in shared:
        if one not in forms:
            forms.append(one)
    rows = [
        [forms.index(one), " ".join(NUMBER.findall(text))] for one, text in zip(shared, texts, strict=True)
    ]
    return {"forms": forms, "rows": rows}


def file_of(course: Course, topic: str, name: str) -> Path:
    """Where the data of a task lie."""
    return course.book / FOLDER / f"{topic}.{name}.json"


def text_of(data: Mapping[str, Any]) -> str:
    """The data as a file: a line for each variant, so that changes can be read."""
    head = {**data, "variants": []}
    lines = [_compact(one) for one in data["variants"]]
    return _compact(head)[:-2] + "\n" + ",\n".join(lines) + "\n]}\n"


_compact: Callable[[Any], str] = functools.partial(json.dumps, ensure_ascii=False, separators=(",", ":"))


def write_practice(course: Course, topic: str) -> Iterator[tuple[str, int]]:
    """Write the data of a topic, remove those of tasks that are gone; yield each task with its number of variants."""
    course = course.published
    tasks = hand_tasks(course, topic)
    for path in (course.book / FOLDER).glob(f"{topic}.*.json"):
        if path.name.split(".")[1] not in tasks:
            path.unlink()
    for name in tasks:
        data = practice_data(course, topic, name)
        write_text(file_of(course, topic, name), text_of(data))
        yield f"{topic}.{name}", len(data["variants"])
