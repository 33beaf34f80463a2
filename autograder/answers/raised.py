"""Exceptions as plain data: type, message, and line in the student's code."""

import linecache
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_TYPE_CHARACTERS = 60
MAX_MESSAGE_CHARACTERS = 300
MAX_SOURCE_CHARACTERS = 160
MAX_LINE_NUMBER = 1_000_000
ENGINE_PATH = str(Path(__file__).parents[1])
LIBRARY_PATHS = tuple(
    {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


@dataclass(frozen=True)
class RaisedError:
    """An exception: type, message and source line; `line` is 0 if unknown."""

    type: str
    message: str = ""
    line: int = 0
    source: str = ""

    @property
    def name(self) -> str:
        """Type and message as Python prints them."""
        return f"{self.type}: {self.message}" if self.message else self.type

    @property
    def place(self) -> str:
        """The line as text, such as "line 3: `return y / n`"; empty if unknown."""
        if not self.line:
            return ""
        return f"line {self.line}: `{self.source}`" if self.source else f"line {self.line}"


def raised_error(error: BaseException) -> RaisedError:
    """Describe an exception, even if its `str` raises."""
    line, source = _read_syntax_error(error) if isinstance(error, SyntaxError) else _find_student_line(error)
    return _bounded_error(type(error).__name__, _read_message(error), line, source)


def read_error(tree: object) -> RaisedError | None:
    """Parse an exception from untrusted data; return None if it is not a dict."""
    if not isinstance(tree, dict):
        return None
    values = [tree.get(name) for name in ("type", "message", "line", "source")]
    name, message, line, source = values
    texts = [text if type(text) is str else "" for text in (name, message, source)]
    return _bounded_error(texts[0], texts[1], line if type(line) is int else 0, texts[2])


def _bounded_error(name: str, message: str, line: int, source: str) -> RaisedError:
    is_name = name.isidentifier() and name.isascii() and len(name) <= MAX_TYPE_CHARACTERS
    return RaisedError(
        name if is_name else "Exception",
        plain_line(message, MAX_MESSAGE_CHARACTERS),
        line if 0 < line <= MAX_LINE_NUMBER else 0,
        plain_line(source, MAX_SOURCE_CHARACTERS).replace("`", "'"),
    )


def plain_line(text: str, max_characters: int) -> str:
    """Return the text on one line of bounded length, with only printable characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * max_characters])
    joined = " ".join(printable.split())
    return joined if len(joined) <= max_characters else joined[: max_characters - 1] + "…"


def _read_message(error: BaseException) -> str:
    try:
        if isinstance(error, SyntaxError):
            return str(error.msg)
        return str(error)
    except Exception:  # a student's exception class whose `str` raises
        return ""


def _read_syntax_error(error: SyntaxError) -> tuple[int, str]:
    line, text = error.lineno, error.text
    return (line if type(line) is int else 0), (text if isinstance(text, str) else "")


def _find_student_line(error: BaseException) -> tuple[int, str]:
    """Return the innermost line of the traceback that is the student's code."""
    location = (0, "")
    for path, line in _iterate_frames(error):
        if not _is_library_file(path):
            location = (line, linecache.getline(path, line))
    return location


def _iterate_frames(error: BaseException) -> Iterator[tuple[str, int]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line


def _is_library_file(path: str) -> bool:
    """Return whether a file belongs to Python, a package or this engine."""
    return path.startswith((ENGINE_PATH, *LIBRARY_PATHS, "<frozen", "<check>", "<__array_function")) or (
        "site-packages" in path
    )
