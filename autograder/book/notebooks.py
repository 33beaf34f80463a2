"""Convert each page with code into a notebook for download.

The text comes from the built page, where numbers, references and glued values are resolved, the outputs from the
executed page. The first cell carries the modules of the project that the page imports, packed. They are unpacked only
if the project is not installed.
"""

import base64
import io
import json
import re
import sys
import textwrap
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.book.formulas import as_written, settings_of
from autograder.book.imports import packages_imported_by
from autograder.book.page_markdown import Part, markdown_parts
from autograder.course.files import write_text

_RESOURCE = re.compile(r"""["'](data/[\w./-]+)["']""")
# Pages pass numbers to their prose by glue; in a notebook the prose is final.
_GLUE_LINES = re.compile(r"^(?:from myst_nb import glue|glue\(.*\))\n?", re.MULTILINE)


def write_notebook(built: Path, executed: dict[str, Any], modules: Sequence[Path], root: Path) -> Path:
    """Write a page's notebook to the address of its download button."""
    text = as_written(built.read_text("utf-8"))
    packed = Packed(built.stem, built.parent.name, modules, root)
    parts = list(markdown_parts(text))
    code = "\n".join(part.text for part in parts if part.is_code)
    cells = [*_preamble(code, _macros(text), packed), *_cells(parts, _outputs(executed))]
    for number, cell in enumerate(cells):
        cell["id"] = f"{built.stem}-{number:03}"
    path = notebook_path(built)
    write_text(path, json.dumps(_notebook(cells), ensure_ascii=False, indent=1) + "\n")
    return path


def notebook_path(built: Path) -> Path:
    """Return the path of a page's notebook.

    html/book/x.html has html/_sources/book/x.ipynb.
    """
    return built.parents[1] / "_sources" / built.parent.name / f"{built.stem}.ipynb"


def _notebook(cells: list[dict[str, Any]]) -> dict[str, object]:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _markdown(text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(source: str, outputs: list[object], *, is_hidden: bool = False) -> dict[str, object]:
    hidden = {"jupyter": {"source_hidden": True}} if is_hidden else {}
    cell = {"cell_type": "code", "execution_count": None, "metadata": hidden}
    return cell | {"outputs": outputs, "source": source}


def _cells(parts: Sequence[Part], outputs: Sequence[list[object]]) -> Iterator[dict[str, object]]:
    """Yield the cells of a built page, prose and code in turn."""
    has_outputs = sum(part.is_code for part in parts) == len(outputs)
    remaining = iter(outputs)
    for part in parts:
        if not part.is_code:
            yield _markdown(part.text)
            continue
        shown = next(remaining) if has_outputs else []
        if source := _GLUE_LINES.sub("", part.text).strip("\n"):
            yield _code(source, shown, is_hidden=part.is_hidden)


def _outputs(executed: dict[str, Any]) -> list[list[object]]:
    """Return the outputs of each code cell, without glue records."""
    cells = (cell for cell in executed["cells"] if cell["cell_type"] == "code")
    return [[output for output in cell["outputs"] if not _is_record(output)] for cell in cells]


def _is_record(output: dict[str, Any]) -> bool:
    return any("papermill.record" in mime for mime in output.get("data", {}))


def _preamble(code: str, macros: str, packed: "Packed") -> Iterator[dict[str, object]]:
    """Yield the first cells: required packages, TeX macros, packed modules."""
    sources = [*(path.read_text("utf-8") for path in packed.modules), _GLUE_LINES.sub("", code)]
    imported = set().union(*map(packages_imported_by, sources))
    needs = ", ".join(sorted(imported - packed.names - set(sys.stdlib_module_names)))
    brings = " The next cell brings the code of the course that the page uses." if packed.modules else ""
    yield _markdown(
        f"*A page of the book, as a notebook. It needs Python 3.11 or newer with these packages: {needs}.{brings}*"
        f"\n\n{macros}"
    )
    if packed.modules:
        yield _code(packed.unpacking_cell(), [], is_hidden=True)


def _macros(text: str) -> str:
    """Return the TeX macros as an empty formula that defines them."""
    macros = settings_of(text).get("tex", {}).get("macros", {})
    definitions = []
    for name, meaning in macros.items():
        body, count = meaning if isinstance(meaning, list) else (meaning, 0)
        parameters = "".join(f"#{i + 1}" for i in range(count))
        # \def overwrites; some of the names exist in one version of Jupyter and not in another.
        definitions.append(f"\\def\\{name}{parameters}{{{body}}}")
    return f"${''.join(definitions)}$" if definitions else ""


@dataclass(frozen=True)
class Packed:
    """The project modules that a page imports, packed into its notebook."""

    stem: str
    folder: str  # of the pages, whose modules are imported by their bare names
    modules: Sequence[Path]
    root: Path

    @property
    def names(self) -> set[str]:
        """The names by which import statements know the modules."""
        places = (path.relative_to(self.root).with_suffix("") for path in self.modules)
        return {place.parts[place.parts[0] == self.folder] for place in places}

    def unpacking_cell(self) -> str:
        """Return code that makes the packed modules importable."""
        listed = ", ".join(path.relative_to(self.root).as_posix() for path in self.modules)
        packed = "\n".join(textwrap.wrap(base64.b64encode(self.archive()).decode(), 110))
        return _UNPACKING_CELL.format(
            listed=textwrap.fill(listed, 110, initial_indent="#   ", subsequent_indent="#   "),
            packed=packed,
            names=sorted(self.names),
            stem=self.stem,
            folder=self.folder,
        )

    def archive(self) -> bytes:
        """Zip the modules and their data files, reproducibly."""
        files = {path for module in self.modules for path in (module, *_resources(module))}
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as target:
            for path in sorted(files):
                entry = zipfile.ZipInfo(path.relative_to(self.root).as_posix())
                target.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
        return archive.getvalue()


def _resources(module: Path) -> list[Path]:
    named = (module.parent / name for name in _RESOURCE.findall(module.read_text("utf-8")))
    return [path for path in named if path.is_file()]


_UNPACKING_CELL = '''\
# The code of the course that this page uses. It is taken from this cell only where it is not at hand:
{listed}
import base64
import importlib.util
import sys
import tempfile
from pathlib import Path

PACKED = """
{packed}
"""
if not all(map(importlib.util.find_spec, {names})):
    archive = Path(tempfile.mkdtemp(), "{stem}.zip")
    archive.write_bytes(base64.b64decode(PACKED))
    sys.path[:0] = [str(archive), f"{{archive}}/{folder}"]'''
