"""The book's own Sphinx extension, one module per concern: with it a plain `jupyter-book build .` makes the whole book.

`_config.yml` lists it as `autograder.book.sphinx`. The modules here only hook the room's functions into a build.
"""

from typing import Any

from sphinx.application import Sphinx

from autograder.book.sphinx import (
    accessible,
    api,
    assignment_links,
    chapter_cells,
    depth,
    derived,
    dropped,
    explorables,
    finishing,
    folders,
    formulas,
    freshness,
    inventory,
    katas,
    live,
    menus,
    notebooks,
    offline,
    panels,
    path,
    practice,
    prompts,
    published,
    punctuation,
    questions,
    repository,
    search,
    streams,
    verified,
    weight,
)

EXTENSIONS = (
    *(
        folders,
        api,
        derived,
        assignment_links,
        dropped,
        inventory,
        published,
        repository,
    ),  # before pages are read
    *(
        freshness,
        chapter_cells,
        verified,
        prompts,
        depth,
        practice,
        path,
        katas,
        questions,
        explorables,
        punctuation,
        search,
        streams,
    ),
    *(
        offline,
        accessible,
        menus,
        panels,
        formulas,
        weight,
        live,
        notebooks,
        finishing,
    ),  # on the finished site
)
REQUIRED_EXTENSIONS = ("sphinx_proof", "sphinx_external_toc")  # statements with labels; the table of contents


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect every part to Sphinx."""
    for extension in REQUIRED_EXTENSIONS:
        app.setup_extension(extension)
    for part in EXTENSIONS:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
