"""Pages that were written by Sphinx and are not finished: mended, cut, typeset, offered as notebooks.

`finished_pages.json` in the build folder holds the state of each page after all of that. It is written at the end of a
build, so an interrupted build leaves its pages unfinished, and the next one finishes them.
"""

import json
from pathlib import Path

from sphinx.application import Sphinx

from autograder.course.files import write_text

FINISHED_PAGES_FILE = "finished_pages.json"
LAST = 995  # priority: after all that changes pages
NOT_PAGES = ("lite", "go", "_static", "_sources", "_downloads", "404.html")


def unfinished_pages(app: Sphinx) -> list[Path]:
    """Return the pages of the site that changed since they were finished, found once in a build."""
    pages: list[Path] | None = getattr(app, "unfinished_pages", None)
    if pages is None:
        record = _record(app)
        before = json.loads(record.read_text("utf-8")) if record.is_file() else {}
        pages = [path for name, path in _pages(app).items() if before.get(name) != _state(path)]
        app.unfinished_pages = pages  # type: ignore[attr-defined]
    return [path for path in pages if path.is_file()]


def _record(app: Sphinx) -> Path:
    return Path(app.outdir).parent / FINISHED_PAGES_FILE


def _pages(app: Sphinx) -> dict[str, Path]:
    site = Path(app.outdir)
    found = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*.html"))}
    return {name: path for name, path in found.items() if not name.startswith(NOT_PAGES)}


def _state(path: Path) -> list[int]:
    state = path.stat()
    return [state.st_mtime_ns, state.st_size]


def record_finished(app: Sphinx, error: Exception | None) -> None:
    """Remember the pages of a build that succeeded."""
    if error is None and app.builder.name == "html":
        states = {name: _state(path) for name, path in _pages(app).items()}
        write_text(_record(app), json.dumps(states, indent=1))


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", record_finished, priority=LAST)
