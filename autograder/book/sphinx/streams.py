"""A printed line stays whole: a slow machine sends it in pieces, and MyST-NB would begin a new line at each."""

from myst_nb.core import render, utils  # type: ignore[import-untyped]
from sphinx.application import Sphinx

from autograder.book.outputs import with_whole_lines


def _coalesced(outputs: list[dict[str, object]]) -> object:
    return utils.coalesce_streams(with_whole_lines(outputs))


def setup(app: Sphinx) -> None:
    """Join the pieces before MyST-NB strips each of them and ends it with a line break."""
    render.coalesce_streams = _coalesced
