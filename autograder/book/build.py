"""Build the book, run again exactly what changed, and find what its labels point to.

Jupyter Book caches the outputs of a page under the page's own code, so it never notices that a
module of the project changed. Here every page has a digest of the project files that it imports,
directly or through others; when the digest changes, the page's outputs are forgotten and its
cells run again. Modules loaded by name (importlib) are not seen.

A build is all or nothing: a warning, a failing cell or a false assertion raises BookError.
"""

import ast
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.book import notebooks as book_notebooks
from autograder.book import pages as book_pages
from autograder.book import pdf as book_pdf
from autograder.course.contents import pages
from autograder.errors import BookError


@dataclass(frozen=True)
class Label:
    """Where a label of the book leads."""

    page: str  # the stem of the page: "areas"
    anchor: str  # the id in its HTML: "equation-eq-areas-square"
    title: str = ""  # what a reader would call the place, in Markdown

    @property
    def href(self) -> str:
        """The address of the label, as seen from a page in the same folder."""
        return f"{self.page}.html#{self.anchor}"


def build_book(root: Path, *, pdf: bool = False, progress: Callable[[str], None] | None = None) -> Path:
    """Build the book of the course in root and return its first page, or the PDF.

    `progress` is called with a line for each page whose cells run. The full log is _build/book.log.
    """
    root = Path(root).resolve()
    for name in ("_config.yml", "_toc.yml"):
        if not (root / name).is_file():
            raise BookError(f"{root} is not the root of a book: it has no {name}")
    if importlib.util.find_spec("jupyter_book") is None:
        raise BookError("the book is built by Jupyter Book, which is not installed: pip install '.[book]'")
    if pdf and book_pdf.chromium() is None:  # said before the long work begins
        raise BookError(book_pdf.NO_CHROMIUM)
    forget_outdated(root)
    _jupyter_book(root, progress or _silent)
    _write_notebooks(root)
    if pdf:
        (progress or _silent)("printing the book, which takes a minute or two")
        return _print_pdf(root)
    return root / "_build" / "html" / "index.html"


def labels(book: Path) -> dict[str, Label]:
    """Return every label of the pages in a folder: equations, statements, targets, figures."""
    found: dict[str, Label] = {}
    for page in sorted(book.glob("*.md")):
        text = page.read_text("utf-8")
        titles = book_pages.titles(text)
        for label, anchor in book_pages.labels(text):
            if label in found:
                raise BookError(f"label {label} is given twice: in {found[label].page}.md and in {page.name}")
            found[label] = Label(page.stem, anchor, titles.get(label, ""))
    return found


def imported_files(page: Path, root: Path) -> list[Path]:
    """Return the files of the project that the cells of a page import, directly or through others."""
    folders = (page.parent, root)
    waiting = list(_imported_by(book_pages.code(page.read_text("utf-8")), (), folders))
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += _imported_by(path.read_text("utf-8"), _package_of(path, folders), folders)
    return sorted(reached)


def digest(page: Path, root: Path) -> str:
    """Return a digest of the project files that a page depends on."""
    total = hashlib.sha256()
    for path in imported_files(page, root):
        total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def forget_outdated(root: Path) -> list[Path]:
    """Forget the outputs of the pages whose imported files changed since the last build; return the pages."""
    record = root / "_build" / "page_digests.json"
    before = json.loads(record.read_text("utf-8")) if record.is_file() else {}
    now = {page.relative_to(root).as_posix(): digest(page, root) for page in pages(root)}
    outdated = [root / name for name in now if now[name] != before.get(name)]
    for page in outdated:
        _forget(page, root)
    # After the outputs are gone: a digest on file says that older outputs cannot exist.
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    return outdated


def _silent(line: str) -> None:
    """Ignore a line of progress."""


def _imported_by(source: str, package: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the project files that Python source imports; package is where its relative imports start."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            # `from package import module` and `from module import name` look alike: both are looked up.
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            yield from _files_of(name.split("."), folders)


def _files_of(module: Sequence[str], folders: Sequence[Path]) -> list[Path]:
    """Return the files that importing a dotted module runs, its packages included; none if it is not ours."""
    for folder in folders:
        parents = [folder.joinpath(*module[: depth + 1]) for depth in range(len(module))]
        candidates = [
            file for path in parents for file in (path.with_name(path.name + ".py"), path / "__init__.py")
        ]
        if files := [file for file in candidates if file.is_file()]:
            return files
    return []


def _package_of(path: Path, folders: Sequence[Path]) -> tuple[str, ...]:
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return path.relative_to(folder).parent.parts


def _forget(page: Path, root: Path) -> None:
    """Remove the cached outputs of a page, and the parsed page, which holds a copy of them."""
    if found := _cached(page, root):
        cache, record = found
        cache.remove_cache(record)
    (root / "_build" / ".doctrees" / page.relative_to(root).with_suffix(".doctree")).unlink(missing_ok=True)


def _executed(page: Path, root: Path) -> dict[str, Any]:
    """Return a page as the notebook that was run, with its outputs; without cells if it was not run."""
    if found := _cached(page, root):
        cache, record = found
        return dict(cache.get_cache_bundle(record).nb)
    return {"cells": []}


def _cached(page: Path, root: Path) -> tuple[Any, int] | None:
    """Return the cache of outputs and the record of a page in it, if there is one."""
    from jupyter_cache import get_cache  # type: ignore[import-untyped]
    from myst_nb.core.read import myst_nb_reader_plugin  # type: ignore[import-untyped]

    folder = root / "_build" / ".jupyter_cache"
    if not folder.is_dir():
        return None
    cache = get_cache(str(folder))
    try:  # by its code, which is how a build will look it up: the page may have another name by now
        return cache, cache.match_cache_notebook(myst_nb_reader_plugin(str(page))).pk
    except KeyError:
        return None


def _jupyter_book(root: Path, progress: Callable[[str], None]) -> None:
    """Run Jupyter Book in a process of its own: it changes global state of docutils and Sphinx."""
    command = "import sys; from jupyter_book.cli.main import main; main(sys.argv[1:])"
    arguments = ["build", str(root), "-W", "-n", "--keep-going"]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments],
        env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if running := re.match(r"(.*\.md): Executing notebook", line):
            progress(f"running {Path(running[1]).relative_to(root)}")
    log = root / "_build" / "book.log"
    output = re.sub(r"\x1b\[[0-9;]*m", "", "".join(lines))  # Jupyter Book colours its lines regardless
    log.write_text(output, "utf-8")
    if process.wait() != 0:
        # A second build would not read the faulty page again, and so would not warn again.
        shutil.rmtree(root / "_build" / ".doctrees", ignore_errors=True)
        raise BookError(_first_problem(output.replace(f"{root}{os.sep}", ""), log))


def _first_problem(output: str, log: Path) -> str:
    """Say in one line what went wrong: the page, and the exception or the warning."""
    warnings = re.findall(
        r"^(?:(\S+?\.\w+(?::\d+)?): )?(?:WARNING|ERROR|CRITICAL): (.*)$", output, re.MULTILINE
    )
    if not warnings:
        boxed = re.search(r"^=+\n\s*(\S.*)$", output, re.MULTILINE)  # how Jupyter Book says what it cannot do
        return f"the book was not built: {boxed[1] if boxed else output.strip()[-200:]}; see {log}"
    place, message = warnings[0]
    if message.startswith("Executing notebook failed"):
        message = f"a cell failed: {_exception(output)}"
    others = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return f"{place or 'the book'}: {message}{others}; see {log}"


def _exception(output: str) -> str:
    """Return the exception that ended a cell, and the line of the page that raised it."""
    traceback = output.partition("Executing notebook failed")[2].partition("[mystnb.exec]")[0]
    names = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception|Warning|Interrupt)\b.*$", traceback, re.MULTILINE)
    arrows = re.findall(r"^-+> \d+ (.*)$", traceback, re.MULTILINE)
    return " in ".join([*names[-1:], *(f"`{line.strip()}`" for line in arrows[:1])])


def _built(page: Path, root: Path) -> Path:
    return root / "_build" / "html" / page.relative_to(root).with_suffix(".html")


def _write_notebooks(root: Path) -> None:
    """Write the notebooks of the pages that have cells and were built again."""
    for page in pages(root):
        built = _built(page, root)
        target = book_notebooks.notebook_path(built)
        is_fresh = target.is_file() and target.stat().st_mtime_ns >= built.stat().st_mtime_ns
        if not is_fresh and book_pages.code(page.read_text("utf-8")).strip():
            book_notebooks.write_notebook(built, _executed(page, root), imported_files(page, root), root)


def _print_pdf(root: Path) -> Path:
    """Print the built pages, in the order of _toc.yml."""
    built = [_built(page, root) for page in pages(root)]
    title = re.search(r"^title:\s*(.+?)\s*$", (root / "_config.yml").read_text("utf-8"), re.MULTILINE)
    try:
        return book_pdf.print_pages(built, title[1] if title else root.name, root / "_build" / "book.pdf")
    except book_pdf.PrintError as error:
        raise BookError(str(error)) from error
