"""Convert the text of a task to HTML for the book.

Labels are kept as `[[thm-areas-square]]`. The build of the book replaces them, because only it knows their numbers
and links.
"""

import re
from functools import cache
from html import escape
from typing import Any

# A line may end between the word and its label.
_NAMED_LABEL = re.compile(
    r"(?:\b(?:the\s)?(?:equations?|theorems?|definitions?|sections?|figures?|lemmas?|algorithms?)\s)?"
    r"`(?P<label>[a-z]+(?:-[a-z0-9]+)+)`",
    re.IGNORECASE,
)


# A formula with adjacent punctuation, which a line break must not separate.
_FORMULA_WITH_PUNCTUATION = re.compile(
    r"([(\[“‘]*)(<span class=\"math inline\">[^<]*</span>)([.,;:!?)\]’”…]*(?:-\w+)?)"
)


def prose_html(text: str) -> str:
    """Render Markdown as HTML, with formulas for MathJax."""
    named = _NAMED_LABEL.sub(lambda match: f"[[{match['label']}]]", text)
    return _FORMULA_WITH_PUNCTUATION.sub(_keep_together, str(_reader().render(named)).strip())


def prose_inline(text: str) -> str:
    """Render one line of Markdown as HTML without its paragraph."""
    return prose_html(text).removeprefix("<p>").removesuffix("</p>")


def _keep_together(match: re.Match[str]) -> str:
    before, _, after = match.groups()
    return f'<span class="glued">{match[0]}</span>' if before or after else match[0]


@cache
def _reader() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return MarkdownIt("commonmark").use(dollarmath_plugin, renderer=_formula, double_inline=True)


def _formula(content: str, options: dict[str, object]) -> str:
    """Return the content of the element of class `math`."""
    shown = escape(content.strip())
    return f"\\[{shown}\\]" if options["display_mode"] else f"\\({shown}\\)"
