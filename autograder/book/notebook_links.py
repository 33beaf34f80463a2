"""Publish assignments for Colab, Kaggle, Binder, VS Code and similar services.

These open a single file. So the notebook carries its public key, and its first cell installs the package from the
site of the book and sets the address of keys. The notebooks are part of the site. With a README and a list of packages
they are also a folder, `_build/notebooks`. A workflow pushes it to a branch, from which Colab, Binder and VS Code
open the notebooks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from autograder.course.address import Site, with_key
from autograder.course.course import Course
from autograder.course.files import write_changed_texts
from autograder.course.package import engine_package
from autograder.course.settings import is_local

NOTEBOOKS_FOLDER, KEYS_FOLDER = "notebooks", "keys"  # of the site
GITHUB = "github.com"
START_CELL = """\
# Run this cell first, in Colab, Kaggle, Binder or wherever the course is not installed yet. Elsewhere it does nothing.
import importlib.util
import os
import subprocess
import sys

if importlib.util.find_spec("autograder") is None:
    subprocess.check_call([sys.executable, "-m", "pip", "install", "--quiet", {requirement!r}])
os.environ.setdefault("COURSE_KEYS", {keys!r})  # where `check` finds the key, if this notebook does not carry it
"""
README = """\
# Notebooks of {title}

The assignments of the course, ready to be opened in Colab, Binder, VS Code or Jupyter: each carries the public key that
checks it. They were written by a build of the book ({address}); changes belong into its repository.
"""


@dataclass(frozen=True)
class AssignmentLink:
    """A service that opens an assignment, with the address."""

    name: str
    address: str


def assignment_links(course: Course, topic: str) -> list[AssignmentLink]:
    """Return links that open an assignment elsewhere.

    The settings `book_url`, `repository` and `notebooks_branch` decide which links exist.
    """
    address = str(course.settings["book_url"]).rstrip("/")
    repository = _on_github(str(course.settings["repository"]))
    branch = quote(str(course.settings["notebooks_branch"]), safe="")
    file = f"{topic}.ipynb"
    kaggle = {"src": f"{address}/{NOTEBOOKS_FOLDER}/{file}"}
    lab = quote(f"lab/tree/{file}", safe="")
    doors = {
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/{branch}/{file}",
        "Kaggle": f"https://www.kaggle.com/kernels/welcome?{urlencode(kaggle)}",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{branch}?urlpath={lab}",
        "VS Code": _clone(repository, branch),
    }
    is_open = dict.fromkeys(doors, bool(repository)) | {"Kaggle": not is_local(address)}
    return [AssignmentLink(name, opens) for name, opens in doors.items() if is_open[name]]


def _on_github(repository: str) -> str:
    """Return owner and name of a GitHub repository, else ""."""
    parts = urlsplit(repository.removesuffix(".git"))
    return parts.path.strip("/") if parts.hostname == GITHUB else ""


def _clone(repository: str, branch: str) -> str:
    """Return the address with which VS Code clones a branch."""
    return (
        f"vscode://vscode.git/clone?{urlencode({'url': f'https://{GITHUB}/{repository}.git', 'ref': branch})}"
    )


def notebook_for_hub(
    notebook: Mapping[str, object], key: str, site: Site, requirement: str
) -> dict[str, Any]:
    """Return a notebook that needs no other file.

    It carries its key, and its first cell installs the package.
    """
    copy = with_key(notebook, key)
    keys = f"{site.address}/{KEYS_FOLDER}/{json.loads(key)['seed']}"
    source = START_CELL.format(requirement=requirement, keys=keys)
    copy["cells"].insert(
        1,
        {
            "cell_type": "code",
            "execution_count": None,
            "id": "start",
            "metadata": {"cellView": "form", "jupyter": {"source_hidden": True}},
            "outputs": [],
            "source": source.splitlines(keepends=True),
        },
    )
    return copy


def publish_notebooks(
    course: Course, folder: Path, handed_out: Mapping[str, tuple[Mapping[str, object], str]], site: Site
) -> None:
    """Write notebooks and keys into the site and the branch folder.

    `folder` is the site. `handed_out` maps a topic to its notebook and public key. Without an address, only
    keys are published.
    """
    engine = engine_package()
    branch = folder.parent / NOTEBOOKS_FOLDER
    for topic, (notebook, key) in handed_out.items():
        write_changed_texts(folder / KEYS_FOLDER / json.loads(key)["seed"], {f"{topic}.key.json": key})
        if site.address:
            hub_notebook = notebook_for_hub(notebook, key, site, engine.requirement(site.address))
            files = {f"{topic}.ipynb": json.dumps(hub_notebook, indent=1, ensure_ascii=False) + "\n"}
            write_changed_texts(folder / NOTEBOOKS_FOLDER, files)
            write_changed_texts(branch, files)
    if site.address and handed_out:
        packages = f"jupyterlab\n{engine.requirement(site.address)}\n"
        readme = README.format(title=course.settings["course_id"], address=site.address)
        write_changed_texts(branch, {"requirements.txt": packages, "README.md": readme})
