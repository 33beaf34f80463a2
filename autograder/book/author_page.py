"""Write the page of names that authors import from the engine.

It lists modules; a new public name in one of them appears by itself. The page is committed, because the table of
contents names it, and written again when a docstring changes.
"""

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from types import ModuleType
from typing import Any

from autograder.course.contents import contents_entries
from autograder.course.course import Course
from autograder.course.files import write_changed_texts

NAME = "instructor_reference"
# heading, module, and its names where not all are for authors
PARTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("What a notebook calls", "autograder", ("check", "case")),
    ("Tasks", "autograder.authoring.task", ()),
    ("Mistakes of earlier steps", "autograder.authoring.inherited", ()),
    ("When two answers are the same", "autograder.judging.sameness", ()),
    ("A course on disk", "autograder.course.course", ("Course",)),
    ("Grade from a program", "autograder.grading.grade", ("grade",)),
)
HEADER = """\
(instructor-reference)=
# What authors import from autograder

Whoever writes tasks needs few names of the engine; they are listed here with their arguments. The guide *Write a
task* explains them by an example. Other names are internal and may change between two versions. Other documentation can
link here: `objects.inv` at the root of this site lists every name.
"""


def write_author_page(course: Course) -> None:
    """Write the page, if the table of contents names it."""
    if f"{course.book.name}/{NAME}" in contents_entries(course.root):
        write_changed_texts(course.book, {f"{NAME}.md": author_page()})


def author_page() -> str:
    """Return the text of the page."""
    return "\n".join([HEADER, *(line for part in PARTS for line in _part(*part))])


def _part(heading: str, module_name: str, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a section: the module's docstring, then its names.

    The docstring is left out if only some names are listed.
    """
    module = importlib.import_module(module_name)
    yield f"## {heading}\n"
    if not names:
        yield f"{inspect.getdoc(module)}\n"
    for name in names or public_names(module):
        if entry := _entry(module_name, name, getattr(module, name)):
            yield f"```{{eval-rst}}\n{entry}\n```\n"


def public_names(module: ModuleType) -> list[str]:
    """Return `__all__`, else what a module defines itself, in order."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    public = ((name, value) for name, value in vars(module).items() if not name.startswith("_"))
    return [name for name, value in public if _home(value) == module.__name__]


def _home(value: object) -> str:
    """Return the module that defines a function, class or instance's class."""
    return str(getattr(value, "__module__", type(value).__module__))


def _entry(module: str, name: str, value: object) -> str:
    """Return the autodoc directive of a name; empty for type aliases."""
    full = f"{module}.{name}"
    if inspect.isclass(value):
        fields = ", ".join(_functions_as_defaults(value))
        excluded = f"\n   :exclude-members: {fields}" if fields else ""
        return f".. autoclass:: {full}{_arguments(value)}\n   :members:{excluded}"
    if inspect.isfunction(value):
        return f".. autofunction:: {full}{_arguments(value)}"
    if hasattr(value, "forgives"):  # a sameness
        return f".. py:data:: {name}\n   :module: {module}\n\n   Forgives {value.forgives}."
    return ""


def _functions_as_defaults(value: type) -> list[str]:
    """Return the dataclass fields whose default is a function.

    autodoc would document them as methods.
    """
    if not is_dataclass(value):
        return []
    names = (field.name for field in dataclasses.fields(value))
    return [name for name in names if inspect.isfunction(getattr(value, name, None))]


def _arguments(value: Any) -> str:
    """Return the signature without types; defaults without a short form become `...`."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return "(message)"  # Python knows no signature of a built-in one
    parameters = [
        parameter.replace(
            annotation=parameter.empty,
            default=parameter.default if _is_plain(parameter.default) else _Mark(),
        )
        for parameter in inspect.signature(value).parameters.values()
    ]
    return str(inspect.Signature(parameters))


def _is_plain(default: object) -> bool:
    return default is inspect.Parameter.empty or isinstance(default, bool | int | float | str | None | tuple)


class _Mark:
    """A default whose `repr` is three dots."""

    def __repr__(self) -> str:
        """Return the dots."""
        return "..."
