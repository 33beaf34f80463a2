"""Exceptions as plain data: type, message, and the line of the student's code that raised it."""

import linecache
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_TYPE_CHARACTERS = 60
MAX_MESSAGE_CHARACTERS = 300
MAX_SOURCE_CHARACTERS = 160
MAX_LINE = 1_000_000
ENGINE = str(Path(__file__).parents[1])
LIBRARIES = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})


@dataclass(frozen=True)
class RaisedError:
    """An exception: its type and message, and where it came from; `line` is 0 where that is unknown."""

    type: str
    message: str = ""
    line: int = 0
    source: str = ""

    @property
    def name(self) -> str:
        """Return type and message as Python prints them."""
        return f"{self.type}: {self.message}" if self.message else self.type

    @property
    def place(self) -> str:
        """Return the line as text, such as "line 3: `return y / n`"; empty where it is unknown."""
        if not self.line:
            return ""
        return f"line {self.line}: `{self.source}`" if self.source else f"line {self.line}"


def raised_error(error: BaseException) -> RaisedError:
    """Describe an exception; one that raises when it is looked at still has a type."""
    line, source = _syntax_place(error) if isinstance(error, SyntaxError) else _place(error)
    return _bounded(type(error).__name__, _message(error), line, source)


def read_error(tree: Any) -> RaisedError | None:
    """Read an exception from untrusted data; None if it is none."""
    if not isinstance(tree, dict):
        return None
    values = [tree.get(name) for name in ("type", "message", "line", "source")]
    name, message, line, source = values
    texts = [text if type(text) is str else "" for text in (name, message, source)]
    return _bounded(texts[0], texts[1], line if type(line) is int else 0, texts[2])


def _bounded(name: str, message: str, line: int, source: str) -> RaisedError:
    is_name = name.isidentifier() and name.isascii() and len(name) <= MAX_TYPE_CHARACTERS
    return RaisedError(
        name if is_name else "Exception",
        plain_line(message, MAX_MESSAGE_CHARACTERS),
        line if 0 < line <= MAX_LINE else 0,
        plain_line(source, MAX_SOURCE_CHARACTERS).replace("`", "'"),
    )


def plain_line(text: str, most: int) -> str:
    """Return the text on one line, of bounded length, without control, direction or half characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * most])
    joined = " ".join(printable.split())
    return joined if len(joined) <= most else joined[: most - 1] + "…"


def _message(error: BaseException) -> str:
    try:
        if isinstance(error, SyntaxError):
            return str(error.msg)
        return str(error)
    except Exception:  # a student's own exception, whose text raises in turn
        return ""


def _syntax_place(error: SyntaxError) -> tuple[int, str]:
    line, text = error.lineno, error.text
    return (line if type(line) is int else 0), (text if isinstance(text, str) else "")


def _place(error: BaseException) -> tuple[int, str]:
    """Return the last line of the student's own code that was running."""
    place = (0, "")
    for path, line in _frames(error):
        if not _is_of_a_library(path):
            place = (line, linecache.getline(path, line))
    return place


def _frames(error: BaseException) -> Iterator[tuple[str, int]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line


def _is_of_a_library(path: str) -> bool:
    """Does a file belong to Python, to an installed package or to this engine?"""
    return path.startswith((ENGINE, *LIBRARIES, "<frozen", "<check>", "<__array_function")) or (
        "site-packages" in path
    )
