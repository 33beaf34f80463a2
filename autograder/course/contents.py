"""The table of contents: `_toc.yml` is read here, in one way, by everyone who wants to know the pages."""

from pathlib import Path
from typing import Any

import yaml

from autograder.errors import CourseError

NAME = "_toc.yml"


def entries(root: Path) -> list[str]:
    """Every page that the table of contents names, in reading order, without its ending: "book/intro"."""
    try:
        tree = yaml.safe_load((root / NAME).read_text("utf-8"))
    except FileNotFoundError:
        raise CourseError(f"{root} has no {NAME}: it names the pages of the course in their order") from None
    except yaml.YAMLError as error:
        raise CourseError(f"{NAME} cannot be read: {' '.join(str(error).split())}") from None
    return [entry.removesuffix(".md") for entry in _files(tree)]


def pages(root: Path) -> list[Path]:
    """The source files of those pages that exist."""
    return [path for entry in entries(root) if (path := root / f"{entry}.md").is_file()]


def _files(node: Any) -> list[str]:
    """Every `file:` and `root:` below a node, in reading order."""
    if isinstance(node, list):
        return [name for item in node for name in _files(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node[word]) for word in ("root", "file") if word in node]
    below = ("parts", "subtrees", "chapters", "sections", "entries")
    return own + [name for word in below for name in _files(node.get(word, []))]
