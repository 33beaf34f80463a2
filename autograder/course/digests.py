"""Digests of programs and files, to skip work whose inputs have not changed.

The digest of a program covers all modules of the course and the engine that it imports. Comments on lines of their own,
docstrings and empty lines are left out, because they do not change results.
"""

import ast
import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.errors import CourseError

ENGINE_ROOT = Path(__file__).resolve().parents[1]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def text_digest(*texts: str) -> str:
    """Return the SHA-256 digest of a list of texts."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8) + data)
    return digest.hexdigest()


def files_digest(folder: Path, paths: Iterable[Path]) -> str:
    """Return the digest of the relative paths and contents of files.

    A missing file counts as "missing".
    """
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
    """Return the digest of modules and of their imports from the course and the engine.

    The engine's rooms in `but` are left out.
    """
    roots = tuple(dict.fromkeys((root.resolve(), ENGINE_ROOT.parent)))
    texts = []
    for path in program_files(starts, roots, tuple(ENGINE_ROOT / room for room in but)):
        home = next((folder for folder in roots if path.is_relative_to(folder)), path.parent)
        texts += [path.relative_to(home).as_posix(), _read_program(path).text]
    return text_digest(*texts)


def program_files(starts: Iterable[Path], roots: tuple[Path, ...], but: tuple[Path, ...] = ()) -> list[Path]:
    """Return these modules and all modules below the roots that they import.

    Imports inside functions are included. Modules in the folders `but` are left out, with the modules that only they
    import.
    """
    pending = [(path.resolve(), True) for path in starts]
    files: dict[Path, bool] = {}
    while pending:
        path, is_used = pending.pop()
        if any(path.is_relative_to(folder) for folder in but):
            continue
        if path not in files or (is_used and not files[path]):
            files[path] = is_used
            program = _read_program(path)
            for name in program.imports if is_used else program.first_imports:
                pending += _find_modules(name, roots)
    return sorted(files)


def module_imports(path: Path) -> tuple[str, ...]:
    """Return the names that a module imports."""
    return _read_program(path).imports


def imported_modules(path: Path, root: Path) -> list[Path]:
    """Return the modules below a folder that a module imports when it is imported itself."""
    names = _read_program(path).first_imports
    found = (pair for name in names for pair in _find_modules(name, (root.resolve(),)))
    return list(dict.fromkeys(module for module, is_used in found if is_used))


@functools.cache
def _find_modules(name: str, roots: tuple[Path, ...]) -> tuple[tuple[Path, bool], ...]:
    """Return the files below the roots that `import name` runs, and whether each is used.

    The packages around a module are run, but not used: imports inside their functions do not count.
    """
    parts = name.split(".")
    for root in roots:
        if root == ENGINE_ROOT.parent != roots[0] and parts[0] != ENGINE_ROOT.name:
            continue  # others' packages, where the engine is in site-packages
        modules = (root.joinpath(*parts, "__init__.py"), root.joinpath(*parts).with_suffix(".py"))
        around = (root.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts)))
        files = [*((path, True) for path in modules), *((path, False) for path in around)]
        if there := tuple(pair for pair in files if pair[0].is_file()):
            return there
    return ()


class Program:
    """A module without comments and docstrings, and the names that it imports.

    `imports`: all names. `first_imports`: names imported by top-level statements.
    """

    def __init__(self, source: str) -> None:
        """Parse the source; raise SyntaxError if it is invalid."""
        tree = ast.parse(source)
        self.text = _bare_text(source, tree)
        self.imports = tuple(dict.fromkeys(_imported_names(ast.walk(tree))))
        self.first_imports = tuple(dict.fromkeys(_imported_names(tree.body)))


def _read_program(path: Path) -> Program:
    status = path.stat()
    return _parse(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1024)
def _parse(path: Path, changed: int, size: int) -> Program:
    """Parse a file, cached by its modification time and size."""
    try:
        return Program(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise CourseError(f"{path.parent.name}/{path.name} cannot be read as Python: {why}") from error


def _imported_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield imported names; for `from a import b` both a and a.b, as b may be a module."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _bare_text(source: str, tree: ast.Module) -> str:
    """Return the lines of a program without docstrings, comments on their own lines and empty lines."""
    lines = source.splitlines()
    documentation, inside = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and (words := _docstring(node)) and _fills_lines(words, lines):
            documentation.update(range(words.lineno, _last_line(words) + 1))
        elif isinstance(node, ast.Constant | ast.JoinedStr):  # a line inside a string may look like a comment
            inside.update(range(node.lineno + 1, _last_line(node) + 1))
    code = {number for number, line in enumerate(lines, start=1) if number in inside or _is_code(line)}
    return "\n".join(lines[number - 1].rstrip() for number in sorted(code - documentation))


def _is_code(line: str) -> bool:
    """Return whether a line outside of strings holds more than a comment."""
    bare = line.strip()
    return bool(bare) and not bare.startswith("#")


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    first = node.body[0] if node.body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return first.value if is_text and isinstance(first.value.value, str) else None  # type: ignore[union-attr]


def _last_line(node: ast.expr) -> int:
    return node.end_lineno or node.lineno


def _fills_lines(node: ast.expr, lines: Sequence[str]) -> bool:
    """Return whether an expression is alone on its lines."""
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    after = lines[_last_line(node) - 1].encode()[node.end_col_offset :]
    return not before.strip() and not after.strip()


def read_record(path: Path) -> Mapping[str, object]:
    """Read a file of digests; return an empty dict if it is missing or invalid."""
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
