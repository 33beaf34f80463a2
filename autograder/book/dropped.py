"""A chapter that the table of contents no longer names drops cleanly: links to it become the words they showed."""

import re
from collections.abc import Mapping
from pathlib import Path

from autograder.book.labels import labels
from autograder.course import contents

ROLE = re.compile(r"\{(?:eq|ref|numref|prf:ref|doc)\}`(?:(?P<words>[^`<]+?)\s*<)?(?P<target>[^`<>]+)>?`")
LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+?)(?:\.md)?(?P<anchor>#[^)\s]*)?\)")


def dropped_places(root: Path) -> dict[str, str]:
    """The labels and pages that exist beside the book's pages but are not in it, with what to call them."""
    kept = {Path(name).name for name in contents.entries(root)}
    pages = {page.stem for page in (root / "book").glob("*.md")} - kept
    found = {page: page.replace("_", " ") for page in pages}
    for label, place in labels(root / "book").items() if pages else ():
        if place.page in pages:
            found[label] = place.title or place.page.replace("_", " ")
    return found


def without_dropped(text: str, places: Mapping[str, str]) -> str:
    """A page's source with every reference to a dropped place replaced by its words."""

    def words(found: re.Match[str]) -> str:
        target = Path(found["target"]).name
        return found["words"] or places[target] if target in places else found[0]

    return LINK.sub(words, ROLE.sub(words, text))
