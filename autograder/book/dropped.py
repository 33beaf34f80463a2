"""Remove references to chapters that the table of contents no longer names.

Links to them become plain text, cards that lead to them are removed, and the numbers on the other cards are updated.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from autograder.book.labels import labels
from autograder.course import contents

ROLE = re.compile(r"\{(?:eq|ref|numref|prf:ref|doc)\}`(?:(?P<words>[^`<]+?)\s*<)?(?P<target>[^`<>]+)>?`")
LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+)\)")
CARD = re.compile(
    r"^(?P<fence>:{3,})\{grid-item-card\} *(?:\d+(?P<counted> ·))?(?P<inside>.*?^(?P=fence) *$\n?)",
    re.DOTALL | re.MULTILINE,
)
LEADS_TO = re.compile(r"^:link: *(?P<target>\S+) *$", re.MULTILINE)


def dropped_places(root: Path) -> dict[str, str]:
    """Return labels and pages that are not in the book, with titles."""
    listed = {Path(name).name for name in contents.contents_entries(root)}
    pages = {page.stem for page in (root / "book").glob("*.md")} - listed
    names = {page: page.replace("_", " ") for page in pages}
    for label, place in labels(root / "book").items() if pages else ():
        if place.page in pages:
            names[label] = place.title or place.page.replace("_", " ")
    return names


def chapter_numbers(root: Path) -> dict[str, int]:
    """Return the number of every numbered chapter."""
    counted = [entry for entry in contents.outline(root) if entry.numbered and entry.depth == 1]
    return {Path(entry.name).name: number for number, entry in enumerate(counted, start=1)}


def with_cards(text: str, places: Mapping[str, str], numbers: Mapping[str, int]) -> str:
    """Return a page's source with renumbered cards of existing chapters only."""

    def card(match: re.Match[str]) -> str:
        link = LEADS_TO.search(match["inside"])
        target = Path(link["target"]).name if link else ""
        if target in places:
            return ""
        if not match["counted"] or target not in numbers:
            return match[0]
        return f"{match['fence']}{{grid-item-card}} {numbers[target]}{match['counted']}{match['inside']}"

    return CARD.sub(card, text)


def dropped_target(address: str, places: Mapping[str, str]) -> str | None:
    """Return the dropped place that an address leads to, or None.

    Addresses look like `/book/cubes`, `cubes.md#volume`, `#eq-cubes` or `eq-cubes`.
    """
    if "://" in address:
        return None
    page, _, anchor = address.partition("#")
    names = (Path(page).name.removesuffix(".md"), anchor if not page else "")
    return next((name for name in names if name and name in places), None)


def without_dropped(text: str, places: Mapping[str, str]) -> str:
    """Replace references to dropped places by their text."""

    def words(match: re.Match[str]) -> str:
        target = dropped_target(match["target"], places)
        return match[0] if target is None else match["words"] or places[target]

    return LINK.sub(words, ROLE.sub(words, text))
