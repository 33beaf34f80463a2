"""Every decision has a number, a date, a status and a reason, and the list names all of them."""

import datetime
import re
import subprocess
from functools import cache

import pytest

from tests.conftest import ROOT

PAGES = sorted((ROOT / "book" / "decisions").glob("*.md"))
HEAD = re.compile(r"# (?P<number>\d+)\. (?P<title>.+)\n\n(?P<date>\d{4}-\d\d-\d\d), (?P<status>\w+)\.")
ROW = "| [{number}](book/decisions/{file}) | {date} | {status} | {title} |"


def head(page):
    return HEAD.match(page.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_has_number_date_status_and_reason(page):
    found = head(page)
    assert found is not None
    assert int(found["number"]) == int(page.name[:4])
    assert found["status"] in ("accepted", "superseded")
    datetime.date.fromisoformat(found["date"])
    _, _, reason = page.read_text("utf-8").partition("\n\n")[2].partition("\n\n")
    assert len(reason.split()) >= 10


def test_the_list_names_every_decision_in_order():
    text = (ROOT / "DECISIONS.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| [")]
    assert rows == [ROW.format(file=page.name, **head(page).groupdict()) for page in PAGES]
    assert [int(page.name[:4]) for page in PAGES] == list(range(1, len(PAGES) + 1))


# A function of Canvas, and the task of an example.
NAMES_OF_OTHERS = {"infer_comment_context_from_filename", "my_task"}
PUBLIC_TEXTS = [
    *PAGES,
    *(ROOT / "book").glob("instructor_*.md"),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
]
COMPOUND_NAME = re.compile(r"\b(?:[a-z]+(?:_[a-z0-9]+)+|(?:[A-Z][a-z]+){2,})\b")


@cache
def words_of_the_code():
    """Every word of the tracked programs and settings, and the stems of their names."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in tracked.split() if not name.endswith((".md", ".ipynb", ".json"))]
    texts = (path.read_bytes().decode(errors="replace") for path in paths if path.is_file())
    return {path.stem for path in paths} | {word for text in texts for word in re.findall(r"\w+", text)}


@pytest.mark.parametrize("page", PUBLIC_TEXTS, ids=lambda page: page.stem)
def test_names_in_code_type_are_names_of_the_code(page):
    quoted = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    names = {name for text in quoted for name in COMPOUND_NAME.findall(text)}
    assert sorted(names - words_of_the_code() - NAMES_OF_OTHERS) == []
