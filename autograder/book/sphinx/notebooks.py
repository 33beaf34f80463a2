"""Each page with cells is offered as a notebook, made from the finished page."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from autograder.book import myst, outputs
from autograder.book.imports import imported_files
from autograder.book.notebooks import notebook_path, write_notebook
from autograder.course.contents import pages


def offer_notebook(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Tell the theme that a page with cells can be downloaded as a notebook."""
    if doctree is not None and any("cell" in node["classes"] for node in doctree.findall(nodes.container)):
        context["ipynb_source"] = f"{page}.ipynb"


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write the notebooks of the pages that have cells and were built again."""
    if error is not None or app.builder.name != "html":
        return
    root, site = Path(app.srcdir), Path(app.outdir)
    for page in pages(root):
        built = site / page.relative_to(root).with_suffix(".html")
        target = notebook_path(built)
        is_fresh = target.is_file() and target.stat().st_mtime_ns >= built.stat().st_mtime_ns
        if not is_fresh and myst.code(page.read_text("utf-8")).strip():
            write_notebook(built, outputs.executed(page, site.parent), imported_files(page, root), root)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("html-page-context", offer_notebook, priority=400)  # before the theme makes its buttons
    app.connect("build-finished", write_notebooks, priority=900)  # after the pages were mended
