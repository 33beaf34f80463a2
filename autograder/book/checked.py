"""What a verifying cell checks, in a line that a reader understands: "Theorem 4.5, checked"."""

import io
import re
import tokenize
from collections.abc import Mapping

from autograder.book.labels import Label

TAG = "verify"  # of the cells that are folded under such a line
MARK = "✓"
_WORD = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")


def line_for(source: str, places: Mapping[str, Label]) -> str:
    """Return the line over a cell, without its mark; the first comment that names labels says what is checked."""
    numbers = [number for label in named_labels(source, places) if (number := places[label].number)]
    if not numbers:
        return "Checked"
    *others, last = dict.fromkeys(numbers)
    return f"{', '.join(others)} and {last}, checked" if others else f"{last}, checked"


def named_labels(source: str, places: Mapping[str, Label]) -> list[str]:
    """Return the labels of the book in the first comment of a cell that names one."""
    for comment in _comments(source):
        if found := [word for word in _WORD.findall(comment) if word in places]:
            return found
    return []


def _comments(source: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):  # magics are not Python
        return re.findall(r"#.*", source)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]
