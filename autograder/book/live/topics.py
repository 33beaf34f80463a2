"""Collect the data of a topic's live cells: its cells in order, and its public key."""

import json

from autograder.book.assignments import AssignmentPage, notebook_json
from autograder.course.address import key_at, with_key

SITE_ROOT = "."  # the page's script knows where the site is


def topic_file(assignment: AssignmentPage) -> bytes:
    """Return the cells that a student runs and the public key, as one file; places are relative to the site."""
    key = key_at((assignment.folder / f"{assignment.topic}.key.json").read_text("utf-8"), SITE_ROOT)
    cells = [{"name": cell.name, "source": cell.source} for cell in assignment.cells]
    return json.dumps({"cells": cells, "key": key}, ensure_ascii=False).encode()


def notebook_file(assignment: AssignmentPage) -> bytes:
    """Return the notebook with its key inside, into which the page puts a reader's answers."""
    return notebook_json(with_key(assignment.handed_out, assignment.key)).encode()
