"""The same class for otter-grader: its tests made from the public key, its `otter run` for each submission.

otter is no dependency of the course, so it lives in an environment of its own:

    python -m venv /somewhere/otter
    /somewhere/otter/bin/pip install otter-grader ipykernel scipy matplotlib sympy
    python -m benchmarks.grading --otter /somewhere/otter/bin/otter

A test compares the student's function, number or formula with the expected answer on the public cases (otter has no
secret ones, no samenesses and no misconceptions). `otter run` is its grader without containers; each call starts
a kernel and runs the notebook, as nbgrader does.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autograder.answers.values import to_plain_data
from autograder.authoring.cells import CHECK
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.judging.key import SealedCase, TaskKey, read_key

Timed = Callable[[list[str], Path], tuple[float, float]]

TEST = """OK_FORMAT = True
test = {{"name": {name!r}, "points": {points}, "suites": [{{"type": "doctest", "scored": True, "cases": {cases}}}]}}
"""


def run_otter(course: Course, topic: str, number: int, program: str, timed: Timed) -> tuple[float, float]:
    """CPU and wall seconds of `otter run` on the first one after the other."""
    folder = course.root.with_name("otter")
    (folder / "tests").mkdir(parents=True)
    for name, key in read_key(course.classroom / "source" / topic / f"{topic}.key.json").tasks.items():
        (folder / "tests" / f"{name}.py").write_text(test_file(course, topic, name, key), "utf-8")
    plain_options = ["--no-requirements", "--no-environment", "-o", "autograder.zip"]
    timed([program, "generate", "-t", "tests", *plain_options], folder)
    cpu = wall = 0.0
    for student in course.paths.students_with(topic)[:number]:
        work = folder / student
        work.mkdir()
        (work / f"{topic}.ipynb").write_text(without_checks(course.paths.submission(student, topic)), "utf-8")
        command = [program, "run", "--no-logo", "-a", "../autograder.zip", "-o", ".", f"{topic}.ipynb"]
        spent = timed(command, work)
        assert json.loads((work / "results.json").read_text("utf-8"))["tests"], student
        cpu, wall = cpu + spent[0], wall + spent[1]
    return cpu, wall


def without_checks(path: Path) -> str:
    """A submission without our test cells and our import, which only our package could run."""
    notebook = json.loads(path.read_text("utf-8"))
    cells = [{**cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]
    kept = [cell for cell in cells if not CHECK.match(cell["source"].strip())]
    for cell in kept:
        lines = cell["source"].splitlines()
        cell["source"] = "\n".join(line for line in lines if not line.startswith("from autograder"))
    return json.dumps({**notebook, "cells": kept})


def test_file(course: Course, topic: str, name: str, key: TaskKey) -> str:
    """otter's test of one task: a doctest per public case."""
    cases = []
    for case in key.cases:
        if isinstance(case, SealedCase):
            expected = to_plain_data(load_tasks(course, topic)[name].answer(*case.inputs.values()))
            check = f"at_points({name}, {_literal(dict(case.inputs))})" if key.kind == "sym" else name
        else:
            expected = case.expected
            check = f"{name}(*{_literal(list(case.inputs.values()))})"
        lines = [
            ">>> import numpy as np, sympy",
            *_AT_POINTS,
            f">>> bool(np.allclose({check}, {_literal(expected)}))",
        ]
        cases.append({"code": "\n".join([*lines, "True"]), "hidden": False, "locked": False})
    return TEST.format(name=name, points=key.points, cases=cases)


_AT_POINTS = [
    ">>> at_points = lambda formula, points: [",
    "...     float(sympy.sympify(formula).subs(dict(zip(points, row)))) for row in zip(*points.values())]",
]


def _literal(value: Any) -> str:
    """A value as Python text that needs nothing but `np`."""
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {_literal(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return repr(value)
