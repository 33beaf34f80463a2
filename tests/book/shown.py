"""The numbers that built pages show, read from their HTML."""

import re
from pathlib import Path

from bs4 import BeautifulSoup

from autograder.book.formulas import as_written


def parsed(html: Path) -> BeautifulSoup:
    """A built page, its formulas in TeX: typeset ones are most of it."""
    return BeautifulSoup(as_written(html.read_text("utf-8")), "html.parser")


def shown_numbers(html: Path, anchors: list[str]) -> list[str]:
    """What stands on a built page beside each place: "Theorem 4.5", "Equation (4.12)", "Section 4.2"."""
    document = parsed(html)
    for mark in document.select("a.headerlink"):
        mark.decompose()
    return [_shown(document.find(id=anchor)) for anchor in anchors]


def _shown(element):
    if number := element.select_one("span.eqno") if "math" in element.get("class", []) else None:
        return f"Equation {number.get_text()}"
    words = element.select_one("span.caption-number") if element.name != "section" else None
    if words and re.search(r"\d", words.get_text()):
        return words.get_text().strip()
    inside = element if element.name == "section" else element.find_parent(_is_section)
    # A target before a heading is an empty mark beside the section, or inside it.
    if element.name == "span" and (after := element.find_next_sibling()) and after.name == "section":
        inside = after
    number = inside.find(["h1", "h2", "h3", "h4", "h5"]).select_one("span.section-number")
    words = number.get_text().strip().removesuffix(".") if number else ""
    return words and f"{'Section' if '.' in words else 'Chapter'} {words}"


def _is_section(element):
    """Sphinx writes the inside of a statement as a section, too, but without a heading."""
    return element.name == "section" and element.find(["h1", "h2", "h3", "h4", "h5"], recursive=False)
