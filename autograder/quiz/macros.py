"""TeX macros of the book's settings, expanded: a learning platform does not know them."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from autograder.course.contents import book_settings
from autograder.course.course import Course
from autograder.errors import CourseError

MAX_ROUNDS = 10  # a macro may use others; one that uses itself has no end
Macro = tuple[str, int]  # the replacement, and the number of arguments


def expand_macros(course: Course, tex: str) -> str:
    """Return a formula without the macros of `_config.yml`."""
    macros = _macros(course.root)
    for _ in range(MAX_ROUNDS if macros else 0):
        before = tex
        for name, macro in macros.items():
            tex = _expand(tex, name, macro)
        if tex == before:
            return tex
    if macros:
        raise CourseError(f"_config.yml: the TeX macros in {tex[:80]!r} have no end: one of them uses itself")
    return tex


@functools.lru_cache(maxsize=8)
def _macros(root: Path) -> Mapping[str, Macro]:
    """Return the macros by name."""
    table = book_settings(root, "sphinx", "config", "mathjax3_config", "tex", "macros")
    return {
        str(name): (str(value), 0) if isinstance(value, str) else (str(value[0]), int(value[1]))
        for name, value in table.items()
    }


def _expand(tex: str, name: str, macro: Macro) -> str:
    """Replace a macro everywhere, with its arguments in braces."""
    meaning, count = macro
    pattern = re.compile(rf"\\{re.escape(name)}(?![A-Za-z])" + r"\s*(\{(?:[^{}]|\{[^{}]*\})*\})" * count)

    def put(match: re.Match[str]) -> str:
        text = meaning
        for number, argument in enumerate(match.groups(), start=1):
            text = text.replace(f"#{number}", argument[1:-1])
        return f"{{{text}}}"

    return pattern.sub(put, tex)
