"""Read the table of contents in `_toc.yml`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from autograder.errors import CourseError

CONTENTS_FILE = "_toc.yml"
BOOK_SETTINGS_FILE = "_config.yml"
BELOW = ("parts", "subtrees", "chapters", "sections", "entries")
_ALL_LEVELS = 999


@dataclass(frozen=True)
class Entry:
    """A page in the table of contents."""

    name: str  # without suffix: "book/intro"
    depth: int = 0  # 0: the first page; 1: a chapter; 2: a page below a chapter
    numbered: int = 0  # number of numbered heading levels, counted from the page title


def contents_entries(root: Path) -> list[str]:
    """Return the pages in reading order, without suffix: "book/intro"."""
    return [entry.name for entry in outline(root)]


def pages(root: Path) -> list[Path]:
    """Return the source files of the pages that exist."""
    return [path for entry in contents_entries(root) if (path := root / f"{entry}.md").is_file()]


def outline(root: Path) -> list[Entry]:
    """Return the pages in reading order, with depth and numbered levels."""
    try:
        text = (root / CONTENTS_FILE).read_text("utf-8")
    except FileNotFoundError:
        raise CourseError(
            f"{root} has no {CONTENTS_FILE}: it names the pages of the course in their order"
        ) from None
    return list(_iterate_entries(parse_yaml(text, CONTENTS_FILE), 0, 0))


def parse_yaml(text: str, name: str) -> Any:
    """Return what a YAML file of this name holds; raise CourseError with one line if it cannot be read."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CourseError(f"{name} cannot be read: {' '.join(str(error).split())}") from None


def book_settings(root: Path, *path: str) -> dict[str, Any]:
    """Return `_config.yml`, or the table at a path of names in it; empty if it is not there."""
    file = root / BOOK_SETTINGS_FILE
    table = parse_yaml(file.read_text("utf-8"), BOOK_SETTINGS_FILE) if file.is_file() else {}
    for name in path:
        table = table.get(name) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _iterate_entries(node: object, depth: int, numbered: int) -> Iterator[Entry]:
    """Yield the pages at and below a node.

    `numbered` is the number of numbered levels that the node inherits.
    """
    if not isinstance(node, dict):
        return
    for field in ("root", "file"):
        if field in node:
            yield Entry(str(node[field]).removesuffix(".md"), depth, numbered if field == "file" else 0)
            numbered, depth = max(numbered - 1, 0), depth + 1
    numbered = _numbered_levels(node, numbered)
    for field in BELOW:
        for item in node.get(field) or []:
            yield from _iterate_entries(item, depth, numbered)


def _numbered_levels(node: dict[str, Any], above: int) -> int:
    """Return the numbered levels below a node: its own setting or the inherited one."""
    numbering = (node.get("options") or {}).get("numbered", node.get("numbered"))
    return above if numbering is None else _ALL_LEVELS if numbering is True else int(numbering)
