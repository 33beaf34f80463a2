"""A log gets plain lines with the time left; a terminal gets a bar."""

import io
import sys

import pytest

from autograder import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_log_gets_a_line_for_each_tenth_with_the_time_left(capsys, clock):
    with progress.progress(300, "making pca", "variant") as step:
        for _ in range(300):
            clock[0] += 20
            step()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "making pca: 30 of 300 variants, 1:30:00 left"
    assert lines[-2] == "making pca: 270 of 300 variants, 10:00 left"
    assert lines[-1] == "making pca: 300 of 300 variants, 1:40:00 in all"


def test_few_steps_get_a_line_each(capsys, clock):
    with progress.progress(3, "grading pca", "notebook") as step:
        for _ in range(3):
            step()
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_nothing_to_do_says_nothing(capsys):
    with progress.progress(0, "grading pca", "notebook"):
        pass
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_bar(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.progress(2, "making pca", "variant") as step:
        step()
        step()
    assert "100%" in screen.getvalue()
    assert "\r" in screen.getvalue()
