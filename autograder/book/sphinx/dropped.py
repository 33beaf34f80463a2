"""References to pages that the table of contents dropped become plain words, so the rest of the book builds.

Most are replaced in the source of a page. What a cell prints as Markdown is no part of the source: references in
there are replaced when Sphinx resolves them.
"""

from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from autograder.book.dropped import (
    chapter_numbers,
    dropped_places,
    dropped_target,
    with_cards,
    without_dropped,
)


def find_dropped(app: Sphinx) -> None:
    """Look once, before pages are read."""
    app.env.dropped_places = dropped_places(Path(app.srcdir))  # type: ignore[attr-defined]
    app.env.chapter_numbers = chapter_numbers(Path(app.srcdir))  # type: ignore[attr-defined]


def drop_references(app: Sphinx, name: str, source: list[str]) -> None:
    """Say the words in the place of a link that leads nowhere."""
    places = getattr(app.env, "dropped_places", {})
    source[0] = with_cards(source[0], places, getattr(app.env, "chapter_numbers", {}))
    if places:
        source[0] = without_dropped(source[0], places)


class DropOutputReferences(SphinxPostTransform):
    """Replaces references of cells' outputs to dropped places by their words."""

    default_priority = 5  # before MyST (9) and Sphinx (10) resolve references, and complain

    def run(self, **options: object) -> None:
        """Replace the references that are left in a page."""
        places = getattr(self.env, "dropped_places", {})
        for reference in list(self.document.findall(pending_xref)) if places else ():
            target = dropped_target(str(reference.get("reftarget", "")), places)
            if target is not None:
                words = reference.astext().strip()
                shown = reference.children if words and words != reference["reftarget"] else []
                reference.replace_self(nodes.inline("", "", *(shown or [nodes.Text(places[target])])))


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("builder-inited", find_dropped)
    app.connect("source-read", drop_references)
    app.add_post_transform(DropOutputReferences)
