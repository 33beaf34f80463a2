"""Inputs of public cases: `case("areas.total", 2)` returns some to try a function on.

During grading the student's process has no key file. The grader adds a file with the inputs alone, so that a notebook
that calls `case` runs as it does for the student.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.answers.arguments import arguments
from autograder.answers.values import decode
from autograder.errors import BadKeyError


def case(task: str, number: int = 1) -> Any:
    """Return the inputs of a case of a task: a single value or a tuple.

    Cases are counted from 1. The small cases that a check may show come after those that it tests.
    """
    topic, _, name = task.partition(".")
    cases = _read_inputs(topic).get(name)
    if cases is None:
        raise BadKeyError(f"{task!r} is not a function of this assignment")
    if not 1 <= number <= len(cases):
        raise BadKeyError(f"{task} has cases 1 to {len(cases)}, not {number}")
    inputs = tuple(arguments({name: decode(item) for name, item in cases[number - 1].items()}))
    return inputs[0] if len(inputs) == 1 else inputs


def inputs_file(topic: str) -> str:
    """Return the name of the file with the inputs of all public cases."""
    return f"{topic}.cases.json"


def inputs_of(key: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the inputs of the public cases of each function in a parsed key file."""
    return {
        name: [case["inputs"] for case in (*task["cases"], *task.get("twins", ()))]
        for name, task in key["tasks"].items()
        if task["kind"] == "code"
    }


def _read_inputs(topic: str) -> dict[str, Any]:
    if not topic.isidentifier():
        raise BadKeyError(f"{topic!r} does not name a topic; tasks are named as in case('areas.total', 1)")
    key, inputs = Path.cwd() / f"{topic}.key.json", Path.cwd() / inputs_file(topic)
    try:
        if key.is_file():
            return inputs_of(json.loads(key.read_text("utf-8")))
        return dict(json.loads(inputs.read_text("utf-8")))
    except FileNotFoundError:
        raise BadKeyError(
            f"{key.name} is missing: it belongs beside the notebook of this assignment"
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        raise BadKeyError(f"{key.name} is damaged ({error}): download the assignment's files again") from None
