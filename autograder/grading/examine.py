"""Judge a repaired notebook: run it in students' processes (`autograder.grading.run`), compare on the trusted side.

Verdict and score come from the comparison here; the outputs of test cells are written by us, in the form that
nbgrader scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import nbformat

from autograder.answers.attempt import Attempt
from autograder.authoring.cells import checked
from autograder.grading.run import Run, Start, replayed, run_notebook
from autograder.judging import render
from autograder.judging.follow_through import judge_calls
from autograder.judging.key import Key
from autograder.judging.verdict import FailingCase, Verdict

ON_FRESH_CASES = (
    "Right on the cases that you can see, but not on fresh ones drawn the same way: "
    "does the code depend on the numbers it was tried on?"
)


@dataclass(frozen=True)
class Examined:
    """The notebook with its outputs, the verdict on each task, and what the instructor should know."""

    notebook: Any
    verdicts: Mapping[str, Verdict]
    notes: tuple[str, ...]


def examine(notebook: Any, public: Key, secret: Key, start: Start) -> Examined:
    """Run the notebook, which must come from `repair` or from the source; `start` begins a student's process."""
    run = run_notebook(notebook, public, secret, start)
    shown, hidden = _judged(public, run.shown), _judged(secret, run.hidden)
    hidden.update(_at_their_places(notebook, secret, run, _worse(hidden, shown), start))
    verdicts: dict[str, Verdict] = {}
    notes = [f"a cell took longer than its limit (cell {number + 1})" for number in sorted(run.slow_cells)]
    for cell in notebook.cells:
        task = checked(cell)
        if task is None:
            continue
        name = task[0]
        verdicts[name] = hidden.get(name, shown[name])
        notes += _notes(name, shown[name], verdicts[name])
        cell.outputs = _scored(shown[name], verdicts[name], public)
    if run.ended:
        notes.append(f"the program ended early ({run.ended})")
    return Examined(notebook, verdicts, tuple(notes))


def _judged(key: Key, attempts: Mapping[str, list[Attempt]]) -> dict[str, Verdict]:
    return {
        name: judge_calls(f"{key.topic}.{name}", key.tasks[name], made) for name, made in attempts.items()
    }


def _worse(hidden: Mapping[str, Verdict], shown: Mapping[str, Verdict]) -> list[str]:
    return [name for name, verdict in hidden.items() if verdict.fraction < shown[name].fraction]


def _at_their_places(
    notebook: Any, secret: Key, run: Run, tasks: list[str], start: Start
) -> dict[str, Verdict]:
    """On the quick road secret cases come after the last cell, which may have changed what a function needs."""
    if run.careful:
        return {}
    return _judged(secret, replayed(notebook, secret, tasks, run.slow_cells, start))


def _notes(name: str, shown: Verdict, verdict: Verdict) -> list[str]:
    """What the instructor should know about one task."""
    if shown.passed and not verdict.passed:
        return [f"{name} passes the public cases but not the secret ones"]
    return [f"{name} took longer than its limit"] if shown.problem == "too slow" else []


def _scored(shown: Verdict, verdict: Verdict, key: Key) -> list[Any]:
    """The outputs of a test cell: the verdict, without secrets, and the points in the form nbgrader reads."""
    public = shown if not shown.passed else _without_secrets(verdict)
    public = replace(public, fraction=verdict.fraction)
    bundle = {"text/plain": render.text(public, key.pages), "text/html": render.html(public, key.pages)}
    points = {"text/plain": repr(verdict.earned)}
    return _as_outputs(
        [
            {"output_type": "display_data", "data": bundle, "metadata": {}},
            {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
        ]
    )


def _without_secrets(verdict: Verdict) -> Verdict:
    """Keep the hint of a recognised misconception; drop whatever was made from secret cases."""
    if verdict.passed:
        return verdict
    message = verdict.message if verdict.misconception else ON_FRESH_CASES
    return replace(verdict, message=message, survived=(), failing=FailingCase("a fresh case", {}))


def _as_outputs(trees: list[dict[str, Any]]) -> list[Any]:
    return [nbformat.from_dict(tree) for tree in trees]
