"""Tables as spreadsheets and learning platforms write them, read so that they can be written back unchanged.

Commas, semicolons or tabs; UTF-8 with or without a mark, or UTF-16; lines that end in one way or the other.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.files import write_bytes
from autograder.errors import CourseError

QUOTED = re.compile(r'"(?:[^"]|"")*"')
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
# What a spreadsheet takes for a formula, at the beginning of a cell or of what another program takes for one: which
# sign stands between cells depends on the language of the machine that opens the file.
_BEGINS = r"(?=[\s\ufeff]*[=+\-@＝＋－＠])"
FORMULA = re.compile(rf"^(?=[\t\r\n])|^{_BEGINS}|(?<![\s\ufeff])(?<!^)([;,|\t\r\n]){_BEGINS}")
MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


@dataclass
class Table:
    """The cells of a file, line by line, with the numbers of the lines, and how the file was written."""

    name: str
    rows: list[list[str]]
    lines: list[int] = field(default_factory=list)
    delimiter: str = ","
    encoding: str = "utf-8"
    newline: str = "\n"
    quote_all: bool = False

    @property
    def header(self) -> list[str]:
        """The cells of the first line, without spaces around them."""
        return [cell.strip() for cell in self.rows[0]] if self.rows else []

    def column(self, name: str) -> int | None:
        """Where a column of this name stands, whatever its capitals."""
        names = [cell.casefold() for cell in self.header]
        return names.index(name.casefold()) if name.casefold() in names else None

    def number(self, value: float) -> str:
        """A number as this table writes them: with a decimal comma where its others have one."""
        text = f"{round(value, 2):g}"
        has_comma = self.delimiter != "," and any(
            DECIMAL_COMMA.fullmatch(cell.strip()) for row in self.rows for cell in row
        )
        return text.replace(".", ",") if has_comma else text

    def write(self, path: Path) -> None:
        """Write the table as it was written before."""
        text = io.StringIO(newline="")
        quoting: Any = csv.QUOTE_ALL if self.quote_all else csv.QUOTE_MINIMAL
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator=self.newline, quoting=quoting)
        writer.writerows(self.rows)
        write_bytes(path, text.getvalue().encode(self.encoding))


def safe_cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote in front; numbers stay numbers."""
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


def csv_text(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table of our own, which a spreadsheet opens without running anything of it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(one) for one in row] for row in rows)
    return text.getvalue()


def read_table(path: Path) -> Table:
    """Read a file; CourseError says in one line why it is no table."""
    data = _bytes(path)
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise CourseError(f"{path.name} is not UTF-8 text: save it as CSV in UTF-8") from None
    if "\0" in text:
        raise CourseError(f"{path.name} is no text: save it as CSV in UTF-8")
    first = text.partition("\n")[0]
    table = Table(path.name, [], delimiter=_delimiter(first), encoding=encoding)
    table.newline = "\r\n" if first.endswith("\r") else "\n"
    table.quote_all = QUOTED.sub("", first).strip("\r\ufeff" + table.delimiter) == ""
    for line, row in _rows(path.name, text, table.delimiter):
        table.rows.append(row)
        table.lines.append(line)
    return table


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None


def _delimiter(first: str) -> str:
    """What stands between the cells of the first line most often: a comma in doubt. A heading may hold any of them."""
    outside = QUOTED.sub("", first)
    return max((",", "\t", ";"), key=outside.count)


def _rows(name: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    # Strict: a quotation mark that is never closed would swallow the lines below it, and the people on them.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        raise CourseError(f"{name}, line {reader.line_num}: not CSV ({error})") from None
