"""Read a built page of the book back into Markdown that plain Jupyter shows: prose in cells, code in cells.

Only what the pages contain is translated: headings, paragraphs, lists, tables, formulas, boxes,
code, figures. Links inside the book become their text, because a downloaded page stands alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class Part:
    """A stretch of a page: the Markdown of some prose, or the code of a cell."""

    text: str
    is_code: bool = False
    is_hidden: bool = False  # code that the page folds away


def parts_of(page: str) -> Iterator[Part]:
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
    """Yield the blocks of a page; sections and mere wrappers are entered."""
    for child in node.find_all(recursive=False):
        if child.name == "section" or (child.name == "div" and not set(_classes(child)) & _BOXES):
            yield from _blocks(child)
        else:
            yield child


_BOXES = {"cell", "math", "admonition", "highlight", "citation"}


def _block(node: Any) -> str:
    """Return the Markdown of one block."""
    if node.name in HEADINGS:
        return "#" * int(node.name[1]) + " " + _inline(node)
    if node.name in _BLOCKS:
        return str(_BLOCKS[node.name](node))
    for name, translate in _DIVISIONS.items():
        if name in _classes(node):
            return str(translate(node))
    return _inline(node)


def _inside(node: Any) -> str:
    """Return the Markdown of everything in a block that holds blocks, or text, or both."""
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
    """Return a formula without the marks around it."""
    return text.strip().removeprefix(f"\\{start}").removesuffix(f"\\{end}").strip()
