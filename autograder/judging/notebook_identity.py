"""Read topic, seed, book and perhaps key from a notebook.

They are in the metadata, under "dimred". Colab, Kaggle and converters drop unknown metadata, and some editors move
it a level down. Then the cells are read instead: the checks name the topic, and links name the book.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.errors import UnreadableError

OURS = "dimred"
MAX_DEPTH = 4  # levels at which editors may put metadata
_CHECK_CALL = re.compile(r"""\bcheck\(\s*["'](\w+)\.\w+["']""")
_KEYS = re.compile(
    r"""["'](https?://[^\s"']+)/keys/([\w-]+)["']"""
)  # in the cell that notebooks for elsewhere have
_PAGE = re.compile(r"\]\((https?://[^\s)]+?)/book/\w+\.html")


def identity_of(notebook: object) -> Mapping[str, object] | None:
    """Return our metadata of a notebook, else what its cells tell.

    None if the notebook is no assignment.
    """
    if not isinstance(notebook, dict):
        return None
    return next(_entries(notebook.get("metadata"), MAX_DEPTH), None) or _from_cells(notebook.get("cells"))


def named_topic(notebook: object, name: str) -> str:
    """Return the topic of a notebook; raise UnreadableError if it has none."""
    identity = identity_of(notebook)
    if identity is None:
        raise UnreadableError(f"{name} is not an assignment of this course: it names no topic")
    return str(identity["topic"])


def _entries(metadata: object, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield our metadata at any level, the highest first."""
    if not isinstance(metadata, dict) or not depth:
        return
    ours = metadata.get(OURS)
    if isinstance(ours, dict) and isinstance(ours.get("topic"), str) and ours["topic"].isidentifier():
        yield ours
    for inner in metadata.values():
        yield from _entries(inner, depth - 1)


def _from_cells(cells: object) -> Mapping[str, object] | None:
    """Return the topic that all checks name, and the linked book."""
    sources = [_source(cell) for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []
    topics = {topic for source in sources for topic in _CHECK_CALL.findall(source)}
    if len(topics) != 1:
        return None
    identity = {"topic": topics.pop()}
    for source in sources:
        if keys := _KEYS.search(source):
            return identity | {"book": keys[1], "seed": keys[2]}
        if page := _PAGE.search(source):
            identity.setdefault("book", page[1])
    return identity


def _source(cell: Mapping[str, object]) -> str:
    """Return the text of a cell, in either form of the notebook format."""
    lines = cell.get("source", "")
    return "".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list | str) else ""
