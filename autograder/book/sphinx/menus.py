"""Fold parts of the sidebar that are not for readers: `folded_parts` names their captions.

Such a part is a line that opens; on one of its own pages it is open.
"""

import re
from html import escape

from sphinx.application import Sphinx

from autograder.book.sphinx.finishing import unfinished_pages

SIDEBAR_CAPTION = '<p [^>]*class="caption"[^>]*><span class="caption-text">{name}</span></p>\\s*(?=<ul )'
LIST_TAG = re.compile(r"<(/?)ul\b")
CURRENT = re.compile(r'<li class="[^"]*\bcurrent\b')


def fold_part(text: str, name: str) -> str:
    """Fold the list below a caption of the sidebar; a page without it stays as it is."""
    caption = re.search(SIDEBAR_CAPTION.format(name=re.escape(escape(name))), text)
    if not caption:
        return text
    end = _end_of_list(text, caption.end())
    items = text[caption.end() : end]
    is_open = " open" if CURRENT.search(items) else ""
    summary = f'<summary class="caption"><span class="caption-text">{escape(name)}</span></summary>'
    folded = f'<details class="folded-part"{is_open}>{summary}\n{items}</details>'
    return text[: caption.start()] + folded + text[end:]


def _end_of_list(text: str, start: int) -> int:
    """Return where the list that begins at `start` ends, lists inside it counted."""
    depth = 0
    for tag in LIST_TAG.finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return text.index(">", tag.end()) + 1
    return len(text)


def fold_parts(app: Sphinx, error: Exception | None) -> None:
    """Fold the parts on the finished pages."""
    names = app.config.folded_parts
    if error is not None or app.builder.format != "html" or not names:
        return
    for path in unfinished_pages(app):
        before = after = path.read_text("utf-8")
        for name in names:
            after = fold_part(after, name)
        if after != before:
            path.write_text(after, "utf-8")


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.add_config_value("folded_parts", [], "html")
    app.connect("build-finished", fold_parts)
