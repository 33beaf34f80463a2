"""Whole assignments as notebooks in the browser: JupyterLite on the same Python, the same wheels, the same engine.

Work is kept by the browser. JupyterLite's own service worker lets Python read the files beside a notebook, and with
them the key: where a browser has no service workers, there are no such notebooks.
"""

import importlib.metadata
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.book.assignments import AssignmentPage
from autograder.book.live.cache import build_once, digest_of, linked
from autograder.book.live.kernel import LOCK
from autograder.course.address import INSTALLATION
from autograder.errors import LiveError
from autograder.program import ENGINE

LITE = ("jupyterlite-core", "jupyterlite-pyodide-kernel")
PYODIDE_KERNEL = "@jupyterlite/pyodide-kernel-extension"
LITE_FOLDER = "lite"  # below the root of the site
# below that: its settings, and what lies in each folder of notebooks
LITE_SETTINGS, CONTENTS_FOLDER, CONTENTS_LIST = "jupyter-lite.json", "api/contents", "all.json"
APPS = ("notebooks", "tree")  # one notebook on the page, and the list of files that it can go back to

NOTHING_TO_INSTALL = (
    "**This notebook runs in your browser.** Nothing needs to be installed. Python takes some seconds to start. What "
    "you write is kept by this browser, on this device only. When you are done, choose *Download* in the menu *File*: "
    "that file is what you hand in."
)
OVERRIDES = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 5},  # seconds; nothing waits for a disk
}
ICON = '<link rel="icon" href="favicon.ico">'  # else the browser asks for one at the root of the server
# JupyterLite takes any service worker of the server for its own, or unregisters it: here it sees only those below it,
# and not what keeps the book.
ONLY_ITS_OWN = """<script>if (navigator.serviceWorker) {
      const workers = navigator.serviceWorker;
      const isOurs = one => one?.scope.startsWith(new URL("..", location.href).href);
      const [one, all] = [workers.getRegistration.bind(workers), workers.getRegistrations.bind(workers)];
      workers.getRegistration = async address => [await one(address)].find(isOurs);
      workers.getRegistrations = async () => (await all()).filter(isOurs);
      // What the worker has not seen is asked for again, from the browser's own cache, and kept: what came before
      // it was there, and the key, which a cell reads at its first check.
      const site = new URL("..", location.href).href;
      const path = new URLSearchParams(location.search).get("path") ?? "";
      const key = path ? [`${site}files/${path.replace(/ipynb$/, "key.json")}`] : [];
      const shown = () => performance.getEntriesByType("resource").map(({ name }) => name);
      const keep = names => names.filter(name => name.startsWith(site))
        .forEach(name => fetch(name, { cache: "force-cache" }).catch(() => {}));
      const keepAll = () => setTimeout(() => keep([location.href, ...key, ...shown()]), 5000);
      if (workers.controller) addEventListener("load", () => keep(key));
      else workers.addEventListener("controllerchange", keepAll, { once: true });
    }</script>"""
OFFLINE_WORKER = Path(__file__).parent / "offline" / "lite.js"  # before JupyterLite's own worker
DISABLED = ["@jupyter-notebook/notebook-extension:tab-icon"]  # shows icons that JupyterLite does not have


def address_of(topic: str) -> str:
    """Return the address of a topic's notebook below the root of the site."""
    return f"{LITE_FOLDER}/notebooks/index.html?path={topic}/{topic}.ipynb"


def put_notebooks(place: Path, assignments: Sequence[AssignmentPage], python: Path, notebook: Path) -> None:
    """Put JupyterLite into a folder of the site, with every assignment: each notebook beside its key."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(app_folder(), place, copy_function=linked)
    _set(place / LITE_SETTINGS, python, notebook)
    folders = []
    for assignment in assignments:
        folders.append(_model(assignment.topic, "directory", assignment.folder))
        _put_assignment(place, assignment)
    _write(place / CONTENTS_FOLDER / CONTENTS_LIST, _model("", "directory", place) | {"content": folders})


def _put_assignment(place: Path, assignment: AssignmentPage) -> None:
    sources = [assignment.folder / f"{assignment.topic}.{ending}" for ending in ("ipynb", "key.json")]
    contents = [in_the_browser(assignment.handed_out), json.loads(assignment.key)]
    models = []
    for source, content, kind in zip(sources, contents, ("notebook", "file"), strict=True):
        address = f"{assignment.topic}/{source.name}"
        _write(place / "files" / address, content)
        models.append(_model(address, kind, source))
    model = _model(assignment.topic, "directory", assignment.folder) | {"content": models}
    _write(place / CONTENTS_FOLDER / assignment.topic / CONTENTS_LIST, model)


def _model(address: str, kind: str, source: Path) -> dict[str, object]:
    """Return Jupyter's contents model of a file or a folder."""
    changed = datetime.fromtimestamp(source.stat().st_mtime, UTC).isoformat().replace("+00:00", "Z")
    return {
        "name": address.rpartition("/")[2],
        "path": address,
        "type": kind,
        "format": "json" if kind == "directory" else None,
        "mimetype": "application/json" if kind == "file" else None,
        "content": None,
        "created": changed,
        "last_modified": changed,
        "size": None,
        "writable": True,
    }


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1), "utf-8")


def in_the_browser(notebook: dict[str, object]) -> dict[str, object]:
    """A notebook for the kernel that there is (no question asked), trusted, with nothing to install."""
    made: dict[str, Any] = json.loads(json.dumps(notebook))
    made["metadata"]["kernelspec"] = {
        "name": "python",
        "display_name": "Python (Pyodide)",
        "language": "python",
    }
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["trusted"] = True
        else:
            cell["source"] = INSTALLATION.sub(NOTHING_TO_INSTALL, "".join(cell["source"]))
    return made


def _set(path: Path, python: Path, notebook: Path) -> None:
    """Say where Python lies: on this site, in the folders of the live cells."""
    live = "../_static/live"
    settings = json.loads(path.read_text("utf-8"))
    settings["jupyter-config-data"]["litePluginSettings"][f"{PYODIDE_KERNEL}:kernel"] |= {
        # JupyterLite moves addresses that start with "./" to where this file lies
        "pyodideUrl": f"./{live}/{python.name}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": f"{live}/{notebook.name}/{LOCK}"},
    }
    path.unlink()  # it may be a second name of the file in the cache
    _write(path, settings)


def app_folder() -> Path:
    """JupyterLite itself, without a notebook."""
    data = {
        "appName": "Assignments",
        "exposeAppInBrowser": True,
        "disabledExtensions": DISABLED,
        "contentsAllJsonFile": CONTENTS_LIST,
    }
    files = {
        LITE_SETTINGS: {"jupyter-lite-schema-version": 0, "jupyter-config-data": data},
        "overrides.json": OVERRIDES,
    }

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as work:
            for name, content in files.items():
                _write(Path(work, name), content)
            _build(Path(work), Path(work, "made"))
            shutil.copytree(Path(work, "made"), folder, dirs_exist_ok=True)

    made_from = [*_versions(), Path(__file__).read_bytes(), OFFLINE_WORKER.read_bytes()]
    return build_once(f"lite-{digest_of(made_from)}", make)


def require_lite() -> None:
    """Raise LiveError if JupyterLite is not installed."""
    _versions()


def _versions() -> list[bytes]:
    try:
        return [importlib.metadata.version(name).encode() for name in LITE]
    except importlib.metadata.PackageNotFoundError as missing:
        raise LiveError(f"{missing.name} is not installed: pip install '{ENGINE}[live]'") from missing


def _build(work: Path, made: Path) -> None:
    kernel = Path(sysconfig.get_path("data"), "share", "jupyter", "labextensions", PYODIDE_KERNEL)
    options = ["--settings-overrides=overrides.json", f"--output-dir={made}", "--no-sourcemaps"]
    options += ["--no-unused-shared-packages", *(f"--apps={name}" for name in APPS)]
    # of all that is installed here for Jupyter, the kernel alone
    options += ["--ignore-sys-prefix", f"--LiteBuildConfig.federated_extensions={kernel}"]
    command = [sys.executable, "-m", "jupyterlite_core", "build", *options]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    settings = made / LITE_SETTINGS
    if done.returncode or PYODIDE_KERNEL not in (settings.read_text("utf-8") if settings.is_file() else ""):
        raise LiveError(f"JupyterLite was not built: {(done.stderr or done.stdout).strip()[-300:]}")
    for name in APPS:
        _mend(made / name / "index.html")
    worker = made / "service-worker.js"
    worker.write_text(f"{OFFLINE_WORKER.read_text('utf-8')}{worker.read_text('utf-8')}", "utf-8")


def _mend(page: Path) -> None:
    """Let a page name its icon from the start, and leave the service worker of the book where it is."""
    text = page.read_text("utf-8")
    page.write_text(text.replace("<head>", f"<head>\n    {ICON}\n    {ONLY_ITS_OWN}", 1), "utf-8")
