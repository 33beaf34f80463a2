"""Locate the installed MathJax, so that no page loads it from another host."""

from importlib.metadata import distribution
from pathlib import Path


def mathjax_folder() -> Path:
    """Return the folder of MathJax in the package sphinx-mathjax-offline.

    The package cannot be imported, because its name has hyphens.
    """
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))
