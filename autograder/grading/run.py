"""Run a notebook in students' processes and collect its attempts at the questions, on one of two roads.

The quick road is one process. It is asked the public cases where the test cells stand, and the secret ones last,
when all that the notebook prints has been received: nothing of what it says afterwards is kept but its answers, so
what it was asked cannot reach anyone.

The careful road is for notebooks whose process ended before its time. Forked copies answer the questions, so that
an answer which ends its process costs one task. The secret cases are asked in a second process that replays the
notebook and whose prints are dropped.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import nbformat

from autograder.answers.attempt import Attempt
from autograder.authoring.cells import checked, checks
from autograder.judging.follow_through import calls_of
from autograder.judging.key import Key
from autograder.sandbox.nursery import StudentProcess

Start = Callable[[], StudentProcess]


@dataclass
class Run:
    """Attempts at public and secret cases by task, cells that took too long, why the process ended early."""

    careful: bool = False
    shown: dict[str, list[Attempt]] = field(default_factory=dict)
    hidden: dict[str, list[Attempt]] = field(default_factory=dict)
    slow_cells: set[int] = field(default_factory=set)
    ended: str | None = None


def run_notebook(notebook: Any, public: Key, secret: Key, start: Start) -> Run:
    """Run every cell, write its outputs into the notebook, and ask the questions."""
    run = _in_one_go(notebook, public, secret, start)
    return _with_care(notebook, public, secret, start) if run.ended else run


def replayed(
    notebook: Any, secret: Key, tasks: Collection[str], slow_cells: Collection[int], start: Start
) -> dict[str, list[Attempt]]:
    """Ask these tasks' secret cases each at its own place in a replay of the notebook; keep nothing else."""
    hidden: dict[str, list[Attempt]] = {}
    if not tasks:
        return hidden
    with start() as process:
        process.draw_no_figures()
        for number, cell in enumerate(notebook.cells):
            task = checked(cell)
            if task is not None and task[0] in tasks:
                hidden[task[0]] = process.ask_copy(task[1], calls_of(secret.tasks[task[0]]))
            elif task is None and cell.cell_type == "code" and number not in slow_cells:
                process.run(cell.source)
            if len(hidden) == len(tasks):
                break
    return hidden


def _in_one_go(notebook: Any, public: Key, secret: Key, start: Start) -> Run:
    run = Run()
    with start() as process:
        for name, answer in _run_cells(notebook, process, run):
            key = public.tasks[name]
            run.shown[name] = process.ask(answer, None if key.is_sealed else calls_of(key))
        # from here on nothing that the process says is shown to anyone
        for name, answer in _worth_asking(notebook, public, secret, run):
            run.hidden[name] = process.ask_again(answer, calls_of(secret.tasks[name]))
        run.ended = process.ended
    return run


def _with_care(notebook: Any, public: Key, secret: Key, start: Start) -> Run:
    run = Run(careful=True)
    with start() as process:
        for name, answer in _run_cells(notebook, process, run):
            key = public.tasks[name]
            run.shown[name] = (
                process.ask(answer, None) if key.is_sealed else process.ask_copy(answer, calls_of(key))
            )
        run.ended = process.ended
    tasks = [name for name, _ in _worth_asking(notebook, public, secret, run)]
    run.hidden = replayed(notebook, secret, tasks, run.slow_cells, start)
    return run


def _run_cells(notebook: Any, process: StudentProcess, run: Run) -> Iterator[tuple[str, str]]:
    """Run the cells in order; stop at each test cell for the question to be asked."""
    for number, cell in enumerate(notebook.cells):
        task = checked(cell)
        if task is not None:
            yield task
        elif cell.cell_type == "code":
            outputs = process.run(cell.source)
            cell.outputs = [nbformat.from_dict(output) for output in outputs]
            if any(output.get("ename") == "OutOfTimeError" for output in outputs):
                run.slow_cells.add(number)


def _worth_asking(notebook: Any, public: Key, secret: Key, run: Run) -> Iterator[tuple[str, str]]:
    """Functions that exist and answered in time; the others cannot earn on secret cases either."""
    hopeless = ("missing", "not written", "stopped", "too slow")
    for name, answer in checks(notebook):
        is_open = secret is not public and not secret.tasks[name].is_sealed
        if is_open and any(attempt.problem not in hopeless for attempt in run.shown[name]):
            yield name, answer
