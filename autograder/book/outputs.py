"""What the cells of a page put out when they ran, as Jupyter Book keeps it in its cache."""

from pathlib import Path
from typing import Any


def executed(page: Path, build: Path) -> dict[str, Any]:
    """Return a page as the notebook that was run, with its outputs; without cells if it was not run."""
    if found := _cached(page, build):
        cache, record = found
        return dict(cache.get_cache_bundle(record).nb)
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
    if found := _cached(page, build):
        cache, record = found
        cache.remove_cache(record)
    (build / ".doctrees" / page.relative_to(root).with_suffix(".doctree")).unlink(missing_ok=True)


def _cached(page: Path, build: Path) -> tuple[Any, int] | None:
    """Return the cache of outputs and the record of a page in it, if there is one."""
    from jupyter_cache import get_cache  # type: ignore[import-untyped]
    from myst_nb.core.read import myst_nb_reader_plugin  # type: ignore[import-untyped]

    folder = build / ".jupyter_cache"
    if not folder.is_dir():
        return None
    cache = get_cache(str(folder))
    try:  # by its code, which is how a build will look it up: the page may have another name by now
        return cache, cache.match_cache_notebook(myst_nb_reader_plugin(str(page))).pk
    except KeyError:
        return None
