"""README: short, true, and its sample verdict is what `check` says."""

import re
import struct

import numpy as np
import pytest
import yaml

from autograder import check
from autograder.judging.key import read_key
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
MAX_LINES = 95  # two screens of a browser, pictures included
MAX_PICTURE_BYTES = 150_000
MIN_PICTURE_PIXELS = 1200  # across: sharp on a dense screen
LINKS = re.findall(r"\]\(([^)#\s]+)", README) + re.findall(r'(?:href|src)="([^"#]+)', README)
PICTURES = sorted({link for link in LINKS if link.endswith(".png")})


def block(language: str) -> str:
    """Return the first block of code in this language."""
    found = re.search(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert found is not None, language
    return found[1]


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_sample_verdict_is_what_check_prints(monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "exercises" / "pca")
    exec(block("python"), {"np": np, "check": check})
    printed = in_one_line(capsys.readouterr().out)
    shown = in_one_line(block("text"))
    assert shown.startswith("TRY AGAIN pca.scores")
    assert printed.startswith(shown)


def test_readme_fits_on_two_screens():
    assert len(README.splitlines()) <= MAX_LINES


@pytest.mark.parametrize("link", sorted(set(LINKS)))
def test_link_in_readme_leads_to_a_file(link):
    assert (ROOT / link).is_file()


def test_readme_links_its_three_pictures_and_the_guides():
    assert len(PICTURES) == 3
    assert {"SECURITY.md", "book/instructor_start.md", "CONTRIBUTING.md", "LICENSE"} <= set(LINKS)


@pytest.mark.parametrize("link", PICTURES)
def test_picture_is_sharp_and_small(link):
    data = (ROOT / link).read_bytes()
    width, _ = struct.unpack(">II", data[16:24])
    assert width >= MIN_PICTURE_PIXELS
    assert len(data) <= MAX_PICTURE_BYTES


def test_each_number_names_a_command_that_exists():
    rows = re.findall(r"^\| .* \| .* \| (.*) \|$", README, re.MULTILINE)[1:]
    assert len(rows) >= 5
    for command in rows:
        module = re.match(r"`python -m ([\w.]+)", command)
        target = re.match(r"`make (\w+)", command)
        assert command == "the same" or command.startswith("`dimred ") or module or target, command
        assert module is None or (ROOT / f"{module[1].replace('.', '/')}.py").is_file(), command
        assert target is None or f"\n{target[1]}:" in (ROOT / "Makefile").read_text("utf-8"), command


def test_chapters_claims_functions_and_points_are_as_many_as_readme_says():
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    chapters = [page for part in parts if part.get("numbered") for page in part["chapters"]]
    claims = re.search(r"make (\d+) claims", (ROOT / "book" / "coverage.md").read_text("utf-8"))
    keys = [read_key(path) for path in ROOT.glob("exercises/*/*.key.json")]
    functions = [task for key in keys for task in key.tasks.values() if task.kind == "code"]
    text = in_one_line(README)
    assert f"The {len(chapters)} chapters state theorems" in text
    assert f"each of the {claims[1]} claims" in text
    points = sum(task.points for task in functions)
    assert f"points of {points:g}, in {len(functions)} functions" in text


def test_the_two_commands_are_there():
    assert [line.split("#")[0].strip() for line in block("sh").splitlines()] == ["make course", "make test"]
