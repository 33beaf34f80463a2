"""Run a notebook in students' processes and test its answers.

By default the notebook runs in one process. Public cases are called at their test cells, secret cases after the last
cell. Outputs are collected before the first secret case, so an output cannot reveal a secret input.

If the process ended early, the notebook runs again in careful mode. Calls run in forked copies, so a call that ends its
process costs one task only. Secret cases run in a second process, whose outputs are dropped. A notebook that timed out
while other submissions ran is also run again, alone on the machine, because contention must not cost points. After a
process was called with secret cases, outputs of later processes of the submission are dropped as well: the earlier one
could have signalled to a later one, for example by the time at which it ended.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import nbformat

from autograder.answers.attempt import Call, CallResult
from autograder.authoring.cells import checked, checks
from autograder.grading.failed_cells import OUT_OF_TIME, FailedCell, explain_missing
from autograder.judging.follow_through import calls_of, is_replaceable, judge_calls
from autograder.judging.key import Key, TaskKey
from autograder.judging.law_tests import Ask
from autograder.judging.verdict import Verdict
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.session import SubmissionSession

Start = Callable[[], StudentProcess]


@dataclass
class NotebookRun:
    """Results of the calls, failed cells and the end reason."""

    careful: bool = False
    public_results: dict[str, list[CallResult]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)  # on public cases, with what probes found
    secret_results: dict[str, list[CallResult]] = field(default_factory=dict)
    slow_cells: set[int] = field(default_factory=set)
    failed_cells: dict[int, FailedCell] = field(default_factory=dict)
    skipped_cells: frozenset[int] = frozenset()  # timed out in an exclusive run, so not run again
    was_exclusive: bool = False
    ended: str | None = None
    ended_on_secrets: str | None = None  # reason of an end during secret cases; never shown to students
    is_late: bool = False  # whether a cell, a call or the whole notebook timed out
    knows_secrets: bool = False  # whether a process was called with secret cases
    replaceable: set[str] = field(
        default_factory=set
    )  # functions that a stub may replace: see is_replaceable


def run_notebook(notebook: object, public: Key, secret: Key, start: Start) -> NotebookRun:
    """Run every cell, store its outputs, and call the answers."""
    run = _run_in_one_process(notebook, public, secret, start)
    if is_spent(start):
        return run
    run.was_exclusive = not isinstance(start, SubmissionSession) or start.was_exclusive
    if (
        isinstance(start, SubmissionSession)
        and not run.was_exclusive
        and run.is_late
        and _could_cost_points(run)
    ):
        with start.exclusive():
            return _run_with_forks(notebook, public, secret, start, run)
    ended = run.ended or run.ended_on_secrets
    return _run_with_forks(notebook, public, secret, start, run) if ended else run


def is_spent(start: Start) -> bool:
    """Tell whether the submission's budget is used up."""
    return bool(describe_spending(start))


def is_over(start: Start) -> bool:
    """Tell whether no further process of this submission should start."""
    return isinstance(start, SubmissionSession) and start.budget.is_over


def describe_spending(start: Start) -> str:
    """Describe the exhausted budget.

    Return an empty string if there is budget left.
    """
    return start.budget.note if isinstance(start, SubmissionSession) and start.budget.is_spent else ""


def _could_cost_points(run: NotebookRun) -> bool:
    return (
        bool(run.ended or run.ended_on_secrets)
        or not all(verdict.passed for verdict in run.verdicts.values())
        or any(attempt.problem for attempts in run.secret_results.values() for attempt in attempts)
    )


def rerun_for_secret_cases(
    notebook: Any, secret: Key, tasks: Collection[str], run: NotebookRun, start: Start
) -> dict[str, list[CallResult]]:
    """Rerun the notebook and call secret cases at their test cells.

    Outputs of the cells are dropped.
    """
    hidden: dict[str, list[CallResult]] = {}
    if not tasks:
        return hidden
    with start() as process:
        process.draw_no_figures()
        for number, cell in enumerate(notebook.cells):
            task = checked(cell)
            if task is not None and task[0] in tasks:
                calls = calls_of(secret.tasks[task[0]], run.replaceable)
                hidden[task[0]] = process.ask_in_fork(task[1], calls)
            elif task is None and cell.cell_type == "code" and number not in run.slow_cells:
                process.run(cell.source)
            if len(hidden) == len(tasks):
                break
    return hidden


def rerun_with_stubs(
    notebook: object, keys: Sequence[Key], stubs: Mapping[str, list[str]], start: Start, source: object
) -> dict[str, list[list[CallResult]]]:
    """Rerun the notebook and call these tasks with stubs for earlier functions.

    `stubs` maps each task to the functions to replace. A stub sends its arguments to a second process, which ran the
    solution notebook `source` and never runs the student's code. Return task → results per key.
    """
    results: dict[str, list[list[CallResult]]] = {}
    with start() as solution, start() as process:
        solution.draw_no_figures()
        process.draw_no_figures()
        _run_all(solution, source)
        _run_all(process, notebook)

        def oracle(name: str, positional: list[object], named: dict[str, object]) -> CallResult:
            values = [*positional, *named.values()]
            rest = ", ".join(f"{word}=a[{len(positional) + place}]" for place, word in enumerate(named))
            expression = f"lambda *a: {name}(*a[:{len(positional)}], {rest})"
            return solution.ask(expression, [Call(dict(enumerate(values)))])[0]  # type: ignore[arg-type]

        for task, answer in checks(notebook):
            if task in stubs:
                calls = [[Call(case.inputs) for case in key.tasks[task].cases] for key in keys]
                results[task] = [
                    process.ask_with_stubs(answer, key_calls, stubs[task], oracle) for key_calls in calls
                ]
    return results


def _run_all(process: StudentProcess, notebook: Any) -> None:
    """Run every code cell except test cells, and drop the outputs."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and checked(cell) is None:
            process.run(cell.source)


def _run_in_one_process(notebook: object, public: Key, secret: Key, start: Start) -> NotebookRun:
    run = NotebookRun()
    with start() as process:
        for name, answer in _run_cells(notebook, process, run):
            key = public.tasks[name]
            asked = process.ask(answer, None if key.is_sealed else calls_of(key, run.replaceable))
            run.public_results[name] = explain_missing(answer, asked, run.failed_cells)
            run.verdicts[name] = _judge_public(public, name, run, partial(process.ask_captured, answer))
            _note_replaceable(key, name, answer, run)
        run.ended = process.end_reason
        # secret cases follow, so from here on no output of the process is kept
        for name, answer in _iter_promising_tasks(notebook, public, secret, run):
            run.knows_secrets = run.knows_secrets or not process.end_reason
            run.secret_results[name] = process.ask_captured(
                answer, calls_of(secret.tasks[name], run.replaceable)
            )
        run.ended_on_secrets = None if run.ended else process.end_reason
        run.is_late = process.is_late or bool(run.slow_cells) or _has_slow_answers(run)
    return run


def _has_slow_answers(run: NotebookRun) -> bool:
    results_by_task = [*run.public_results.values(), *run.secret_results.values()]
    return any(attempt.problem == "too slow" for attempts in results_by_task for attempt in attempts)


def _run_with_forks(
    notebook: object, public: Key, secret: Key, start: Start, before: NotebookRun
) -> NotebookRun:
    """Run the notebook again, calling each answer in a forked copy.

    If all calls returned in the first run, stop after the last test cell.
    """
    run = NotebookRun(careful=True, knows_secrets=before.knows_secrets)
    if before.was_exclusive:  # cells that timed out without contention would time out again
        run.skipped_cells = frozenset(before.slow_cells)
        run.slow_cells = set(before.slow_cells)
        run.failed_cells = {number: before.failed_cells[number] for number in before.slow_cells}
    answered = _has_answered_all(before)
    with start() as process:
        for name, answer in _run_cells(notebook, process, run, to_the_end=not answered):
            key = public.tasks[name]
            run.public_results[name] = _reuse_late_attempts(before, name) or explain_missing(
                answer,
                _ask_in_fork(process, answer, key, run),
                run.failed_cells,
            )
            run.verdicts[name] = _judge_public(public, name, run, None)
            _note_replaceable(key, name, answer, run)
        if run.knows_secrets:  # an earlier process may have signalled to this one
            run.ended_on_secrets = process.end_reason or before.ended_on_secrets
        else:
            run.ended = process.end_reason
    if answered:
        _copy_later_cells(notebook, run, before)
    tasks = [name for name, _ in _iter_promising_tasks(notebook, public, secret, run)]
    run.secret_results = rerun_for_secret_cases(notebook, secret, tasks, run, start)
    if is_spent(start):
        _restore_decided(run, before)
    return run


def _has_answered_all(run: NotebookRun) -> bool:
    """Return whether every public call returned in time."""
    attempts = [attempt for results in run.public_results.values() for attempt in results]
    return all(attempt.problem not in ("stopped", "too slow") for attempt in attempts)


def _copy_later_cells(notebook: Any, run: NotebookRun, before: NotebookRun) -> None:
    """Copy what became of the cells after the last test cell, which ran in the first run only."""
    last = _last_test_cell(notebook)
    run.slow_cells |= {number for number in before.slow_cells if number > last}
    if last + 1 < len(notebook.cells):
        run.ended = run.ended or before.ended


def _ask_in_fork(process: StudentProcess, answer: str, key: TaskKey, run: NotebookRun) -> list[CallResult]:
    if key.is_sealed:
        return process.ask(answer, None)
    return process.ask_in_fork(answer, calls_of(key, run.replaceable))


def _note_replaceable(key: TaskKey, name: str, answer: str, run: NotebookRun) -> None:
    """Record a function that a stub may replace for later tasks."""
    if is_replaceable(key, run.public_results[name], run.verdicts[name]):
        run.replaceable.add(answer)


def _reuse_late_attempts(before: NotebookRun, name: str) -> list[CallResult]:
    """Return the earlier results of a timeout in an exclusive run."""
    attempts = before.public_results.get(name, [])
    is_late = before.was_exclusive and any(attempt.problem == "too slow" for attempt in attempts)
    return attempts if is_late else []


def _restore_decided(run: NotebookRun, before: NotebookRun) -> None:
    """Restore earlier results for calls that the budget prevented in this run."""
    for name in run.public_results.keys() & before.public_results.keys():
        asked = [*run.public_results[name], *run.secret_results.get(name, ())]
        if any(attempt.problem == "stopped" for attempt in asked):
            run.public_results[name], run.verdicts[name] = before.public_results[name], before.verdicts[name]
            if name in before.secret_results:
                run.secret_results[name] = before.secret_results[name]


def _judge_public(key: Key, name: str, run: NotebookRun, ask: Ask | None) -> Verdict:
    """Judge a task on its public cases, with probes if `ask`."""
    probe = None if key.tasks[name].is_sealed else ask
    return judge_calls(
        f"{key.topic}.{name}", key.tasks[name], run.public_results[name], probe, run.replaceable
    )


def _last_test_cell(notebook: Any) -> int:
    return max((number for number, cell in enumerate(notebook.cells) if checked(cell)), default=0)


def _run_cells(
    notebook: Any, process: StudentProcess, run: NotebookRun, *, to_the_end: bool = True
) -> Iterator[tuple[str, str]]:
    """Run the cells in order and yield at each test cell.

    Stop after the last test cell unless `to_the_end`.
    """
    for number, cell in enumerate(notebook.cells[: None if to_the_end else _last_test_cell(notebook) + 1]):
        task = checked(cell)
        if task is not None:
            yield task
        elif cell.cell_type == "code" and number not in run.skipped_cells:
            _run_cell(number, cell, process, run)


def _run_cell(number: int, cell: Any, process: StudentProcess, run: NotebookRun) -> None:
    """Run a cell, record its error, and store permitted outputs.

    Outputs are not stored once a process was called with secret cases.
    """
    outputs = process.run(cell.source)
    if process.cell_error:
        run.failed_cells[number] = FailedCell(cell.source, process.cell_error)
        if process.cell_error.type == OUT_OF_TIME:
            run.slow_cells.add(number)
    if not run.knows_secrets:
        cell.outputs = [nbformat.from_dict(output) for output in outputs]
    elif number not in run.slow_cells and any("ename" in output for output in cell.outputs):
        cell.outputs = [output for output in cell.outputs if output.get("ename") != OUT_OF_TIME]


def _iter_promising_tasks(
    notebook: object, public: Key, secret: Key, run: NotebookRun
) -> Iterator[tuple[str, str]]:
    """Yield the tasks whose answers ran on a public case."""
    hopeless = ("missing", "did not run", "not written", "stopped", "too slow")
    for name, answer in checks(notebook):
        is_open = secret is not public and not secret.tasks[name].is_sealed
        if is_open and any(attempt.problem not in hopeless for attempt in run.public_results[name]):
            yield name, answer
