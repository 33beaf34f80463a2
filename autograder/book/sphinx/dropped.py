"""References to pages that the table of contents dropped become plain words, so the rest of the book builds."""

from pathlib import Path

from sphinx.application import Sphinx

from autograder.book.dropped import chapter_numbers, dropped_places, with_cards, without_dropped


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


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("builder-inited", find_dropped)
    app.connect("source-read", drop_references)
