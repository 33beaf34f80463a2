"""Convert a built page to Markdown that plain Jupyter shows.

Headings, paragraphs, lists, tables, formulas, boxes, code and figures are converted. Links inside the book become their
text, because a downloaded page stands alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class Part:
    """Some Markdown of a page, or the code of a cell."""

    text: str
    is_code: bool = False
    is_hidden: bool = False  # folded on the page


def markdown_parts(page: str) -> Iterator[Part]:
    """Yield the cells and the prose between them, in order."""
    prose: list[str] = []
    for block in _blocks(_article(page)):
        if "cell" not in _classes(block):
            prose.append(_block(block))
            continue
        if any(prose):
            yield Part("\n\n".join(filter(None, prose)))
        if line := block.select_one("details.checked > summary"):
            yield Part(f"*{_inline(line)}*")
        source = block.select_one("div.cell_input pre")
        is_hidden = line is not None or "tag_hide-input" in _classes(block)
        yield Part(source.get_text() if source else "", is_code=True, is_hidden=is_hidden)
        prose = [_inline(caption) for caption in block.select("div.cell_output > figure > figcaption")]
    if any(prose):
        yield Part("\n\n".join(filter(None, prose)))


def _article(page: str) -> Any:
    from bs4 import BeautifulSoup

    start, end = page.find('<article class="bd-article"'), page.rfind("</article>")
    inside = page[start : end + len("</article>")] if 0 <= start < end else page  # the rest is half of a page
    article = BeautifulSoup(inside, "html.parser").select_one("article.bd-article")
    for mark in article.select("a.headerlink, span.eqno a, script, style") if article else []:
        mark.decompose()
    return article or BeautifulSoup("", "html.parser")


def _classes(node: Any) -> list[str]:
    return list(node.get("class") or [])


def _blocks(node: Any) -> Iterator[Any]:
    """Yield the blocks of a page, entering sections and wrappers."""
    for child in node.find_all(recursive=False):
        if _is_wrapper(child):
            yield from _blocks(child)
        else:
            yield child


def _is_wrapper(node: Any) -> bool:
    """Return whether a node only groups blocks.

    Sections, in-depth parts, folded problems and plain divisions do.
    """
    classes = set(_classes(node))
    is_fold = node.name == "details" and bool(classes & _FOLDS)
    return node.name == "section" or is_fold or (node.name == "div" and not classes & _BOXES)


_FOLDS = {"depth", "practice-fold", "quick-fold"}
_BOXES = {"cell", "math", "admonition", "highlight", "citation"}


def _block(node: Any) -> str:
    """Return the Markdown of one block."""
    if node.name in HEADING_TAGS:
        return "#" * int(node.name[1]) + " " + _inline(node)
    if node.name == "summary":  # the title of a folded part
        return f"***{_inline(node)}***"
    if node.name in _BLOCKS:
        return str(_BLOCKS[node.name](node))
    for name, translate in _DIVISIONS.items():
        if name in _classes(node):
            return str(translate(node))
    return _inline(node)


def _inside(node: Any) -> str:
    """Return the Markdown of everything inside a block."""
    if not any(child.name in (*_BLOCKS, "p", "div", "section") for child in node.find_all(recursive=False)):
        return _inline(node)
    return "\n\n".join(filter(None, map(_block, _blocks(node))))


def _box(node: Any) -> str:
    title = node.find("p", class_="admonition-title", recursive=False)
    heading = f"**{_inline(title.extract())}**\n\n" if title else ""
    return re.sub("^", "> ", heading + _inside(node), flags=re.MULTILINE)


def _formula(node: Any) -> str:
    number = node.find("span", class_="eqno")
    tag = f" \\tag{{{number.extract().get_text().strip('()')}}}" if number else ""
    return f"$$\n{_between(node.get_text(), '[', ']')}{tag}\n$$"


def _list(node: Any) -> str:
    items = []
    for number, item in enumerate(node.find_all("li", recursive=False), start=1):
        mark = f"{number}. " if node.name == "ol" else "* "
        items.append(mark + _inside(item).replace("\n", "\n" + " " * len(mark)))
    return "\n".join(items)


def _table(node: Any) -> str:
    rows = [
        [_inline(cell).replace("|", "\\|") for cell in row.find_all(["th", "td"])]
        for row in node.find_all("tr")
    ]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines[:1], "|---" * len(rows[0]) + "|", *lines[1:]])


def _listing(node: Any) -> str:
    return f"```python\n{node.get_text().rstrip()}\n```"


_BLOCKS = {"ul": _list, "ol": _list, "table": _table, "pre": _listing}
_DIVISIONS = {"math": _formula, "admonition": _box, "highlight": _listing}


def _inline(node: Any) -> str:
    """Return the Markdown of running text."""
    return re.sub(r"[ \t]*\n\s*", "\n", "".join(map(_piece, node.children))).strip()


def _piece(node: Any) -> str:
    if node.name is None:
        return re.sub(r"([\\`*_$<])", r"\\\1", str(node))
    if "math" in _classes(node):
        return f"${_between(node.get_text(), '(', ')')}$"
    if node.name == "code":
        return f"`{node.get_text()}`"
    text = "".join(map(_piece, node.children))
    if node.name == "a" and str(node.get("href", "")).startswith("https://"):
        return f"[{text}]({node['href']})"
    mark = {"em": "*", "strong": "**"}.get(node.name, "")
    return f"{mark}{text.strip()}{mark}" if mark else text


def _between(text: str, start: str, end: str) -> str:
    """Return a formula without its delimiters."""
    return text.strip().removeprefix(f"\\{start}").removesuffix(f"\\{end}").strip()


def page_text(page: str) -> str:
    """Return a built page as one Markdown text with code."""
    pieces = [
        f"```python\n{part.text.rstrip()}\n```" if part.is_code else part.text
        for part in markdown_parts(page)
    ]
    return "\n\n".join(piece for piece in pieces if piece.strip()) + "\n"
