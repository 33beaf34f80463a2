"""What is mended after the hand-out accuses nobody, and public numbers reach no class unasked."""

import json

import nbformat
import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.grading.choose import load_assignment
from autograder.grading.repair import locked_cells, repair
from autograder.release.distribute import refresh_addresses
from tests.grading.small_class import hand_in

NOTEBOOK = "solutions/squares/notebook.md"


@pytest.fixture
def room(sample_course, monkeypatch):
    """The tiny course, in whose folder commands run."""
    monkeypatch.chdir(sample_course.root)
    return sample_course


def edit(course, name, old, new):
    path = course.root / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def graded(capsys):
    capsys.readouterr()
    assert main(["grade", "--verbose"]) == 0
    return capsys.readouterr().out


def test_another_address_and_version_of_the_package_accuse_nobody(room, capsys, monkeypatch):
    assert main(["regenerate", "--seed", "own"]) == 0
    hand_in(room, "ada")
    edit(room, "course.toml", "127.0.0.1:8000", "books.example.org")
    monkeypatch.setattr("autograder.course.package.ENGINE_VERSION", "0.1.1")
    assert main(["regenerate", "--seed", "own"]) == 0
    refresh_addresses(Course(room.root), "squares")  # as `distribute` does, with the settings of now
    assert "books.example.org" in load_assignment(room, "squares").release
    printed = graded(capsys)
    assert "locked but was edited" not in printed
    assert "1 graded, 0 repaired" in printed


def given_cell(course):
    """The first code cell of the sources: what every notebook imports, locked."""
    text = (course.root / NOTEBOOK).read_text("utf-8")
    return text[text.index("import numpy") :].partition("\n")[0]


def test_a_locked_cell_of_an_earlier_release_is_not_edited(room, capsys):
    """The text of a locked cell is mended after the hand-out; who works with the earlier one edited nothing."""
    assert main(["regenerate", "--seed", "own"]) == 0
    hand_in(room, "ada")
    hand_in(room, "bob")
    first = given_cell(room)
    edit(room, NOTEBOOK, first, f"# mended\n{first}")
    assert main(["regenerate", "--seed", "own"]) == 0
    assert "# mended" in load_assignment(room, "squares").release
    path = room.paths.submission("bob", "squares")
    tree = json.loads(path.read_text("utf-8"))
    locked = next(cell for cell in tree["cells"] if first in "".join(cell["source"]))
    locked["source"] = "import os\n" + "".join(locked["source"])
    path.write_text(json.dumps(tree), "utf-8")
    printed = graded(capsys)
    lines = [line for line in printed.splitlines() if "locked but was edited" in line]
    assert [line.split()[1] for line in lines] == ["bob"]
    assert "1 graded, 1 repaired" in printed


def test_a_cell_that_came_with_a_later_release_is_not_missed(released_course):
    release = nbformat.reads(load_assignment(released_course, "squares").release, as_version=4)
    earlier = locked_cells(json.loads(nbformat.writes(release)))
    name = next(iter(earlier))
    submitted = json.loads(nbformat.writes(release))
    submitted["cells"] = [
        cell for cell in submitted["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") != name
    ]
    assert repair(submitted, release).repairs == (f"cell {name} was missing: it was put back",)
    without = {other: text for other, text in earlier.items() if other != name}
    assert repair(submitted, release, [without]).repairs == ()


def test_regenerate_without_a_seed_leaves_the_class_alone(room, capsys):
    """The guide says: try your task with `dimred regenerate topic`. That gave the public numbers to the class."""
    assert main(["regenerate", "--seed", "own"]) == 0
    before = {
        path: path.read_bytes()
        for folder in ("release", "keys", "source")
        for path in (room.classroom / folder).rglob("*")
        if path.is_file()
    }
    capsys.readouterr()
    assert main(["regenerate", "squares"]) == 0
    printed = capsys.readouterr().out
    assert (
        "the class's release stays as it is: `dimred regenerate --seed own squares` makes that anew"
        in printed
    )
    assert {path: path.read_bytes() for path in before} == before
    public = json.loads((room.exercises / "squares" / "squares.ipynb").read_text("utf-8"))
    assert public["metadata"]["dimred"]["seed"] == room.public_seed
    (room.root / "class.csv").write_text("id\nada\n")
    assert main(["regenerate", "--roster", "class.csv", "squares"]) == 1
    assert "without --seed every student would get public numbers" in capsys.readouterr().err


def test_public_numbers_are_said_when_they_are_handed_out_and_by_doctor(room, capsys):
    assert main(["regenerate", "squares"]) == 0
    capsys.readouterr()
    assert main(["distribute", "squares"]) == 0
    assert "the numbers of squares are the public ones" in capsys.readouterr().err
    main(["doctor"])
    assert "?? the class's release has the public numbers" in " ".join(capsys.readouterr().out.split())


def test_distribute_asks_at_a_terminal_before_public_numbers_go_out(room, capsys, monkeypatch):
    assert main(["regenerate", "squares"]) == 0
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    questions = []
    monkeypatch.setattr("builtins.input", lambda question: questions.append(question) or "n")
    assert main(["distribute", "squares"]) == 1
    assert "Hand them out all the same? [y/N]" in questions[0]
    assert not (room.paths.handed_out / "squares").exists()


def test_numbers_of_ones_own_are_handed_out_without_a_word(room, capsys):
    assert main(["regenerate", "--seed", "own"]) == 0
    capsys.readouterr()
    assert main(["distribute", "squares"]) == 0
    assert "public" not in capsys.readouterr().err
