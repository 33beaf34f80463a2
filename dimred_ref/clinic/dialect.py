"""Text becomes rows of fields: separator, quotes, comments, lines of unequal length."""

import csv
import io
from collections import Counter
from dataclasses import dataclass

from dimred_ref.clinic.text import UnreadableTableError

SEPARATORS = {
    "\t": "tab",
    ";": "semicolon",
    "|": "vertical bar",
    ",": "comma",
}  # the first that fits is taken
N_SAMPLE_LINES = 200  # that decide which separator fits
MIN_REGULAR_SHARE = 0.9  # of these lines must have the usual number of fields


@dataclass(frozen=True)
class Row:
    """A line of the file, split."""

    line: int  # counted from 1
    fields: tuple[str, ...]


def split_rows(text: str) -> tuple[list[Row], str, list[str]]:
    """Return the rows of a text, its separator (a space for white space) and notes; blank lines are left out."""
    lines = text.split("\n")
    start, separator = _read_preamble(lines)
    body = lines[start:]
    separator = separator or _find_separator([line for line in body if line.strip()][:N_SAMPLE_LINES])
    rows = _split(body, separator, start)
    if not rows:
        raise UnreadableTableError("the file is empty")
    notes = [f"separated by {SEPARATORS.get(separator, 'white space')}"]
    if start:
        notes.append(f"{start} {'line' if start == 1 else 'lines'} before the table left out")
    return rows, separator, notes


def _read_preamble(lines: list[str]) -> tuple[int, str]:
    """Return the number of lines before the table, and the separator that Excel's `sep=;` names."""
    start = 0
    while start < len(lines) and (not lines[start].strip() or lines[start].lstrip().startswith("#")):
        start += 1
    if (
        start < len(lines)
        and lines[start].strip().lower().startswith("sep=")
        and len(lines[start].strip()) == 5
    ):
        return start + 1, lines[start].strip()[-1]
    return start, ""


def _find_separator(lines: list[str]) -> str:
    for separator in SEPARATORS:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
        except csv.Error:
            continue
        if _is_regular(widths):
            return separator
    if _is_regular([len(line.split()) for line in lines]) and _has_numbers(lines):
        return " "
    # no separator is regular: the one that occurs most, so that the message names a line
    return max(SEPARATORS, key=lambda separator: sum(line.count(separator) for line in lines))


def _is_regular(widths: list[int]) -> bool:
    """Return whether most rows have the same number of fields, and more than one."""
    width, count = Counter(widths).most_common(1)[0]
    return width > 1 and count >= MIN_REGULAR_SHARE * len(widths)


def _has_numbers(lines: list[str]) -> bool:
    """Return whether the last line is more than words: a column of names has white space, too."""
    return any(character.isdigit() for character in lines[-1])


def _split(lines: list[str], separator: str, start: int) -> list[Row]:
    if separator == " ":
        split = [Row(start + i + 1, tuple(line.split())) for i, line in enumerate(lines)]
        return [row for row in split if row.fields]
    reader = csv.reader(
        io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True, strict=False
    )
    rows = []
    try:
        for fields in reader:
            trimmed = tuple(field.strip() for field in fields)
            if any(trimmed):
                rows.append(Row(start + reader.line_num, trimmed))
    except csv.Error as error:
        raise UnreadableTableError(
            f"line {start + reader.line_num} cannot be read ({error}): is a quotation mark left open?"
        ) from error
    return rows


def require_rectangle(rows: list[Row]) -> tuple[list[Row], bool]:
    """Return rows of equal length, and whether the header lacks the name of a first column of row names (R)."""
    widths = Counter(len(row.fields) for row in rows[1:] or rows)
    width = widths.most_common(1)[0][0]
    is_shifted = len(rows[0].fields) == width - 1 and len(rows) > 1
    if is_shifted:
        rows = [Row(rows[0].line, ("", *rows[0].fields)), *rows[1:]]
    # a separator at the end of every line gives empty fields
    trimmed = [Row(row.line, _without_empty_tail(row.fields, width)) for row in rows]
    for row in trimmed:
        if len(row.fields) != width:
            raise UnreadableTableError(
                f"line {row.line} has {_count(len(row.fields), 'field')} and most lines have {width}: mend that line"
            )
    return trimmed, is_shifted


def _without_empty_tail(fields: tuple[str, ...], width: int) -> tuple[str, ...]:
    while len(fields) > width and not fields[-1]:
        fields = fields[:-1]
    return fields


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
