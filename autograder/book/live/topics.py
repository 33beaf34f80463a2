"""What the live cells of a topic need: its cells, in order, and the key that everyone may see."""

import json

from autograder.book.assignments import Assignment


def topic_file(assignment: Assignment) -> bytes:
    """The cells that a student runs and the public key, as one file."""
    key = (assignment.folder / f"{assignment.topic}.key.json").read_text("utf-8")
    cells = [{"name": cell.name, "source": cell.source} for cell in assignment.cells]
    return json.dumps({"cells": cells, "key": key}, ensure_ascii=False).encode()
