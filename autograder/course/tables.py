"""Read and write CSV files, keeping their format.

Delimiters are commas, semicolons or tabs. Encodings are UTF-8 with or without a byte order mark, and UTF-16. Both line
endings are supported.
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
# CSV injection: a cell that begins like this is a formula to a spreadsheet. The same after each delimiter inside a
# cell, because the delimiter depends on the language settings of the reader.
_FORMULA_START = r"(?=[\s\ufeff]*[=+\-@＝＋－＠])"
SPREADSHEET_FORMULA = re.compile(
    rf"^(?=[\t\r\n])|^{_FORMULA_START}|(?<![\s\ufeff])(?<!^)([;,|\t\r\n]){_FORMULA_START}"
)
QUOTED_FORMULA = re.compile(rf"(^|[;,|\t\r\n])'{_FORMULA_START}")
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}


@dataclass
class Table:
    """The rows of a CSV file, their line numbers and the file's format."""

    name: str
    rows: list[list[str]]
    lines: list[int] = field(default_factory=list)
    delimiter: str = ","
    encoding: str = "utf-8"
    newline: str = "\n"
    quote_all: bool = False

    @property
    def header(self) -> list[str]:
        """Cells of the first row, stripped."""
        return [cell.strip() for cell in self.rows[0]] if self.rows else []

    def column(self, name: str) -> int | None:
        """Return the index of a column (case-insensitive), or None."""
        names = [cell.casefold() for cell in self.header]
        return names.index(name.casefold()) if name.casefold() in names else None

    def number(self, value: float) -> str:
        """Format a number, with a decimal comma if the table uses one."""
        text = f"{round(value, 2):g}"
        has_comma = self.delimiter != "," and any(
            DECIMAL_COMMA.fullmatch(cell.strip()) for row in self.rows for cell in row
        )
        return text.replace(".", ",") if has_comma else text

    def write(self, path: Path) -> None:
        """Write the table in the format it was read in."""
        text = io.StringIO(newline="")
        quoting: Any = csv.QUOTE_ALL if self.quote_all else csv.QUOTE_MINIMAL
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator=self.newline, quoting=quoting)
        writer.writerows(self.rows)
        write_bytes(path, text.getvalue().encode(self.encoding))


def safe_cell(value: object) -> object:
    """Put a quote before text that a spreadsheet would read as a formula."""
    return SPREADSHEET_FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


def without_quotes(cell: str) -> str:
    """Remove the quotes that `safe_cell` has put into a cell: an answer may be -3, an id @ada."""
    return QUOTED_FORMULA.sub(r"\1", cell)


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return CSV text in which no cell is a formula to a spreadsheet."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def read_table(path: Path) -> Table:
    """Read a CSV file; raise CourseError if it is invalid."""
    data = _read_bytes(path)
    encoding = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise CourseError(f"{path.name} is not UTF-8 text: save it as CSV in UTF-8") from None
    if "\0" in text:
        raise CourseError(f"{path.name} is no text: save it as CSV in UTF-8")
    first = text.partition("\n")[0]
    table = Table(path.name, [], delimiter=_find_delimiter(first), encoding=encoding)
    table.newline = "\r\n" if first.endswith("\r") else "\n"
    table.quote_all = QUOTED.sub("", first).strip("\r\ufeff" + table.delimiter) == ""
    for line, row in _parse_rows(path.name, text, table.delimiter):
        table.rows.append(row)
        table.lines.append(line)
    return table


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None


def _find_delimiter(first: str) -> str:
    """Return the most frequent delimiter outside quotes in the first line.

    A comma is preferred in a tie.
    """
    outside = QUOTED.sub("", first)
    return max((",", "\t", ";"), key=outside.count)


def _parse_rows(name: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    # Strict: otherwise an unclosed quotation mark would swallow the rows below it.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        raise CourseError(f"{name}, line {reader.line_num}: not CSV ({error})") from None
