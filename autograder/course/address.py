"""Insert the address of the book into notebooks and keys that are handed out.

Exercises are generated without this address. A link in a notebook leads to the source of a page, relative to
`exercises/<topic>/`, so it works in a repository. A key has addresses relative to the root of the site.
`notebook_at` and `key_at` insert the address, or replace an earlier one.
"""

import base64
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

METADATA_NAME = "dimred"  # name of our entries in the metadata of a notebook
# A link to a page of the book: to its source, or to a site on the machine where the notebook was made.
_LOCAL = r"https?://(?:127\.0\.0\.1|localhost)(?::\d+)?/"
_PAGE = r"book/(?P<page>\w+)\.(?:md|html)(?P<anchor>#[^)\s]*)?"
INSTALLATION = re.compile(r"^\*\*Before you start\*\*.*$", re.MULTILINE)
_COMMAND = re.compile(r"`python -m pip install [^`]*`")


@dataclass(frozen=True)
class Site:
    """A published book: address without a final slash, and install command."""

    address: str
    command: str = ""


NOWHERE = Site("")  # a book that is not published


def source_link(href: str) -> str:
    """Return the repository link to a place of the book, such as `areas.html#square`."""
    page, _, anchor = href.partition("#")
    return f"../../book/{page.removesuffix('.html')}.md#{anchor}"


def with_links_to(text: str, base: str, before: str = "") -> str:
    """Replace the start of links to pages of the book by `base`.

    `before` is an address with which they may start now.
    """
    known = [r"\.\./\.\./", _LOCAL, *([re.escape(before.rstrip("/")) + "/"] if before else [])]
    pattern = rf"\]\((?:{'|'.join(known)}){_PAGE}\)"
    return re.sub(pattern, lambda match: f"]({base}book/{match['page']}.html{match['anchor'] or ''})", text)


def notebook_at(notebook: Mapping[str, object], site: Site) -> dict[str, object]:
    """Return a copy of a notebook with the links and install command of a site.

    Without an address the copy is unchanged.
    """
    result: dict[str, Any] = json.loads(json.dumps(notebook))
    if not site.address:
        return result
    ours = result["metadata"].setdefault(METADATA_NAME, {})
    before, ours["book"] = str(ours.get("book", "")), site.address
    for cell in result["cells"]:
        if cell["cell_type"] == "markdown":
            lines = "".join(cell["source"])
            text = with_links_to(lines, f"{site.address}/", before)
            cell["source"] = _split_like(cell["source"], _replace_command(text, site.command))
    return result


def _replace_command(text: str, command: str) -> str:
    """Replace the command in the line "Before you start"."""
    if not command:
        return text
    return INSTALLATION.sub(lambda line: _COMMAND.sub(lambda _: f"`{command}`", line[0], count=1), text)


def _split_like(source: object, text: str) -> Any:
    """Return the text as a list of lines if the source was one."""
    return text.splitlines(keepends=True) if isinstance(source, list) else text


def key_at(text: str, address: str) -> str:
    """Return the text of a key whose links lead to this address."""
    if not address:
        return text
    tree = json.loads(text)
    before = str(tree.get("book", ""))
    for page in tree.get("pages", {}).values():
        relative = page["address"].removeprefix(f"{before}/") if before else page["address"]
        page["address"] = re.sub(f"^{_LOCAL}", "", relative)
    tree["book"] = address
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def with_key(notebook: Mapping[str, object], key: str) -> dict[str, Any]:
    """Return a notebook with its compressed public key in the metadata."""
    result: dict[str, Any] = json.loads(json.dumps(notebook))
    packed = base64.b64encode(zlib.compress(key.encode(), 9)).decode()
    result["metadata"].setdefault(METADATA_NAME, {})["key"] = packed
    return result
