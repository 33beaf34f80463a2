"""Packages that a course's tasks import and its students may not: above all its reference, which holds the answers.

Students may import what the notebooks of the course import, the libraries of every notebook, and what these need. All
other packages that the tasks import are hidden from students' programs; `hidden` in `course.toml` adds more.
"""

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib import metadata

from autograder.course.course import Course
from autograder.judging.python_source import parse_module
from autograder.sandbox.fork_server_client import hide_packages, hide_paths
from autograder.sandbox.visible import installed_paths

EVERYONES_PACKAGES = (
    "autograder",
    "IPython",
    "matplotlib",
    "matplotlib_inline",
    "mpmath",
    "numpy",
    "scipy",
    "sympy",
)
_REQUIREMENT_NAME = re.compile(r"[A-Za-z0-9._-]+")
_CODE_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def hide_course(course: Course) -> None:
    """Hide a course from students' programs: its folders, and packages that hold answers.

    Call before a fork server is started.
    """
    private = [course.private_folder] if course.private_folder else []
    hide_paths(course.home, course.root, course.classroom, course.exchange, *private)
    hide_packages(packages_to_hide(course))


def packages_to_hide(course: Course) -> list[str]:
    """Return the import names of installed packages that students' programs must not see."""
    declared = {*course.settings["hidden"], *([course.base_folder.name] if course.base_folder else [])}
    allowed = {*EVERYONES_PACKAGES, *_imported_by_notebooks(course)} - declared
    imported = _imported_by_course(course) - allowed - set(sys.stdlib_module_names)
    installed = {name for name in imported if any(installed_paths([name]))}
    return sorted(declared | _without_needed(installed, allowed))


def _without_needed(names: set[str], allowed: Collection[str]) -> set[str]:
    """Leave out packages that allowed ones need; add others of the same distributions."""
    if not names:  # the usual case: looking into all distributions takes a second
        return names
    providers = metadata.packages_distributions()
    needed = with_requirements({dist for name in allowed for dist in providers.get(name, ())})
    hidden = {dist for name in names for dist in providers.get(name, ())} - needed
    beside = {name for name, dists in providers.items() if hidden.intersection(dists)} - set(allowed)
    unknown = {name for name in names if name not in providers}
    return beside | unknown


def with_requirements(names: Iterable[str]) -> set[str]:
    """Return installed distributions with all that they require, without extras."""
    known = {_normalised(dist.name): dist for dist in metadata.distributions()}
    waiting, reached = [*names], set[str]()
    while waiting:
        dist = known.get(_normalised(waiting.pop()))
        if dist and dist.name not in reached:
            reached.add(dist.name)
            waiting += [
                match[0]
                for text in dist.requires or []
                if "extra ==" not in text and (match := _REQUIREMENT_NAME.match(text))
            ]
    return reached


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported_by_notebooks(course: Course) -> set[str]:
    """Return the packages that the text of the exercises imports."""
    cells = (cell for text in _notebook_texts(course) for cell in _CODE_CELL.findall(text))
    return {name for cell in cells for name in _imports(_without_options(cell))}


def _notebook_texts(course: Course) -> Iterator[str]:
    for topic in course.all_topics():
        for folder in course.sources(topic):
            path = folder / "notebook.md"
            if path.is_file():
                yield path.read_text("utf-8")


def _without_options(cell: str) -> str:
    return re.sub(r"^(?::[^\n]*|---\n.*?---)$", "", cell, flags=re.MULTILINE | re.DOTALL)


def _imported_by_course(course: Course) -> set[str]:
    """Return the library of the course and the packages that its tasks import."""
    folders = [course.root / "solutions", *filter(None, [course.private_folder])]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    names = {name for path in paths for name in _imports(path.read_text("utf-8", "replace"))}
    return names | {str(course.settings["library"])} - {""}


def _imports(source: str) -> Iterator[str]:
    """Yield the top-level packages that a program imports; none if it is no Python."""
    try:
        tree = parse_module(source)
    except (SyntaxError, ValueError):  # a cell with placeholders or magics
        for match in re.finditer(r"^\s*(?:from|import)\s+(\w+)", source, re.MULTILINE):
            yield match[1]
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
