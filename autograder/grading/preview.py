"""Check a notebook against its public key, for `dimred check`."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import nbformat

from autograder.grading.examine import GradingInputs, grade_notebook
from autograder.grading.repair import read_notebook
from autograder.judging import render
from autograder.judging.key_lookup import key_of_notebook
from autograder.judging.notebook_identity import named_topic
from autograder.judging.plain_preview import require_notebook_file
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits


def preview(path: Path, *, allow_unsafe: bool = False) -> Iterator[str]:
    """Run a notebook against its public key and yield the verdicts.

    A user checks a notebook of their choice, so a missing sandbox is accepted, except for root.
    """
    require_notebook_file(path)
    tree = read_notebook(path)
    key = key_of_notebook(path, tree, named_topic(tree, path.name))
    notebook = nbformat.reads(json.dumps(tree), as_version=4)

    with ForkServerClient(allow_unsafe=allow_unsafe or os.geteuid() != 0) as fork_server:
        if fork_server.protections.missing:
            yield f"no sandbox here; the notebook runs with: {', '.join(fork_server.protections.enforced)}\n"
        graded = grade_notebook(notebook, GradingInputs(key, key), lambda: fork_server.start({}, Limits()))
    for verdict in graded.verdicts.values():
        yield render.text(verdict, key.pages) + "\n"
    earned = sum(verdict.earned for verdict in graded.verdicts.values())
    yield f"{earned:g} of {sum(task.points for task in key.tasks.values()):g} points that a check can give"
