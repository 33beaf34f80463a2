"""Practice problems for the book: many certified variants of each hand task.

A page judges answers without a server. Its data therefore hold the right answer and a short hash of what each
misconception and slip would give on these numbers. The random streams are separate from those of assignments, a draw
that equals the public exercise is skipped, and only hand tasks, which have no secret cases, are used.

Numbers are drawn and certified as for a class. Texts that differ only in their numbers are stored once.
"""

import base64
import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.authoring.asked import Asked, asked
from autograder.authoring.placeholders import filled
from autograder.authoring.task import Task
from autograder.authoring.topic import load_slips, load_tasks
from autograder.book.kata_pages import KATA_FOLDER
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.formats import PRACTICE
from autograder.judging import fingerprints, slips
from autograder.judging.key import TaskKey
from autograder.judging.properties import PROPERTIES
from autograder.judging.sameness import Sameness, fits
from autograder.release import freshness
from autograder.release.draw import draw_task, parts_that_differ, properties
from autograder.release.katas import write_katas
from autograder.release.mistake_names import in_words_of_the_text
from autograder.release.mistakes import Mistake, applicable_mistakes, own_mistakes, right_parts
from autograder.release.prose import prose_html
from autograder.release.question_pages import page_questions, questions_file, questions_json

VARIANTS = 50
MAX_REPEATED_DRAWS = 120  # after so many repetitions in a row, all variants are known
PRACTICE_DATA_FOLDER = Path("_static", "practice", "data")  # in the folder of the pages
# samenesses of numbers that judge.mjs has
JUDGED_IN_PAGES = ("exactly", "up_to_sign", "up_to_order", "up_to_rigid_motion", "up_to_direction")
MISSING_MARK = "...."  # in place of a hash
SeedOf = Callable[[int], str]
NUMBER_PATTERN = re.compile(r"-?\d+(?:\.\d+)?")
# right in an assignment, but wrong on another chapter's page
OF_THE_CHAPTER = re.compile(r"(?<=`)\s+of the chapter\b")


def practice_seed(number: int) -> str:
    """Return the seed of a practice variant, unlike any class's seed."""
    return f"to practise on, number {number}"


def short_hash(quantity: Array, grid: float) -> str:
    """Hash an answer in grid steps to 24 bits, as four characters.

    The text of the steps is hashed with FNV-1a and mixed. The result is MISSING_MARK if the answer is not finite.
    """
    counted = np.rint(fingerprints.steps(quantity, grid) + fingerprints.GRID_TIE_OFFSET) + 0.0
    if not np.isfinite(counted).all():
        return MISSING_MARK
    number = 0x811C9DC5
    for letter in ",".join(format(step, ".0f") for step in counted.ravel()).encode():
        number = (number ^ letter) * 0x01000193 & 0xFFFFFFFF
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        number = (number ^ number >> shift) * factor & 0xFFFFFFFF
    return base64.urlsafe_b64encode((number >> 8).to_bytes(3, "big")).decode()


def _can_be_judged_in_pages(task: Task) -> bool:
    return all(same.name in JUDGED_IN_PAGES for same in task.samenesses)


@functools.lru_cache(maxsize=64)
def hand_tasks(course: Course, topic: str) -> dict[str, Task]:
    """Return the hand tasks of a topic with their draws for practice.

    Tasks that are solved by looking at a picture are left out, and those whose answers are no numbers: the page judges
    numbers only.
    """
    return {
        name: replace(task, draw=task.practice_draw or task.draw)
        for name, task in load_tasks(course, topic).items()
        if task.kind == "hand" and not task.by_looking and _can_be_judged_in_pages(task)
    }


def variants(
    course: Course,
    task_id: tuple[str, str],
    task: Task,
    most: int = VARIANTS,
    seed_of: SeedOf = practice_seed,
) -> Iterator[tuple[int, TaskKey]]:
    """Yield distinct certified draws with the numbers of their seeds.

    Draws that equal the public exercise are skipped. `seed_of` names the seed of each number.
    """
    topic, name = task_id
    full, assigned = f"{topic}.{name}", load_tasks(course, topic)[name]
    seen = {_inputs_text(draw_task(full, assigned, course.public_seed, "").public)}
    number = fruitless = yielded = 0
    while yielded < most and fruitless < MAX_REPEATED_DRAWS:
        number, fruitless = number + 1, fruitless + 1
        key = draw_task(full, task, seed_of(number), "").public
        if _inputs_text(key) not in seen:
            seen.add(_inputs_text(key))
            yielded, fruitless = yielded + 1, 0
            yield number, key


def _inputs_text(key: TaskKey) -> str:
    return repr({name: np.asarray(value).tolist() for name, value in key.cases[0].inputs.items()})


def practice_data(course: Course, topic: str, name: str, most: int = VARIANTS) -> dict[str, Any]:
    """Return all data that a page needs for one public task."""
    course = course.published
    task = hand_tasks(course, topic)[name]
    if name not in asked(course, topic):
        raise CourseError(f"{topic}.{name}: its cell must say `# your answer: …`, as other tasks do")
    words = asked(course, topic)[name]
    slips_and_edits = in_words_of_the_text(
        course, topic, name, task, applicable_mistakes(task, load_slips(course))
    )
    wrong = [*own_mistakes(task), *slips_and_edits]
    drawn = list(variants(course, (topic, name), task, most))
    inputs = [key.cases[0].inputs for _, key in drawn]
    return {
        "format": PRACTICE.version,
        "task": f"{topic}.{name}",
        "title": words.title,
        "form": words.parts(len(task.samenesses)),
        "parts": task.parts,
        "same": [same.name for same in task.samenesses],
        "see": task.see,
        "wrongs": [_mistake_data(mistake) for mistake in wrong],
        # the course's own slips, whose hints replace the engine's sentences
        "hinted": [place for place, mistake in enumerate(wrong) if mistake.hint and not mistake.is_own],
        "text": _fold_texts([statement_html(words, topic, name, values) for values in inputs]),
        "worked": _worked_texts(task, inputs),
        **_variants_data(task, wrong, drawn),
    }


def _variants_data(
    task: Task, wrong: Sequence[Mistake], drawn: Sequence[tuple[int, TaskKey]]
) -> dict[str, object]:
    """Return the answers of each variant, and the properties, each list of which is kept once."""
    always = [_properties_on_page(task, key.cases[0].inputs) for _, key in drawn]
    kinds = [held for place, held in enumerate(always) if held not in always[:place]]
    variants = [
        {"seed": number, "always": kinds.index(held), **_variant_data(task, wrong, key)}
        for (number, key), held in zip(drawn, always, strict=True)
    ]
    return {"always": kinds, "variants": variants}


def _properties_on_page(task: Task, inputs: Mapping[str, object]) -> list[tuple[str, int]]:
    return [held for held in properties(task, [inputs]) if held[0] in PROPERTIES]


def _worked_texts(task: Task, inputs: Iterable[Mapping[str, object]]) -> dict[str, object] | None:
    """Return the folded texts of the worked solutions, or None."""
    if task.worked is None:
        return None
    return _fold_texts([prose_html(task.worked(*values.values())[0]) for values in inputs])


def statement_html(words: Asked, topic: str, name: str, inputs: Mapping[str, object]) -> str:
    """Return the text of a task with these numbers as HTML."""
    return prose_html(filled(OF_THE_CHAPTER.sub("", words.text), {name: inputs}, as_code=False))


def _mistake_data(mistake: Mistake) -> list[object]:
    """Return name, sentence, label and credit of a mistake.

    Its samenesses are added where they differ from those of the right answer.
    """
    freedoms = [[same.name for same in mistake.same]] if mistake.same else []
    if mistake.hint:
        return [mistake.name, mistake.hint.text, mistake.hint.see, mistake.hint.credit, *freedoms]
    return [mistake.name, slips.slip_sentence(mistake.name), "", 0, *freedoms]


def _variant_data(task: Task, wrong: Sequence[Mistake], key: TaskKey) -> dict[str, object]:
    """Return a variant's right answer and the mistakes' hashes by part."""
    (case,) = key.cases
    inputs, right = case.inputs, right_parts(task, case.inputs)
    grids = [float(grid) for grid in case.grids]  # type: ignore[union-attr]
    answers = [parts_that_differ(task, mistake, inputs, right) for mistake in wrong]
    columns = [
        "".join(
            _mark_of(parts[place], want.shape, grids[place], (mistake.same or task.samenesses)[place])
            for mistake, parts in zip(wrong, answers, strict=True)
        )
        for place, want in enumerate(right)
    ]
    return {
        "answer": [np.round(part, 12).tolist() for part in right],
        "sizes": {count: int(size) for count, size in slips.sizes_of(inputs).items()},
        "grids": grids,
        "wrong": columns,
    }


def _mark_of(part: Array | None, shape: tuple[int, ...], grid: float, same: Sameness) -> str:
    try:
        return (
            MISSING_MARK
            if part is None or not fits(part, shape, same)
            else short_hash(same.quantity(part), grid)
        )
    except ValueError:  # the zero vector has no direction
        return MISSING_MARK


def _fold_texts(texts: Sequence[str]) -> dict[str, object]:
    """Return texts as shared forms and the numbers of each text."""
    shared = [NUMBER_PATTERN.split(text) for text in texts]
    forms: list[list[str]] = []
    for pieces in shared:
        if pieces not in forms:
            forms.append(pieces)
    rows = [
        [forms.index(pieces), " ".join(NUMBER_PATTERN.findall(text))]
        for pieces, text in zip(shared, texts, strict=True)
    ]
    return {"forms": forms, "rows": rows}


def file_of(course: Course, topic: str, name: str) -> Path:
    """Return the path of a task's practice data."""
    return course.book / PRACTICE_DATA_FOLDER / f"{topic}.{name}.json"


def practice_json(data: Mapping[str, Any]) -> str:
    """Return the data as JSON with one line per variant.

    Changes of single variants are then readable in a diff.
    """
    head = {**data, "variants": []}
    lines = [_compact(variant) for variant in data["variants"]]
    return _compact(head)[:-2] + "\n" + ",\n".join(lines) + "\n]}\n"


_compact: Callable[[Any], str] = functools.partial(json.dumps, ensure_ascii=False, separators=(",", ":"))


def write_practice(course: Course, topic: str) -> Iterator[tuple[str, int]]:
    """Write a topic's data; yield each task with its number of variants.

    Data of removed tasks are deleted.
    """
    course = course.published
    tasks = hand_tasks(course, topic)
    for path in (course.book / PRACTICE_DATA_FOLDER).glob(f"{topic}.*.json"):
        if path.name.split(".")[1] not in tasks:
            path.unlink()
    for name in tasks:
        data = practice_data(course, topic, name)
        write_text(file_of(course, topic, name), practice_json(data))
        yield f"{topic}.{name}", len(data["variants"])
    yield from _write_questions(course, topic)
    yield from write_katas(course, topic)
    entries = {topic: freshness.entry(course, topic, _files(course, topic))}
    freshness.record_release(course, _record(course), freshness.release_engine_digest("practice"), entries)


def _write_questions(course: Course, topic: str) -> Iterator[tuple[str, int]]:
    """Write the quick questions of a topic, or delete their file if it has none."""
    questions, path = page_questions(course, topic), questions_file(course, topic)
    if questions:
        write_text(path, questions_json(questions))
    else:
        path.unlink(missing_ok=True)
    for question in questions:
        yield question["name"], len(question["variants"])


def is_practice_fresh(course: Course, topic: str) -> bool:
    """Return whether a topic's data match the sources and the engine."""
    expected = freshness.entry(course, topic, _files(course, topic))
    return freshness.is_noted(_record(course), freshness.release_engine_digest("practice"), topic, expected)


def _files(course: Course, topic: str) -> list[Path]:
    questions = questions_file(course, topic)
    problems = (course.book / PRACTICE_DATA_FOLDER).glob(f"{topic}.*.json")
    katas = (course.book / KATA_FOLDER).glob(f"{topic}.*.json")
    return sorted([*problems, *katas, *([questions] if questions.is_file() else [])])


def _record(course: Course) -> Path:
    return course.book / PRACTICE_DATA_FOLDER.parent / freshness.RELEASE_RECORD_FILE
