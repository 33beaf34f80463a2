"""Detect changes of state that all cells of a page share: modules and interpreter settings.

A cell has its own namespace, but shares the modules. If it replaces a numpy function, deletes a builtin or changes the
folder, later cells are affected. So the shared state is compared with its state at the start, and a changed Python runs
no further cell.
"""

import builtins
import os
import sys
from types import FunctionType, ModuleType

import numpy as np

WATCHED_MODULES = (
    "ast",
    "builtins",
    "contextlib",
    "copy",
    "io",
    "json",
    "linecache",
    "numpy",
    "numpy.linalg",
    "traceback",
)
ENGINE_NAME = "autograder"


class Shared:
    """Snapshot of the names of watched modules and of interpreter settings."""

    def __init__(self) -> None:
        """Take the snapshot."""
        engine = [name for name in sys.modules if name.partition(".")[0] == ENGINE_NAME]
        names = [*engine, *(name for name in WATCHED_MODULES if name in sys.modules)]
        self.modules: dict[str, ModuleType] = {name: sys.modules[name] for name in names}
        self.names = {name: dict(vars(module)) for name, module in self.modules.items()}
        self.settings = _read_settings()
        self.finders = _read_finders()

    def is_changed(self) -> bool:
        """Return whether a name or setting has changed.

        New names do not count: libraries add some at first use.
        """
        if any(sys.modules.get(name) is not module for name, module in self.modules.items()):
            return True
        for name, module in self.modules.items():
            current = vars(module)
            if any(
                current.get(attribute, self) is not value for attribute, value in self.names[name].items()
            ):
                return True
        return self.settings != _read_settings() or self._has_foreign_finders()

    def _has_foreign_finders(self) -> bool:
        """Return whether import finders were changed by anything but a library.

        Finders appended by an imported library are accepted (matplotlib imports `six`, which appends some): they are
        asked last, only for modules that no other finder knows.
        """
        return any(
            current[: len(before)] != before or not all(map(_is_library_finder, current[len(before) :]))
            for current, before in zip(_read_finders(), self.finders, strict=True)
        )


def _read_finders() -> tuple[list[object], list[object]]:
    return [*sys.meta_path], [*sys.path_hooks]


def _is_library_finder(finder: object) -> bool:
    """Return whether a finder is defined in an imported module, not in a cell."""
    finder_type = finder if isinstance(finder, type | FunctionType) else type(finder)
    module = sys.modules.get(finder_type.__module__)
    return module is not None and getattr(module, finder_type.__name__, None) is finder_type


def _read_settings() -> list[object]:
    interpreter = [*map(str, sys.path), sys.getrecursionlimit()]
    watching = [sys.gettrace(), sys.getprofile(), os.getcwd(), [os.path.exists(path) for path in sys.path]]
    return [interpreter, watching, np.geterr(), np.get_printoptions(), builtins.print]
