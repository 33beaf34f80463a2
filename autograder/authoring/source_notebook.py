"""From the text of an exercise to an nbgrader source notebook, with solutions.

Authors write no nbgrader metadata. What a cell is follows from what it holds: a solution region makes a
solution cell, named after the first name it defines; a lone `check(…)` makes the locked test of that task,
with the task's points; a markdown cell marked as a question is graded by a person; all other code is given
and locked. The same text gives the same bytes.
"""

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jupytext
import nbformat

from autograder.authoring.cells import check_name, check_of, checks, new_role
from autograder.authoring.placeholders import filled
from autograder.authoring.rubric import require_sums
from autograder.authoring.task import Task
from autograder.errors import SourceError

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def source_notebook(
    text: str, topic: str, tasks: Mapping[str, Task], numbers: Mapping[str, Mapping[str, Any]]
) -> Any:
    """Return the notebook that nbgrader takes as its source."""
    read = _read(text)
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}, "dimred": {"topic": topic}}
    )
    ids: dict[str, int] = {}
    for cell in read.cells:
        notebook.cells.append(_cell(cell, topic, tasks, numbers))
        _identify(notebook.cells[-1], ids)
    _require_every_task(notebook, topic, tasks)
    require_sums(notebook)
    return notebook


@lru_cache(maxsize=32)
def _read(text: str) -> Any:
    """The text as cells; a class of many variants has the same text for all."""
    return jupytext.reads(text, fmt="md:myst")


def _cell(read: Any, topic: str, tasks: Mapping[str, Task], numbers: Mapping[str, Mapping[str, Any]]) -> Any:
    if read.cell_type == "code":
        source = filled(read.source, numbers, as_code=True)
        return nbformat.v4.new_code_cell(source, metadata=_code_metadata(source, topic, tasks))
    question = read.metadata.get("question")
    metadata = (
        {"nbgrader": new_role(question["id"], solution=True, points=question["points"])} if question else {}
    )
    return nbformat.v4.new_markdown_cell(filled(read.source, numbers, as_code=False), metadata=metadata)


def _code_metadata(source: str, topic: str, tasks: Mapping[str, Task]) -> dict[str, Any]:
    checked = check_of(source)
    if checked:
        name = checked["task"]
        if checked["topic"] != topic or name not in tasks:
            raise SourceError(f"the cell {source.strip()} checks no task of solutions/{topic}/")
        return {"nbgrader": new_role(check_name(name), points=tasks[name].points, locked=True)}
    if BEGIN in source:
        if source.count(BEGIN) != source.count(END):
            raise SourceError(f"{BEGIN} without {END} in the cell that starts {source.splitlines()[0]!r}")
        return {"nbgrader": new_role(_first_name(source), solution=True)}
    return {"nbgrader": new_role("given", locked=True)}


def _first_name(source: str) -> str:
    """The first name that a solution cell defines at its top level."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            return node.name
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    raise SourceError(f"the solution cell that starts {source.splitlines()[0]!r} defines no name")


def _identify(cell: Any, ids: dict[str, int]) -> None:
    """Give the cell a unique id that depends on the text alone."""
    known = cell.metadata.get("nbgrader")
    name = known["grade_id"] if known else "text"
    ids[name] = ids.get(name, 0) + 1
    if known and ids[name] > 1 and name != "given":
        raise SourceError(
            f"two cells are named {name!r}; names of solutions, checks and questions must differ"
        )
    unique = name if known and name != "given" else f"{name}-{ids[name]}"
    if known:
        known["grade_id"] = unique
    cell["id"] = unique.replace("_", "-")[:64]


def _require_every_task(notebook: Any, topic: str, tasks: Mapping[str, Task]) -> None:
    missing = sorted(set(tasks) - {task for task, _ in checks(notebook)})
    if missing:
        raise SourceError(f"solutions/{topic}/notebook.md has no check of {', '.join(missing)}")


def released(source: Any) -> Any:
    """The student's version: nbgrader's own steps, without its database."""
    from nbconvert.exporters.exporter import ResourcesDict
    from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells
    from traitlets.config import Config

    config = Config()
    config.ClearSolutions.code_stub = CODE_STUB
    notebook, resources = nbformat.from_dict(source), ResourcesDict()
    # nbgrader's checks of the metadata are left out: they are ours, the same in every variant, and nbgrader checks
    # them when the class's variant is released
    for step in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums):
        notebook, resources = step(config=config).preprocess(notebook, resources)
    return notebook


# `pass` instead of nbgrader's NotImplementedError: an untouched notebook runs from top to bottom, and prints nothing
CODE_STUB = {"python": "# YOUR CODE HERE\npass"}


def dump(notebook: Any) -> str:
    """The text of a notebook file, the same bytes for the same notebook."""
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook, version=4)) + "\n"
