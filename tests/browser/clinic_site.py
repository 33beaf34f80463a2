"""A small live book whose page is the data clinic."""

import re
import shutil
from pathlib import Path

from autograder.book.build import build_book
from tests.book.conftest import tiny_course
from tests.conftest import ROOT


def build_clinic(folder: Path) -> Path:
    """Build the page alone; references to the rest of the book become words. Return the folder of the site."""
    tiny = tiny_course(folder)
    tiny.write("course.toml", 'book_url = "http://127.0.0.1:8000"\n')
    shutil.copytree(
        ROOT / "dimred_ref", tiny.root / "dimred_ref", ignore=shutil.ignore_patterns("__pycache__")
    )
    text = (
        (ROOT / "book/clinic.md").read_text("utf-8").split("---\n", 2)[2]
    )  # the tiny course has its own head
    tiny.write_pages(start="# Start\n", clinic=re.sub(r"\{ref\}`([^`]+)`", r"\1", text))
    return build_book(tiny.root, live=True).parent
