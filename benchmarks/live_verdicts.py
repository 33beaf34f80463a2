"""Judge every answer that is known to be right or wrong; the same file runs on the desktop and in the browser's Python.

`benchmarks.live` compares what the two say. Known are, of every task: the reference, alternatives, misconceptions,
programs that must fail, and faults of no particular kind, whose messages hold numbers, types and exceptions.
"""

import copy
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

# inside the browser's Python the course lies here, and run.mjs sets the topics as `job`
MOUNTED = Path("/course")
MOUNTS = {f"{MOUNTED}/{layer}": layer for layer in ("dimred_ref", "solutions", "exercises")}
# where the wheel puts it: tracebacks skip what lies there
MOUNTS["/lib/python3.14/site-packages/autograder"] = "autograder"


def rows(root: Path, topics: list[str]) -> dict[str, dict[str, Any]]:
    """What is said of each answer, by "topic.task: kind name"."""
    from autograder.judging.key import read_key

    found: dict[str, dict[str, Any]] = {}
    for topic in topics:
        key = read_key(root / "exercises" / topic / f"{topic}.key.json")
        for name, task in tasks_of(root, topic).items():
            if name in key.tasks:
                for kind, label, way in ways(task):
                    found[f"{topic}.{name}: {kind} {label}"] = told(task, key.tasks[name], way, key.pages)
    return found


def tasks_of(root: Path, topic: str) -> dict[str, Any]:
    """The tasks, imported one by one: the course's own way needs more than a browser has."""
    from autograder.authoring.task import TaskBuilder

    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    files = sorted((root / "solutions" / topic).glob("*.py"))
    modules = [
        importlib.import_module(f"solutions.{topic}.{file.stem}") for file in files if file.stem != "__init__"
    ]
    return {
        name: value.task
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, TaskBuilder) and value.__module__ == module.__name__
    }


def ways(task: Any) -> Iterator[tuple[str, str, Any]]:
    yield "reference", "", task.answer
    for number, way in enumerate(task.alternatives):
        yield "alternative", str(number), way
    for misconception in task.misconceptions:
        yield "misconception", misconception.name, misconception.wrong
    for program in task.must_fail:
        yield "must fail", program.__name__, program
    if task.kind == "code":
        for name, fault in FAULTS.items():
            yield "fault", name, _faulty(task.answer, fault)


def told(task: Any, key: Any, way: Any, pages: Mapping[str, Any]) -> dict[str, Any]:
    """Every field of the verdict, and the verdict as it is shown."""
    from autograder.judging import render
    from autograder.release.rules import judge_solution

    try:
        verdict = judge_solution(task, key, way)
    except Exception as error:  # of a way that is asked for a value, which a notebook would show
        return {"raised": type(error).__name__}
    fields = ("passed", "fraction", "earned", "misconception", "slip", "message", "see", "problem", "fault")
    shown = {
        "survived": list(verdict.survived),
        "text": render.text(verdict, pages),
        "html": render.html(verdict, pages),
    }
    return {name: getattr(verdict, name) for name in fields} | shown | {"answer": answer(task, key, way)}


def answer(task: Any, key: Any, way: Any) -> list[list[float]]:
    """The numbers that a function gives on each case: another library may choose another sign, or another basis."""
    if task.kind != "code":
        return []
    return [_flat(way, list(copy.deepcopy(case.inputs).values())) for case in key.cases]


def _flat(way: Callable[..., Any], inputs: list[Any]) -> list[float]:
    try:
        made = way(*inputs)
        parts = made if isinstance(made, tuple) else (made,)
        return [float(number) for part in parts for number in np.asarray(part, dtype=float).ravel()]
    except Exception:
        return []


def _numbers(part: Any) -> Any:
    return np.asarray(part, dtype=float)


def _inverted(part: Any) -> Any:
    return np.linalg.inv(np.zeros((2, 2)))


FAULTS: dict[str, Callable[[Any], Any]] = {
    "times 3": lambda part: 3 * _numbers(part),
    "negative": lambda part: -_numbers(part),
    "off by a little": lambda part: _numbers(part) * 1.001 + 0.0123,
    "reversed": lambda part: _numbers(part)[..., ::-1] if np.ndim(part) else part,
    "transposed": lambda part: _numbers(part).T,
    "whole numbers": lambda part: np.rint(_numbers(part)).astype(int),
    "nan": lambda part: _numbers(part) * np.nan,
    "text": lambda part: "42",
    "nothing": lambda part: None,
    "raises": _inverted,
}


def _faulty(answer: Callable[..., Any], fault: Callable[[Any], Any]) -> Callable[..., Any]:
    def faulty(*inputs: Any) -> Any:
        made = answer(*inputs)
        return tuple(fault(part) for part in made) if isinstance(made, tuple) else fault(made)

    return faulty


if sys.platform == "emscripten":
    os.chdir(MOUNTED)
    sys.path.insert(0, str(MOUNTED))
    print(json.dumps(rows(MOUNTED, json.loads(job))))  # type: ignore[name-defined]  # noqa: F821
