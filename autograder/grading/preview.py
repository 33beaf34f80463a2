"""`dimred check NOTEBOOK`: the verdicts that a student would see, without opening Jupyter."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import nbformat

from autograder.errors import UnreadableError
from autograder.grading.examine import Material, examine
from autograder.grading.repair import read_notebook
from autograder.judging import render
from autograder.judging.key import read_key
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery


def preview(path: Path, *, allow_unsafe: bool = False) -> Iterator[str]:
    """Run the notebook in a process of its own against the public key beside it; yield what to print.

    People check notebooks of their own, so walls are demanded only of root, whose rights no notebook should have.
    """
    tree = read_notebook(path)
    topic = tree.get("metadata", {}).get("dimred", {}).get("topic")
    if not isinstance(topic, str) or not topic.isidentifier():
        raise UnreadableError(f"{path.name} is not an assignment of this course: it names no topic")
    key = read_key(path.parent / f"{topic}.key.json")
    notebook = nbformat.reads(json.dumps(tree), as_version=4)

    with Nursery(allow_unsafe=allow_unsafe or os.geteuid() != 0) as nursery:
        if nursery.protections.missing:
            yield f"no sandbox here; the notebook runs with: {', '.join(nursery.protections.enforced)}\n"
        examined = examine(notebook, Material(key, key), lambda: nursery.start({}, Limits()))
    for verdict in examined.verdicts.values():
        yield render.text(verdict, key.pages) + "\n"
    earned = sum(verdict.earned for verdict in examined.verdicts.values())
    yield f"{earned:g} of {sum(task.points for task in key.tasks.values()):g} points that a check can give"
