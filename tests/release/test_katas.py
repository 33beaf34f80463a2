"""Code katas: their cases are fresh, and those that the assignment's answer passes and its mistakes fail."""

import json

import pytest

from autograder.authoring.topic import load_tasks
from autograder.book.kata_pages import KATA_FOLDER, KATA_LINE
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.key import load_key
from autograder.release.katas import N_KATA_KEYS, kata_keys, katas_of
from tests.conftest import ROOT

COURSE = Course(ROOT)
KATAS = KATA_LINE.findall((ROOT / "book/katas.md").read_text("utf-8"))
FILES = {path.stem: path for path in (ROOT / "book" / KATA_FOLDER).glob("*.json")}


def inputs_of(key, name):
    return [repr(case.inputs) for case in key.tasks[name].cases]


def test_every_kata_has_cases_and_every_file_a_kata():
    assert set(FILES) == set(KATAS)
    assert all(name in katas_of(COURSE, name.partition(".")[0]) for name in KATAS)


@pytest.mark.parametrize("name", KATAS)
def test_cases_are_fresh_and_keys_hold_this_task_alone(name):
    topic, _, short = name.partition(".")
    public = load_key((ROOT / "exercises" / topic / f"{topic}.key.json").read_text("utf-8"))
    keys = [load_key(json.dumps(tree)) for tree in json.loads(FILES[name].read_text("utf-8"))]
    assert len(keys) == N_KATA_KEYS
    assert all(set(key.tasks) == {short} and key.topic == topic for key in keys)
    every = [text for key in (public, *keys) for text in inputs_of(key, short)]
    assert len(set(every)) >= len(every) - N_KATA_KEYS, (
        "a special case, such as a zero matrix, may be the same"
    )


@pytest.mark.parametrize("name", KATAS[:3])
def test_committed_cases_are_those_that_are_drawn(name):
    assert json.loads(FILES[name].read_text("utf-8")) == json.loads(json.dumps(kata_keys(COURSE, name)))


def test_only_a_code_task_is_a_kata():
    hand = next(name for name, task in load_tasks(COURSE, "pca").items() if task.kind == "hand")
    with pytest.raises(CourseError, match="no code task"):
        kata_keys(COURSE, f"pca.{hand}")
