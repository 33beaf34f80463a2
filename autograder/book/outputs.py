"""Read and remove a page's outputs in Jupyter Book's cache."""

from pathlib import Path
from typing import Any

import nbformat

from autograder.book.run.cache import CACHE_FOLDER, hash_key, outputs_path, recorded_key, remove


def executed(page: Path, build: Path) -> dict[str, Any]:
    """Return a page as the executed notebook with its outputs.

    It has no cells if the page was not run.
    """
    if (build / CACHE_FOLDER).is_dir():
        path = outputs_path(build, recorded_key(page, build) or hash_key(_notebook(page), build))
        if path.is_file():
            return dict(
                nbformat.v4.reads(path.read_text("utf-8"))
            )  # unlike nbformat.reads it does not validate
    return {"cells": []}


def with_whole_lines(outputs: list[dict[str, Any]]) -> list[dict[str, object]]:
    """Merge the printed text of each stream of a cell.

    Kernels split it at arbitrary times.
    """
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
    """Remove the cached outputs and the parsed doctree of a page."""
    if (build / CACHE_FOLDER).is_dir():
        remove(build, hash_key(_notebook(page), build))
    (build / ".doctrees" / page.relative_to(root).with_suffix(".doctree")).unlink(missing_ok=True)


def _notebook(page: Path) -> object:
    """Return a page as the notebook under whose code outputs are cached.

    The page may have been renamed.
    """
    from myst_nb.core.read import myst_nb_reader_plugin  # type: ignore[import-untyped]

    return myst_nb_reader_plugin(str(page))
