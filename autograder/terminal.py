"""What reaches a terminal: text, and nothing that a terminal would obey.

Names of students and files are written by others; a name can hold the codes that move the cursor, set the title or
type into the shell. Every line of the command line goes through `print` of this module.
"""

import builtins
import sys
import unicodedata
from typing import TextIO

# control characters, invisible marks that turn the reading direction, halves of characters, unassigned ones
NOT_SHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def printable(text: str) -> str:
    """The text with every character that a terminal might obey written as its escape; line breaks stay."""
    return "".join(one if one == "\n" or one.isprintable() else _escape(one) for one in text)


def name_in_line(text: str) -> str:
    """The same for a name within a line, which may not end the line either."""
    return printable(text).replace("\n", "\\n")


def _escape(character: str) -> str:
    kept = unicodedata.category(character) not in NOT_SHOWN
    return character if kept else character.encode("unicode_escape", "backslashreplace").decode("ascii")


def print(*values: object, file: TextIO | None = None) -> None:
    """Print a line in which nothing is obeyed, and nothing is missing in the terminal's alphabet."""
    stream = file or sys.stdout
    line = printable(" ".join(map(str, values)))
    known = getattr(stream, "encoding", None) or "utf-8"
    builtins.print(line.encode(known, "backslashreplace").decode(known), file=stream, flush=True)
