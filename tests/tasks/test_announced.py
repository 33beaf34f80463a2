"""Every sentence of a text that announces a situation has a case in which it happens, in every draw.

Each match of ANNOUNCING in the text of a function must lie in words that its task announces (`task.announces(…)`), with
the name of the case and a test of its inputs.
"""

import re
from functools import cache

import jupytext
import pytest

from autograder.authoring.cells import check_of
from autograder.authoring.topic import load_tasks, read_notebook_text
from autograder.course.course import Course
from autograder.release.draw import rng_from_words
from tests.conftest import ROOT

COURSE = Course(ROOT)
ANNOUNCING = re.compile(
    r"\b(?<!than it )may (?:also |even )?(?:be|have|occur|coincide|depend|stand|repeat|lie|come)\b"
    r"|\b(?<!you )need not\b|\bin any order\b|\bin either direction\b|\breached exactly\b|\bperhaps\b"
    r"|\bin whatever unit\b|\bmultiples\b|\bunless\b|\bnot \w+(?: with)? all\b",
    re.IGNORECASE,
)
FREEDOM = re.compile(
    r"\baccepted\b|\bhand in\b|\byour answer\b", re.IGNORECASE
)  # a sentence on forms of answers
SENTENCE = re.compile(r"(?<=[.;:?!])\s+")
every_topic = pytest.mark.parametrize("topic", COURSE.topics())


def declared(topic):
    """All announced situations of a topic, each with the name of its task."""
    tasks = load_tasks(COURSE, topic)
    return [(name, situation) for name, task in tasks.items() for situation in task.announced]


@cache
def texts(topic):
    """By task, the text above the cell of each function, in one line."""
    cells = jupytext.reads(read_notebook_text(COURSE, topic), fmt="md:myst").cells
    tasks, words, above = load_tasks(COURSE, topic), {}, ""
    for cell in cells:
        if cell.cell_type == "markdown":
            above = " ".join(cell.source.split())
        elif (check := check_of(cell.source)) and tasks[check["task"]].kind == "code":
            words[check["task"]] = above
    return words


def undeclared(text, phrases):
    """Yield the sentences that announce a situation outside of these words."""
    for sentence in SENTENCE.split(text):
        spans = [
            (match.start(), match.end())
            for phrase in phrases
            for match in re.finditer(re.escape(phrase), sentence)
        ]
        for match in () if FREEDOM.search(sentence) else ANNOUNCING.finditer(sentence):
            if not any(start < match.end() and match.start() < end for start, end in spans):
                yield sentence


@every_topic
def test_every_announced_situation_is_declared(topic):
    missing = [
        f"{task}: {sentence}"
        for task, text in texts(topic).items()
        for sentence in undeclared(text, [one.words for name, one in declared(topic) if name == task])
    ]
    assert not missing


@every_topic
def test_declared_words_stand_in_the_text(topic):
    assert [(name, one.words) for name, one in declared(topic) if one.words not in texts(topic)[name]] == []


@every_topic
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_draw_has_a_case_of_each_declared_situation(topic, seed):
    tasks = load_tasks(COURSE, topic)
    for name, one in declared(topic):
        cases = tasks[name].draw(rng_from_words(seed, name))
        assert one.holds(*cases[one.situation].values()), f"{name}: {one.situation}"


def test_sentence_without_a_declaration_is_found():
    text = "The points may coincide. You need not worry. Any basis is accepted, in any order; an edge may be a loop."
    text += " The point does not coincide with all its neighbours."
    assert list(undeclared(text, ["may be a loop"])) == [
        "The points may coincide.",
        "The point does not coincide with all its neighbours.",
    ]
