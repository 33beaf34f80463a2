"""First lines of a notebook: install command and guarded import."""

import re
from typing import Any

TITLE = re.compile(r"\A(# [^\n]*)(?:\n|\Z)")
CHECK_IMPORT = re.compile(r"^from autograder import check$", re.MULTILINE)

HOW = """
**Before you start**, once, in a terminal: `{command}`. (Not needed if the next cell runs, as on a hub of your course.)
"""
# PyPI has another project called autograder, so the message says what to do about it. The cell is locked. It names
# neither the book's address nor the package's version, because both may change during a term.
GUARDED = """\
try:
    from autograder import check
except ImportError as missing:
    raise ImportError(
        "The course's own package is not installed here; the project named autograder on PyPI is another one. "
        "If you have that one: python -m pip uninstall autograder. Then type in a terminal what the first cell of "
        "this notebook says under 'Before you start'."
    ) from missing"""


def with_first_lines(notebook: Any, command: str | None) -> Any:
    """Add an install command below the title, and guard the import.

    Without a command nothing changes.
    """
    if command is None:
        return notebook
    titles = [cell for cell in notebook.cells if cell.cell_type == "markdown" and TITLE.match(cell.source)]
    how = HOW.format(command=command)
    for cell in titles[:1]:
        cell.source = TITLE.sub(lambda title: f"{title[1]}\n{how}", cell.source).rstrip("\n")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = CHECK_IMPORT.sub(GUARDED, cell.source)
    return notebook
