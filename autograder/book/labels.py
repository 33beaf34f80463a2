"""Resolve the labels of the book to places, titles and numbers.

The numbers are those that Sphinx assigns, computed from `_toc.yml` and the pages without a build. Chapters are counted
through all numbered parts. Formulas, figures and each kind of statement are counted within a chapter; all pages
without a number count as one chapter. Kinds of statements share a counter if `_config.yml` says so.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from pathlib import Path

from autograder.book import myst
from autograder.course import contents
from autograder.errors import BookError

_CAPTIONED = {"figure": "figure", "table": "table", "list-table": "table", "csv-table": "table"}


@dataclass(frozen=True)
class Label:
    """The place that a label of the book leads to."""

    page: str  # the stem of the page: "areas"
    anchor: str  # the id in its HTML: "equation-eq-areas-square"
    title: str = ""  # in Markdown
    number: str = ""  # as the book shows it: "Theorem 4.5", "Equation (4.12)"; of other places "Section 4.2"
    is_listed: bool = True  # false where the table of contents does not name the page: it is not built

    @property
    def href(self) -> str:
        """The address of the label, seen from the same folder; empty if its page is not built."""
        return f"{self.page}.html#{self.anchor}" if self.is_listed else ""

    @property
    def name(self) -> str:
        """The label's number in the book, or its title."""
        return self.number or self.title

    @property
    def link(self) -> str:
        """A link to the label as HTML, or its name if its page is not built."""
        return f'<a href="{self.href}">{escape(self.name)}</a>' if self.is_listed else escape(self.name)


def labels(book: Path) -> dict[str, Label]:
    """Return the labels of all pages in a folder.

    Equations, statements, targets and figures have labels. Numbers follow the table of contents beside the folder. A
    page that it does not list has none. The result is cached until a file changes.
    """
    files = [*sorted(book.glob("*.md")), book.parent / contents.CONTENTS_FILE, book.parent / "_config.yml"]
    states = [(path.name, path.stat()) for path in files if path.is_file()]
    return dict(_labels(book, tuple((name, state.st_mtime_ns, state.st_size) for name, state in states)))


@lru_cache(maxsize=8)
def _labels(book: Path, files: tuple[tuple[str, int, int], ...]) -> dict[str, Label]:
    """Return the labels for one state of the files."""
    places: dict[str, Label] = {}
    numbering = _Numbering(_shared_counters(book.parent))
    listed = _outline(book)
    others = (contents.Entry(page.stem) for page in sorted(book.glob("*.md")) if page.stem not in listed)
    for entry in (*listed.values(), *others):
        stem = Path(entry.name).name
        page = _Page(stem, numbering, number=numbering.of_page(entry), is_counted=stem in listed)
        page.read(myst.blocks((book / f"{stem}.md").read_text("utf-8")))
        for label, place in page.entries:
            if label in places:
                raise BookError(
                    f"label {label} is defined twice: in {places[label].page}.md and in {stem}.md"
                )
            places[label] = replace(place, is_listed=not listed or stem in listed)
    return places


def _outline(book: Path) -> dict[str, contents.Entry]:
    """Return the folder's pages that the table of contents lists, in order."""
    if not (book.parent / contents.CONTENTS_FILE).is_file():
        return {}
    entries = contents.outline(book.parent)
    return {Path(entry.name).name: entry for entry in entries if (book.parent / f"{entry.name}.md").is_file()}


def _shared_counters(root: Path) -> dict[str, str]:
    """Return which kinds of statements share a counter, from `_config.yml`."""
    return contents.book_settings(root, "sphinx", "config", "prf_realtyp_to_countertyp")


class _Numbering:
    """Counters of chapters, sections, formulas, figures and statements."""

    def __init__(self, shared: dict[str, str]) -> None:
        self.shared = shared
        self.counts: Counter[tuple[str, int]] = Counter()
        self.above: list[int] = []  # the number of the last page, then of its last section

    def of_page(self, entry: contents.Entry) -> tuple[int, ...]:
        """Return the number of the next page, or () without one."""
        if not entry.numbered:
            return ()
        self.above = [*self.above, 0][: entry.depth]
        self.above[-1] += 1
        return tuple(self.above)

    def next(self, kind: str, chapter: tuple[int, ...]) -> str:
        """Increase a counter and return its number: "4.5", or "5" outside chapters."""
        key = (self.shared.get(kind, kind), chapter[0] if chapter else 0)
        self.counts[key] += 1
        return ".".join(map(str, [*chapter[:1], self.counts[key]]))


@dataclass
class _Page:
    """The state of reading one page, with its labels so far."""

    stem: str
    numbering: _Numbering
    number: tuple[int, ...]
    is_counted: bool
    section: str = ""  # its words
    place: tuple[int, ...] = ()  # its number
    waiting: list[str] = field(default_factory=list)  # targets before the block that they name
    entries: list[tuple[str, Label]] = field(default_factory=list)

    def read(self, tree: Iterable[myst.Block], title: str = "") -> None:
        """Read blocks in order; `title` is the enclosing block's title."""
        for block in tree:
            if block.kind == "target":
                self.waiting.append(block.label)
                continue
            if block.kind == "heading" and not title:
                self._enter(block)
            own_title = _title(block) or title or self.section
            number = self._count(block)
            for label in self.waiting:
                self._note(label, _identifier(label), own_title, number)
            if block.label:
                is_equation = block.kind == "math"
                anchor = ("equation-" if is_equation else "") + _identifier(block.label)
                self._note(block.label, anchor, own_title, number)
            self.waiting = []
            self.read(block.inside, own_title)

    def _note(self, label: str, anchor: str, title: str, number: str) -> None:
        self.entries.append((label, Label(self.stem, anchor, title, number if self.is_counted else "")))

    def _enter(self, heading: myst.Block) -> None:
        """Begin a section; a heading of level 1 begins the page itself."""
        self.section = heading.text
        if heading.level == 1:
            self.place = self.number
        elif self.number:
            inner = [*self.place[len(self.number) :], *([0] * heading.level)][: heading.level - 1]
            self.place = (*self.number, *inner[:-1], inner[-1] + 1)
            # A page below this one in the table of contents is counted after the sections of this one.
            self.numbering.above = list(self.place[: len(self.number) + 1])

    def _count(self, block: myst.Block) -> str:
        """Return the number of a block, or that of its section."""
        if block.kind == "math" and (
            block.label or not block.body
        ):  # a directive without label is not counted
            return f"Equation ({self.numbering.next('math', self.number)})"
        if counted := _counted_kind(block):
            return f"{counted.capitalize()} {self.numbering.next(counted, self.number)}"
        level = "Chapter" if len(self.place) == 1 else "Section"
        return f"{level} {'.'.join(map(str, self.place))}" if self.place else ""


def _counted_kind(block: myst.Block) -> str:
    """Return the kind under which Sphinx counts a block, or ""."""
    domain, _, kind = block.kind.rpartition(":")
    if domain == "prf" and kind != "proof" and "nonumber" not in block.options:
        return kind
    if block.kind == "code-cell" and _has_caption(block):
        return "figure"
    has_words = block.label or block.body.strip()
    return _CAPTIONED.get(block.kind, "") if has_words else ""


def _has_caption(cell: myst.Block) -> bool:
    """Return whether the drawing of a cell has a name or a caption."""
    figure = (cell.options.get("mystnb") or {}).get("figure") or {}
    return bool(figure.get("name") or figure.get("caption"))


def _title(block: myst.Block) -> str:
    """Return the title of a statement or box."""
    return block.text if block.kind == "heading" or block.kind.startswith(("admonition", "prf:")) else ""


def _identifier(label: str) -> str:
    """Return the HTML id that docutils derives from a label."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")
