"""Labels in a text, said as the book says them: "equation `eq-areas-square`" becomes "Equation (4.2)", as a link."""

import re
from collections.abc import Callable, Mapping

from autograder.book.labels import Label

_NAMED = re.compile(r"`(?P<label>[a-z]+(?:-[a-z0-9_]+)+)`")
# "the section `…`" and "theorems `…` and `…`", too: a number says what it numbers.
_WORD_BEFORE = re.compile(
    r"\b(the\s)?(equation|theorem|definition|section|figure|chapter|lemma|algorithm)s?\s$", re.IGNORECASE
)


def with_places(text: str, places: Mapping[str, Label], link: Callable[[str, Label], str]) -> str:
    """Put a link in the place of each label that the book has; `link` makes it from the place's name."""
    pieces: list[str] = []
    end = 0
    for found in _NAMED.finditer(text):
        place = places.get(found["label"])
        if place is None:
            continue
        before = _WORD_BEFORE.sub("", text[end : found.start()])
        pieces += [before, link(place.number or place.title, place)]
        end = found.end()
    return "".join([*pieces, text[end:]])


def with_published_places(text: str, places: Mapping[str, Label], book_url: str) -> str:
    """The same for a notebook: Markdown links to the published book, or the names alone if it has no address."""
    base = book_url.rstrip("/")

    def link(name: str, place: Label) -> str:
        return f"[{name}]({base}/book/{place.href})" if base else name

    return with_places(text, places, link)
