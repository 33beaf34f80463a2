"""Run a repaired notebook in students' processes and judge its answers on the trusted side.

It is run twice. The first process shows what the notebook prints and is asked the public cases only. The second
replays the notebook to the same point before each question and is asked the secret cases: nothing it prints is
ever kept, so what it was asked cannot reach anyone. Verdict and score come from the comparison here; the outputs
of test cells are written by us, in the form that nbgrader scores.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
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


@dataclass
class FirstRun:
    """What the first run found: attempts at public cases, cells that took too long, why it ended early."""

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    slow_cells: set[int] = field(default_factory=set)
    ended: str | None = None


def examine(notebook: Any, public: Key, secret: Key, start: Callable[[], StudentProcess]) -> Examined:
    """Run the notebook, which must come from `repair` or from the source; `start` begins a student's process."""
    first = _first_run(notebook, public, start)
    hidden = {} if secret is public else _second_run(notebook, secret, first, start)
    verdicts: dict[str, Verdict] = {}
    notes = [f"a cell took longer than its limit (cell {number + 1})" for number in sorted(first.slow_cells)]
    for cell in notebook.cells:
        task = _task_of(cell)
        if task is None:
            continue
        name, task_id = task[0], f"{public.topic}.{task[0]}"
        shown = judge(task_id, public.tasks[name], first.attempts[name])
        verdicts[name] = judge(task_id, secret.tasks[name], hidden[name]) if name in hidden else shown
        notes += _notes(name, shown, verdicts[name])
        cell.outputs = _scored(shown, verdicts[name], public)
    if first.ended:
        notes.append(f"the program ended early ({first.ended})")
    return Examined(notebook, verdicts, tuple(notes))


def _notes(name: str, shown: Verdict, verdict: Verdict) -> list[str]:
    """What the instructor should know about one task."""
    if shown.passed and not verdict.passed:
        return [f"{name} passes the public cases but not the secret ones"]
    return [f"{name} took longer than its limit"] if shown.problem == "too slow" else []


def _first_run(notebook: Any, public: Key, start: Callable[[], StudentProcess]) -> FirstRun:
    """Run every cell, keep its outputs, and ask the public cases at each test cell."""
    first = FirstRun()
    with start() as process:
        for number, cell in enumerate(notebook.cells):
            task = _task_of(cell)
            if task is not None:
                first.attempts[task[0]] = process.ask(task[1], _calls(public.tasks[task[0]]))
            elif cell.cell_type == "code":
                outputs = process.run(cell.source)
                cell.outputs = _as_outputs(outputs)
                if any(output.get("ename") == "OutOfTimeError" for output in outputs):
                    first.slow_cells.add(number)
        first.ended = process.ended
    return first


def _second_run(
    notebook: Any, secret: Key, first: FirstRun, start: Callable[[], StudentProcess]
) -> dict[str, list[Attempt]]:
    """Replay the notebook and ask the secret cases of functions; keep nothing but the attempts."""
    asked = {name for name, key in secret.tasks.items() if _is_worth_asking(key, first.attempts.get(name))}
    hidden: dict[str, list[Attempt]] = {}
    if not asked:
        return hidden
    with start() as process:
        process.draw_no_figures()
        for number, cell in enumerate(notebook.cells):
            task = _task_of(cell)
            if task is not None and task[0] in asked:
                hidden[task[0]] = process.ask(task[1], _calls(secret.tasks[task[0]]))
            elif task is None and cell.cell_type == "code" and number not in first.slow_cells:
                process.run(cell.source)
            if asked <= set(hidden):
                break
    return hidden


def _is_worth_asking(key: TaskKey, attempts: list[Attempt] | None) -> bool:
    """A function that exists and answered something in time; the others cannot earn on secret cases either."""
    if isinstance(key.cases[0], SealedCase) or attempts is None:
        return False
    return any(
        attempt.problem not in ("missing", "not written", "stopped", "too slow") for attempt in attempts
    )


def _calls(key: TaskKey) -> list[Mapping[str, Any]] | None:
    return None if isinstance(key.cases[0], SealedCase) else [case.inputs for case in key.cases]


def _task_of(cell: Any) -> tuple[str, str] | None:
    """The task and the answer's name of a test cell, which is ours because it is locked."""
    role = cell.metadata.get("nbgrader", {}) if cell.cell_type == "code" else {}
    match = CHECK.match(cell.source.strip()) if role.get("grade") and role.get("locked") else None
    return (match["task"], match["answer"]) if match else None


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
