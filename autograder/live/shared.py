"""What all cells of a page share: the modules, and some settings of the interpreter.

A cell gets names of its own, and no modules of its own. One that replaces a function of numpy, deletes a builtin or
moves to another folder would be felt by every later cell. So what is shared is compared with what it was when Python
started, and a Python that was changed serves no other cell.
"""

import builtins
import os
import sys
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

WATCHED = (
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
ENGINE = "autograder"


class Shared:
    """The names of the watched modules and the settings, as they were when this was made."""

    def __init__(self) -> None:
        """Remember."""
        engine = [name for name in sys.modules if name.partition(".")[0] == ENGINE]
        names = [*engine, *(name for name in WATCHED if name in sys.modules)]
        self.modules: dict[str, ModuleType] = {name: sys.modules[name] for name in names}
        self.names = {name: dict(vars(module)) for name, module in self.modules.items()}
        self.settings = _settings()
        self.finders = _finders()

    def is_changed(self) -> bool:
        """Is a name another thing than it was? New names disturb nobody: libraries add some when first used."""
        if any(sys.modules.get(name) is not module for name, module in self.modules.items()):
            return True
        for name, module in self.modules.items():
            now = vars(module)
            if any(now.get(word, self) is not value for word, value in self.names[name].items()):
                return True
        return self.settings != _settings() or self._has_foreign_finders()

    def _has_foreign_finders(self) -> bool:
        """Were import finders removed, exchanged, or added by anything but a library?

        A finder at the end is asked for modules that nothing else knows. Libraries append such finders when they are
        imported (matplotlib brings `six`, which does), and later cells do not feel it.
        """
        return any(
            now[: len(before)] != before or not all(map(_is_of_a_library, now[len(before) :]))
            for now, before in zip(_finders(), self.finders, strict=True)
        )


def _finders() -> tuple[list[Any], list[Any]]:
    return [*sys.meta_path], [*sys.path_hooks]


def _is_of_a_library(finder: object) -> bool:
    """Is this finder defined in an imported module, and not in a reader's cell?"""
    kind = finder if isinstance(finder, type | FunctionType) else type(finder)
    module = sys.modules.get(kind.__module__)
    return module is not None and getattr(module, kind.__name__, None) is kind


def _settings() -> list[Any]:
    interpreter = [*map(str, sys.path), sys.getrecursionlimit()]
    watching = [sys.gettrace(), sys.getprofile(), os.getcwd(), [os.path.exists(path) for path in sys.path]]
    return [interpreter, watching, np.geterr(), np.get_printoptions(), builtins.print]
