"""Convert the text of an exercise to an nbgrader source notebook.

Authors write no nbgrader metadata. The content of a cell determines its role. A solution region makes a solution cell,
named after the first name it defines. A lone `check(…)` makes the locked test of that task, with the task's points. A
markdown cell marked as a question is graded by a person. All other code is given and locked. The same text gives the
same bytes.
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

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
KERNEL_SPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}


def source_notebook(
    text: str, topic: str, tasks: Mapping[str, Task], numbers: Mapping[str, Mapping[str, object]]
) -> Any:
    """Return the source notebook for nbgrader."""
    document = _read(text)
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": KERNEL_SPEC, "language_info": {"name": "python"}, "dimred": {"topic": topic}}
    )
    ids: dict[str, int] = {}
    for cell in document.cells:
        notebook.cells.append(_cell(cell, topic, tasks, numbers))
        _identify(notebook.cells[-1], ids)
    _require_every_task(notebook, topic, tasks)
    require_sums(notebook)
    return notebook


@lru_cache(maxsize=32)
def _read(text: str) -> Any:
    """Parse the text into cells.

    The result is cached, because all variants have the same text.
    """
    return jupytext.reads(text, fmt="md:myst")


def _cell(
    text_cell: Any, topic: str, tasks: Mapping[str, Task], numbers: Mapping[str, Mapping[str, Any]]
) -> Any:
    if text_cell.cell_type == "code":
        source = filled(text_cell.source, numbers, as_code=True)
        return nbformat.v4.new_code_cell(
            source, metadata=_code_metadata(source, topic, tasks, text_cell.metadata.get("answer"))
        )
    question = text_cell.metadata.get("question")
    metadata = (
        {"nbgrader": new_role(question["id"], solution=True, points=question["points"])} if question else {}
    )
    return nbformat.v4.new_markdown_cell(filled(text_cell.source, numbers, as_code=False), metadata=metadata)


def _code_metadata(
    source: str, topic: str, tasks: Mapping[str, Task], answer: str | None
) -> dict[str, object]:
    """Return the role of a code cell. `answer` names a solution cell, and else the first name it defines."""
    checked = check_of(source)
    if checked:
        name = checked["task"]
        if checked["topic"] != topic or name not in tasks:
            raise SourceError(f"the cell {source.strip()} checks no task of solutions/{topic}/")
        return {"nbgrader": new_role(check_name(name), points=tasks[name].points, locked=True)}
    if BEGIN_SOLUTION in source:
        if source.count(BEGIN_SOLUTION) != source.count(END_SOLUTION):
            raise SourceError(
                f"{BEGIN_SOLUTION} without {END_SOLUTION} in the cell that starts {source.splitlines()[0]!r}"
            )
        return {"nbgrader": new_role(answer or _first_name(source), solution=True)}
    return {"nbgrader": new_role("given", locked=True)}


def _first_name(source: str) -> str:
    """Return the first name that a solution cell defines at top level."""
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


def _require_every_task(notebook: object, topic: str, tasks: Mapping[str, Task]) -> None:
    missing = sorted(set(tasks) - {task for task, _ in checks(notebook)})
    if missing:
        raise SourceError(f"solutions/{topic}/notebook.md has no check of {', '.join(missing)}")


def released(source: object) -> Any:
    """Return the student's version, made by nbgrader's own preprocessors.

    nbgrader's database is not used.
    """
    from nbconvert.exporters.exporter import ResourcesDict
    from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells
    from traitlets.config import Config

    config = Config()
    config.ClearSolutions.code_stub = CODE_STUB
    notebook, resources = nbformat.from_dict(source), ResourcesDict()
    # nbgrader's validation of the metadata is left out: it is the same in every variant, and nbgrader validates it
    # when the class's variant is released
    for step in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums):
        notebook, resources = step(config=config).preprocess(notebook, resources)
    return notebook


# `pass` instead of nbgrader's NotImplementedError: an untouched notebook runs from top to bottom, and prints nothing
CODE_STUB = {"python": "# YOUR CODE HERE\npass"}


def dump(notebook: object) -> str:
    """Return the text of a notebook file, deterministically."""
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook, version=4)) + "\n"
