"""Parse a MyST page into a tree of blocks.

Blocks are headings, targets, formulas, directives and text. markdown-it and its plugins, on which MyST itself is built,
split the text; this module names the blocks. Neither Sphinx nor a build is needed, so that exercises can link to the
book and tests can check both sides.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.attrs import attrs_block_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

_DIRECTIVE = re.compile(r"^\{(?P<name>[^\s}]+)\}\s*(?P<argument>.*)$")
_OPTION = re.compile(r"^\s*:(?P<name>[\w-]+):\s*(?P<value>.*)$")
_VERBATIM = {"code", "code-block", "code-cell", "literalinclude", "math", "raw", "bibliography", "eval-rst"}
# Tokens that carry a label or count as a formula; an environment of amsmath counts without one.
_LABELLED = {"myst_target": "target", "math_block_label": "math", "amsmath": "math"}


@dataclass(frozen=True)
class Block:
    """A heading, a target, a formula, a directive, or text between them."""

    kind: str  # "heading", "target", "math", "text", or the name of a directive
    text: str = ""  # the words of a heading, the title of a directive
    label: str = ""
    level: int = 0  # of a heading
    options: dict[str, Any] = field(default_factory=dict)
    body: str = ""  # of a directive, without its options
    inside: tuple["Block", ...] = ()


@lru_cache(maxsize=4096)  # the content of directives is parsed by the same function
def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a page in order, nested in directives.

    The result is cached, because many callers read the same pages.
    """
    return tuple(_blocks(_parser().parse(text)))


def cells(text: str) -> Iterator[Block]:
    """Yield the code cells of a page."""
    return (block for block in flat(blocks(text)) if block.kind == "code-cell")


def flat(tree: Iterable[Block]) -> Iterator[Block]:
    """Yield every block of a tree, parents before children."""
    for block in tree:
        yield block
        yield from flat(block.inside)


def cell_code(text: str) -> str:
    """Return the code of all cells of a page, without magics."""
    lines = (line for cell in cells(text) for line in cell.body.splitlines())
    return "\n".join("" if line.startswith(("%", "!")) else line for line in lines)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (
        *(front_matter_plugin, myst_block_plugin, colon_fence_plugin),
        *(deflist_plugin, amsmath_plugin, attrs_block_plugin, dollarmath_plugin),
    ):
        parser.use(plugin)
    return parser.disable("inline")  # inline content defines no labels


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    for before, token in zip([Token("", "", 0), *tokens], tokens, strict=False):
        if before.type == "heading_open":
            yield Block("heading", token.content, level=int(before.tag[1]))
        elif token.type == "inline":
            yield Block("text")
        elif token.type in ("fence", "colon_fence"):
            yield _fence(token)
        elif token.type in _LABELLED and token.meta.get("numbered") != "*":
            yield Block(
                _LABELLED[token.type], label=token.content if token.type == "myst_target" else token.info
            )


def _fence(token: Token) -> Block:
    """Return a directive, or text for other fences."""
    match = _DIRECTIVE.match(token.info.strip())
    if match is None:
        return Block("text")
    name, (options, body) = match["name"], _options(token.content)
    label = options.get("label") or options.get("name") or _figure(options).get("name") or ""
    return Block(
        kind=name,
        text=match["argument"].strip(),
        label=str(label),
        options=options,
        body=body,
        inside=() if name in _VERBATIM else blocks(body),
    )


def _figure(options: dict[str, Any]) -> dict[str, object]:
    """Return a code cell's options for its figure."""
    return dict((options.get("mystnb") or {}).get("figure") or {})


def _options(content: str) -> tuple[dict[str, object], str]:
    """Split the content of a directive into options and body.

    Options are lines `:name: value`, or YAML between two `---`.
    """
    if content.startswith("---"):
        head, _, body = content.partition("\n")[2].partition("---\n")
        return dict(yaml.safe_load(head) or {}), body
    options, lines = {}, content.splitlines(keepends=True)
    while lines and (match := _OPTION.match(lines[0])):
        options[match["name"]] = match["value"].strip()
        lines.pop(0)
    return options, "".join(lines)
