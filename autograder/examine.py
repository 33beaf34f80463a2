"""Run a repaired notebook in a student's process and judge its answers on the trusted side.

At each test cell the process is asked for answers on the public and the secret cases; the verdict and the
score come from the comparison here. The cell's outputs are then written by us, in the form that nbgrader
scores: nothing the process printed can be mistaken for a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import nbformat

from autograder import render
from autograder.attempt import Attempt
from autograder.judge import judge
from autograder.key import Key, SealedCase, TaskKey
from autograder.sandbox import StudentProcess
from autograder.source_notebook import CHECK
from autograder.verdict import FailingCase, Verdict

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


def examine(notebook: Any, public: Key, secret: Key, process: StudentProcess) -> Examined:
    """Run the notebook from top to bottom; the notebook must come from `repair` or from the source."""
    verdicts: dict[str, Verdict] = {}
    notes = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        task = _task_of(cell)
        if task is None:
            cell.outputs = _as_outputs(process.run(cell.source))
            continue
        name, expression = task
        keys = public.tasks[name], secret.tasks[name]
        shown, verdict = _judged(process, f"{public.topic}.{name}", expression, keys)
        verdicts[name] = verdict
        if shown.passed and not verdict.passed:
            notes.append(f"{name} passes the public cases but not the secret ones")
        cell.outputs = _scored(shown, verdict, public)
    if process.ended:
        notes.append(f"the program ended early ({process.ended})")
    return Examined(notebook, verdicts, tuple(notes))


def _task_of(cell: Any) -> tuple[str, str] | None:
    """The task and the answer's name of a test cell, which is ours because it is locked."""
    role = cell.metadata.get("nbgrader", {})
    match = CHECK.match(cell.source.strip()) if role.get("grade") and role.get("locked") else None
    return (match["task"], match["answer"]) if match else None


def _judged(
    process: StudentProcess, task: str, expression: str, keys: tuple[TaskKey, TaskKey]
) -> tuple[Verdict, Verdict]:
    """The verdict that may be shown (on public cases) and the verdict that counts (on secret ones)."""
    public, secret = keys
    if isinstance(public.cases[0], SealedCase):
        verdict = judge(task, public, process.ask(expression, None))
        return verdict, verdict
    inputs = [case.inputs for case in (*public.cases, *secret.cases)]
    attempts: list[Attempt] = process.ask(expression, inputs)
    split = len(public.cases)
    return judge(task, public, attempts[:split]), judge(task, secret, attempts[split:])


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
