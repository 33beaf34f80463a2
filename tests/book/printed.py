"""The words of a PDF, for the tests that look at the printed book."""

import unicodedata
from dataclasses import dataclass
from pathlib import Path

from pypdf import PdfReader
from pypdfium2 import PdfDocument


@dataclass(frozen=True)
class Printed:
    """A PDF: the letters of each page, without spaces, which kerning scatters; and its bookmarks in order."""

    pages: list[str]
    bookmarks: list[str]


def read(path: Path) -> Printed:
    pages = [_without_spaces(page.get_textpage().get_text_range()) for page in PdfDocument(path)]
    return Printed(pages, [item.title for item in _flat(PdfReader(path).outline)])


def _without_spaces(text: str) -> str:
    return unicodedata.normalize("NFKC", "".join(text.split()))  # ﬁ is printed as one letter


def _flat(outline):
    for item in outline:
        if isinstance(item, list):
            yield from _flat(item)
        else:
            yield item
