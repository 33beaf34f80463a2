"""Read a page of the book as text: its code, and the labels it defines.

Sphinx knows the same after a build; this reader needs neither a build nor Sphinx, so that exercises
can link to the book and tests can hold both ends together. It reads MyST: directives between fences,
whose options are lines `:name: value` or a block between two lines `---`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,}|:{3,})\s*(?:\{(?P<directive>[^}]+)\})?(?P<rest>[^`]*)$")
_LITERAL = ("literal", "code", "code-block", "code-cell", "raw")
_CELL = re.compile(r"^(`{3,})(?:\{code-cell\}|\w)[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(?P<title>.+?)\s*$")
_TARGET = re.compile(r"^\((?P<label>[\w-]+)\)=\s*$")
_EQUATION = re.compile(r"^\s*\$\$\s*\((?P<label>[\w-]+)\)\s*$")
_OPTION = re.compile(r"^\s*:?(?:label|name):\s*(?P<label>[\w-]+)\s*$")


@dataclass(frozen=True)
class Line:
    """A line of a page, and where it stands."""

    text: str
    directive: str  # the innermost directive around it; "" in prose
    is_option: bool


@dataclass
class _Block:
    mark: str
    directive: str
    part: str = "start"  # then "options" (between two ---), then "body"

    def is_closed_by(self, fence: re.Match[str]) -> bool:
        is_bare = not fence["directive"] and not fence["rest"].strip()
        return is_bare and fence["mark"].startswith(self.mark)

    def is_option(self, text: str) -> bool:
        if text.strip() == "---" and self.part != "body":
            self.part = "body" if self.part == "options" else "options"
            return True
        if self.part == "options" or (self.part == "start" and text.lstrip().startswith(":")):
            return True
        self.part = "body"
        return False


def lines(text: str) -> Iterator[Line]:
    """Yield each line of a page with its place; the fences themselves are left out."""
    blocks: list[_Block] = []  # outermost first
    for line in text.splitlines():
        inner = blocks[-1] if blocks else None
        fence = _FENCE.match(line)
        if fence and inner and inner.is_closed_by(fence):
            blocks.pop()
        elif fence and not (inner and inner.directive in _LITERAL):
            blocks.append(_Block(fence["mark"], fence["directive"] or "literal"))
        elif inner:
            yield Line(line, inner.directive, inner.is_option(line))
        else:
            yield Line(line, "", False)


def code(text: str) -> str:
    """Return the code of all cells of a page; magics, which are not Python, are left out."""
    cells = (line.text for line in lines(text) if line.directive == "code-cell" and not line.is_option)
    return "\n".join("" if line.startswith(("%", "!")) else line for line in cells)


def labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield each label that a page defines, with the id of its place in the HTML."""
    for line in lines(text):
        if line.is_option:
            found = _OPTION.match(line.text)
        else:
            found = (
                None if line.directive in _LITERAL else _TARGET.match(line.text) or _EQUATION.match(line.text)
            )
        if found:
            is_equation = found.re is _EQUATION or (found.re is _OPTION and line.directive == "math")
            yield found["label"], ("equation-" if is_equation else "") + _identifier(found["label"])


def titles(text: str) -> dict[str, str]:
    """Return for each label of a page what a reader would call its place: a box, a statement, a section."""
    found: dict[str, str] = {}
    waiting: list[str] = []  # targets name what comes after them
    section = title = ""
    for line in _CELL.sub(lambda cell: cell[0].replace("\n#", "\n"), text).splitlines():
        if heading := _HEADING.match(line):
            section = title = heading["title"]
        elif fence := _FENCE.match(line):
            is_titled = (fence["directive"] or "").startswith(("admonition", "prf:"))
            title = (fence["rest"].strip() if is_titled else "") or section
        if target := _TARGET.match(line):
            waiting.append(target["label"])
        elif line.strip():
            named = _OPTION.match(line) or _EQUATION.match(line)
            found |= dict.fromkeys([*waiting, *([named["label"]] if named else [])], title)
            waiting = []
    return found


def _identifier(label: str) -> str:
    """Return the id that docutils makes of a label."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")
