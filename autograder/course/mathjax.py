"""MathJax as it was installed, from a package of PyPI: no page of ours asks another host for it."""

from importlib.metadata import distribution
from pathlib import Path


def mathjax_folder() -> Path:
    """MathJax inside sphinx-mathjax-offline, which cannot be imported: its name has hyphens."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))
