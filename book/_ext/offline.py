"""Make the built book self-contained: MathJax beside the pages, the project on the kernels' path.

A page of the book asks no other host for anything. MathJax comes from the package
sphinx-mathjax-offline; of its 15 MB only the parts that a page can request are copied.
"""

import hashlib
import os
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.fileutil import copy_asset

PARTS = ("tex-mml-chtml.js", "output/chtml/fonts", "input/tex/extensions")


def mathjax_folder() -> Path:
    """Return MathJax inside sphinx-mathjax-offline, which cannot be imported: its name has hyphens."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Put MathJax into the built _static: a source _static would load every file of it on every page."""
    if error is not None or app.builder.format != "html":
        return
    for part in PARTS:
        target = Path(app.outdir, "_static", "mathjax", part)
        if not target.exists():
            source = mathjax_folder() / part
            copy_asset(str(source), str(target if source.is_dir() else target.parent))


def pages_to_restyle(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Return every page when a file of _static changed: Sphinx would neither copy it nor tell browsers."""
    folders = [Path(app.srcdir, folder) for folder in app.config.html_static_path]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    before, env.static_digest = getattr(env, "static_digest", None), digest
    return [] if digest == before else sorted(env.found_docs)


def offer_notebook(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Tell the theme that a page with cells can be downloaded as a notebook, which `dimred book` writes."""
    if doctree is not None and any("cell" in node["classes"] for node in doctree.findall(nodes.container)):
        context["ipynb_source"] = f"{page}.ipynb"


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    # Jupyter Book sets this value of sphinx_comments whether the extension is there or not.
    app.add_config_value("comments_config", {}, "env")
    app.config.mathjax_path = "mathjax/tex-mml-chtml.js"
    app.connect("build-finished", copy_mathjax)
    app.connect("env-get-outdated", pages_to_restyle)
    app.connect("html-page-context", offer_notebook, priority=400)  # before the theme makes its buttons
    # Kernels inherit the environment: pages import the project from the source folder, installed or not.
    paths = [str(app.srcdir), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
