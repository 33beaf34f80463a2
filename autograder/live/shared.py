"""What all cells of a page share: the modules, and some settings of the interpreter.

A cell gets names of its own, and no modules of its own. One that replaces a function of numpy, deletes a builtin or
moves to another folder would be felt by every later cell. So what is shared is compared with what it was when Python
started, and a Python that was changed serves no other cell.
"""

import builtins
import os
import sys
from types import ModuleType
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

    def is_changed(self) -> bool:
        """Is a name another thing than it was? New names disturb nobody: libraries add some when first used."""
        if any(sys.modules.get(name) is not module for name, module in self.modules.items()):
            return True
        for name, module in self.modules.items():
            now = vars(module)
            if any(now.get(word, self) is not value for word, value in self.names[name].items()):
                return True
        return self.settings != _settings()


def _settings() -> list[Any]:
    interpreter = [
        *map(str, sys.path),
        *map(id, sys.meta_path),
        *map(id, sys.path_hooks),
        sys.getrecursionlimit(),
    ]
    watching = [sys.gettrace(), sys.getprofile(), os.getcwd(), [os.path.exists(path) for path in sys.path]]
    return [interpreter, watching, np.geterr(), np.get_printoptions(), builtins.print]
