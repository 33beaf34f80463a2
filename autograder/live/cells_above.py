"""What stands above a cell, run once and given back as it was: a reader changes a number and runs again at once.

Names come back as copies of what they were, in the one dictionary in which the functions above look for them: a run
never sees what an earlier one changed. Where something cannot be copied, all is run again.
"""

import copy
from collections.abc import Callable
from types import ModuleType
from typing import Any

Names = dict[str, Any]


class Above:
    """The last program that stood above a cell, and the names that it left."""

    def __init__(self) -> None:
        """Nothing was run yet."""
        self.space: Names = {}
        self.program: str | None = None
        self.names: Names = {}

    def names_after(self, program: str, run: Callable[[str, Names], None]) -> Names:
        """The names that a program leaves; it is run unless it was the last one."""
        if program == self.program:
            names = _copied(self.names)
            self.space.clear()
            self.space.update(names)
            return self.space
        self.program = None
        self.space.clear()
        self.space["__name__"] = "__main__"
        run(program, self.space)
        try:
            self.names = _copied(self.space)
            self.program = program
        except Exception:  # whatever an object says that cannot be copied
            self.names = {}
        return self.space


def _copied(names: Names) -> Names:
    """A copy in which modules, functions and classes are themselves, and what was one object is one."""
    names = {name: value for name, value in names.items() if name != "__builtins__"}
    modules = {id(value): value for value in names.values() if isinstance(value, ModuleType)}
    return copy.deepcopy(names, dict(modules))
