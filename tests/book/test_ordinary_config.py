"""The extension beside others, in a `_config.yml` as Jupyter Book suggests it."""

import shutil
import subprocess
import sys

import pytest

from autograder.course.course import Course
from tests.conftest import ROOT

OTHERS = [
    "sphinx.ext.autodoc",
    "sphinx.ext.extlinks",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.todo",
    "sphinx.ext.viewcode",
    "sphinx_proof",
    "sphinxcontrib.bibtex",
]
CONFIG = """\
title: Squares
html: {{use_issues_button: true, comments: {{hypothesis: true}}}}
repository: {{url: "https://github.com/someone/something"}}
launch_buttons: {{thebe: true}}
bibtex_bibfiles: [references.bib]
sphinx:
  extra_extensions: {extensions}
"""
BUILD = "import sys; from jupyter_book.cli.main import main; main(sys.argv[1:])"
FOREIGN_PAGE = "# A page of a package\n\n```{code-cell} python\nraise SystemExit\n```\n"


@pytest.mark.parametrize("is_first", [True, False], ids=["before the others", "after them"])
def test_an_ordinary_book_is_built_with_the_usual_extensions(tmp_path, is_first):
    root = tmp_path / "a book (ä)"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    ours = ["autograder.book.sphinx"]
    extensions = ours + OTHERS if is_first else OTHERS + ours
    (root / "_config.yml").write_text(CONFIG.format(extensions=extensions), "utf-8")
    (root / "references.bib").touch()
    package = root / "environment" / "lib" / "package"
    package.mkdir(parents=True)
    (root / "environment" / "pyvenv.cfg").touch()
    for folder in (package, root / "classroom" / "attempts", root / ".cache"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "page.md").write_text(FOREIGN_PAGE, "utf-8")
    command = [sys.executable, "-c", BUILD, "build", ".", "-W", "--keep-going"]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    site = root / "_build" / "html"
    assert [path.name for path in site.rglob("page.html")] == []
    assert "squares" in Course(root).topics()
    assert (site / "book" / "squares.html").is_file()
