"""The table of contents: `_toc.yml` is read here, in one way, by everyone who wants to know the pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from autograder.errors import CourseError

NAME = "_toc.yml"
BELOW = ("parts", "subtrees", "chapters", "sections", "entries")
_ALL_LEVELS = 999


@dataclass(frozen=True)
class Entry:
    """A page in the table of contents."""

    name: str  # without its ending: "book/intro"
    depth: int = 0  # 0: the first page; 1: a chapter; 2: a page below a chapter
    numbered: int = 0  # how many levels of headings have numbers, from this page's title on


def entries(root: Path) -> list[str]:
    """Every page that the table of contents names, in reading order, without its ending: "book/intro"."""
    return [entry.name for entry in outline(root)]


def pages(root: Path) -> list[Path]:
    """The source files of those pages that exist."""
    return [path for entry in entries(root) if (path := root / f"{entry}.md").is_file()]


def outline(root: Path) -> list[Entry]:
    """Every page that the table of contents names, in reading order, with its level and whether it is numbered."""
    try:
        tree = yaml.safe_load((root / NAME).read_text("utf-8"))
    except FileNotFoundError:
        raise CourseError(f"{root} has no {NAME}: it names the pages of the course in their order") from None
    except yaml.YAMLError as error:
        raise CourseError(f"{NAME} cannot be read: {' '.join(str(error).split())}") from None
    return list(_entries(tree, 0, 0))


def _entries(node: Any, depth: int, numbered: int) -> Iterator[Entry]:
    """Yield the pages at and below a node; `numbered` is how many levels the nodes above it have numbers for."""
    if not isinstance(node, dict):
        return
    for word in ("root", "file"):
        if word in node:
            yield Entry(str(node[word]).removesuffix(".md"), depth, numbered if word == "file" else 0)
            numbered, depth = max(numbered - 1, 0), depth + 1
    numbered = _levels(node, numbered)
    for word in BELOW:
        for item in node.get(word) or []:
            yield from _entries(item, depth, numbered)


def _levels(node: dict[str, Any], above: int) -> int:
    """How many levels below a node have numbers: it may say so itself, or inherit it."""
    own = (node.get("options") or {}).get("numbered", node.get("numbered"))
    return above if own is None else _ALL_LEVELS if own is True else int(own)
