"""Let the site be installed and opened without a network: a service worker and a manifest at its root.

The worker's version is the hash of everything it keeps, so it changes exactly when a page, a picture or a script does.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from autograder.book.live.cache import digest_of

SERVICE_WORKER_TEMPLATE = Path(__file__).parent / "offline" / "sw.js"
WORKER, MANIFEST = "sw.js", "manifest.webmanifest"
# JupyterLite has a worker of its own; sources and archives are for those who are online; maps are for those who debug
EXCLUDED_FOLDERS = (
    "lite/",
    "go/",
    "keys/",
    "notebooks/",
    "_static/cards/",
    "_sources/",
    "_downloads/",
    ".doctrees/",
    "_static/webpack-macros.html",
)
EXCLUDED_SUFFIXES = (".map", ".inv", ".buildinfo", ".ipynb", ".pickle", ".md", ".txt", ".xml")


def write_worker(site: Path, runtime: Iterable[str]) -> None:
    """Write the service worker; `runtime` names the folders that are kept when they are first used."""
    folders = [f"{name}/" for name in sorted(runtime)]
    files = [path for path in _files(site) if not path.startswith(tuple(folders))]
    version = digest_of(piece for path in files for piece in (path.encode(), (site / path).read_bytes()))
    values = {"version": version, "files": json.dumps(files), "runtime": json.dumps(folders)}
    values["runtime_files"] = json.dumps(sorted(_below(site, folders)))
    values["excluded"] = json.dumps(EXCLUDED_FOLDERS)
    text = SERVICE_WORKER_TEMPLATE.read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{{ {name} }}}}", value)
    (site / WORKER).write_text(text, "utf-8")


def _below(site: Path, folders: Iterable[str]) -> list[str]:
    files = [path for folder in folders for path in (site / folder).rglob("*") if path.is_file()]
    return [path.relative_to(site).as_posix() for path in files]


def write_manifest(site: Path, title: str, icon: str) -> None:
    """Write the web app manifest of the book."""
    manifest = {
        "name": title,
        "short_name": title.partition(",")[0],
        "start_url": "./index.html",
        "scope": "./",
        "display": "minimal-ui",
        "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml"}] if icon else [],
    }
    (site / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")


def _files(site: Path) -> list[str]:
    """Return the addresses of pages and their assets below the root."""
    found = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    return [
        path
        for path in found
        if not path.startswith(EXCLUDED_FOLDERS) and not path.endswith(EXCLUDED_SUFFIXES) and path != WORKER
    ]
