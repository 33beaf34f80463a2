"""Make the built book self-contained: MathJax beside the pages, the project on the kernels' path.

A page of the book asks no other host for anything. MathJax comes from the package
sphinx-mathjax-offline; of its 15 MB only the parts that a page can request are copied.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

from autograder.course.mathjax import mathjax_folder

MATHJAX_FILES = ("tex-mml-chtml.js", "output/chtml/fonts", "input/tex/extensions")


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Put MathJax into the built _static: a source _static would load every file of it on every page."""
    if error is not None or app.builder.format != "html":
        return
    for part in MATHJAX_FILES:
        target = Path(app.outdir, "_static", "mathjax", part)
        if not target.exists():
            source = mathjax_folder() / part
            copy_asset(str(source), str(target if source.is_dir() else target.parent))


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    # Jupyter Book sets this value of sphinx_comments whether the extension is there or not.
    if "sphinx_comments" not in (*app.extensions, *app.config.extensions):
        app.add_config_value("comments_config", {}, "env")
    app.config.mathjax_path = "mathjax/tex-mml-chtml.js"
    app.connect("build-finished", copy_mathjax)
    # Kernels inherit the environment: pages import the project from the source folder, installed or not.
    paths = [str(app.srcdir), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
