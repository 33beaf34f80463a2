"""What the cells of a page put out when they ran, as Jupyter Book keeps it in its cache."""

from pathlib import Path
from typing import Any

import nbformat

from autograder.book.run.cache import NAME, hash_key, outputs_path, recorded_key, remove


def executed(page: Path, build: Path) -> dict[str, Any]:
    """Return a page as the notebook that was run, with its outputs; without cells if it was not run."""
    if (build / NAME).is_dir():
        path = outputs_path(build, recorded_key(page, build) or hash_key(_notebook(page), build))
        if path.is_file():
            return dict(
                nbformat.v4.reads(path.read_text("utf-8"))
            )  # unlike nbformat.reads it does not validate
    return {"cells": []}


def with_whole_lines(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what a cell put out, its printed text in one piece: kernels send it whenever some time has passed."""
    whole: list[dict[str, Any]] = []
    streams: dict[str, dict[str, Any]] = {}
    for output in outputs:
        name = output["name"] if output["output_type"] == "stream" else None
        if name in streams:
            streams[name]["text"] += output["text"]
            continue
        if name:
            streams[name] = output = output.copy()
        whole.append(output)
    return whole


def forget(page: Path, root: Path, build: Path) -> None:
    """Remove the cached outputs of a page, and the parsed page, which holds a copy of them."""
    if (build / NAME).is_dir():
        remove(build, hash_key(_notebook(page), build))
    (build / ".doctrees" / page.relative_to(root).with_suffix(".doctree")).unlink(missing_ok=True)


def _notebook(page: Path) -> Any:
    """Return a page as the notebook by whose code a build looks it up: the page may have another name by now."""
    from myst_nb.core.read import myst_nb_reader_plugin  # type: ignore[import-untyped]

    return myst_nb_reader_plugin(str(page))
