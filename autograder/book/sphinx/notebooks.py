"""Each page with cells is offered as a notebook, made from the finished page."""

import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from autograder.book import myst, outputs
from autograder.book.imports import imported_files
from autograder.book.notebooks import notebook_path, write_notebook
from autograder.course.contents import pages


def offer_notebook(app: Sphinx, page: str, template: str, context: dict[str, object], doctree: Any) -> None:
    """Tell the theme that a page with cells can be downloaded as a notebook."""
    if doctree is not None and any("cell" in node["classes"] for node in doctree.findall(nodes.container)):
        context["ipynb_source"] = f"{page}.ipynb"


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Start to write the notebooks of pages that were built again, in a process of its own where that is possible."""
    if error is not None or app.builder.name != "html":
        return
    app.notebook_writer = _Writer(Path(app.srcdir), Path(app.outdir))  # type: ignore[attr-defined]


def await_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Wait for the notebooks; a page that was typeset meanwhile is not newer than its notebook."""
    writer: _Writer | None = getattr(app, "notebook_writer", None)
    if writer:
        writer.end()


class _Writer:
    """Writes the notebooks of the pages of a site that have cells and changed."""

    def __init__(self, root: Path, site: Path) -> None:
        self.root, self.site = root, site
        waiting = [(page, site / page.relative_to(root).with_suffix(".html")) for page in pages(root)]
        self.waiting = [(page, built) for page, built in waiting if self._is_due(page, built)]
        self.process = None
        if self.waiting and sys.platform == "linux":
            self.process = multiprocessing.get_context("fork").Process(target=self._write)
            self.process.start()
        else:
            self._write()

    def _is_due(self, page: Path, built: Path) -> bool:
        target = notebook_path(built)
        is_fresh = target.is_file() and target.stat().st_mtime_ns >= built.stat().st_mtime_ns
        return not is_fresh and bool(myst.cell_code(page.read_text("utf-8")).strip())

    def _write(self) -> None:
        for page, built in self.waiting:
            executed = outputs.executed(page, self.site.parent)
            write_notebook(built, executed, imported_files(page, self.root), self.root)

    def end(self) -> None:
        """Wait until everything is written."""
        if self.process:
            self.process.join()
            if self.process.exitcode:
                raise ExtensionError("the notebooks of the pages could not be written: see above")
        for _, built in self.waiting:
            os.utime(notebook_path(built))


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("html-page-context", offer_notebook, priority=400)  # before the theme makes its buttons
    # After the pages were mended, beside the typesetting of formulas: a notebook needs their TeX.
    app.connect("build-finished", write_notebooks, priority=840)
    app.connect("build-finished", await_notebooks, priority=900)
