"""Replace labels in a text by links with the book's numbers.

"equation `eq-areas-square`" becomes "Equation (4.2)".
"""

import re
from collections.abc import Callable, Mapping

from autograder.book.labels import Label
from autograder.course.address import source_link

_NAMED = re.compile(r"`(?P<label>[a-z]+(?:-[a-z0-9_]+)+)`")
# Also "the section `…`" and "theorems `…` and `…`". The number contains the kind, so the word is dropped.
_WORD_BEFORE = re.compile(
    r"\b(the\s)?(equation|theorem|definition|section|figure|chapter|lemma|algorithm)s?\s$", re.IGNORECASE
)


def with_places(text: str, places: Mapping[str, Label], link: Callable[[str, Label], str]) -> str:
    """Replace each known label by `link(name, place)`."""
    pieces: list[str] = []
    end = 0
    for match in _NAMED.finditer(text):
        place = places.get(match["label"])
        if place is None:
            continue
        before = _WORD_BEFORE.sub("", text[end : match.start()])
        pieces += [before, link(place.name, place) if place.is_listed else place.name]
        end = match.end()
    return "".join([*pieces, text[end:]])


def with_source_places(text: str, places: Mapping[str, Label]) -> str:
    """Replace labels in an exercise by links to the sources of pages.

    They get an address when the exercise is handed out.
    """
    return with_places(text, places, lambda name, place: f"[{name}]({source_link(place.href)})")
