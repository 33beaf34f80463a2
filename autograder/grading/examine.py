"""Examine a repaired notebook: run it in students' processes, judge on the trusted side, write down what it earned.

`examine` is the way of one submission, step by step. Verdict and score come from the comparison here; the outputs of
test cells are written by us, in the form that nbgrader scores.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat

from autograder.answers.attempt import Attempt
from autograder.authoring.cells import checked, checks
from autograder.authoring.names_used import names_used
from autograder.grading.returned import Returned, returned
from autograder.grading.run import Run, Start, describe_spending, is_spent, leaned, replayed, run_notebook
from autograder.judging import render
from autograder.judging.follow_through import is_replaceable, judge_calls
from autograder.judging.judge import judge
from autograder.judging.key import Key
from autograder.judging.verdict import FailingCase, Verdict

ON_FRESH_CASES = (
    "Right on the cases that you can see, but not on fresh ones drawn the same way: "
    "does the code depend on the numbers it was tried on?"
)
NOT_SHOWN = "The verdict could not be shown, by a fault of the grader; your instructor is told."
NOTHING_RETURNED = ("missing", "did not run", "not written", "raised", "stopped", "too slow")
Verdicts = dict[str, Verdict]


@dataclass(frozen=True)
class Examined:
    """The notebook with its outputs, the verdict on each task, and what the instructor should know.

    `returned` holds what wrong answers gave that no misconception explains.
    """

    notebook: Any
    verdicts: Mapping[str, Verdict]
    notes: tuple[str, ...]
    returned: Mapping[str, Returned] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()  # for the instructor only: they may tell of secret cases


@dataclass(frozen=True)
class Material:
    """What a notebook is examined by.

    Both keys; the notebook with solutions, if earlier functions may be stood in for; and, if these are a student's own
    numbers, the public key of the class, on whose cases wrong answers are compared with each other.
    """

    public: Key
    secret: Key
    source: Any = None
    common: Key | None = None


def examine(notebook: Any, material: Material, start: Start) -> Examined:
    """The way of one submission: run, judge, look again where that is fair, record.

    The notebook must come from `repair` or from the source; `start` begins a student's process.
    """
    run = run_notebook(notebook, material.public, material.secret, start)
    hidden = _judged(material.secret, run.hidden, run)
    hidden |= _judged_at_their_places(notebook, material.secret, run, hidden, start)
    verdicts = {name: _together(run.verdicts[name], hidden.get(name)) for name, _ in checks(notebook)}
    written = _written(notebook, material.secret, run, hidden)
    verdicts |= _judged_with_right_earlier_functions(notebook, material, verdicts, written, start)
    faults = _record(notebook, run.verdicts, verdicts, material.public)
    given = _unforeseen(notebook, material, run, verdicts, start)
    spending = [] if run.ended else _spending(start)  # else it is the reason why the program ended
    return Examined(
        notebook, verdicts, (*_notes(run, verdicts), *faults), given, (*_secret_remarks(run), *spending)
    )


def _judged(key: Key, attempts: Mapping[str, list[Attempt]], run: Run) -> Verdicts:
    return {
        name: judge_calls(f"{key.topic}.{name}", key.tasks[name], answers, None, run.replaceable)
        for name, answers in attempts.items()
    }


def _judged_at_their_places(notebook: Any, secret: Key, run: Run, hidden: Verdicts, start: Start) -> Verdicts:
    """Secret cases come after the last cell, which may have changed what a function needs.

    Ask where that cost points.
    """
    worse = [name for name, verdict in hidden.items() if verdict.fraction < run.verdicts[name].fraction]
    if run.careful or not worse or is_spent(start):
        return {}
    judged = _judged(secret, replayed(notebook, secret, worse, run, start), run)
    return {name: verdict for name, verdict in judged.items() if verdict.problem != "stopped"}


def _together(shown: Verdict, hidden: Verdict | None) -> Verdict:
    """Both kinds of cases count.

    What fails in front of the student cannot earn full marks, and what is fitted to it neither.
    """
    if hidden is None or hidden.fraction >= shown.fraction:
        return shown  # with its remarks: those on secret cases are not told
    return replace(hidden, error="")  # what was raised on a secret case may tell of it


def _judged_with_right_earlier_functions(
    notebook: Any, material: Material, verdicts: Verdicts, written: Collection[str], start: Start
) -> Verdicts:
    """A mistake costs once.

    A function that fails and calls earlier ones that fail is judged with right ones in their place.
    """
    leaning = _leaning(notebook, material.public, verdicts, written) if material.source is not None else {}
    if not leaning or is_spent(start):
        return {}
    keys = [material.public, material.secret]
    better: Verdicts = {}
    for name, attempts in leaned(notebook, keys, leaning, start, material.source).items():
        judged = [
            judge(f"{key.topic}.{name}", key.tasks[name], made)
            for key, made in zip(keys, attempts, strict=True)
        ]
        verdict = _together(*judged)
        if verdict.fraction > verdicts[name].fraction:
            names = " and ".join(f"`{one}`" for one in leaning[name])
            why = f"Judged with a correct {names}, because a mistake there is counted there only."
            better[name] = replace(verdict, message=f"{verdict.message} {why}")
    return better


def _written(notebook: Any, secret: Key, run: Run, hidden: Verdicts) -> set[str]:
    """Return the functions that were written by all that is known: answers to public and to secret cases."""
    return {
        answer
        for name, answer in checks(notebook)
        if answer in run.replaceable
        and (name not in hidden or is_replaceable(secret.tasks[name], run.hidden[name], hidden[name]))
    }


def _leaning(notebook: Any, key: Key, verdicts: Verdicts, written: Collection[str]) -> dict[str, list[str]]:
    """Return, by failing task, the earlier functions that were written, fail too and are used by it."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code" and checked(cell) is None]
    uses = names_used(sources)
    failing: list[str] = []
    leaning: dict[str, list[str]] = {}
    for task, answer in checks(notebook):
        if key.tasks[task].is_sealed or verdicts[task].passed:
            continue
        names = [name for name in failing if name in uses(answer)]
        if names:
            leaning[task] = names
        if answer in written:
            failing.append(answer)
    return leaning


def _unforeseen(
    notebook: Any, material: Material, run: Run, verdicts: Verdicts, start: Start
) -> dict[str, Returned]:
    """What wrong answers returned that no misconception explains, on cases that the whole class has."""
    if is_spent(start):
        return {}
    names = [
        name
        for name, verdict in verdicts.items()
        if not (verdict.passed or verdict.misconception or verdict.fault or run.verdicts[name].passed)
        and run.verdicts[name].problem not in NOTHING_RETURNED
    ]
    key, attempts = material.public, run.shown
    if material.common is not None:
        key = material.common
        names = [name for name in names if name in key.tasks and not key.tasks[name].is_sealed]
        attempts = replayed(notebook, key, names, run, start)
    given = {name: returned(key.tasks[name], attempts[name]) for name in names if name in attempts}
    return {name: one for name, one in given.items() if one is not None}


def _record(notebook: Any, shown: Verdicts, verdicts: Verdicts, key: Key) -> list[str]:
    """Write the verdicts into the test cells, without secrets, and the points in the form nbgrader reads.

    What could not be put into words keeps its points; the instructor reads why.
    """
    faults = []
    for cell in notebook.cells:
        task = checked(cell)
        if task is None:
            continue
        name = task[0]
        try:
            cell.outputs = _scored(shown[name], verdicts[name], key)
        except Exception as error:
            plain = replace(verdicts[name], message=NOT_SHOWN, see=None, failing=None, survived=())
            cell.outputs = _scored(plain, plain, key)
            faults.append(f"{name}: its verdict could not be shown: {type(error).__name__}: {error}"[:300])
    return faults


def _notes(run: Run, verdicts: Verdicts) -> list[str]:
    """What the instructor should know."""
    notes = [f"a cell took longer than its limit (cell {number + 1})" for number in sorted(run.slow_cells)]
    for name, verdict in verdicts.items():
        if verdict.fault:
            notes.append(f"{name} could not be judged or explained as it should, by a fault of the grader")
        if run.verdicts[name].passed and not verdict.passed:
            notes.append(f"{name} passes the public cases but not the secret ones")
        elif run.verdicts[name].problem == "too slow":
            notes.append(f"{name} took longer than its limit")
    return [*notes, f"the program ended early ({run.ended})"] if run.ended else notes


def _secret_remarks(run: Run) -> list[str]:
    """Say how the program ended when it was asked secret cases, which it may choose by what it was asked."""
    return [f"the program ended on secret cases ({run.ended_on_secrets})"] if run.ended_on_secrets else []


def _spending(start: Start) -> list[str]:
    note = describe_spending(start)
    return [f"{note}; what was decided before counts"] if note else []


def _scored(shown: Verdict, verdict: Verdict, key: Key) -> list[Any]:
    """The outputs of a test cell."""
    public = shown if not shown.passed and not verdict.passed else _without_secrets(verdict, shown)
    public = replace(public, fraction=verdict.fraction, passed=verdict.passed)
    bundle = {"text/plain": render.text(public, key.pages), "text/html": render.html(public, key.pages)}
    points = {"text/plain": repr(verdict.earned)}
    return _as_outputs(
        [
            {"output_type": "display_data", "data": bundle, "metadata": {}},
            {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
        ]
    )


def _without_secrets(verdict: Verdict, shown: Verdict) -> Verdict:
    """Keep the hint of a recognised misconception; drop whatever else was made from secret cases.

    However a program fails on them (a wrong answer, an error, an end, a delay), one sentence is told.
    """
    if verdict.passed:
        return verdict
    fresh = replace(verdict, problem="", error="", survived=(), failing=FailingCase("a fresh case", {}))
    return (
        fresh if verdict.misconception else replace(fresh, message=ON_FRESH_CASES, slip=None, see=shown.see)
    )


def _as_outputs(trees: list[dict[str, Any]]) -> list[Any]:
    return [nbformat.from_dict(tree) for tree in trees]
