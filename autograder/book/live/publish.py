"""Prepare the files of live pages beside a build, and put them into the built site.

Pages of a live site are complete without them: their scripts are among these files, and until they are there cells are
text. The scripts are put last, so nobody meets a page that can start half of Python.
"""

import threading
from pathlib import Path

from autograder.book.assignments import assignments
from autograder.book.live.assets import Assets, live_assets
from autograder.book.live.notebooks import require_lite
from autograder.book.live.offline import MANIFEST, write_worker
from autograder.book.live.packages import npm_packages
from autograder.course.course import Course

LATER = "later"  # tells a build that the files are published by its caller


def publish_live_assets(root: Path) -> None:
    """Prepare the files of live pages and put them into the site that was built for them.

    LiveError says why they cannot be had here; the site is complete without.
    """
    publish(live_assets(root), root, root / "_build" / "html")


def is_site_live(root: Path) -> bool:
    """Return whether the site was built for live pages."""
    return (root / "_build" / "html" / MANIFEST).is_file()


def publish(assets: Assets, root: Path, site: Path) -> None:
    """Put prepared files into a site."""
    course = Course(root)
    assets.put_into(site, course, assignments(course))
    write_worker(site, assets.places)


def require_live() -> None:
    """Raise LiveError at once where live pages cannot be made: no node, no npm, no network, no JupyterLite."""
    require_lite()
    npm_packages()


class Preparation:
    """The preparation of live pages in a thread, beside a build."""

    def __init__(self, root: Path) -> None:
        """Start it; LiveError tells at once what is missing here."""
        require_live()
        self.root = root
        self.assets: Assets | None = None
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._prepare, name="live pages", daemon=True)
        self.thread.start()

    def publish(self) -> None:
        """Wait for the files and put them into the site, or raise LiveError."""
        self.thread.join()
        if self.assets is None:
            raise self.error or RuntimeError("the preparation of live pages gave no result")
        publish(self.assets, self.root, self.root / "_build" / "html")

    def _prepare(self) -> None:
        try:
            self.assets = live_assets(self.root)
        except Exception as error:
            self.error = error
