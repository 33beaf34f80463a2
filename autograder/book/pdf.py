"""Print the whole book as one PDF: joined pages, printed by Chromium.

Chapters keep their numbers. Ids that pages share (every chapter has an "in-short") get the name of the page as prefix,
and links between pages become links inside the document. The book's style sheet decides the look.
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
NO_CHROMIUM = "Chromium is missing, which prints the PDF: apt-get install chromium"
PDF_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
# Scripts, folded code and links to headings have no use on paper.
ONLY_ON_SCREEN = "script, details.hide, a.headerlink"
UNDER_A_SUMMARY = ".practice-fold h3, .quick-fold h3"  # the title of a folded problem stands in its summary

_ASSISTIVE_MATHML = re.compile(
    r"<mjx-assistive-mml\b.*?</mjx-assistive-mml>", re.DOTALL
)  # for screen readers, not for print


class PrintError(Exception):
    """The PDF could not be made; the message is one line."""


def chromium() -> str | None:
    """Return the path of Chromium, or None."""
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
        run_chromium(program, source, printed)
        _retitle(printed, headings, target)
    return target


def run_chromium(program: str, source: Path, target: Path) -> None:
    """Print an HTML file as a PDF; raise PrintError if Chromium fails."""
    flags = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
        "--generate-pdf-document-outline",
        "--virtual-time-budget=60000",  # an upper limit for typesetting formulas; printing starts when they are done
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]
    command = [program, *flags, f"--print-to-pdf={target}", source.as_uri()]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if result.returncode != 0 or not target.is_file():
        last_words = " ".join(result.stderr.split())[-200:]
        raise PrintError(f"Chromium could not print the book (exit {result.returncode}): {last_words}")


def _retitle(printed: Path, titles: Sequence[str], target: Path) -> None:
    """Write the PDF with these titles on its bookmarks, in document order.

    Chromium takes titles from the text it has laid out. It loses formulas and the spaces at line ends, and repeats a
    heading that moved to the next page. If the numbers of bookmarks and titles differ, the titles stay.
    """
    writer = PdfWriter(clone_from=printed)
    bookmarks = list(_bookmarks(writer.get_outline_root()))
    if len(bookmarks) == len(titles):
        for bookmark, title in zip(bookmarks, titles, strict=True):
            bookmark[NameObject("/Title")] = TextStringObject(title)
    writer.write(target)


def _bookmarks(above: Any) -> Iterator[Any]:
    """Yield the bookmarks below a bookmark, parents before children."""
    below = above.get("/First")
    while below is not None:
        bookmark = below.get_object()
        yield bookmark
        yield from _bookmarks(bookmark)
        below = bookmark.get("/Next")


def joined(pages: Sequence[Path], title: str) -> tuple[str, list[str]]:
    """Join the articles of all pages; return the document and its headings.

    A table of contents comes first. The headings are plain text.
    """
    texts = {page.name: page.read_text("utf-8") for page in pages}
    typeset = {
        key: _ASSISTIVE_MATHML.sub("", markup)
        for text in texts.values()
        for key, markup in typeset_in(text).items()
    }
    # Typeset formulas are most of a page and do not change, so parsing skips them; they are inserted at the end.
    documents = {name: BeautifulSoup(as_written(text), "html.parser") for name, text in texts.items()}
    head = "\n".join(_head(next(iter(documents.values()))))
    articles = {name: _article(document, name, set(documents)) for name, document in documents.items()}
    headings = [
        _words(heading) for article in articles.values() for heading in article.find_all(PDF_HEADINGS)
    ]
    contents = "\n".join(
        f'<li><a href="#{_stem(name)}">{article.find(PDF_HEADINGS).decode_contents()}</a></li>'
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
    """Yield a page's style sheets, and MathJax if formulas need it."""
    for part in document.select('link[rel="stylesheet"], script'):
        text = str(part)
        if part.name == "link" or "window.MathJax = " in text or "mathjax" in str(part.get("src")):
            yield text.replace('"enableMenu": false', '"enableMenu": false, "enableAssistiveMml": false')


def _article(document: Any, name: str, names: set[str]) -> Any:
    """Return a page's article with ids and links for the joined document."""
    article = document.select_one("article.bd-article")
    if article is None:
        raise PrintError(f"{name} has no article: was it built with another theme?")
    for mark in article.select(f"{ONLY_ON_SCREEN}, {UNDER_A_SUMMARY}"):
        mark.decompose()
    for fold in article.select("details.checked"):  # keep the line above a verifying cell
        line = fold.summary.extract()
        line.name, line["class"] = "p", "checked-line"
        fold.replace_with(line)
    for tag in article.find_all(True):
        opened = {"open": ""} if tag.name == "details" else {}  # paper cannot open a fold
        tag.attrs = opened | {
            key: _fitted_attribute(key, value, name, names) for key, value in tag.attrs.items()
        }
    for link in article.select("a[href]"):
        if not re.match(r"#|https?:|mailto:", link["href"]):  # a file of the site, which is not in the PDF
            del link["href"]
    article["id"], article["class"] = _stem(name), "bd-article printed-page"
    return article


def _fitted_attribute(key: str, value: Any, name: str, names: set[str]) -> object:
    """Return an attribute's value for the joined document."""
    if key == "id":
        return f"{_stem(name)}--{value}"
    if key in ("href", "xlink:href"):
        link = re.fullmatch(r"([\w.-]+\.html)?(?:#(.*))?", value)
        page = (link[1] or name) if link else ""
        if link is None or page not in names:
            return value
        return f"#{_stem(page)}{'--' + link[2] if link[2] else ''}"
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{_stem(name)}--\1)", value) if isinstance(value, str) else value


def _words(heading: Any) -> str:
    """Return a heading as plain text with readable formulas: "why ν=0"."""
    text = re.sub(r"\\\((.*?)\\\)", lambda formula: readable(formula[1]), heading.get_text())
    return " ".join(text.split())


def _stem(name: str) -> str:
    return name.removesuffix(".html")
