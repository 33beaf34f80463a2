"""In-depth parts of a page, folded under a title: what a first reading can leave out.

`{depth} Title` folds everything behind it up to `{depth-end}`, or to the end of its section. A proof with
`:class: depth` is folded under the number of its statement. `{moved} page` leaves an anchor for each label that now
stands on another page, so that old links lead there.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from autograder.book.labels import Label, labels

CLASS = "depth"
PREFIX = "In depth: "


class depth(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """A part of a page that is folded under its title."""


class depth_title(nodes.General, nodes.TextElement):  # type: ignore[misc]  # noqa: N801
    """The line under which a part is folded."""


class depth_start(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801
    """The place where an in-depth part begins, with its title inside."""


class depth_end(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801
    """The place where an in-depth part ends before its section does."""


class moved(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801
    """Anchors of labels that stand on another page now."""


class DepthDirective(SphinxDirective):
    """Begin an in-depth part; the argument says what is inside."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the mark of the beginning."""
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        return [depth_start("", depth_title("", "", *words)), *messages]


class DepthEndDirective(SphinxDirective):
    """End an in-depth part."""

    def run(self) -> list[nodes.Node]:
        """Return the mark of the end."""
        return [depth_end("")]


class MovedDirective(SphinxDirective):
    """Keep old links alive whose labels stand on another page now."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the place of the anchors."""
        return [moved("", page=self.arguments[0])]


def fold_depth(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold the in-depth parts of a page."""
    places = labels(Path(app.srcdir, docname).parent)
    for start in list(doctree.findall(depth_start)):
        _fold_part(start, docname)
    if stray := next(iter(doctree.findall(depth_end)), None):
        raise ExtensionError(
            f"{docname}: a depth-end has no depth before it in its section, line {stray.line}"
        )
    for proof in list(doctree.findall(nodes.admonition)):
        if "proof" in proof["classes"] and CLASS in proof["classes"]:
            proof["classes"].remove(CLASS)
            _fold_proof(proof.parent, places)
    for mark in doctree.findall(moved):
        mark["links"] = [
            (place.anchor, place.href) for place in places.values() if place.page == mark["page"]
        ]


def _fold_part(start: nodes.Element, docname: str) -> None:
    """Put what follows a mark, up to the end of the part, into a fold."""
    section = start.parent
    place = section.index(start)
    inside: list[nodes.Node] = []
    for node in section.children[place + 1 :]:
        if isinstance(node, depth_start):
            raise ExtensionError(f"{docname}: an in-depth part begins inside another: {node.astext()}")
        section.remove(node)
        if isinstance(node, depth_end):
            break
        inside.append(node)
    if not inside:
        raise ExtensionError(f"{docname}: the in-depth part {start.astext()!r} is empty")
    section.replace(start, depth("", start.children[0], *inside))


def _fold_proof(proof: nodes.Element, places: dict[str, Label]) -> None:
    """Fold a proof under the number of its statement, unless it stands in an in-depth part already."""
    if any(isinstance(above, depth) for above in _ancestors(proof)):
        return
    parent, place = proof.parent, proof.parent.index(proof)
    title = depth_title("", "", nodes.Text(f"Proof of {_statement_before(proof, places)}"))
    parent.remove(proof)
    parent.insert(place, depth("", title, proof))


def _ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _statement_before(proof: nodes.Element, places: dict[str, Label]) -> str:
    """Return the number of the last statement before a proof: "Theorem 4.5"."""
    siblings = proof.parent.children
    for node in reversed(siblings[: siblings.index(proof)]):
        label = node.get("label", "") if isinstance(node, nodes.Element) else ""
        if label in places:
            return places[label].number
    raise ExtensionError(f"a folded proof has no statement before it in its section: {proof.astext()[:80]!r}")


def _open(self: Any, node: nodes.Element) -> None:
    self.body.append(f'<details class="{CLASS}">\n')


def _close(self: Any, node: nodes.Element) -> None:
    self.body.append("</details>\n")


def _open_title(self: Any, node: nodes.Element) -> None:
    self.body.append(f"<summary>{PREFIX}")


def _close_title(self: Any, node: nodes.Element) -> None:
    self.body.append("</summary>\n")


def _write_anchors(self: Any, node: nodes.Element) -> None:
    for anchor, href in node["links"]:
        self.body.append(f'<span class="moved" id="{escape(anchor)}" data-href="{escape(href)}"></span>')


def _nothing(self: object, node: nodes.Element) -> None:
    """Other formats have no folds: the part stays as it is."""


def setup(app: Sphinx) -> None:
    """Connect to Sphinx, after verifying cells are folded."""
    plain: dict[str, Any] = dict.fromkeys(("latex", "text", "man", "texinfo"), (_nothing, _nothing))
    app.add_node(depth, html=(_open, _close), **plain)
    app.add_node(depth_title, html=(_open_title, _close_title), **plain)
    app.add_node(moved, html=(_write_anchors, _nothing), **plain)
    app.add_directive("depth", DepthDirective)
    app.add_directive("depth-end", DepthEndDirective)
    app.add_directive("moved", MovedDirective)
    app.connect("doctree-resolved", fold_depth, priority=600)
