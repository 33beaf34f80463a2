"""Cut the notebook of a topic into blocks: the cells of one task each.

A block begins at the last heading that names points above the task's check, and ends with the check. Given code that it
uses, such as the symbols of a section, comes with it.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograder.authoring.cells import check_of
from autograder.authoring.placeholders import PLACEHOLDER
from autograder.authoring.points import POINTS_HEADING
from autograder.authoring.source_notebook import BEGIN_SOLUTION
from autograder.authoring.topic import load_tasks, read_notebook_text
from autograder.course.course import Course

CONVENTIONS = re.compile(
    r"^\*\*Conventions\*\*[^:\n]*:\s*(?P<text>.+?)(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL
)
HEADING_LINE = re.compile(r"^#+ (?:[\d.]+ )?(?P<title>.+?)(?: \([^()\n]*points?[^()\n]*\))?$", re.MULTILINE)


@dataclass(frozen=True)
class BlockCell:
    """A cell of a block: text or code, as written by the author."""

    is_code: bool
    source: str

    @property
    def is_solution(self) -> bool:
        """Whether the student writes this cell."""
        return self.is_code and BEGIN_SOLUTION in self.source


@dataclass(frozen=True)
class TaskBlock:
    """The cells of one task, without heading and check.

    `answer` is the name that the check passes on, `defines` holds all names that its solution binds, `functions` those
    of functions. `provided` are cells of code from above, `needs` are earlier tasks of the topic whose functions or
    numbers it uses.
    """

    title: str
    cells: tuple[BlockCell, ...]
    answer: str
    defines: frozenset[str]
    functions: frozenset[str]
    provided: tuple[str, ...]
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Blocks:
    """The blocks of a topic by task, its imports, and its conventions in words."""

    by_task: dict[str, TaskBlock]
    imports: tuple[str, ...]
    conventions: str


def topic_blocks(course: Course, topic: str) -> Blocks:
    """Return the blocks of a topic."""
    return _cut(course, topic, read_notebook_text(course, topic))


@lru_cache(maxsize=64)
def _cut(course: Course, topic: str, text: str) -> Blocks:
    import jupytext

    cells = jupytext.reads(text, fmt="md:myst").cells
    follows = {name: [step.name for step in task.follows] for name, task in load_tasks(course, topic).items()}
    parts = {match["task"]: (start, end, match["answer"]) for start, end, match in _ranges(cells)}
    defined_by = {
        name: task for task, (start, end, _) in parts.items() for name in _bound_by(cells[start:end])
    }
    blocks = {}
    for task, (start, end, answer) in parts.items():
        within, above = cells[start:end], _given_above(cells[:start])
        used = _used_by(within)
        others = used - _bound_by(within) - set().union(*map(bound_names, above))
        needed = _placeholders_of(within).union(follows.get(task, ()))
        needed.update(defined_by[name] for name in others & defined_by.keys())
        earlier = (name for name, (place, _, _) in parts.items() if place < start)
        blocks[task] = TaskBlock(
            _title(within[0].source, task),
            tuple(_block_cells(within)),
            answer,
            frozenset(_bound_by(within)),
            frozenset(_functions_of(within)),
            tuple(_required(above, used)),
            tuple(filter(needed.__contains__, earlier)),
        )
    return Blocks(blocks, _imports(cells), _conventions(cells))


def _imports(cells: Sequence[Any]) -> tuple[str, ...]:
    return tuple(cell.source for cell in cells if _is_given(cell) and _is_import(cell.source))


def _used_by(cells: Sequence[Any]) -> set[str]:
    """Return the names that the code of these cells reads."""
    return set().union(*(_used(cell.source) for cell in cells if cell.cell_type == "code"))


def _given_above(cells: Sequence[Any]) -> list[str]:
    """Return the given code without the imports."""
    return [cell.source for cell in cells if _is_given(cell) and not _is_import(cell.source)]


def _placeholders_of(cells: Sequence[Any]) -> set[str]:
    """Return the tasks whose numbers stand in the cells."""
    return {match["task"] for cell in cells for match in PLACEHOLDER.finditer(cell.source)}


def _ranges(cells: Sequence[Any]) -> Iterable[tuple[int, int, re.Match[str]]]:
    """Yield the first cell and the check of each task, with the match of the check.

    A task without a heading of its own begins after the cell that ends the one before.
    """
    heading: int | None = None
    after = 0
    for index, cell in enumerate(cells):
        match = check_of(cell.source) if cell.cell_type == "code" else None
        if match:
            yield after if heading is None else heading, index, match
        if match or _ends_block(cell):
            heading, after = None, index + 1
        elif cell.cell_type == "markdown" and POINTS_HEADING.search(cell.source):
            heading = index


def _ends_block(cell: Any) -> bool:
    """Return whether a cell belongs to no task: an open question or imports."""
    return bool(cell.metadata.get("question")) or (_is_given(cell) and _is_import(cell.source))


def _block_cells(cells: Sequence[Any]) -> Iterable[BlockCell]:
    """Yield the cells of a block; the first one without what stands above its heading."""
    for place, cell in enumerate(cells):
        source = cell.source if place else _below_heading(cell.source)
        yield BlockCell(cell.cell_type == "code", source.strip())


def _last_heading(text: str) -> re.Match[str] | None:
    return next(reversed([*POINTS_HEADING.finditer(text)]), None)


def _below_heading(text: str) -> str:
    heading = _last_heading(text)
    return text[heading.start() :].partition("\n")[2] if heading else text


def _title(text: str, task: str) -> str:
    heading = _last_heading(text)
    match = HEADING_LINE.match(text[heading.start() :].partition("\n")[0]) if heading else None
    return match["title"] if match else task.replace("_", " ").capitalize()


def _conventions(cells: Sequence[Any]) -> str:
    match = next(filter(None, (CONVENTIONS.search(cell.source) for cell in cells)), None)
    return match["text"].strip() if match else ""


def _is_given(cell: Any) -> bool:
    return cell.cell_type == "code" and BEGIN_SOLUTION not in cell.source and not check_of(cell.source)


def _statements(source: str) -> list[ast.stmt]:
    """Parse a cell of the author's; placeholders are read as names."""
    try:
        return ast.parse(PLACEHOLDER.sub("None", source)).body
    except SyntaxError:
        return []


def _is_import(source: str) -> bool:
    statements = _statements(source)
    return bool(statements) and all(isinstance(node, ast.Import | ast.ImportFrom) for node in statements)


def _used(source: str) -> set[str]:
    """Return the global names that a cell reads, immediately or when its functions are called."""
    try:
        module = symtable.symtable(PLACEHOLDER.sub("None", source), "<cell>", "exec")
    except SyntaxError:
        return set()
    return set(_global_reads(module))


def _global_reads(scope: symtable.SymbolTable) -> Iterator[str]:
    is_module = scope.get_type() == "module"
    for symbol in scope.get_symbols():
        if symbol.is_referenced() and (is_module or symbol.is_global()):
            yield symbol.get_name()
    for inner in scope.get_children():
        yield from _global_reads(inner)


def bound_names(source: str) -> set[str]:
    """Return the names that the statements of a cell bind at top level."""
    names: set[str] = set()
    for statement in _statements(source):
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names |= {
                node.id
                for target in statement.targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            }
    return names


def _bound_by(cells: Iterable[Any]) -> set[str]:
    """Return the names that the solution cells of a block bind."""
    return set().union(
        *(bound_names(cell.source) for cell in cells if cell.cell_type == "code" and not _is_given(cell))
    )


def _required(above: Sequence[str], used: set[str]) -> list[str]:
    """Return the given cells that bind a used name, with those that they use; the last binding counts."""
    required, missing = [], set(used)
    for source in reversed(above):
        if bound := bound_names(source) & missing:
            required.append(source)
            missing = (missing - bound) | _used(source)
    return required[::-1]


def _functions_of(cells: Iterable[Any]) -> Iterator[str]:
    """Yield the names of the functions that the cells of a block define."""
    for cell in cells:
        statements = _statements(cell.source) if cell.cell_type == "code" else []
        yield from (node.name for node in statements if isinstance(node, ast.FunctionDef))
