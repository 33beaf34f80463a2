"""Addresses are put in when something is handed out, and changed later without regenerating anything."""

import json

import pytest

from autograder.course.address import Site, key_at, notebook_at, source_link, with_links_to
from autograder.course.course import Course
from autograder.release.distribute import distribute
from autograder.release.freshness import sources_digest
from tests.conftest import ROOT

OLD, NEW = (
    Site("https://old.example/a", "python -m pip install old"),
    Site("https://new.example", "python -m pip install new"),
)
NOTEBOOK = {
    "cells": [
        {
            "cell_type": "markdown",
            "source": ["# One\n", "\n", "**Before you start**: `python -m pip install x`.\n"],
        },
        {
            "cell_type": "markdown",
            "source": "See [Theorem 1](../../book/areas.md#thm-a) and [us](https://other.example/book/x.html).",
        },
        {"cell_type": "code", "source": "print('](../../book/areas.md#thm-a)')"},
    ],
    "metadata": {"dimred": {"topic": "areas"}},
}


def test_links_and_command_are_put_in_and_changed_later():
    first = notebook_at(NOTEBOOK, OLD)
    assert "[Theorem 1](https://old.example/a/book/areas.html#thm-a)" in first["cells"][1]["source"]
    assert "`python -m pip install old`" in "".join(first["cells"][0]["source"])
    second = notebook_at(first, NEW)
    text = json.dumps(second)
    assert "old" not in text
    assert "https://new.example/book/areas.html#thm-a" in text
    assert "https://other.example/book/x.html" in text
    assert notebook_at(NOTEBOOK, NEW) == second


def test_code_is_never_changed():
    assert notebook_at(NOTEBOOK, OLD)["cells"][2] == NOTEBOOK["cells"][2]


def test_without_an_address_nothing_changes():
    assert notebook_at(NOTEBOOK, Site("")) == NOTEBOOK


def test_a_link_of_an_exercise_leads_to_a_source_in_the_repository():
    link = source_link("areas.html#thm-a")
    assert link == "../../book/areas.md#thm-a"
    assert (
        with_links_to(f"[a]({link})", "https://x.example/") == "[a](https://x.example/book/areas.html#thm-a)"
    )


@pytest.mark.parametrize("written", ["book/areas.html#a", "http://127.0.0.1:8000/book/areas.html#a"])
def test_a_key_is_moved_and_moved_again(written):
    text = json.dumps({"pages": {"thm-a": {"address": written, "name": "Theorem 1"}}})
    once = json.loads(key_at(text, "https://old.example/a"))
    assert once["book"] == "https://old.example/a"
    again = json.loads(key_at(json.dumps(once), "https://new.example"))
    assert again["pages"]["thm-a"]["address"] == "book/areas.html#a"
    assert again["book"] == "https://new.example"


def set_address(course, address):
    path = course.root / "course.toml"
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("book_url")]
    path.write_text("\n".join([f'book_url = "{address}"', *lines]) + "\n", "utf-8")
    return Course(course.root)


def test_a_class_is_handed_the_address_of_today(classroom):
    before = sources_digest(classroom, "squares")
    course = set_address(classroom, "https://moved.example/term")
    assert sources_digest(course, "squares") == before, "a new address makes no exercise outdated"
    place = distribute(course, "squares", "folders").place
    key = json.loads(next(place.rglob("squares.key.json")).read_text("utf-8"))
    assert key["book"] == "https://moved.example/term"
    notebook = next(place.rglob("squares.ipynb")).read_text("utf-8")
    assert json.loads(notebook)["metadata"]["dimred"]["book"] == "https://moved.example/term"
    assert "127.0.0.1" not in notebook


def test_no_locked_cell_of_an_exercise_holds_an_address_that_is_handed_out(course):
    for path in sorted((ROOT / "exercises").glob("*/*.ipynb")):
        made = notebook_at(json.loads(path.read_text("utf-8")), OLD)
        code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
        assert "old.example" not in json.dumps(code), path.name
