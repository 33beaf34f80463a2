"""Docstrings of the library as entries of a page, by Sphinx's autodoc; other libraries are linked by intersphinx.

Formulas of docstrings are plain characters, so they are shown as they stand, and the labels beside them become links.
The inventories of other libraries are written here, of the few names that docstrings mention: a build asks no host.
"""

import re
import zlib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from autograder.book.api_page import (
    API_LABEL_PATTERN,
    chapter_of,
    import_library,
    paragraphs,
    sections_of,
    write_api_page,
)
from autograder.book.author_page import write_author_page
from autograder.book.labels import Label, labels
from autograder.course.course import Course
from autograder.errors import BookError, CourseError

# name: the address of its documentation, and where in it a page describes an object
API_LIBRARIES = {
    "sklearn": ("https://scikit-learn.org/stable/", "modules/generated/"),
    "scipy": ("https://docs.scipy.org/doc/scipy/", "reference/generated/"),
}
OTHER = re.compile(r"\b(?:sklearn|scipy)(?:\.\w+)+")
WITH_LABEL = re.compile(r"\(((?:eq|thm|def|lem|cor|prp)-[a-z0-9-]+)\)")


def prepare(app: Sphinx, config: Config) -> None:
    """Write the page, and the inventories of the libraries that its docstrings name."""
    course = Course(Path(app.srcdir))
    try:
        write_api_page(course)
        write_author_page(course)
    except (BookError, CourseError) as error:
        raise ExtensionError(str(error)) from error
    mapping: dict[str, tuple[str, str]] = {}
    config.intersphinx_mapping = mapping
    library = str(course.settings["library"])
    if library:
        package = import_library(course.root, library)
        named = {
            name
            for public in package.__all__
            for name in OTHER.findall(getattr(package, public).__doc__ or "")
        }
        folder = Path(app.outdir).parent / "inventories"
        folder.mkdir(parents=True, exist_ok=True)
        for name, (address, place) in API_LIBRARIES.items():
            path = folder / f"{name}.inv"
            path.write_bytes(
                inventory(name, place, {label for label in named if label.startswith(f"{name}.")})
            )
            mapping[name] = (address, str(path))


def inventory(project: str, place: str, names: set[str]) -> bytes:
    """Return an inventory, in Sphinx's second format, of these objects of a library."""
    rows = "".join(f"{name} {_kind(name)} 1 {place}{name}.html#$ -\n" for name in sorted(names))
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
    return (head + "# The remainder of this file is compressed using zlib.\n").encode() + zlib.compress(
        rows.encode()
    )


def _kind(name: str) -> str:
    return "py:class" if name.rpartition(".")[2][0].isupper() else "py:function"


def add_description(app: Sphinx, what: str, name: str, subject: Any, *rest: Any) -> None:
    """Turn a docstring into reStructuredText: called by autodoc, which takes the lines as they are left."""
    lines: list[str] = rest[1]  # after the options of the directive
    course = Course(Path(app.srcdir))
    places, sections = labels(course.book), sections_of(lines)
    chapter = chapter_of("\n".join(lines), getattr(subject, "__module__", ""), places)
    made: list[str] = []
    for paragraph in paragraphs(sections.pop("")):
        made += [*_paragraph(paragraph, places), ""]
    made += [*_fields(sections.get("Parameters", [])), *_returned(sections.get("Returns", [])), ""]
    if (course.book / f"{chapter}.md").is_file():
        made += [f"**Chapter:** :doc:`/{course.book.name}/{chapter}`", ""]
    for title in ("Cost", "Counterpart"):
        if text := " ".join(line.strip() for line in sections.get(title, [])).strip():
            made += [f"**{title}:** {_linked(text)}", ""]
    lines[:] = made


def _paragraph(paragraph: list[str], places: dict[str, Label]) -> list[str]:
    """Return a paragraph; formulas and code stay as they are, with links to the places that they name."""
    has_formula = any(WITH_LABEL.search(line) and re.search(r" {2,}\(", line) for line in paragraph)
    if not has_formula and not all(line.startswith("    ") for line in paragraph):
        return [_prose(" ".join(map(str.strip, paragraph)), places)]
    shown = [f"    {WITH_LABEL.sub('', line).rstrip()}" for line in paragraph]
    return ["::", "", *shown, "", *_links_below(paragraph, places)]


def _links_below(paragraph: list[str], places: dict[str, Label]) -> list[str]:
    """Return a line with links to the places that a paragraph names, if there are any."""
    labels = dict.fromkeys(label for line in paragraph for label in WITH_LABEL.findall(line))
    links = ", ".join(_link(label, places) for label in labels if label in places)
    return [f"See {links}."] if links else []


def _prose(text: str, places: dict[str, Label]) -> str:
    """Return running text with links in the place of labels."""
    end, pieces = 0, []
    for found in API_LABEL_PATTERN.finditer(text):
        if found[0] in places:
            pieces += [_escaped(text[end : found.start()]), _link(found[0], places)]
            end = found.end()
    return "".join([*pieces, _escaped(text[end:])])


def _link(label: str, places: dict[str, Label]) -> str:
    """Return a link that says the book's number."""
    place = places[label]
    name = place.number or place.title
    role = "ref" if label.startswith(("sec-", "fig-")) else "prf:ref"
    return f"Equation :eq:`{label}`" if label.startswith("eq-") else f":{role}:`{name} <{label}>`"


def _fields(lines: list[str]) -> list[str]:
    """Return the parameters as a list."""
    rows = (line.partition(" : ") for line in lines if " : " in line)
    return [
        f":param {name}: {_escaped(text)}"
        for names, _, text in rows
        for name in names.replace(",", " ").split()
    ]


def _returned(lines: list[str]) -> list[str]:
    """Return what a function gives back."""
    words = [line.strip() for line in lines if line.strip()]
    return (
        [f":returns: {_escaped(': '.join(words[:1] + [' '.join(words[1:])] * (len(words) > 1)))}"]
        if words
        else []
    )


def _linked(text: str) -> str:
    """Return text with links to other libraries."""
    end, pieces = 0, []
    for found in OTHER.finditer(text):
        role = _kind(found[0])
        pieces += [_escaped(text[end : found.start()]), f":{role.replace('function', 'func')}:`{found[0]}`"]
        end = found.end()
    return "".join([*pieces, _escaped(text[end:])])


def _escaped(text: str) -> str:
    """Return text in which nothing is markup but code between backticks."""
    words, *rest = re.split(r"`([^`]+)`", text)
    pieces = [_plain(words)]
    for code, after in zip(rest[::2], rest[1::2], strict=True):
        pieces += [f"\\ ``{code}``\\ ", _plain(after)]
    return "".join(pieces)


def _plain(text: str) -> str:
    """Return text in which nothing is markup."""
    return re.sub(r"([\\*_`|])", r"\\\1", text)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx, before intersphinx looks at its settings (at 800)."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.intersphinx")
    app.config.autodoc_typehints = "none"
    app.config.add_module_names = False
    app.connect("config-inited", prepare, priority=100)
    app.connect("autodoc-process-docstring", add_description)
