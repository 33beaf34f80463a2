"""Mark outdated pages: changed modules, earlier warnings, or a changed style."""

import hashlib
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from autograder.book.outdated import invalidate_outdated
from autograder.book.run.cache import CACHE_FOLDER as CACHE


def forget_outdated_outputs(app: Sphinx) -> None:
    """Forget the outputs of pages whose imported modules changed, before Sphinx asks which pages to read."""
    build = Path(app.outdir).parent
    if not (build / CACHE).is_symlink():  # the outputs of another build are not ours to forget
        invalidate_outdated(Path(app.srcdir), build)


def forget_pages_that_warned(app: Sphinx, error: Exception | None) -> None:
    """Read all pages again after a build with a warning: Sphinx would not read the faulty page, and not warn."""
    if error is not None or app._warncount:
        shutil.rmtree(app.doctreedir, ignore_errors=True)


def remove_pages_that_are_gone(app: Sphinx, error: Exception | None) -> None:
    """Remove what earlier builds wrote for pages that are no longer there; Sphinx leaves it on the site."""
    if error is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    pages = {site / f"{name}.html" for name in app.env.all_docs}
    has_indices = app.config.html_use_index or app.config.html_domain_indices
    for path in {*site.glob("*/**/*.html"), *([] if has_indices else site.glob("*.html"))} - pages:
        if not path.is_relative_to(site / "_static") and path.stem not in ("index", "search", "404"):
            path.unlink()
            path.with_suffix(".md").unlink(missing_ok=True)  # the same page as Markdown


def pages_to_restyle(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Return every page when a file of _static changed: Sphinx would neither copy it nor tell browsers."""
    folders = [Path(app.srcdir, folder) for folder in app.config.html_static_path]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    before = getattr(env, "static_digest", None)
    env.static_digest = digest  # type: ignore[attr-defined]
    return [] if digest == before else sorted(env.found_docs)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("builder-inited", forget_outdated_outputs)
    app.connect("env-get-outdated", pages_to_restyle)
    app.connect("build-finished", remove_pages_that_are_gone)
    app.connect("build-finished", forget_pages_that_warned)
