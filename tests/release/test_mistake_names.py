"""Names of mistakes beside the tasks: those that would be derived, and no others."""

import numpy as np
import pytest

from autograder.authoring.topic import load_slips, load_tasks
from autograder.release import mistake_names
from autograder.release.mistake_names import (
    MISTAKE_NAMES_FILE,
    derive_names,
    known_names,
    outdated_tasks,
    relevant_mistakes,
    write_names,
)
from autograder.release.mistakes import applicable_mistakes, mistake_answer, right_parts, trial_inputs
from tests.conftest import ROOT

TOPIC = "squares"
TASKS = ["binomial", "by_hand", "cubes", "total"]
TOPICS = sorted(path.parent.name for path in (ROOT / "solutions").glob("*/notebook.md"))


@pytest.mark.parametrize("topic", TOPICS)
def test_the_names_on_file_are_those_of_now(course, topic):
    assert outdated_tasks(course, topic) == [], "stale: run `dimred regenerate`"


@pytest.mark.parametrize("topic", TOPICS)
def test_the_names_on_file_are_those_that_are_derived(course, topic):
    for name, names in known_names(course, topic).items():
        derived = derive_names(course, topic, name)
        assert [*derived.edits.items()] == [*names.edits.items()], name


@pytest.fixture
def named(sample_course):
    """The tiny course with its names on file."""
    derived = {name: derive_names(sample_course, TOPIC, name) for name in load_tasks(sample_course, TOPIC)}
    write_names(sample_course, TOPIC, derived)
    return sample_course


def test_mistakes_made_again_by_name_give_what_derived_ones_give(named, monkeypatch):
    tasks = load_tasks(named, TOPIC)
    derived = {
        name: applicable_mistakes(task, load_slips(named), ways(named, name)) for name, task in tasks.items()
    }
    monkeypatch.setattr(mistake_names, "applicable_mistakes", None)  # nothing is tried
    for name, task in tasks.items():
        again = relevant_mistakes(named, TOPIC, name, task)
        assert [mistake.name for mistake in again] == [mistake.name for mistake in derived[name]]
        inputs = trial_inputs(task)[0]
        right = right_parts(task, inputs)
        for old, new in zip(derived[name], again, strict=True):
            pair = mistake_answer(old, inputs, right), mistake_answer(new, inputs, right)
            assert np.array_equal(np.array(repr(pair[0])), np.array(repr(pair[1]))), old.name


def ways(course, name):
    return mistake_names._notebook_programs(course, TOPIC, name, load_tasks(course, TOPIC)[name])


def test_changes_that_matter_make_names_outdated(named, monkeypatch):
    assert outdated_tasks(named, TOPIC) == []
    folder = named.source(TOPIC)
    for path in (folder / "tasks.py", named.root / "solutions" / "slips.py", folder / "adopted.txt"):
        before = path.read_text("utf-8") if path.is_file() else ""
        path.write_text(before + "\nADDED = 1\n", "utf-8")
        assert sorted(outdated_tasks(named, TOPIC)) == [(TOPIC, task) for task in TASKS], path.name
        path.write_text(before + "\n# only a comment\n", "utf-8") if before else path.unlink()
        assert outdated_tasks(named, TOPIC) == [], path.name
    monkeypatch.setattr(mistake_names, "mistakes_engine_digest", lambda: "of another engine")
    assert sorted(outdated_tasks(named, TOPIC)) == [(TOPIC, task) for task in TASKS]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_that_is_cut_off_is_not_used(named, share):
    path = named.source(TOPIC) / MISTAKE_NAMES_FILE
    text = path.read_text("utf-8")
    path.write_text(text[: int(share * len(text))], "utf-8")
    assert known_names(named, TOPIC) == {}
    task = load_tasks(named, TOPIC)["total"]
    assert relevant_mistakes(named, TOPIC, "total", task)


def test_names_that_cannot_be_made_are_not_used(named):
    path = named.source(TOPIC) / MISTAKE_NAMES_FILE
    path.write_text(path.read_text("utf-8").replace('"answer:doubled"', '"answer:never heard of"'), "utf-8")
    task = load_tasks(named, TOPIC)["total"]
    assert "answer:doubled" in [mistake.name for mistake in relevant_mistakes(named, TOPIC, "total", task)]
