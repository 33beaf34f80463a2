"""Cache the names that the statements of earlier cells define.

A reader who changes a number and runs a cell again does not wait for the earlier cells. Each run gets deep copies of
the values, in the same dictionary, which is the global namespace of the functions defined there. So a run never sees
changes of an earlier run. If a value cannot be copied, the statements are run again.
"""

import copy
import inspect
from collections.abc import Callable
from types import GeneratorType, ModuleType

Namespace = dict[str, object]


class CachedPrefix:
    """The last program of earlier cells, and a copy of its names."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self.space: Namespace = {}
        self.program: str | None = None
        self.names: Namespace = {}

    def names_after(self, program: str, run: Callable[[str, Namespace], None]) -> Namespace:
        """Return the names that a program defines; run it unless it is cached."""
        if program == self.program:
            names = _copy_names(self.names)
            self.space.clear()
            self.space.update(names)
            return self.space
        self.program = None
        self.space.clear()
        self.space["__name__"] = "__main__"
        run(program, self.space)
        try:
            self.names = _copy_names(self.space)
            self.program = program
        except Exception:  # copying may raise any exception
            self.names = {}
        return self.space


def _copy_names(names: Namespace) -> Namespace:
    """Return a deep copy of the values.

    Modules, functions and classes are not copied, nor are generators that have ended: nothing can change them. Names of
    the same object share its copy.
    """
    names = {name: value for name, value in names.items() if name != "__builtins__"}
    shared = {
        id(value): value for value in names.values() if isinstance(value, ModuleType) or _has_ended(value)
    }
    return copy.deepcopy(names, dict(shared))


def _has_ended(value: object) -> bool:
    """Return whether a value is a generator that gives nothing more."""
    return isinstance(value, GeneratorType) and inspect.getgeneratorstate(value) == inspect.GEN_CLOSED
