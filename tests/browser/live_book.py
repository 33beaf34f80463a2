"""A small live book with a real assignment, below a prefix, as project pages are served."""

import shutil
from pathlib import Path

from autograder.book.build import build_book
from tests.book.conftest import tiny_course
from tests.conftest import ROOT

PREFIX = "my-repo"


def publish(folder: Path, root: Path) -> None:
    """Build the book in a folder and move it to its place below the root of a server."""
    tiny = tiny_course(folder)
    tiny.write("course.toml", 'book_url = "http://127.0.0.1:8000"\n')
    tiny.write("solutions/pca/notebook.md", "")
    shutil.copytree(ROOT / "exercises" / "pca", tiny.root / "exercises" / "pca")
    tiny.write_pages(start="# Start\n", pca="# Chapter\n\n```{live-task} pca.scores\n```\n")
    shutil.move(build_book(tiny.root, live=True).parent, root / PREFIX)
