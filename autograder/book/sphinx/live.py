"""`{live-task} topic.task` shows the cell of a task, ready to be written in and checked where the site is live.

Without the files of live pages, without JavaScript and on paper, the cell is text. The environment says whether the
site is live: `autograder.book.build` sets it.
"""

import os
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.book.assignments import ASSIGNMENTS_FOLDER, AssignmentPage, Cell
from autograder.book.live import notebooks
from autograder.book.live.assets import live_assets, page_folder_name
from autograder.book.live.offline import MANIFEST, write_manifest
from autograder.book.live.publish import LATER, publish
from autograder.book.sphinx.chapter_cells import has_doors
from autograder.course.course import Course

NOTEBOOK = "Write and check it in the notebook of the assignment."
CLOSED_DOOR = re.compile(r'<div class="run-in-browser" data-topic="(?P<topic>\w+)" hidden></div>')
# Browsers have service workers on https and on this machine; a notebook without them would wait for Python for ever.
# `offline.js` opens the door.
DOOR = (
    '<p class="run-in-browser" hidden><a href="{address}">Open the notebook in the browser</a> '
    "(nothing to install; your work is kept by this browser, and you download it to hand it in)</p>"
)
APP_MARK = 'data-live-app="'  # an element whose script computes with Python (page/app.js)
SWITCH = "COURSE_LIVE"  # "yes", or "later": the pages are live, and the caller publishes the files afterwards


class live_task(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """The cell of a task."""


class LiveTask(SphinxDirective):
    """The directive."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Take the cell from the exercise that was generated."""
        topic, _, name = self.arguments[0].partition(".")
        course = Course(Path(self.env.srcdir))
        assignment = AssignmentPage(topic, course.exercises / topic)
        cell = _cell(assignment, name)
        if cell is None:
            raise self.error(f"{self.arguments[0]!r} is not a task of an assignment")
        self.env.note_dependency(str(assignment.folder / f"{topic}.ipynb"))
        made = live_task(
            "", task=self.arguments[0], notebook=f"{course.book.name}/{ASSIGNMENTS_FOLDER}/{topic}"
        )
        made += nodes.literal_block(cell.source, cell.source, language="python")
        return [made]


def _cell(assignment: AssignmentPage, name: str) -> Cell | None:
    if not (assignment.folder / f"{assignment.topic}.ipynb").is_file():
        return None
    return next((cell for cell in assignment.cells if cell.is_answer and cell.name == name), None)


def _open(self: Any, node: nodes.Element) -> None:
    if self.config.live_page:
        kata = f' data-kata="{escape(node["kata"])}"' if "kata" in node else ""
        self.body.append(f'<div class="live" data-task="{escape(node["task"])}"{kata}>\n')
        notebook = self.builder.get_relative_uri(self.builder.current_docname, node["notebook"])
        self.body.append(f'<p class="live-without"><a href="{notebook}">{NOTEBOOK}</a></p>\n')


def _close(self: Any, node: nodes.Element) -> None:
    if self.config.live_page:
        self.body.append("</div>\n")


def _nothing(self: object, node: nodes.Element) -> None:
    """Elsewhere the cell is the text that it holds."""


def add_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Load the scripts on pages that have live cells, and on every page what keeps it without a network."""
    folder = app.config.live_page
    if folder:
        app.add_js_file(f"live/{folder}/offline.js", type="module")
        manifest = "../" * page.count("/") + MANIFEST
        context["metatags"] = context.get("metatags", "") + f'<link rel="manifest" href="{manifest}">\n'
        if "body" in context:
            context["body"] = CLOSED_DOOR.sub(_opened(page), context["body"])
    has_tasks = doctree is not None and next(iter(doctree.findall(live_task)), None) is not None
    has_app = APP_MARK in context.get("body", "")
    uses = (("live", has_tasks), ("chapter", has_doors(doctree)), ("app", has_app))
    scripts = [name for name, is_used in uses if is_used]
    for name in scripts if folder else ():
        app.add_js_file(f"live/{folder}/{name}.js", type="module")
        app.add_css_file(f"live/{folder}/live.css")


def _opened(page: str) -> Callable[[re.Match[str]], str]:
    """The door to the notebook in the browser; it stays shut where the browser could not run it."""
    root = "../" * page.count("/")
    return lambda found: DOOR.format(address=root + notebooks.address_of(found["topic"]))


def put_assets(app: Sphinx, error: Exception | None) -> None:
    """Put the files into the finished site, unless the caller of the build does it."""
    if error is None and app.config.live_page and app.builder.format == "html":
        root, site = Path(app.srcdir), Path(app.outdir)
        icon = f"_static/{Path(app.config.html_favicon).name}" if app.config.html_favicon else ""
        write_manifest(site, app.config.html_title, icon)
        if os.environ.get(SWITCH) != LATER:
            publish(live_assets(root), root, site)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx; pages are written again when the site becomes live, or its scripts change."""
    app.add_config_value("live_page", page_folder_name() if os.environ.get(SWITCH) else "", "html")
    plain = (_nothing, _nothing)
    app.add_node(live_task, html=(_open, _close), latex=plain, text=plain, man=plain, texinfo=plain)
    app.add_directive("live-task", LiveTask)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", put_assets, priority=990)
