"""Texts of questions: links to the book, blanks in HTML, and TeX that survives another format."""

import html
import re
from collections.abc import Callable

from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.quiz.macros import expand_macros

_LABEL = re.compile(r"\[\[(?P<label>[a-z]+(?:-[a-z0-9]+)+)\]\]")
_INLINE = re.compile(r"<span class=\"math inline\">\\\((?P<tex>.*?)\\\)</span>", re.DOTALL)
_DISPLAY = re.compile(
    r"<(?P<tag>div) class=\"math (?:block|display|inline)\">\s*\\\[(?P<tex>.*?)\\\]\s*</(?P=tag)>", re.DOTALL
)


def link_labels(course: Course, text: str) -> str:
    """Replace labels of the book by its numbers, with links to the published book."""
    places, base = labels(course.book), str(course.settings["book_url"]).rstrip("/")

    def link(match: re.Match[str]) -> str:
        place = places.get(match["label"])
        if place is None:
            return html.escape(match["label"])
        if not place.is_listed:
            return html.escape(place.name)
        address = html.escape(f"{base}/book/{place.href}", quote=True)
        return f'<a href="{address}">{html.escape(place.name)}</a>'

    return _LABEL.sub(link, text)


def finished_text(course: Course, text: str) -> str:
    """Return a text for a platform that knows neither the book's labels nor its TeX macros."""

    def expand(match: re.Match[str]) -> str:
        tex = html.escape(expand_macros(course, html.unescape(match["tex"])), quote=False)
        start, end = match.start("tex") - match.start(), match.end("tex") - match.start()
        return match[0][:start] + tex + match[0][end:]

    return _INLINE.sub(expand, _DISPLAY.sub(expand, link_labels(course, text)))


def replace_formulas(text: str, put: Callable[[str, bool], str]) -> str:
    """Replace every formula by what `put(tex, is_displayed)` returns."""
    shown = _DISPLAY.sub(lambda match: put(html.unescape(match["tex"]).strip(), True), text)
    return _INLINE.sub(lambda match: put(html.unescape(match["tex"]).strip(), False), shown)


def formulas(text: str) -> list[tuple[str, bool]]:
    """Return the formulas of an HTML text: TeX, and whether each is displayed."""
    listed: list[tuple[str, bool]] = []

    def note(tex: str, is_displayed: bool) -> str:
        listed.append((tex, is_displayed))
        return ""

    replace_formulas(text, note)
    return listed
