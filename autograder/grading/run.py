"""Run a notebook in students' processes and collect its attempts at the questions, on one of two roads.

The quick road is one process. It is asked the public cases where the test cells stand, and the secret ones last,
when all that the notebook prints has been received: nothing of what it says afterwards is kept but its answers, so
what it was asked cannot reach anyone.

The careful road is for notebooks whose process ended before its time. Forked copies answer the questions, so that
an answer which ends its process costs one task. The secret cases are asked in a second process that replays the
notebook and whose prints are dropped. What took too long while other submissions ran goes the careful road, too, alone
on the machine: nobody loses points because of others. Once a process of a submission has been asked secret cases, what
later ones print is dropped as well: one could leave the other a sign, were it only the moment at which it ended.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import nbformat

from autograder.answers.attempt import Attempt, Call
from autograder.authoring.cells import checked, checks
from autograder.grading.failed_cells import OUT_OF_TIME, FailedCell, explain_missing
from autograder.judging.facts import Ask
from autograder.judging.follow_through import calls_of, is_replaceable, judge_calls
from autograder.judging.key import Key, TaskKey
from autograder.judging.verdict import Verdict
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.seat import Seat

Start = Callable[[], StudentProcess]


@dataclass
class Run:
    """Attempts at public and secret cases by task, cells that took too long, why the process ended early."""

    careful: bool = False
    shown: dict[str, list[Attempt]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)  # on public cases, with what probes found
    hidden: dict[str, list[Attempt]] = field(default_factory=dict)
    slow_cells: set[int] = field(default_factory=set)
    failed_cells: dict[int, FailedCell] = field(default_factory=dict)
    skipped_cells: frozenset[int] = frozenset()  # too slow before, while no other submission ran
    was_alone: bool = False
    ended: str | None = None
    ended_on_secrets: str | None = None  # why it ended when it was asked secret cases; never told to students
    is_late: bool = False  # did a cell, an answer or the whole take too long?
    knows_secrets: bool = False  # was a process asked secret cases?
    replaceable: set[str] = field(default_factory=set)  # functions that were written, right or wrong


def run_notebook(notebook: Any, public: Key, secret: Key, start: Start) -> Run:
    """Run every cell, write its outputs into the notebook, and ask the questions."""
    run = _in_one_go(notebook, public, secret, start)
    if is_spent(start):
        return run
    run.was_alone = not isinstance(start, Seat) or start.was_alone
    if isinstance(start, Seat) and not run.was_alone and run.is_late and _could_cost_points(run):
        with start.alone():
            return _with_care(notebook, public, secret, start, run)
    ended = run.ended or run.ended_on_secrets
    return _with_care(notebook, public, secret, start, run) if ended else run


def is_spent(start: Start) -> bool:
    """Return whether the grader does nothing more for the submission of these processes."""
    return bool(describe_spending(start))


def describe_spending(start: Start) -> str:
    """Say what of the submission's budget is used up; empty if nothing is."""
    return start.budget.note if isinstance(start, Seat) and start.budget.is_spent else ""


def _could_cost_points(run: Run) -> bool:
    return (
        bool(run.ended or run.ended_on_secrets)
        or not all(verdict.passed for verdict in run.verdicts.values())
        or any(attempt.problem for made in run.hidden.values() for attempt in made)
    )


def replayed(
    notebook: Any, secret: Key, tasks: Collection[str], run: Run, start: Start
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
                calls = calls_of(secret.tasks[task[0]], run.replaceable)
                hidden[task[0]] = process.ask_copy(task[1], calls)
            elif task is None and cell.cell_type == "code" and number not in run.slow_cells:
                process.run(cell.source)
            if len(hidden) == len(tasks):
                break
    return hidden


def leaned(
    notebook: Any, keys: Sequence[Key], leaning: Mapping[str, list[str]], start: Start, source: Any
) -> dict[str, list[list[Attempt]]]:
    """Ask these tasks again, on the cases of all keys, in a replay where right functions stand in for earlier ones.

    `leaning` says by task which earlier functions; `source` is the notebook with solutions, which runs in a process
    of its own: it answers what the stand-ins ask, and never meets the student's code.
    """
    found: dict[str, list[list[Attempt]]] = {}
    with start() as solution, start() as process:
        for one in (solution, process):
            one.draw_no_figures()
        _run_all(solution, source)
        _run_all(process, notebook)

        def oracle(name: str, positional: list[Any], named: dict[str, Any]) -> Attempt:
            values = [*positional, *named.values()]
            rest = ", ".join(f"{word}=a[{len(positional) + place}]" for place, word in enumerate(named))
            expression = f"lambda *a: {name}(*a[:{len(positional)}], {rest})"
            return solution.ask(expression, [Call(dict(enumerate(values)))])[0]  # type: ignore[arg-type]

        for task, answer in checks(notebook):
            if task in leaning:
                calls = [[Call(case.inputs) for case in key.tasks[task].cases] for key in keys]
                found[task] = [process.lean(answer, one, leaning[task], oracle) for one in calls]
    return found


def _run_all(process: StudentProcess, notebook: Any) -> None:
    """Run every cell but the test cells; keep nothing."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and checked(cell) is None:
            process.run(cell.source)


def _in_one_go(notebook: Any, public: Key, secret: Key, start: Start) -> Run:
    run = Run()
    with start() as process:
        for name, answer in _run_cells(notebook, process, run):
            key = public.tasks[name]
            asked = process.ask(answer, None if key.is_sealed else calls_of(key, run.replaceable))
            run.shown[name] = explain_missing(answer, asked, run.failed_cells)
            run.verdicts[name] = _judged(public, name, run, partial(process.ask_again, answer))
            _note_replaceable(key, name, answer, run)
        run.ended = process.ended
        # from here on nothing that the process says or does is shown to students
        for name, answer in _worth_asking(notebook, public, secret, run):
            run.knows_secrets = run.knows_secrets or not process.ended
            run.hidden[name] = process.ask_again(answer, calls_of(secret.tasks[name], run.replaceable))
        run.ended_on_secrets = None if run.ended else process.ended
        run.is_late = process.is_late or bool(run.slow_cells) or _has_slow_answers(run)
    return run


def _has_slow_answers(run: Run) -> bool:
    made = [*run.shown.values(), *run.hidden.values()]
    return any(attempt.problem == "too slow" for attempts in made for attempt in attempts)


def _with_care(notebook: Any, public: Key, secret: Key, start: Start, before: Run) -> Run:
    """Run it again; what stands behind the last question has been run, if all were answered before."""
    run = Run(careful=True, knows_secrets=before.knows_secrets)
    if before.was_alone:  # what took too long then takes too long again: the time is spent once
        run.skipped_cells = frozenset(before.slow_cells)
        run.slow_cells = set(before.slow_cells)
        run.failed_cells = {number: before.failed_cells[number] for number in before.slow_cells}
    unanswered = ("stopped", "too slow")
    answered = all(attempt.problem not in unanswered for made in before.shown.values() for attempt in made)
    with start() as process:
        for name, answer in _run_cells(notebook, process, run, to_the_end=not answered):
            key = public.tasks[name]
            run.shown[name] = _late_before(before, name) or explain_missing(
                answer,
                _ask_with_care(process, answer, key, run),
                run.failed_cells,
            )
            run.verdicts[name] = _judged(public, name, run, None)
            _note_replaceable(key, name, answer, run)
        if run.knows_secrets:  # an earlier process may have left a sign
            run.ended_on_secrets = process.ended or before.ended_on_secrets
        else:
            run.ended = process.ended
    if answered:  # then what happened behind the last question is known from the first time only
        last = _last_question(notebook)
        run.slow_cells |= {number for number in before.slow_cells if number > last}
        run.ended = run.ended or (before.ended if last + 1 < len(notebook.cells) else None)
    tasks = [name for name, _ in _worth_asking(notebook, public, secret, run)]
    run.hidden = replayed(notebook, secret, tasks, run, start)
    if is_spent(start):
        _keep_decided(run, before)
    return run


def _ask_with_care(process: StudentProcess, answer: str, key: TaskKey, run: Run) -> list[Attempt]:
    if key.is_sealed:
        return process.ask(answer, None)
    return process.ask_copy(answer, calls_of(key, run.replaceable))


def _note_replaceable(key: TaskKey, name: str, answer: str, run: Run) -> None:
    """Remember a function that was written: later ones may be judged with a right one in its place."""
    if is_replaceable(key, run.shown[name], run.verdicts[name]):
        run.replaceable.add(answer)


def _late_before(before: Run, name: str) -> list[Attempt]:
    """Return the attempts of a function that took too long while no other submission ran."""
    attempts = before.shown.get(name, [])
    is_late = before.was_alone and any(attempt.problem == "too slow" for attempt in attempts)
    return attempts if is_late else []


def _keep_decided(run: Run, before: Run) -> None:
    """Take from the run before what this one could not ask because the budget was used up."""
    for name in run.shown.keys() & before.shown.keys():
        asked = [*run.shown[name], *run.hidden.get(name, ())]
        if any(attempt.problem == "stopped" for attempt in asked):
            run.shown[name], run.verdicts[name] = before.shown[name], before.verdicts[name]
            if name in before.hidden:
                run.hidden[name] = before.hidden[name]


def _judged(key: Key, name: str, run: Run, ask: Ask | None) -> Verdict:
    """Judge where the test cell stands, while the function can still be asked for more by probes."""
    probe = None if key.tasks[name].is_sealed else ask
    return judge_calls(f"{key.topic}.{name}", key.tasks[name], run.shown[name], probe, run.replaceable)


def _last_question(notebook: Any) -> int:
    return max((number for number, cell in enumerate(notebook.cells) if checked(cell)), default=0)


def _run_cells(
    notebook: Any, process: StudentProcess, run: Run, *, to_the_end: bool = True
) -> Iterator[tuple[str, str]]:
    """Run the cells in order, to the end or to the last test cell; stop at each for the question to be asked."""
    for number, cell in enumerate(notebook.cells[: None if to_the_end else _last_question(notebook) + 1]):
        task = checked(cell)
        if task is not None:
            yield task
        elif cell.cell_type == "code" and number not in run.skipped_cells:
            _run_cell(number, cell, process, run)


def _run_cell(number: int, cell: Any, process: StudentProcess, run: Run) -> None:
    """Run one cell; keep its error, and its outputs unless a process knows secrets."""
    outputs = process.run(cell.source)
    if process.cell_error:
        run.failed_cells[number] = FailedCell(cell.source, process.cell_error)
        if process.cell_error.type == OUT_OF_TIME:
            run.slow_cells.add(number)
    if not run.knows_secrets:
        cell.outputs = [nbformat.from_dict(output) for output in outputs]
    elif number not in run.slow_cells and any("ename" in one for one in cell.outputs):
        cell.outputs = [one for one in cell.outputs if one.get("ename") != OUT_OF_TIME]


def _worth_asking(notebook: Any, public: Key, secret: Key, run: Run) -> Iterator[tuple[str, str]]:
    """Functions that exist and answered in time; the others cannot earn on secret cases either."""
    hopeless = ("missing", "did not run", "not written", "stopped", "too slow")
    for name, answer in checks(notebook):
        is_open = secret is not public and not secret.tasks[name].is_sealed
        if is_open and any(attempt.problem not in hopeless for attempt in run.shown[name]):
            yield name, answer
