"""What must run again: pages whose imported modules changed since the last build.

Jupyter Book caches the outputs of a page under the page's own code, so it never notices that a
module of the project changed. Here every page has a digest of the project files that it imports;
when the digest changes, the page's outputs are forgotten and its cells run again.
"""

import json
from pathlib import Path

from autograder.book.imports import digest
from autograder.book.outputs import forget
from autograder.course.contents import pages


def forget_outdated(root: Path, build: Path) -> list[Path]:
    """Forget the outputs of the pages whose imported files changed since the last build; return the pages."""
    record = build / "page_digests.json"
    before = json.loads(record.read_text("utf-8")) if record.is_file() else {}
    now = {page.relative_to(root).as_posix(): digest(page, root) for page in pages(root)}
    outdated = [root / name for name in now if now[name] != before.get(name)]
    for page in outdated:
        forget(page, root, build)
    # After the outputs are gone: a digest on file says that older outputs cannot exist.
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    return outdated
