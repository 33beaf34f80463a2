"""Parse the code of a notebook's cells with bounds: students wrote it, and the grader reads it."""

import ast
import re
from collections.abc import Iterable, Iterator

from autograder.judging.python_source import parse_module

MAX_PROGRAM_CHARACTERS = 200_000  # of all cells together; no student writes more
# Lines that only IPython reads: %magic, !command, ?help, help?, x = !command.
IPYTHON_LINE = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+[ \t]*|\w[\w, ]*=[ \t]*[%!].*)$", re.MULTILINE)


def cell_statements(sources: Iterable[str]) -> Iterator[ast.stmt]:
    """Yield the top-level statements of the cells, up to MAX_PROGRAM_CHARACTERS.

    A cell that is no Python, even without IPython's commands, has none.
    """
    left = MAX_PROGRAM_CHARACTERS
    for source in sources:
        left -= len(source)
        if left >= 0:
            yield from _parse(source) or _parse(IPYTHON_LINE.sub(r"\1pass", source))


def _parse(source: str) -> list[ast.stmt]:
    try:
        return parse_module(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
