"""The first lines of a notebook: what to install, and what to do when another package of our name is there."""

import re
from typing import Any

TITLE = re.compile(r"\A(# [^\n]*\n)")
IMPORT = re.compile(r"^from autograder import check$", re.MULTILINE)

HOW = """
**Before you start**, once, in a terminal: `{command}`. (Not needed if the next cell runs, as on a hub of your course.)
"""
# PyPI has another project called autograder: whoever installed that one reads what to do instead of a riddle.
GUARDED = """\
try:
    from autograder import check
except ImportError as missing:
    raise ImportError(
        "The course's own package is not installed here; the project named autograder on PyPI is another one. "
        "If you have that one: python -m pip uninstall autograder. Then, in a terminal: {command}"
    ) from missing"""


def with_first_lines(notebook: Any, command: str | None) -> Any:
    """Say below the title what to install, and guard the import; nothing changes without a command."""
    if command is None:
        return notebook
    titles = [cell for cell in notebook.cells if cell.cell_type == "markdown" and TITLE.match(cell.source)]
    for cell in titles[:1]:
        cell.source = TITLE.sub(lambda title: title[1] + HOW.format(command=command), cell.source)
    guarded = GUARDED.format(command=command.replace('"', '\\"')).replace(
        "\\", "\\\\"
    )  # as a pattern's replacement
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = IMPORT.sub(guarded, cell.source)
    return notebook
