"""The words of a PDF that Chromium printed: enough of the format (ISO 32000-1) to read them, and no more."""

import re
import unicodedata
import zlib
from dataclasses import dataclass

_OBJECT = re.compile(rb"^(\d+) 0 obj\n(.*?)\nendobj", re.MULTILINE | re.DOTALL)
_STREAM = re.compile(rb"stream\n(.*)\nendstream", re.DOTALL)
_SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]*)>")


@dataclass(frozen=True)
class Printed:
    """A PDF: the letters of each page, without spaces, which kerning scatters; and its bookmarks in order."""

    pages: list[str]
    bookmarks: list[str]


def read(pdf: bytes) -> Printed:
    objects = {
        int(number): body for number, body in _OBJECT.findall(pdf)
    }  # a later version replaces an earlier one
    pages = [body for body in objects.values() if re.search(rb"/Type /Page\b(?!s)", body)]
    titles = {
        n: t[1] for n, body in objects.items() if (t := re.match(rb"<</Title <FEFF([0-9A-F]*)>\n/Dest", body))
    }
    bookmarks = [bytes.fromhex(titles[number].decode()).decode("utf-16-be") for number in sorted(titles)]
    return Printed([_text_of(page, objects) for page in pages], bookmarks)


def _text_of(page: bytes, objects: dict[int, bytes]) -> str:
    fonts = re.findall(rb"/(F\d+) (\d+) 0 R", page)
    letters = {name: _letters(objects[int(number)], objects) for name, number in fonts}
    content = _stream(objects[int(re.search(rb"/Contents (\d+) 0 R", page)[1])])
    font, words = {}, []
    for name, shown in _SHOWN.findall(content):
        if name:
            font = letters[name]
        words += [font.get(shown[i : i + 4].upper(), "") for i in range(0, len(shown), 4)]
    return unicodedata.normalize("NFKC", "".join("".join(words).split()))  # ﬁ is printed as one letter


def _letters(font: bytes, objects: dict[int, bytes]) -> dict[bytes, str]:
    """What each glyph of a font means, from its table for copying text."""
    reference = re.search(rb"/ToUnicode (\d+) 0 R", font)
    table = _stream(objects[int(reference[1])]) if reference else b""
    letters = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for glyph, meaning in re.findall(rb"<(\w+)> <(\w+)>", block):
            letters[glyph.upper()] = bytes.fromhex(meaning.decode()).decode("utf-16-be", "replace")
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, meaning in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                letters[b"%04X" % (int(first, 16) + step)] = chr(int(meaning, 16) + step)
    return letters


def _stream(body: bytes) -> bytes:
    found = _STREAM.search(body)
    return b"" if found is None else zlib.decompress(found[1]) if b"/FlateDecode" in body else found[1]
