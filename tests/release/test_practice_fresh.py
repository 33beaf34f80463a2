"""Practice problems that are up to date are not made again, and every change that matters is noticed."""

import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.release import practice
from tests.conftest import ROOT

TOPIC = "squares"
RECORD = "book/_static/practice/made_from.json"
DATA = "book/_static/practice/data/squares.by_hand.json"


@pytest.fixture
def made(sample_course, monkeypatch):
    """The tiny course with practice problems, few of them."""
    few = practice.practice_data
    monkeypatch.setattr(practice, "practice_data", lambda *task: few(*task, most=2))
    monkeypatch.chdir(sample_course.root)
    assert not practice.is_practice_fresh(sample_course, TOPIC)
    assert main(["practice"]) == 0
    return sample_course


def test_what_is_up_to_date_is_left_alone(made, capsys):
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in _files(made)}
    assert len(before) == 2
    capsys.readouterr()
    assert main(["practice", TOPIC]) == 0
    assert capsys.readouterr().out == f"{TOPIC}: practice problems are up to date\n"
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in _files(made)} == before


@pytest.mark.parametrize(
    "name", ["solutions/squares/tasks.py", "solutions/squares/notebook.md", DATA, RECORD]
)
def test_a_change_is_noticed(made, name):
    path = made.root / name
    path.write_text(path.read_text("utf-8") + "\nCHANGED = 1\n", "utf-8")
    assert not practice.is_practice_fresh(Course(made.root), TOPIC)


def test_a_missing_file_and_another_seed_are_noticed(made):
    settings = made.root / "course.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace("public_seed =", 'public_seed = "another"  #'), "utf-8")
    assert not practice.is_practice_fresh(Course(made.root), TOPIC)
    (made.root / DATA).unlink()
    assert not practice.is_practice_fresh(made, TOPIC)


def test_an_interrupted_command_records_nothing(made, monkeypatch):
    (made.root / RECORD).unlink()
    monkeypatch.setattr(practice, "write_text", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        list(practice.write_practice(made, TOPIC))
    assert not practice.is_practice_fresh(made, TOPIC)


@pytest.mark.parametrize("topic", Course(ROOT).topics())
def test_a_fresh_clone_need_not_make_practice_problems(course, topic):
    assert practice.is_practice_fresh(course, topic), "stale: run `dimred practice`"


def _files(course):
    folder = course.root / "book/_static/practice"
    return sorted(path for path in folder.rglob("*") if path.is_file())
