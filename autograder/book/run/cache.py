"""Write outputs of pages into jupyter-cache, and remove entries that an interrupted run left unfinished.

jupyter-cache adds a record to its database first and writes the outputs afterwards. A run that ends in between leaves
a record without outputs, or with half of them, on which a later build would fail.
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

CACHE_FOLDER = ".jupyter_cache"  # in the build folder, as Jupyter Book calls it
PAGE_RUNS_FILE = "page_runs.json"  # beside it; `pages` writes it when the outputs of a page are complete


def open_cache(build: Path) -> Any:
    """Return the cache of a build folder."""
    from jupyter_cache import get_cache  # type: ignore[import-untyped]

    return get_cache(str(build / CACHE_FOLDER))


def hash_key(notebook: object, build: Path) -> str:
    """Return the key under which the cache keeps a notebook."""
    return str(open_cache(build).create_hashed_notebook(notebook)[1])


def page_digest(page: Path) -> str:
    """Return the digest of a page's text."""
    return hashlib.sha256(page.read_bytes()).hexdigest()


def recorded_key(page: Path, build: Path) -> str | None:
    """Return the key of a page that ran with this text, without reading it as a notebook."""
    path = build / PAGE_RUNS_FILE
    runs = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    text = page_digest(page)
    return next((str(run["key"]) for run in runs.values() if run["text"] == text), None)


def outputs_path(build: Path, key: str) -> Path:
    """Return the file with the outputs of a cached notebook."""
    return build / CACHE_FOLDER / "executed" / key / "base.ipynb"


def is_complete(build: Path, key: str) -> bool:
    """Return whether the cache has a notebook with all of its outputs."""
    from jupyter_cache.cache.db import NbCacheRecord  # type: ignore[import-untyped]

    try:
        NbCacheRecord.record_from_hashkey(key, open_cache(build).db)
        json.loads(outputs_path(build, key).read_bytes())
    except (KeyError, FileNotFoundError, ValueError):
        return False
    return True


def seconds(build: Path, key: str) -> float:
    """Return how long a cached notebook ran."""
    from jupyter_cache.cache.db import NbCacheRecord

    record = NbCacheRecord.record_from_hashkey(key, open_cache(build).db)
    return float(record.data.get("execution_seconds") or 0)


def remove(build: Path, key: str) -> None:
    """Remove a notebook from the cache, whatever an interrupted run left of it."""
    from jupyter_cache.cache.db import NbCacheRecord

    cache = open_cache(build)
    shutil.rmtree(outputs_path(build, key).parent, ignore_errors=True)
    try:
        record = NbCacheRecord.record_from_hashkey(key, cache.db)
    except KeyError:
        return
    NbCacheRecord.remove_records([record.pk], cache.db)


def write_outputs(build: Path, page: Path, notebook: object, seconds: float) -> str:
    """Put a notebook that was run into the cache, complete or not at all; return its key."""
    from jupyter_cache.base import CacheBundleIn  # type: ignore[import-untyped]

    key = hash_key(notebook, build)
    bundle = CacheBundleIn(notebook, str(page), data={"execution_seconds": seconds})
    try:
        open_cache(build).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    except BaseException:
        remove(build, key)
        raise
    return key
