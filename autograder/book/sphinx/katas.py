"""`{kata} topic.task` shows a code task of an assignment, to write again on fresh cases where the site is live.

`dimred practice` makes the cases. Title and text are those of the assignment.
"""

import hashlib
import re
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.book.assignments import ASSIGNMENTS_FOLDER, AssignmentPage
from autograder.book.kata_pages import KATA_FOLDER
from autograder.book.sphinx.live import live_task
from autograder.course.course import Course
from autograder.program import program_name

HEADING = re.compile(r"^#+ (?:[\d.]+ )?(?P<title>.+?)(?: \([^()]*points?[^()]*\))?$", re.MULTILINE)
LINK_TO_BOOK = re.compile(r"\[([^\]]+)\]\(\.\./\.\./book/(\w+)\.md(#[^)\s]*)?\)")


class KataDirective(SphinxDirective):
    """The directive."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Take title, text and cell from the assignment."""
        name = self.arguments[0]
        topic, _, short = name.partition(".")
        course = Course(Path(self.env.srcdir))
        keys = course.book / KATA_FOLDER / f"{name}.json"
        if not keys.is_file():
            raise self.error(f"{name} has no cases: make them with `{program_name()} practice {topic}`")
        self.env.note_dependency(str(keys))
        title, text, code = kata_parts(AssignmentPage(topic, course.exercises / topic), short)
        if not code:
            raise self.error(f"{name!r} is not a task of an assignment")
        digest = hashlib.sha256(keys.read_bytes()).hexdigest()[:8]
        section = nodes.section("", nodes.title(title, title), ids=[f"problem-{name}"], names=[])
        self.state.nested_parse(StringList(text.splitlines(), name), 0, section)
        notebook = f"{course.book.name}/{ASSIGNMENTS_FOLDER}/{topic}"
        address = f"{KATA_FOLDER.as_posix()}/{name}.json?{digest}"
        live = live_task("", task=name, notebook=notebook, kata=address)
        live += nodes.literal_block(code, code, language="python")
        section += live
        return [section]


def kata_parts(assignment: AssignmentPage, name: str) -> tuple[str, str, str]:
    """Return title, text and cell of a task; an empty cell if the assignment does not have it."""
    before = ""
    for cell in assignment.notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            before = source
        elif cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
            heading = HEADING.search(before)
            text = LINK_TO_BOOK.sub(r'<a href="\2.html\3">\1</a>', HEADING.sub("", before).strip())
            return heading["title"] if heading else name, text, source
    return "", "", ""


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.add_directive("kata", KataDirective)
