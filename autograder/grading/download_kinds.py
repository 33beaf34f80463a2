"""Recognise notebooks of the course by their content, not by their names."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.authoring.cells import name_of, source_of
from autograder.course.course import Course
from autograder.errors import UnreadableError
from autograder.grading.repair import parse_notebook

CHECK_CALL = re.compile(r"""\bcheck\(\s*["'](\w+)\.\w+["']""")
FILE_SIGNATURES = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "a document of an old office program"),
    (b"Rar!", "an archive of another kind than zip"),
    (b"7z\xbc\xaf", "an archive of another kind than zip"),
    (b"\x1f\x8b", "an archive of another kind than zip"),
)
HEAD_BYTES = 4096


@dataclass(frozen=True)
class Recognised:
    """The kind of a file.

    `topic` is empty unless the file is a notebook of the course. `variant` is the name of its variant.
    """

    what: str
    topic: str = ""
    variant: str = ""

    @property
    def is_ours(self) -> bool:
        """Tell whether it is a notebook of this course."""
        return bool(self.topic)


class TopicCells:
    """The topics of each graded cell's name, to recognise notebooks without metadata."""

    def __init__(self, course: Course) -> None:
        """Read the releases of the classroom, or else the exercises."""
        self.topics = course.assignments()
        self._topics_of: dict[str, set[str]] = {}
        for topic in self.topics:
            for name in _cell_names(course, topic):
                self._topics_of.setdefault(name, set()).add(topic)

    def topic_of(self, notebook: Any) -> str:
        """Return the topic of a notebook.

        The result is empty if it is not of this course.
        """
        topic_name = _metadata(notebook, "topic")
        if topic_name in self.topics:
            return topic_name
        votes: Counter[str] = Counter()
        for cell in notebook["cells"]:
            votes.update(self._topics_of.get(name_of(cell) or "", ()))
            votes.update(set(CHECK_CALL.findall(source_of(cell))) & set(self.topics))
        ranked = votes.most_common(2)
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
            return ""
        return ranked[0][0]


def _cell_names(course: Course, topic: str) -> set[str]:
    for folder in (course.paths.release(topic), course.exercises / topic):
        try:
            tree = json.loads((folder / f"{topic}.ipynb").read_text("utf-8"))
            return {name for cell in tree["cells"] if (name := name_of(cell))}
        except (OSError, ValueError, LookupError):
            continue
    return set()


def _metadata(notebook: Mapping[str, object], word: str) -> str:
    """Read a text of the engine's metadata, which is untrusted.

    The result is empty if missing.
    """
    tree: Any = notebook
    for name in ("metadata", "dimred", word):
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree if isinstance(tree, str) else ""


def recognise(data: bytes, name: str, cells: TopicCells) -> Recognised:
    """Return the kind of a file."""
    try:
        notebook = parse_notebook(data, name)
    except UnreadableError:
        return Recognised(_describe_other(data, name.lower()))
    topic = cells.topic_of(notebook)
    if not topic:
        return Recognised("a notebook, but not of this course")
    return Recognised(f"a notebook of {topic}", topic, _metadata(notebook, "seed"))


def _describe_other(data: bytes, name: str) -> str:
    if not data.strip():
        return "an empty file"
    for signature, what in FILE_SIGNATURES:
        if data.startswith(signature):
            return what
    if data.startswith(b"PK"):
        return _describe_archive(data)
    return _describe_text(data, name)


def _describe_archive(data: bytes) -> str:
    for mark, what in ((b"word/", "a Word document"), (b"xl/", "a spreadsheet"), (b"ppt/", "slides")):
        if mark in data:
            return what
    return "a damaged zip archive"


def _describe_text(data: bytes, name: str) -> str:
    head = data[:HEAD_BYTES].lower()
    if b"<html" in head or b"<!doctype html" in head:
        is_export = b"jp-notebook" in data.lower() or b"nbconvert" in data.lower()
        return "an HTML export of a notebook" if is_export else "a web page"
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _describe_json(data, name)
    if name.endswith((".py", ".py.txt")):
        return "a Python script"
    if name.endswith(".ipynb"):
        return "not a notebook, in spite of its name"
    return "a text" if b"\0" not in data[:HEAD_BYTES] else "a file of an unknown kind"


def _describe_json(data: bytes, name: str) -> str:
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        is_cut_off = b'"cells"' in data or b'"cell_type"' in data or name.endswith(".ipynb")
        return "a notebook that was cut off" if is_cut_off else "damaged JSON"
    if isinstance(tree, dict) and "tasks" in tree:
        return "the key that was handed out"
    return "JSON, but not a notebook"
