"""Write XML with the same bytes on every machine."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

# XML 1.0 has no control characters, not even escaped ones
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """Add an element with a text and attributes; `class_` and `for_` lose their underscore."""
    element = SubElement(parent, tag, {name.rstrip("_"): clean(value) for name, value in attributes.items()})
    if text:
        element.text = clean(text)
    return element


def clean(text: str) -> str:
    """Remove the characters that XML cannot hold."""
    return _NOT_XML.sub("", text)


def to_bytes(root: Element) -> bytes:
    """Return a document with one element per line.

    Texts of pages, which are in a `div`, keep their white space.
    """
    _indent(root, 0)
    document: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return document + b"\n"


def _indent(element: Element, depth: int) -> None:
    if element.tag == "div" or not len(element):
        return
    for child in element:
        _indent(child, depth + 1)
        child.tail = "\n" + " " * (depth + 1)
    element.text = "\n" + " " * (depth + 1)
    element[-1].tail = "\n" + " " * depth
