"""The whole book as one PDF: the built pages joined into one document, which Chromium prints.

Chapters keep the numbers they have on the web. An id that two pages share (every chapter has an
"in-short") is made unique by the name of its page, and links between pages become links inside
the document. How the print looks is the business of the style sheet of the book.
"""

import html
import os
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.book import outline as book_outline

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "the PDF is printed by Chromium, which was not found: apt-get install chromium"
_ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', re.DOTALL)
_HEAD = re.compile(
    r'<link\b[^>]*rel="stylesheet"[^>]*>|<script\b[^>]*>window\.MathJax = .*?</script>', re.DOTALL
)
_MATHJAX = re.compile(r'<script\b[^>]*\bsrc="[^"]*mathjax[^"]*"[^>]*></script>')
# What only serves a reader at a screen: programs, folded code, the marks that link to a heading.
_ONLY_ON_SCREEN = re.compile(
    r'<script\b.*?</script>|<details class="hide.*?</details>|<a class="headerlink".*?</a>', re.DOTALL
)
_HEADING = re.compile(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]>", re.DOTALL)


class PrintError(Exception):
    """The PDF could not be made; the message is one line that says why."""


def chromium() -> str | None:
    """Return the program that prints, if it is installed."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def print_pages(pages: Sequence[Path], title: str, target: Path) -> Path:
    """Print built pages, which lie in one folder, as one PDF."""
    program = chromium()
    if program is None:
        raise PrintError(NO_CHROMIUM)
    document = joined(pages, title)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="print-") as folder:
        source, printed = Path(folder, "book.html"), Path(folder, "book.pdf")
        up = os.path.relpath(pages[0].parent, folder)
        source.write_text(document.replace('="../', f'="{up}/../'), "utf-8")
        _run_chromium(program, source, printed)
        target.write_bytes(book_outline.retitled(printed.read_bytes(), _headings(document)))
    return target


def _run_chromium(program: str, source: Path, target: Path) -> None:
    flags = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
        "--generate-pdf-document-outline",
        "--virtual-time-budget=60000",  # time enough for the formulas: it is not spent when they are done earlier
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]
    command = [program, *flags, f"--print-to-pdf={target}", source.as_uri()]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if result.returncode != 0 or not target.is_file():
        last_words = " ".join(result.stderr.split())[-200:]
        raise PrintError(f"Chromium could not print the book (exit {result.returncode}): {last_words}")


def joined(pages: Sequence[Path], title: str) -> str:
    """Return one document with the articles of all pages, and a list of contents before them."""
    texts = {page.name: page.read_text("utf-8") for page in pages}
    articles = {name: _article(text, name, texts) for name, text in texts.items()}
    head = "\n".join(_head(next(iter(texts.values()))))
    contents = "\n".join(
        f'<li><a href="#{_stem(name)}">{_HEADING.search(article)[1]}</a></li>'  # type: ignore[index]
        for name, article in articles.items()
    )
    body = "\n".join(
        f'<article class="bd-article printed-page" id="{_stem(name)}">{article}</article>'
        for name, article in articles.items()
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>\n{head}</head>\n"
        f'<body class="printed-book"><main class="bd-content">\n'
        f'<nav class="printed-contents"><p class="printed-title">{html.escape(title)}</p>\n'
        f"<ul>{contents}</ul></nav>\n{body}\n</main></body></html>\n"
    )


def _head(text: str) -> Iterator[str]:
    """Yield the style sheets of a page and its MathJax, without the formulas in words: print has no listener."""
    for part in _HEAD.findall(text):
        yield part.replace('"enableMenu": false', '"enableMenu": false, "enableAssistiveMml": false')
    yield from _MATHJAX.findall(text)


def _article(text: str, name: str, names: dict[str, str]) -> str:
    """Return the article of a page, its ids and links made to fit a document of many pages."""
    found = _ARTICLE.search(text)
    if found is None:
        raise PrintError(f"{name} has no article: was it built with another theme?")

    def link(match: re.Match[str]) -> str:
        page, anchor = match[1] or name, match[2]
        if page not in names:
            return match[0]
        return f'href="#{_stem(page)}{"--" + anchor if anchor else ""}"'

    article = _ONLY_ON_SCREEN.sub("", found[1])
    article = re.sub(r'\bid="([^"]+)"', rf'id="{_stem(name)}--\1"', article)
    article = re.sub(r"url\(#([^)]+)\)", rf"url(#{_stem(name)}--\1)", article)
    return re.sub(r'\bhref="([\w.-]+\.html)?(?:#([^"]*))?"', link, article)


def _headings(document: str) -> list[str]:
    """Return the headings of a document as plain text, formulas as far as letters go: "why ν=0"."""
    return [_plain(heading) for heading in _HEADING.findall(document)]


def _plain(text: str) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", "", text))
    text = re.sub(r"\\([A-Za-z]+)\s*", _letter, re.sub(r"\\[()]", "", text))
    return " ".join(text.split())


def _letter(command: re.Match[str]) -> str:
    """Return the Greek letter that a command of TeX names, or its name."""
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {command[1].upper()}")
    except KeyError:
        return f"{command[1]} "


def _stem(name: str) -> str:
    return name.removesuffix(".html")
