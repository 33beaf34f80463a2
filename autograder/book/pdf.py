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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from pypdf import PdfWriter
from pypdf.generic import NameObject, TextStringObject

from autograder.book.formulas import as_written, typeset_in, with_typeset
from autograder.book.tex import readable

# The first has no windows: a page costs it a second less than the others.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "the PDF is printed by Chromium, which was not found: apt-get install chromium"
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
# What only serves a reader at a screen: programs, folded code, the marks that link to a heading.
ONLY_ON_SCREEN = "script, details.hide, a.headerlink"

_IN_WORDS = re.compile(r"<mjx-assistive-mml\b.*?</mjx-assistive-mml>", re.DOTALL)  # print has no listener


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
    document, headings = joined(pages, title)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="print-") as folder:
        source, printed = Path(folder, "book.html"), Path(folder, "book.pdf")
        up = os.path.relpath(pages[0].parent, folder)
        source.write_text(document.replace('="../', f'="{up}/../'), "utf-8")
        _run_chromium(program, source, printed)
        _retitle(printed, headings, target)
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


def _retitle(printed: Path, titles: Sequence[str], target: Path) -> None:
    """Write the PDF with these titles on its bookmarks, which are in the order of the document.

    Chromium takes the titles from the text it has laid out. It loses formulas and the spaces at line ends, and says a
    heading twice that moved to the next page. If there are not as many bookmarks as titles, they stay as they are.
    """
    writer = PdfWriter(clone_from=printed)
    bookmarks = list(_bookmarks(writer.get_outline_root()))
    if len(bookmarks) == len(titles):
        for bookmark, title in zip(bookmarks, titles, strict=True):
            bookmark[NameObject("/Title")] = TextStringObject(title)
    writer.write(target)


def _bookmarks(above: Any) -> Iterator[Any]:
    """Yield the bookmarks below one, parents before children."""
    below = above.get("/First")
    while below is not None:
        bookmark = below.get_object()
        yield bookmark
        yield from _bookmarks(bookmark)
        below = bookmark.get("/Next")


def joined(pages: Sequence[Path], title: str) -> tuple[str, list[str]]:
    """Return one document with the articles of all pages, a list of contents before them, and its headings in words."""
    texts = {page.name: page.read_text("utf-8") for page in pages}
    typeset = {
        key: _IN_WORDS.sub("", made) for text in texts.values() for key, made in typeset_in(text).items()
    }
    # Typeset formulas are most of a page, and nothing is changed in them: they are put in again at the end.
    documents = {name: BeautifulSoup(as_written(text), "html.parser") for name, text in texts.items()}
    head = "\n".join(_head(next(iter(documents.values()))))
    articles = {name: _article(document, name, set(documents)) for name, document in documents.items()}
    headings = [_words(heading) for article in articles.values() for heading in article.find_all(HEADINGS)]
    contents = "\n".join(
        f'<li><a href="#{_stem(name)}">{article.find(HEADINGS).decode_contents()}</a></li>'
        for name, article in articles.items()
    )
    body = "\n".join(map(str, articles.values()))
    document = (
        f'<!DOCTYPE html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>\n{head}</head>\n"
        f'<body class="printed-book"><main class="bd-content">\n'
        f'<nav class="printed-contents"><p class="printed-title">{html.escape(title)}</p>\n'
        f"<ul>{contents}</ul></nav>\n{body}\n</main></body></html>\n"
    )
    return (with_typeset(document, typeset) if typeset else document), headings


def _head(document: Any) -> Iterator[str]:
    """Yield the style sheets of a page, and its MathJax where it has to typeset formulas itself."""
    for part in document.select('link[rel="stylesheet"], script'):
        text = str(part)
        if part.name == "link" or "window.MathJax = " in text or "mathjax" in str(part.get("src")):
            yield text.replace('"enableMenu": false', '"enableMenu": false, "enableAssistiveMml": false')


def _article(document: Any, name: str, names: set[str]) -> Any:
    """Return the article of a page, its ids and links made to fit a document of many pages."""
    article = document.select_one("article.bd-article")
    if article is None:
        raise PrintError(f"{name} has no article: was it built with another theme?")
    for mark in article.select(ONLY_ON_SCREEN):
        mark.decompose()
    for fold in article.select("details.checked"):  # of a verifying cell the line remains
        line = fold.summary.extract()
        line.name, line["class"] = "p", "checked-line"
        fold.replace_with(line)
    for tag in article.find_all(True):
        tag.attrs = {key: _fitting(key, value, name, names) for key, value in tag.attrs.items()}
    for link in article.select("a[href]"):
        if not re.match(r"#|https?:|mailto:", link["href"]):  # a file of the site, which paper cannot open
            del link["href"]
    article["id"], article["class"] = _stem(name), "bd-article printed-page"
    return article


def _fitting(key: str, value: Any, name: str, names: set[str]) -> Any:
    """Return the value of an attribute of a page, for a document of many pages."""
    if key == "id":
        return f"{_stem(name)}--{value}"
    if key in ("href", "xlink:href"):
        found = re.fullmatch(r"([\w.-]+\.html)?(?:#(.*))?", value)
        page = (found[1] or name) if found else ""
        if found is None or page not in names:
            return value
        return f"#{_stem(page)}{'--' + found[2] if found[2] else ''}"
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{_stem(name)}--\1)", value) if isinstance(value, str) else value


def _words(heading: Any) -> str:
    """Return a heading as plain text, formulas as far as characters go: "why ν=0"."""
    text = re.sub(r"\\\((.*?)\\\)", lambda formula: readable(formula[1]), heading.get_text())
    return " ".join(text.split())


def _stem(name: str) -> str:
    return name.removesuffix(".html")
