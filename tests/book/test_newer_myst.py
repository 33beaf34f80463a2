"""The canary for Jupyter Book 2 counts what it should; `python -m tests.newer_myst` runs it with the newer parser."""

import shutil

import pytest
import yaml

from tests import newer_myst
from tests.conftest import ROOT

OUTPUT = """\
\x1b[31m⛔️ book/pca.md:12 unknown directive: practice\x1b[0m
⛔️ book/pca.md unknown role: glue:text
⛔️ book/svd.md:3:4 Undefined control sequence: \\norm at position 1
⛔️ Could not fetch the theme
📖 Built book/pca.md in 15 s.
📖 Built book/svd.md in 12 s.
"""


def test_errors_are_counted_by_kind():
    found = newer_myst.errors(OUTPUT)
    assert found["unknown directive: practice"] == 1
    assert found["unknown role: glue:text"] == 1
    assert sum(found.values()) == 3  # what is no fault of a page is left out
    assert newer_myst.pages(OUTPUT) == 2


@pytest.mark.parametrize(("output", "code"), [(OUTPUT, 1), (OUTPUT.replace("Undefined", ""), 1), ("", 1)])
def test_an_unknown_error_or_no_page_fails(output, code, monkeypatch):
    monkeypatch.setattr(newer_myst, "build", lambda myst: output)
    assert newer_myst.main("myst") == code


def test_known_errors_pass(monkeypatch):
    monkeypatch.setattr(
        newer_myst,
        "build",
        lambda myst: "\n".join(line for line in OUTPUT.splitlines() if "Undefined" not in line),
    )
    assert newer_myst.main("myst") == 0


def test_macros_of_the_book_are_those_of_the_newer_parser():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert newer_myst.macros(config)["\\norm"] == "\\lVert #1 \\rVert"


@pytest.mark.skipif(shutil.which("myst") is None, reason="pip install mystmd, and have node")
def test_pages_parse_with_the_newer_parser():
    assert newer_myst.main("myst") == 0
