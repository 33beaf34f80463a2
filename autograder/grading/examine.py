"""Grade a repaired notebook: run it, judge its answers, write the outputs.

The notebook runs in students' processes. Judging happens in this process, which the student's code cannot reach. The
outputs of test cells are replaced by the verdicts, in the form that nbgrader scores.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat

from autograder.answers.attempt import CallResult
from autograder.authoring.cells import checked, checks
from autograder.authoring.names_used import names_used
from autograder.grading.returned import AnswerSignature, answer_signature
from autograder.grading.run import (
    NotebookRun,
    Start,
    describe_spending,
    is_over,
    rerun_for_secret_cases,
    rerun_with_stubs,
    run_notebook,
)
from autograder.judging import render
from autograder.judging.follow_through import is_replaceable, judge_calls
from autograder.judging.hint import asked_hints, cost_of
from autograder.judging.judge import judge
from autograder.judging.key import Key
from autograder.judging.verdict import FailingCase, Verdict

SECRET_CASES_FAILED = (
    "Right on the cases that you can see. Graded work meets further cases of the same kind, and on some of these it is "
    "not right: the cases that you see do not show every situation that the text allows."
)
SECRET_CASES_WORSE = "The points are those on further cases of the same kind, where less of it is right."
VERDICT_NOT_SHOWN = "The verdict could not be shown, by a fault of the grader; your instructor is told."
NOTHING_RETURNED = ("missing", "did not run", "not written", "raised", "stopped", "too slow")
Verdicts = dict[str, Verdict]


@dataclass(frozen=True)
class GradedNotebook:
    """The notebook with its outputs, the verdicts, and notes for the instructor.

    `returned` holds the signature of each wrong answer that no misconception explains.
    """

    notebook: Any
    verdicts: Mapping[str, Verdict]
    notes: tuple[str, ...]
    returned: Mapping[str, AnswerSignature] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()  # for the instructor only, because they may reveal secret cases


@dataclass(frozen=True)
class GradingInputs:
    """Keys and notebooks needed to grade a submission.

    `source` is the solution notebook for stubs, or None. `common` is the public key of the class if the student has a
    personal variant: wrong answers of different students are compared on its cases.
    """

    public: Key
    secret: Key
    source: Any = None
    common: Key | None = None


def grade_notebook(notebook: object, material: GradingInputs, start: Start) -> GradedNotebook:
    """Run and judge a notebook, repeat doubtful tests, and record the verdicts.

    The notebook must come from `repair` or from the source. `start` starts a student's process.
    """
    run = run_notebook(notebook, material.public, material.secret, start)
    hidden = _judge_all(material.secret, run.secret_results, run)
    hidden |= _rejudge_secret_cases_in_place(notebook, material.secret, run, hidden, start)
    verdicts = {name: _combine(run.verdicts[name], hidden.get(name)) for name, _ in checks(notebook)}
    written = _written_functions(notebook, material.secret, run, hidden)
    verdicts |= _rejudge_with_stubs(notebook, material, verdicts, written, start)
    verdicts = _charge_hints(notebook, verdicts, material.public)
    faults = _record(notebook, run.verdicts, verdicts, material.public)
    signatures = _unexplained_answers(notebook, material, run, verdicts, start)
    spending = [] if run.ended else _spending_notes(start)  # a note on the early end already gives the reason
    return GradedNotebook(
        notebook, verdicts, (*_notes(run, verdicts), *faults), signatures, (*_secret_remarks(run), *spending)
    )


def _judge_all(key: Key, attempts: Mapping[str, list[CallResult]], run: NotebookRun) -> Verdicts:
    return {
        name: judge_calls(f"{key.topic}.{name}", key.tasks[name], answers, None, run.replaceable)
        for name, answers in attempts.items()
    }


def _rejudge_secret_cases_in_place(
    notebook: object, secret: Key, run: NotebookRun, hidden: Verdicts, start: Start
) -> Verdicts:
    """Test secret cases again at the place of their test cell.

    Secret cases are tested after the last cell, and later cells may have changed a global that a function needs. So
    repeat them for the tasks that scored less on secret than on public cases.
    """
    worse = [name for name, verdict in hidden.items() if verdict.fraction < run.verdicts[name].fraction]
    if run.careful or not worse or is_over(start):
        return {}
    judged = _judge_all(secret, rerun_for_secret_cases(notebook, secret, worse, run, start), run)
    return {name: verdict for name, verdict in judged.items() if verdict.problem != "stopped"}


def _combine(shown: Verdict, hidden: Verdict | None) -> Verdict:
    """Return the verdict with the smaller fraction.

    So a mistake on the public cases costs points, and so does an answer fitted to the public cases.
    """
    if hidden is None or hidden.fraction >= shown.fraction:
        return shown
    return replace(hidden, error="")  # an error message may reveal the secret case


def _rejudge_with_stubs(
    notebook: object, material: GradingInputs, verdicts: Verdicts, written: Collection[str], start: Start
) -> Verdicts:
    """Judge failing tasks again with stubs for the failing functions they call.

    So a mistake in an earlier function costs points only once (follow-through).
    """
    stubs = (
        _stubs_by_task(notebook, material.public, verdicts, written) if material.source is not None else {}
    )
    if not stubs or is_over(start):
        return {}
    keys = [material.public, material.secret]
    better: Verdicts = {}
    for name, attempts in rerun_with_stubs(notebook, keys, stubs, start, material.source).items():
        both_verdicts = [
            judge(f"{key.topic}.{name}", key.tasks[name], results)
            for key, results in zip(keys, attempts, strict=True)
        ]
        verdict = _combine(*both_verdicts)
        if verdict.fraction > verdicts[name].fraction:
            names = " and ".join(f"`{function}`" for function in stubs[name])
            why = f"Judged with a correct {names}, because a mistake there is counted there only."
            better[name] = replace(verdict, message=f"{verdict.message} {why}")
    return better


def _charge_hints(notebook: Any, verdicts: Verdicts, key: Key) -> Verdicts:
    """Note the hints that the notebook asks for, and what they cost."""
    asked = asked_hints(cell.source for cell in notebook.cells if cell.cell_type == "code")
    charged: Verdicts = {}
    for name, verdict in verdicts.items():
        full = f"{key.topic}.{name}"
        levels = sorted(asked.get(full, ()))
        charge = cost_of(key.hint_costs, full, levels)
        charged[name] = replace(verdict, hints=tuple(levels), hint_charge=charge) if levels else verdict
    return charged


def _written_functions(notebook: object, secret: Key, run: NotebookRun, hidden: Verdicts) -> set[str]:
    """Return the functions that stubs may replace, by all results."""
    return {
        answer
        for name, answer in checks(notebook)
        if answer in run.replaceable
        and (name not in hidden or is_replaceable(secret.tasks[name], run.secret_results[name], hidden[name]))
    }


def _stubs_by_task(
    notebook: Any, key: Key, verdicts: Verdicts, written: Collection[str]
) -> dict[str, list[str]]:
    """Map each failing task to the failing earlier functions that it uses."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code" and checked(cell) is None]
    uses = names_used(sources)
    failing: list[str] = []
    stubs: dict[str, list[str]] = {}
    for task, answer in checks(notebook):
        if key.tasks[task].is_sealed or verdicts[task].passed:
            continue
        if names := list(filter(uses(answer).__contains__, failing)):
            stubs[task] = names
        if answer in written:
            failing.append(answer)
    return stubs


def _unexplained_answers(
    notebook: object, material: GradingInputs, run: NotebookRun, verdicts: Verdicts, start: Start
) -> dict[str, AnswerSignature]:
    """Return the signatures of wrong answers that no misconception explains.

    They are computed on cases that the whole class shares.
    """
    if is_over(start):
        return {}
    names = [name for name, verdict in verdicts.items() if _is_unexplained(verdict, run.verdicts[name])]
    key, attempts = material.public, run.public_results
    if material.common is not None:
        key = material.common
        attempts = rerun_for_secret_cases(notebook, key, _open_tasks(key, names), run, start)
    signatures = {}
    for name in names:
        if name in attempts and (signature := answer_signature(key.tasks[name], attempts[name])):
            signatures[name] = signature
    return signatures


def _open_tasks(key: Key, names: Iterable[str]) -> list[str]:
    return [name for name in names if name in key.tasks and not key.tasks[name].is_sealed]


def _is_unexplained(verdict: Verdict, shown: Verdict) -> bool:
    """Return whether a wrong answer came back on public cases and no misconception explains it."""
    if verdict.passed or verdict.misconception or verdict.fault:
        return False
    return not shown.passed and shown.problem not in NOTHING_RETURNED


def _record(notebook: Any, shown: Verdicts, verdicts: Verdicts, key: Key) -> list[str]:
    """Write verdicts without secrets, and points for nbgrader, into the test cells.

    If a verdict cannot be rendered, keep its points and return the reason for the instructor.
    """
    faults = []
    for cell in notebook.cells:
        task = checked(cell)
        if task is None:
            continue
        name = task[0]
        try:
            cell.outputs = _test_cell_outputs(shown[name], verdicts[name], key)
        except Exception as error:
            plain = replace(verdicts[name], message=VERDICT_NOT_SHOWN, see=None, failing=None, survived=())
            cell.outputs = _test_cell_outputs(plain, plain, key)
            faults.append(f"{name}: its verdict could not be shown: {type(error).__name__}: {error}"[:300])
    return faults


def _notes(run: NotebookRun, verdicts: Verdicts) -> list[str]:
    """Return notes for the instructor."""
    notes = [f"a cell took longer than its limit (cell {number + 1})" for number in sorted(run.slow_cells)]
    for name, verdict in verdicts.items():
        if verdict.hints:
            notes.append(f"{name} was done with hints of level {', '.join(map(str, verdict.hints))}")
        if verdict.fault:
            notes.append(f"{name} could not be judged or explained as it should, by a fault of the grader")
        if run.verdicts[name].passed and not verdict.passed:
            notes.append(f"{name} passes the public cases but not the secret ones")
        elif run.verdicts[name].problem == "too slow":
            notes.append(f"{name} took longer than its limit")
    return [*notes, f"the program ended early ({run.ended})"] if run.ended else notes


def _secret_remarks(run: NotebookRun) -> list[str]:
    """Return a remark if the program ended during secret cases.

    The way it ends may depend on the secret inputs, so only the instructor sees this remark.
    """
    return [f"the program ended on secret cases ({run.ended_on_secrets})"] if run.ended_on_secrets else []


def _spending_notes(start: Start) -> list[str]:
    note = describe_spending(start)
    return [f"{note}; what was decided before counts"] if note else []


def _test_cell_outputs(shown: Verdict, verdict: Verdict, key: Key) -> list[object]:
    """Return the outputs of a test cell."""
    public = shown if not shown.passed and not verdict.passed else _without_secrets(verdict, shown)
    if (
        verdict.fraction < public.fraction
    ):  # the message describes public cases, the points are for secret ones
        public = replace(public, survived=(), message=f"{public.message} {SECRET_CASES_WORSE}")
    public = replace(
        public,
        fraction=verdict.fraction,
        passed=verdict.passed,
        hints=verdict.hints,
        hint_charge=verdict.hint_charge,
    )
    bundle = {"text/plain": render.text(public, key.pages), "text/html": render.html(public, key.pages)}
    points = {"text/plain": repr(verdict.earned)}
    return _as_outputs(
        [
            {"output_type": "display_data", "data": bundle, "metadata": {}},
            {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
        ]
    )


def _without_secrets(verdict: Verdict, shown: Verdict) -> Verdict:
    """Remove all details of secret cases except a misconception's hint.

    The student sees the same sentence for a wrong answer, an error, an early end and a timeout.
    """
    if verdict.passed:
        return verdict
    fresh = replace(verdict, problem="", survived=(), failing=FailingCase("a fresh case", {}))
    return (
        fresh
        if verdict.misconception
        else replace(fresh, message=SECRET_CASES_FAILED, slip=None, see=shown.see)
    )


def _as_outputs(trees: list[dict[str, object]]) -> list[object]:
    return [nbformat.from_dict(tree) for tree in trees]
