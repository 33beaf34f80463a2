"""Print text to a terminal without control sequences (escape injection).

Names of students and files are untrusted: they can contain codes that move the cursor, set the title or type into the
shell. The command line prints every line with `print` of this module.
"""

import builtins
import sys
import unicodedata
from typing import TextIO

# control, format (reading direction), surrogate, private and unassigned characters, line separators
UNPRINTABLE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def printable(text: str) -> str:
    """Escape control characters in a text, except line breaks."""
    return "".join(
        character if character == "\n" or character.isprintable() else _escape(character)
        for character in text
    )


def name_in_line(text: str) -> str:
    """Escape control characters in a name, line breaks included."""
    return printable(text).replace("\n", "\\n")


def _escape(character: str) -> str:
    is_kept = unicodedata.category(character) not in UNPRINTABLE_CATEGORIES
    return character if is_kept else character.encode("unicode_escape", "backslashreplace").decode("ascii")


def print(*values: object, file: TextIO | None = None) -> None:
    """Print a line; escape control characters and those that the encoding lacks."""
    stream = file or sys.stdout
    line = printable(" ".join(map(str, values)))
    encoding = getattr(stream, "encoding", None) or "utf-8"
    builtins.print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
