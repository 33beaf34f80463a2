"""An exercise names places of the book as the book does, with links; a class is not sent to this machine."""

import os
import pty
import subprocess
import sys

import pytest

from autograder.book.labels import labels
from autograder.book.references import with_source_places
from autograder.release.variant import make_variant
from tests.release.test_variant import edit

TOPIC = "squares"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "See equation `eq-squares-sum`, and think.",
            "See [Equation (1)](../../book/{}), and think.",
        ),
        ("See equation\n`eq-squares-sum`.", "See [Equation (1)](../../book/{})."),
        ("See the section `eq-squares-sum`.", "See [Equation (1)](../../book/{})."),
        (
            "See equations `eq-squares-sum` and `eq-squares-sum`.",
            "See [Equation (1)](../../book/{0}) and [Equation (1)](../../book/{0}).",
        ),
        ("By `eq-squares-sum`:", "By [Equation (1)](../../book/{}):"),
        ("`eq-nowhere-at-all` and `x-y` stay", "`eq-nowhere-at-all` and `x-y` stay"),
    ],
)
def test_a_label_is_said_as_the_book_says_it(course, sample_course, text, said):
    places = labels(sample_course.book)
    address = places["eq-squares-sum"].href.replace(".html", ".md")
    found = with_source_places(text, places)
    assert found == said.format(address)


def test_no_notebook_of_this_course_prints_a_label(course):
    """Of all topics, the text that students read; numbers need not be drawn for that."""
    import re

    from autograder.authoring.topic import read_notebook_text
    from tests.test_layout import LABEL

    places = labels(course.book)
    for topic in course.topics():
        text = with_source_places(read_notebook_text(course, topic), places)
        shown = re.sub(r"\(\.\./\.\./book/[^)]*\)", "", text)
        assert LABEL.findall(shown) == [], topic


def test_the_released_notebook_has_the_number_and_the_link(sample_course):
    edit(
        sample_course.root / "solutions" / TOPIC / "notebook.md",
        "Write `total`, the sum of the squares.",
        "Write `total`, by equation `eq-squares-sum`.",
    )
    variant = make_variant(sample_course, TOPIC, "one", "a secret word")
    text = "\n".join(cell.source for cell in variant.release.cells)
    assert "[Equation (1)](../../book/squares.md#equation-eq-squares-sum)" in text


def at_a_terminal(course, answer, *arguments):
    """Run the command as a person would, typing an answer; returns (exit code, what the terminal showed)."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "autograder.cli", *arguments],
        cwd=course.root,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    shown = running.communicate()[0]
    os.close(ours)
    return running.returncode, shown


def test_releasing_to_a_class_while_the_book_is_local_asks_first(sample_course):
    code, shown = at_a_terminal(sample_course, "n", "regenerate", "--seed", "spring")
    assert code == 1
    assert "lead to http://127.0.0.1:8000" in shown
    assert "nothing was made" in shown
    assert not sample_course.paths.release(TOPIC).exists()
    code, shown = at_a_terminal(sample_course, "y", "regenerate", "--seed", "spring")
    assert code == 0, shown
    assert sample_course.paths.release(TOPIC).is_dir()


def test_a_published_book_is_not_asked_about(sample_course):
    settings = sample_course.root / "course.toml"
    settings.write_text(settings.read_text().replace("http://127.0.0.1:8000", "https://x.org/course"))
    code, shown = at_a_terminal(sample_course, "n", "regenerate", "--seed", "spring")
    assert code == 0, shown
    assert "book_url" not in shown
