"""Problems to practise on: their data are fresh, certified, of nobody's assignment, and small enough for a page."""

import json
import re

import numpy as np
import pytest

from autograder.authoring.asked import Asked
from autograder.book.sphinx.practice import PRACTICE_SCRIPTS, published
from autograder.course.course import Course
from autograder.cpu_features import supports_pinned_kernels
from autograder.errors import CourseError
from autograder.release.draw import draw_task
from autograder.release.mistakes import equal, parts_from, right_parts
from autograder.release.practice import (
    PRACTICE_DATA_FOLDER,
    VARIANTS,
    file_of,
    hand_tasks,
    practice_data,
    practice_seed,
)
from autograder.release.prose import prose_html
from tests.conftest import ROOT

COURSE = Course(ROOT)
TASKS = [(topic, name) for topic in COURSE.topics() for name in hand_tasks(COURSE, topic)]
EACH_TASK = pytest.mark.parametrize(("topic", "name"), TASKS, ids=[".".join(task) for task in TASKS])
ENOUGH = 3  # problems of a chapter
NOT_CHAPTERS = {
    *("security", "intro", "notation", "glossary", "bibliography", "path", "session", "katas", "clinic"),
    *("lecture_notes", "coverage", "errata", "accessibility", "reference", "terms"),
}
# Shares the problems of the page that it was taken from.
IN_TWO_PAGES = {"classical_mds_stress": "classical_mds"}
SHOWN = re.compile(r"^```\{practice\}\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Rounding errors of another machine may move a wrong answer over the edge of its rounding, never a right one.
SAME_MARKS = 0.99


def committed(topic, name):
    return json.loads(file_of(COURSE, topic, name).read_text("utf-8"))


def problems_of(page):
    return [name for block in SHOWN.findall(page.read_text("utf-8")) for name in block.split()]


@pytest.mark.skipif(not supports_pinned_kernels(), reason="last digits may differ on this kind of processor")
@EACH_TASK
def test_the_data_are_what_the_command_writes(topic, name):
    made, kept = json.loads(json.dumps(practice_data(COURSE, topic, name, most=2))), committed(topic, name)
    why = "stale: run `dimred practice`"
    for field in ("task", "title", "form", "parts", "same", "see", "wrongs"):
        assert made[field] == kept[field], why
    for number, (one, other) in enumerate(zip(made["variants"], kept["variants"], strict=False)):
        assert one["seed"] == other["seed"], why
        for text in filter(made.get, ("text", "worked")):
            assert unfolded(made[text], number) == unfolded(kept[text], number), why
        for mine, theirs in zip(one["answer"], other["answer"], strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)
        assert made["always"][one["always"]] == kept["always"][other["always"]], why
        marks, others = marks_of(one), marks_of(other)
        assert len(marks) == len(others)
        assert np.mean([a == b for a, b in zip(marks, others, strict=True)]) >= SAME_MARKS, why


def unfolded(texts, number):
    form, numbers = texts["rows"][number]
    return texts["forms"][form], numbers


def marks_of(variant):
    text = "".join(variant["wrong"])
    return [text[start : start + 4] for start in range(0, len(text), 4)]


FEWER = {"walk_of_two": 15}  # so many small kernels of two points have short answers


@EACH_TASK
def test_a_task_has_enough_variants_and_none_is_the_exercise(topic, name):
    data, task = committed(topic, name), hand_tasks(COURSE, topic)[name]
    assert len(data["variants"]) >= FEWER.get(name, VARIANTS)
    exercise = draw_task(f"{topic}.{name}", task, COURSE.public_seed, "").public.cases[0].inputs
    texts = {str(unfolded(data["text"], number)) for number in range(len(data["variants"]))}
    assert len(texts) == len(data["variants"])
    first = draw_task(f"{topic}.{name}", task, practice_seed(data["variants"][0]["seed"]), "").public.cases[0]
    assert str(first.inputs) != str(exercise)


@EACH_TASK
def test_a_worked_solution_leads_to_the_right_answer_on_every_variant(topic, name):
    task = hand_tasks(COURSE, topic)[name]
    for variant in committed(topic, name)["variants"]:
        drawn = draw_task(f"{topic}.{name}", task, practice_seed(variant["seed"]), "")
        inputs = drawn.public.cases[0].inputs
        text, _ = task.worked(*inputs.values())
        given = parts_from(task, lambda *values: task.worked(*values)[1], inputs)
        assert equal(given, right_parts(task, inputs), task.samenesses), text
        assert not re.search(r"\bnan\b", text)


def test_every_chapter_has_problems_and_every_problem_a_page():
    pages = {page.stem: problems_of(page) for page in (ROOT / "book").glob("*.md")}
    chapters = {
        stem: problems
        for stem, problems in pages.items()
        if stem not in NOT_CHAPTERS and not stem.startswith("instructor_")
    }
    for second, first in IN_TWO_PAGES.items():
        chapters[first] = [*chapters[first], *chapters.pop(second)]
    few = {stem for stem, problems in chapters.items() if len(problems) < ENOUGH}
    assert few == set()
    assert {".".join(task) for task in TASKS} == {name for problems in pages.values() for name in problems}


def test_the_scripts_are_small_and_the_data_of_a_page_bearable():
    scripts = [path.read_text("utf-8") for path in PRACTICE_SCRIPTS.glob("*.mjs")]
    assert sum(len(published(script).encode()) for script in scripts) < 44_000
    sizes = [path.stat().st_size for path in (ROOT / "book" / PRACTICE_DATA_FOLDER).glob("*.json")]
    assert max(sizes) < 150_000


def test_the_form_of_an_answer_names_its_parts():
    asked = Asked("Areas", "How large?", "([x, y], (a, b), share)")
    assert asked.parts(3) == ("[x, y]", "(a, b)", "share")
    assert asked.parts(1) == ("([x, y], (a, b), share)",)
    with pytest.raises(CourseError, match="should name 2 parts"):
        asked.parts(2)


@pytest.mark.parametrize("between", [" ", "\n"], ids=["a space", "the end of a line"])
def test_a_number_says_what_it_numbers_so_the_word_before_a_label_goes(between):
    assert prose_html(f"See theorem{between}`thm-areas-square`.") == "<p>See [[thm-areas-square]].</p>"
