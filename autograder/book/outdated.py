"""Discard cached outputs of pages whose imported modules have changed.

Jupyter Book caches the outputs of a page under the page's own code and does not notice changed modules. Here every page
has a digest of the project files that it imports. When it changes, the page's outputs are removed and its cells run
again.
"""

import json
from pathlib import Path

from autograder.book.imports import digest
from autograder.book.outputs import forget
from autograder.course.contents import pages


def invalidate_outdated(root: Path, build: Path) -> list[Path]:
    """Remove the outputs of pages with changed imports; return the pages."""
    record = build / "page_digests.json"
    before = json.loads(record.read_text("utf-8")) if record.is_file() else {}
    now = {page.relative_to(root).as_posix(): digest(page, root) for page in pages(root)}
    outdated = [root / name for name in now if now[name] != before.get(name)]
    for page in outdated:
        forget(page, root, build)
    # Written last: a recorded digest promises that no older outputs exist.
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    return outdated
