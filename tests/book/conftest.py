"""A small course to build."""

import shutil

import pytest

from tests.book.tiny import TinyCourse
from tests.conftest import ROOT


@pytest.fixture
def tiny(tmp_path):
    """A course with the settings of the real one, and a package whose modules import one another."""
    tiny = TinyCourse(tmp_path)
    shutil.copy(ROOT / "_config.yml", tmp_path)
    shutil.copytree(ROOT / "book" / "_static", tiny.book / "_static")
    tiny.write("book/references.bib", "")
    tiny.write("book/dot.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    tiny.write("shapes/__init__.py", "")
    tiny.write(
        "shapes/square.py", "from .power import squared\n\n\ndef area(side):\n    return squared(side)\n"
    )
    tiny.write("shapes/power.py", "def squared(x):\n    return x * x\n")
    tiny.write("shapes/circle.py", "NAME = 'round'\n")
    return tiny
