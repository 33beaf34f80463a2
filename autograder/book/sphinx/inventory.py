"""`objects.inv`: what other projects link to by intersphinx, beside the functions that autodoc lists.

Sphinx lists the targets of sections and figures only. Statements and formulas are added, so that another project can
write `{ref}` with any label of the book; indices that this site does not have are left out. A caption may span lines
in its source; a line of an inventory may not.
"""

from pathlib import Path
from typing import cast

from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment

from autograder.book.labels import labels
from autograder.course.course import Course

SEARCH = "search"  # the one page of the site that has no source


def list_labels(app: Sphinx, env: BuildEnvironment) -> None:
    """Add every label of the built pages to the inventory, each with a name on one line."""
    domain = cast(StandardDomain, env.get_domain("std"))
    listed = domain.labels
    for label, (page, anchor, title) in list(listed.items()):
        if page in (*env.found_docs, SEARCH):
            listed[label] = (page, anchor, " ".join(title.split()))
        else:
            del listed[label], domain.anonlabels[label]
    course = Course(Path(app.srcdir))
    for label, place in labels(course.book).items():
        page = f"{course.book.name}/{place.page}"
        if label not in listed and page in env.found_docs:
            name = " ".join(f"{place.number} {place.title}".split()) or label
            listed[label] = (page, place.anchor, name)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx: pages have been read, and nothing has been written."""
    app.connect("env-updated", list_labels)
