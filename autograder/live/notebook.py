"""Stand-ins for the parts of Jupyter that pages of the book name, where Jupyter is not: in a reader's browser."""

import importlib.util
import sys
from types import ModuleType
from typing import Any


class HTML:
    """Markup that a notebook would show; a live cell says that it does not."""

    def __init__(self, data: str = "", **options: Any) -> None:
        """Keep the text."""
        self.data = data

    def __repr__(self) -> str:
        """What stands in the place of the markup."""
        return f"<{type(self).__name__}, {len(self.data)} characters: shown in the book>"


class Markdown(HTML):
    """Text that a notebook would typeset."""

    def __repr__(self) -> str:
        """The text as it is."""
        return self.data


def _nothing(*args: Any, **options: Any) -> None:
    """Do nothing: `glue` carries a value into the text of a page, formats are chosen by the page."""


# by module; packages before their modules
STAND_INS: dict[str, dict[str, Any]] = {
    "IPython": {"get_ipython": _nothing, "version_info": (9, 0)},  # matplotlib asks for both
    "IPython.display": {"HTML": HTML, "Markdown": Markdown, "display": print},
    "matplotlib_inline": {},
    "matplotlib_inline.backend_inline": {"set_matplotlib_formats": _nothing},
    "myst_nb": {"glue": _nothing},
}


def stand_in() -> None:
    """Let the stand-ins be imported, each where the real one is not installed."""
    for name, names in STAND_INS.items():
        package = name.partition(".")[0]
        if package in STOOD_IN or importlib.util.find_spec(package) is None:
            STOOD_IN.add(package)
            module = sys.modules.setdefault(name, ModuleType(name))
            vars(module).update(names)
            if "." in name:
                setattr(sys.modules[package], name.partition(".")[2], module)


STOOD_IN: set[str] = set()
