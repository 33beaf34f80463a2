"""The commands of the guide's section on quizzes do what it says."""

import dataclasses
import re
import zipfile

import pytest

from autograder.cli import main
from tests.conftest import ROOT

GUIDE = ROOT / "book" / "instructor_teaching.md"


def commands(section):
    """The shell lines of a section of the guide."""
    text = re.search(rf"^## {section}$(.*?)(?=^## |\Z)", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)[
        1
    ]
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line.split()[1:] for block in blocks for line in block.splitlines()]


def test_the_kit_of_the_guide_is_the_command_of_the_program():
    (command,) = commands("A kit for each lecture")
    assert command == ["kit", "pca"]  # run on the tiny course in tests/kit


@pytest.mark.parametrize("place", range(3))
def test_a_quiz_is_written_as_the_guide_says(course, tmp_path, monkeypatch, capsys, place):
    command = commands("Quizzes in Moodle, Canvas and others")[place]
    own = dataclasses.replace(course, room=str(tmp_path / "classroom"))
    monkeypatch.setattr("autograder.cli.find_course", lambda: own)
    target = tmp_path / "quiz"
    few = [word if word != "20" else "1" for word in command]  # as many variants cost only time
    assert main([*few, "--to", str(target)]) == 0
    printed = capsys.readouterr().out
    assert "questions in" in printed
    assert printed.startswith("task ") == ("--table" in command)
    assert zipfile.is_zipfile(target) == (command[command.index("--format") + 1] != "moodle")
