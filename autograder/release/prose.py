"""The words of a task as HTML for a page of the book: Markdown with formulas; labels stay, between double brackets.

What a label is called and where it leads is known when the book is built, not before: `[[thm-areas-square]]` is
replaced there.
"""

import re
from functools import cache
from html import escape
from typing import Any

# Between the word and its label there may be the end of a line.
_NAMED = re.compile(
    r"(?:\b(?:the\s)?(?:equations?|theorems?|definitions?|sections?|figures?|lemmas?|algorithms?)\s)?"
    r"`(?P<label>[a-z]+(?:-[a-z0-9]+)+)`",
    re.IGNORECASE,
)


# A formula in a line with the punctuation beside it, which may not be torn off by the end of the line.
_BESIDE = re.compile(r"([(\[“‘]*)(<span class=\"math inline\">[^<]*</span>)([.,;:!?)\]’”…]*(?:-\w+)?)")


def html_of(text: str) -> str:
    """Markdown as HTML; formulas as MathJax reads them."""
    named = _NAMED.sub(lambda found: f"[[{found['label']}]]", text)
    return _BESIDE.sub(_glued, str(_reader().render(named)).strip())


def _glued(found: re.Match[str]) -> str:
    before, _, after = found.groups()
    return f'<span class="glued">{found[0]}</span>' if before or after else found[0]


@cache
def _reader() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return MarkdownIt("commonmark").use(dollarmath_plugin, renderer=_formula, double_inline=True)


def _formula(content: str, options: dict[str, Any]) -> str:
    """What stands inside the element of class `math` that the reader makes."""
    shown = escape(content.strip())
    return f"\\[{shown}\\]" if options["display_mode"] else f"\\({shown}\\)"
