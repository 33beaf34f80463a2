"""Write the API page of the course's library from its docstrings.

`library` in `course.toml` names the package. Sphinx's autodoc fills the entry of each function. Its example becomes a
cell, which runs when the book is built and, on a live site, in the page. `book/reference.md` is committed, because the
table of contents names it, and written again when the library changes.
"""

import doctest
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from autograder.book.labels import Label
from autograder.course.contents import contents_entries
from autograder.course.course import Course
from autograder.course.files import write_changed_texts

API_PAGE_NAME = "reference"
API_LABEL_PATTERN = re.compile(r"\b(?:eq|thm|def|sec|lem|alg|fig|cor|prp)-[a-z0-9-]+")
API_PAGE_HEADER = """\
---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---

(reference)=
# The functions of {library}

{described}

Every function below has its formulas with the numbers of the book, its parameters, what it costs ($N$ samples, $D$
features, $d$ components, $k$ neighbours), the chapter that derives it, its counterpart in other libraries, and an
example that runs. Other documentation can link here: `objects.inv` at the root of this site lists every function.
"""


def write_api_page(course: Course) -> None:
    """Write the page if the course has a library and lists it.

    The table of contents must name the page.
    """
    library = str(course.settings["library"])
    if library and f"{course.book.name}/{API_PAGE_NAME}" in contents_entries(course.root):
        write_changed_texts(course.book, {f"{API_PAGE_NAME}.md": api_page(course, library)})


def api_page(course: Course, library: str) -> str:
    """Return the text of the page."""
    package = import_library(course.root, library)
    first = (inspect.getdoc(package) or library).partition("\n\n")[0].replace("\n", " ")
    parts = [API_PAGE_HEADER.format(library=library, described=first)]
    for module, names in _by_module(course, package).items():
        title = (
            (inspect.getdoc(sys.modules[module]) or module).partition("\n")[0].partition(":")[0].rstrip(".")
        )
        parts.append(f"## {title}\n")
        parts += [_entry(library, name, getattr(package, name)) for name in names]
    return "\n".join(parts)


def import_library(root: Path, library: str) -> ModuleType:
    """Import the package of a course that may not be installed."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module(library)


def _by_module(course: Course, package: ModuleType) -> dict[str, list[str]]:
    """Return the public names of a package by module.

    Modules follow the order of the book's pages; others come last.
    """
    pages = [Path(entry).name for entry in contents_entries(course.root)]
    names_by_module: dict[str, list[str]] = {}
    for name in package.__all__:
        names_by_module.setdefault(getattr(package, name).__module__, []).append(name)
    stems = {module: module.rpartition(".")[2] for module in names_by_module}
    order = sorted(
        names_by_module,
        key=lambda module: (pages.index(stems[module]) if stems[module] in pages else len(pages), module),
    )
    return {module: names_by_module[module] for module in order}


def _entry(library: str, name: str, function: Callable[..., object]) -> str:
    """Return the entry of a function and its example."""
    code = "".join(
        example.source
        for test in doctest.DocTestFinder(recurse=False).find(function, name, globs={})
        for example in test.examples
    )
    entry = f"```{{eval-rst}}\n.. autofunction:: {library}.{name}\n```\n"
    return f"{entry}\n```{{code-cell}} python\n{code}```\n" if code else entry


def chapter_of(text: str, module: str, places: dict[str, Label]) -> str:
    """Return the page that derives a function.

    It is the page of the first label in the docstring, otherwise the page named like the module.
    """
    named = (places[label].page for label in API_LABEL_PATTERN.findall(text) if label in places)
    return next(named, module.rpartition(".")[2])


def sections_of(lines: list[str]) -> dict[str, list[str]]:
    """Return the sections of a docstring by title; the first has none."""
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and below and set(below) == {"-"} and len(below) == len(line):
            title, sections[line] = line, []
        elif set(line) != {"-"} or not line:
            sections[title].append(line)
    return sections


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Yield the paragraphs of a text."""
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
