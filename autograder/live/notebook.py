"""Replacements for parts of Jupyter that pages import, for the reader's browser."""

import importlib.util
import sys
from types import ModuleType


class HTML:
    """HTML that a notebook would show; a live cell shows a note instead."""

    def __init__(self, data: str = "", **options: object) -> None:
        """Store the markup."""
        self.data = data

    def __repr__(self) -> str:
        """Return a note in place of the markup."""
        return f"<{type(self).__name__}, {len(self.data)} characters: shown in the book>"


class Markdown(HTML):
    """Markdown that a notebook would typeset; a live cell shows its source."""

    def __repr__(self) -> str:
        """Return the source text."""
        return self.data


def _do_nothing(*args: object, **options: object) -> None:
    """Do nothing: `glue` and figure formats concern only the built page."""


# module → names; a package before its modules
REPLACEMENT_MODULES: dict[str, dict[str, object]] = {
    "IPython": {"get_ipython": _do_nothing, "version_info": (9, 0)},  # matplotlib asks for both
    "IPython.display": {"HTML": HTML, "Markdown": Markdown, "display": print},
    "matplotlib_inline": {},
    "matplotlib_inline.backend_inline": {"set_matplotlib_formats": _do_nothing},
    "myst_nb": {"glue": _do_nothing},
}


def install_replacements() -> None:
    """Register the replacements of packages that are not installed in `sys.modules`."""
    for name, names in REPLACEMENT_MODULES.items():
        package = name.partition(".")[0]
        if package in REPLACED_PACKAGES or importlib.util.find_spec(package) is None:
            REPLACED_PACKAGES.add(package)
            module = sys.modules.setdefault(name, ModuleType(name))
            vars(module).update(names)
            if "." in name:
                setattr(sys.modules[package], name.partition(".")[2], module)


REPLACED_PACKAGES: set[str] = set()
