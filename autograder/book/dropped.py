"""A chapter that the table of contents no longer names drops cleanly.

Links to it become the words they showed, a card that leads to it goes, and the cards of the others, which begin with
the number of their chapter, are counted anew.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from autograder.book.labels import labels
from autograder.course import contents

ROLE = re.compile(r"\{(?:eq|ref|numref|prf:ref|doc)\}`(?:(?P<words>[^`<]+?)\s*<)?(?P<target>[^`<>]+)>?`")
LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+?)(?:\.md)?(?P<anchor>#[^)\s]*)?\)")
CARD = re.compile(
    r"^(?P<fence>:{3,})\{grid-item-card\} *(?:\d+(?P<counted> ·))?(?P<inside>.*?^(?P=fence) *$\n?)",
    re.DOTALL | re.MULTILINE,
)
LEADS_TO = re.compile(r"^:link: *(?P<target>\S+) *$", re.MULTILINE)


def dropped_places(root: Path) -> dict[str, str]:
    """The labels and pages that exist beside the book's pages but are not in it, with what to call them."""
    kept = {Path(name).name for name in contents.entries(root)}
    pages = {page.stem for page in (root / "book").glob("*.md")} - kept
    found = {page: page.replace("_", " ") for page in pages}
    for label, place in labels(root / "book").items() if pages else ():
        if place.page in pages:
            found[label] = place.title or place.page.replace("_", " ")
    return found


def chapter_numbers(root: Path) -> dict[str, int]:
    """The number of every chapter that has one."""
    counted = [entry for entry in contents.outline(root) if entry.numbered and entry.depth == 1]
    return {Path(entry.name).name: number for number, entry in enumerate(counted, start=1)}


def with_cards(text: str, places: Mapping[str, str], numbers: Mapping[str, int]) -> str:
    """A page's source with a card for each chapter that is there, under its number."""

    def card(found: re.Match[str]) -> str:
        link = LEADS_TO.search(found["inside"])
        target = Path(link["target"]).name if link else ""
        if target in places:
            return ""
        if not found["counted"] or target not in numbers:
            return found[0]
        return f"{found['fence']}{{grid-item-card}} {numbers[target]}{found['counted']}{found['inside']}"

    return CARD.sub(card, text)


def without_dropped(text: str, places: Mapping[str, str]) -> str:
    """A page's source with every reference to a dropped place replaced by its words."""

    def words(found: re.Match[str]) -> str:
        target = Path(found["target"]).name
        return found["words"] or places[target] if target in places else found[0]

    return LINK.sub(words, ROLE.sub(words, text))
