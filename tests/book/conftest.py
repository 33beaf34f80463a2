"""A small course to build."""

import shutil

import pytest

from tests.book.tiny import TinyCourse
from tests.conftest import ROOT


@pytest.fixture
def tiny(tmp_path):
    """A course with the settings of the real one, and a package whose modules import one another."""
    return tiny_course(tmp_path)


@pytest.fixture(scope="module")
def module_tiny(tmp_path_factory):
    """The same, built once for all tests of a file."""
    return tiny_course(tmp_path_factory.mktemp("tiny"))


def tiny_course(root):
    """Write the small course into a folder."""
    tiny = TinyCourse(root)
    shutil.copy(ROOT / "_config.yml", root)
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
