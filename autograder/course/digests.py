"""Digests of programs and files: by them a command knows that what it would make is there already.

A program counts with everything that it imports of the course and of the engine. Comments, docstrings and empty lines
do not count: they change nothing that is made.
"""

import ast
import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from autograder.errors import CourseError

ENGINE = Path(__file__).resolve().parents[1]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def text_digest(*texts: str) -> str:
    """Return the SHA-256 digest of a list of texts."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8) + data)
    return digest.hexdigest()


def files_digest(folder: Path, paths: Iterable[Path]) -> str:
    """Return the digest of files: of their paths below a folder and of their bytes; a missing file has none."""
    texts = []
    for path in sorted(set(paths)):
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
        texts += [path.relative_to(folder).as_posix(), content]
    return text_digest(*texts)


def versions_digest(names: Sequence[str]) -> str:
    """Return the digest of the installed versions of these packages."""
    return text_digest(*(f"{name} {_version(name)}" for name in names))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def program_digest(starts: Iterable[Path], root: Path, but: Sequence[str] = ()) -> str:
    """Return the digest of these modules and of all that they import from the course in `root` and the engine.

    The rooms of the engine in `but` do not count.
    """
    roots = tuple(dict.fromkeys((root.resolve(), ENGINE.parent)))
    texts = []
    for path in program_files(starts, roots, tuple(ENGINE / room for room in but)):
        home = next((folder for folder in roots if path.is_relative_to(folder)), path.parent)
        texts += [path.relative_to(home).as_posix(), _program(path).text]
    return text_digest(*texts)


def program_files(starts: Iterable[Path], roots: tuple[Path, ...], but: tuple[Path, ...] = ()) -> list[Path]:
    """Return these modules and all modules below the roots that they import, wherever they do so.

    Modules in the folders `but` are left out, with what only they import.
    """
    pending = [(path.resolve(), True) for path in starts]
    files: dict[Path, bool] = {}
    while pending:
        path, is_used = pending.pop()
        if any(path.is_relative_to(folder) for folder in but):
            continue
        if path not in files or (is_used and not files[path]):
            files[path] = is_used
            program = _program(path)
            for name in program.imports if is_used else program.first_imports:
                pending += _modules(name, roots)
    return sorted(files)


@functools.cache
def _modules(name: str, roots: tuple[Path, ...]) -> tuple[tuple[Path, bool], ...]:
    """Return the files that `import name` runs, and whether each is used; none of other libraries.

    The packages around a module are run, but not used: what their functions would import later is not.
    """
    parts = name.split(".")
    for root in roots:
        modules = (root.joinpath(*parts, "__init__.py"), root.joinpath(*parts).with_suffix(".py"))
        around = (root.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts)))
        files = [*((path, True) for path in modules), *((path, False) for path in around)]
        if there := tuple(pair for pair in files if pair[0].is_file()):
            return there
    return ()


class Program:
    """A module's text without what does not count, and what it imports: in all, and when it is imported itself."""

    def __init__(self, source: str) -> None:
        """Parse the source; SyntaxError if it is none."""
        tree = ast.parse(source)
        self.text = _bare_text(source, tree)
        self.imports = tuple(dict.fromkeys(_imported_names(ast.walk(tree))))
        self.first_imports = tuple(dict.fromkeys(_imported_names(tree.body)))


def _program(path: Path) -> Program:
    status = path.stat()
    return _parsed(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1024)
def _parsed(path: Path, changed: int, size: int) -> Program:
    """Parse a file once for each of its states."""
    try:
        return Program(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise CourseError(f"{path.parent.name}/{path.name} cannot be read as Python: {why}") from error


def _imported_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Return what is imported; of `from a import b` both a and a.b, which may be a module."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _bare_text(source: str, tree: ast.Module) -> str:
    """Return the lines of a program without docstrings, comments on their own lines and empty lines."""
    lines = source.splitlines()
    dropped, inside = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and (words := _docstring(node)) and _fills_lines(words, lines):
            dropped.update(range(words.lineno, _last_line(words) + 1))
        elif isinstance(node, ast.Constant | ast.JoinedStr):  # a line of a text may look like a comment
            inside.update(range(node.lineno + 1, _last_line(node) + 1))
    counted = []
    for number, line in enumerate(lines, start=1):
        bare = line.strip()
        if number not in dropped and (number in inside or (bare and not bare.startswith("#"))):
            counted.append(line.rstrip())
    return "\n".join(counted)


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    first = node.body[0] if node.body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return first.value if is_text and isinstance(first.value.value, str) else None  # type: ignore[union-attr]


def _last_line(node: ast.expr) -> int:
    return node.end_lineno or node.lineno


def _fills_lines(node: ast.expr, lines: Sequence[str]) -> bool:
    """Return whether nothing else stands on the lines of an expression."""
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    after = lines[_last_line(node) - 1].encode()[node.end_col_offset :]
    return not before.strip() and not after.strip()


def read_record(path: Path) -> Mapping[str, Any]:
    """Read a file of digests; one that is missing, cut off or of another form says nothing."""
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
