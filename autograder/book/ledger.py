"""Write `book/coverage.md` and `book/errata.md` from data.

`book/_ledger/rows.json` lists every claim of the sources: its words, place and kind, and whether it is wrong.
`book/_ledger/<topic>.json` maps rows to labels of the topic's page, and may say what is wrong (`"wrong"`).
`book/_ledger/pages.json` holds the sentences of the two pages. Tests refer to labels by a marker. The two pages are
generated from these files and the labels of the book.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from autograder.book import myst
from autograder.book.labels import Label, labels
from autograder.course.course import Course
from autograder.errors import CourseError

NOT_TOPICS = ("rows.json", "pages.json")
GENERATED_MARK = "<!-- Generated at every build from book/_ledger: do not edit. -->"
CLAIM = re.compile(r"""mark\.claim\(\s*["']([^"']+)["']""")
Item = TypeVar("Item")


@dataclass(frozen=True)
class LedgerPlace:
    """The label that covers a row, and the tests that claim it."""

    label: str
    where: Label
    tests: tuple[str, ...]
    position: int  # among all labels, in the order of the book
    wrong: str = ""  # what is wrong with what the sources print there, in words


Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Ledger:
    """All rows of the sources, the places that cover them, and texts."""

    rows: Rows
    paths: dict[str, LedgerPlace]  # by the name of the row
    titles: dict[str, str]  # of the pages
    texts: dict[str, Any]

    def by_page(self, rows: Rows) -> Iterator[tuple[str, list[tuple[LedgerPlace, Rows]]]]:
        """Yield each page with its places and the rows that each covers.

        Pages and places are in the order of the book.
        """

        def place_of(row: dict[str, Any]) -> LedgerPlace:
            return self.paths[row["row"]]

        covered = sorted(
            (row for row in rows if row["row"] in self.paths), key=lambda row: place_of(row).position
        )
        entries = [
            (place_of(of_place[0]), of_place)
            for of_place in _grouped(covered, lambda row: place_of(row).label)
        ]
        for of_page in _grouped(entries, lambda entry: entry[0].where.page):
            yield of_page[0][0].where.page, of_page


def _grouped(items: Iterable[Item], key: Callable[[Item], str]) -> list[list[Item]]:
    """Group neighbours that have the same key."""
    return [list(group) for _, group in groupby(items, key)]


def ledger(course: Course) -> Ledger:
    """Read the ledger. Raise CourseError for unknown rows or labels."""
    folder = course.book / "_ledger"
    rows = json.loads((folder / "rows.json").read_text("utf-8"))
    texts = json.loads((folder / "pages.json").read_text("utf-8"))
    known, places_by_label = {row["row"] for row in rows}, labels(course.book)
    positions = {label: position for position, label in enumerate(places_by_label)}
    tests = _tests_by_label(course.root / "tests")
    places: dict[str, LedgerPlace] = {}
    for path in sorted(folder.glob("*.json")):
        for entry in json.loads(path.read_text("utf-8")) if path.name not in NOT_TOPICS else []:
            row, label = entry["row"], entry["label"]
            if row not in known:
                raise CourseError(
                    f"{path.name} covers {row}, which is not a row of rows.json: correct the row"
                )
            if label not in places_by_label:
                raise CourseError(f"{path.name} says that {label} covers {row}, but no page has that label")
            place = LedgerPlace(
                label, places_by_label[label], tests.get(label, ()), positions[label], entry.get("wrong", "")
            )
            places.setdefault(row, place)
    titles = {
        page: _page_title(course.book / f"{page}.md")
        for page in {place.page for place in places_by_label.values()}
    }
    return Ledger(rows, places, titles, texts)


def _page_title(path: Path) -> str:
    headings = (block.text for block in myst.blocks(path.read_text("utf-8")) if block.kind == "heading")
    return next(headings, path.stem)


def _tests_by_label(folder: Path) -> dict[str, tuple[str, ...]]:
    names_by_label: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for label in CLAIM.findall(path.read_text("utf-8")):
            names_by_label.setdefault(label, []).append(path.name)
    return {label: tuple(dict.fromkeys(names)) for label, names in names_by_label.items()}


def _share(part: int, whole: int) -> str:
    return "All" if part == whole else str(part)


def coverage_page(account: Ledger) -> str:
    """Return the text of book/coverage.md."""
    texts = account.texts["coverage"]
    covered = [row for row in account.rows if row["row"] in account.paths]
    counts: dict[str, Any] = {
        "claims": len(account.rows),
        "covered": _share(len(covered), len(account.rows)),
        "tested": sum(bool(place.tests) for place in account.paths.values()),
    }

    def head(place: LedgerPlace) -> str:
        # The full title: without "Common mistake", a misconception would read as a claim of the book.
        return " ·\u00a0".join(
            [f"**{place.where.title}**", *place.tests]
        )  # no line break between dot and test

    def points(rows: Rows) -> list[str]:
        return [_claim(row) for row in rows]

    return "\n".join(
        [*_opening(texts, counts), *_lists(account, account.rows, head, points), *_missing(account, texts)]
    )


def _claim(row: dict[str, Any]) -> str:
    return f"{row['says']} ({row['row']},\u00a0{row['lines'].replace('-', '–')})"


def _missing(account: Ledger, texts: dict[str, Any]) -> Iterator[str]:
    """Yield the section of rows that no page covers."""
    if rows := [row for row in account.rows if row["row"] not in account.paths]:
        yield from (f"## {texts['missing']}", "", *(f"* {_claim(row)}" for row in rows), "")


def errata_page(account: Ledger) -> str:
    """Return the text of book/errata.md."""
    texts = account.texts["errata"]
    slips = [row for row in account.rows if row["slip"]]
    corrected = sum(row["row"] in account.paths for row in slips)
    counts: dict[str, Any] = {"slips": len(slips), "corrected": _share(corrected, len(slips))}

    def head(place: LedgerPlace) -> str:
        # Without the words that all corrections share.
        title = place.where.title
        for prefix in account.texts["prefixes"]:
            title = title.removeprefix(prefix)
        return f"**{title[:1].upper()}{title[1:]}**"

    def points(rows: Rows) -> list[str]:
        kinds = "; ".join(account.texts["slips"][kind] for kind in sorted({row["slip"] for row in rows}))
        sentences = dict.fromkeys(account.paths[row["row"]].wrong for row in rows)
        # A hard line break before the correction, inside a nested list item.
        return [words.replace(" *Right:*", "\\\n    *Right:*") for words in sentences if words] or [kinds]

    return "\n".join([*_opening(texts, counts), *_lists(account, slips, head, points)])


def _opening(texts: dict[str, Any], counts: dict[str, Any]) -> list[str]:
    return [f"# {texts['title']}", "", GENERATED_MARK, "", texts["text"].format(**counts), ""]


def _lists(
    account: Ledger, rows: Rows, head: Callable[[LedgerPlace], str], points: Callable[[Rows], list[str]]
) -> Iterator[str]:
    """Yield a list of covered places for each page, with points."""
    # Lists instead of tables: on a phone a sentence needs the full width.
    for page, entries in account.by_page(rows):
        yield from (f"## {account.titles[page]}", "")
        for place, of_place in entries:
            yield f"* {_link(place.where)} {head(place)}"
            yield from (f"  * {point}" for point in points(of_place))
        yield ""


def _link(where: Label) -> str:
    # An HTML tag, because a Markdown link cannot lead to an equation.
    name = where.number or where.page
    return f'<a href="{where.href}">{name}</a>' if where.is_listed else name


def generated_pages(course: Course) -> Iterator[tuple[Path, str]]:
    """Yield the generated pages of a course that has a ledger and the tests of which it tells.

    A course that is published without its tests keeps the pages as they were made.
    """
    if (course.book / "_ledger" / "rows.json").is_file() and (course.root / "tests").is_dir():
        account = ledger(course)
        yield course.book / "coverage.md", coverage_page(account)
        yield course.book / "errata.md", errata_page(account)


def write_ledger_pages(course: Course) -> None:
    """Write the generated pages that have changed.

    An unchanged file keeps its time stamp, so that its page is not built again.
    """
    for path, text in generated_pages(course):
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
