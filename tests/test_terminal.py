"""Nothing that others named reaches a terminal as anything but text."""

import io

import pytest

from autograder.cli import main
from autograder.terminal import name_in_line, print, printable
from tests.grading.small_class import hand_in

RED, TITLE = "\x1b[31m", "\x1b]0;mine\x07"
OBEYED = [
    RED,
    TITLE,
    "\x9b2J",
    "\r",
    "\x08\x08",
    "\x00",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u2028",
    "\udcff",
    "\x7f",
]


@pytest.mark.parametrize("code", OBEYED)
def test_what_a_terminal_would_obey_is_written_as_its_escape(code):
    shown = printable(f"ada{code}bob")
    assert shown.isprintable()
    assert shown.startswith("ada\\")
    assert shown.encode("utf-8")


@pytest.mark.parametrize("text", ["Zoë", "李雷", "a → b", "5 ✔", "two\nlines", "a\u00a0b", "😀", "मराठी"])
def test_text_of_every_alphabet_stays(text):
    assert printable(text) == text


def test_a_name_does_not_begin_a_line_of_its_own():
    assert name_in_line("ada\nbob    5.00") == "ada\\nbob    5.00"


def test_a_terminal_that_knows_few_letters_loses_none():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print("Zoë → 5", file=stream)
    stream.flush()
    assert stream.buffer.getvalue() == b"Zo\\xeb \\u2192 5\n"


def test_grading_prints_hostile_names_as_text(classroom, monkeypatch, capsys):
    hand_in(classroom, "ada")
    hand_in(classroom, f"eve{RED}{TITLE}\nzoe   9.00")
    monkeypatch.chdir(classroom.root)
    assert main(["grade", "--verbose"]) == 0
    said = capsys.readouterr()
    lines = (said.out + said.err).splitlines()
    assert all(line.isprintable() for line in lines), lines
    assert not [line for line in lines if line.startswith("zoe")]
    assert any("eve\\x1b[31m" in line for line in lines)
