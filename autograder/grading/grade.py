"""Grade the submissions of a topic in parallel and write the gradebook.

A submission that cannot be graded is reported, and the others are graded. Each result is written at once, and an
unchanged submission is not run again. So a run after an interruption continues where the last one stopped.
"""

import contextlib
import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, replace
from typing import Any

from autograder.course.course import Course
from autograder.course.files import exclusive_lock, replace_folder, write_bytes, write_text
from autograder.errors import CourseError, MachineError, UnreadableError, raise_if_machine_error
from autograder.grading.attempts import archive_and_select_attempts
from autograder.grading.audit import log_changes_around, update_late_penalties
from autograder.grading.choose import Assignments, load_assignments
from autograder.grading.hand_in import (
    copy_submission_metadata,
    describe_misnamed,
    find_notebook,
    read_timestamp,
)
from autograder.grading.late import lateness
from autograder.grading.outcome import GradingState, Outcome, outcome_on_file, outcome_path
from autograder.grading.recorder import Recorder
from autograder.grading.repair import read_file
from autograder.grading.submission import GradingOptions, Job, Result
from autograder.grading.workers import GradingPool, local_grading_pool

NOT_TEXT = "not graded: the folder's name is not UTF-8 text, which no gradebook can hold: rename it"
MAX_PENDING = 256  # submissions in memory at the same time: limits memory, and keeps many workers busy


def grade(
    course: Course,
    topic: str,
    examiners: GradingPool | None = None,
    plan: GradingOptions | None = None,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Grade every submission of a topic and write the gradebook.

    `dimred grade` does the same for each topic. Submissions run in `examiners`, by default a pool on this machine.
    `progress` is called with each outcome after it is written.
    """
    assignments = load_assignments(course, topic)
    with contextlib.ExitStack() as stack:
        pool = examiners or stack.enter_context(local_grading_pool())
        return grade_assignments(assignments, pool, plan or GradingOptions(), progress)


def grade_assignments(
    assignments: Assignments,
    pool: GradingPool,
    plan: GradingOptions,
    progress: Callable[[Outcome], None],
    report_attempt: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Update late penalties, select attempts, run changed submissions, write scores.

    `report_attempt` is called with a line about each selected attempt.
    """
    update_late_penalties(assignments.course, assignments.topic)
    for line in archive_and_select_attempts(assignments, pool, plan):
        report_attempt(line)
    outcomes = []
    for outcome in _grade_selected(assignments, pool, plan):
        outcomes.append(outcome)
        progress(outcome)
    return sorted(outcomes, key=lambda outcome: outcome.student)


def _grade_selected(assignments: Assignments, pool: GradingPool, plan: GradingOptions) -> Iterator[Outcome]:
    """Run the selected attempts and write the results, holding the classroom's lock."""
    course, topic = assignments.course, assignments.topic
    with (
        exclusive_lock(course.paths.lock),
        log_changes_around(course, topic, "graded"),
        Recorder(course, topic) as recorder,
    ):
        recorder.require_assignment()
        scores = recorder.current_scores()
        recorded = recorder.students_with_current_dates(
            lambda student: read_timestamp(course.paths.timestamp(student, topic))
        )
        for result in iter_results(assignments, pool, plan, recorded):
            if isinstance(result, Outcome):
                yield with_current_score(result, scores)
            else:
                yield write_result(course, recorder, result)


def with_current_score(before: Outcome, now: Mapping[str, tuple[float, float]]) -> Outcome:
    """Return an earlier outcome with the current score and penalty.

    An instructor may have changed the score in formgrader since.
    """
    if before.student not in now or not before.graded:
        return before
    score, penalty = now[before.student]
    return replace(before, score=score, penalty=penalty)


@dataclass(frozen=True)
class FinishedSubmission:
    """A graded submission whose result is not written yet.

    `files` holds the data files of its assignment.
    """

    student: str
    digest: str
    result: Result
    files: tuple[tuple[str, bytes], ...] = ()
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # for the student, too


@dataclass
class Prepared:
    """A job with remarks for the instructor and notes for both."""

    job: Job
    remarks: list[str]
    notes: list[str]


PendingJobs = dict[Future[Result], tuple[str, Prepared]]


def iter_results(
    assignments: Assignments, examiners: GradingPool, plan: GradingOptions, recorded: Collection[str]
) -> Iterator[FinishedSubmission | Outcome]:
    """Yield each result when it is ready.

    Yield the earlier outcome if unchanged. A submission is unchanged if the stored outcome has the same digest and the
    student is in `recorded`.
    """
    running: PendingJobs = {}
    students = assignments.course.paths.students_with(assignments.topic)
    spelt = Counter(unicodedata.normalize("NFC", student) for student in students)
    for student in students:
        prepared = _prepare(assignments, student, plan, recorded)
        if isinstance(prepared, FinishedSubmission | Outcome):
            yield prepared
            continue
        if spelt[unicodedata.normalize("NFC", student)] > 1:
            prepared.remarks.append(
                "another folder spells this name with other characters: are they the same person?"
            )
        running[examiners.submit(prepared.job)] = (student, prepared)
        if len(running) >= MAX_PENDING:
            yield from _next_done(running)
    while running:
        yield from _next_done(running)


def _prepare(
    assignments: Assignments, student: str, plan: GradingOptions, recorded: Collection[str]
) -> Prepared | FinishedSubmission | Outcome:
    """Return the job with its remarks, or a result without a run."""
    try:
        job = _read_job(assignments, student, plan)
        if not isinstance(job, Job):
            return job
        before = (
            outcome_on_file(assignments.course, assignments.topic, student) if student in recorded else None
        )
        if before and before.digest == job.digest and not plan.force:
            return replace(before, state="unchanged")
        remarks = assignments.remarks(student, job.submitted)
        return Prepared(job, remarks, assignments.notes(student, job.submitted))
    except Exception as error:  # a submission must not stop the grading of the class
        return _not_graded(student, f"not graded: {type(error).__name__}: {error}")


def job_to_run(assignments: Assignments, student: str, plan: GradingOptions) -> Job | None:
    """Return the job of a submission if it probably has to run.

    Errors also give None, because grading reports them.
    """
    try:
        job = _read_job(assignments, student, plan)
        before = outcome_on_file(assignments.course, assignments.topic, student)
        is_known = isinstance(job, Job) and before is not None and before.digest == job.digest
        return job if isinstance(job, Job) and (plan.force or not is_known) else None
    except Exception:  # reported when the submission is graded
        return None


def _next_done(running: PendingJobs) -> Iterator[FinishedSubmission | Outcome]:
    """Wait for the next finished jobs, remove them and yield their results."""
    for done in wait(running, return_when=FIRST_COMPLETED).done:
        student, prepared = running.pop(done)
        job, messages = prepared.job, (tuple(prepared.remarks), tuple(prepared.notes))
        try:
            yield FinishedSubmission(student, job.digest, done.result(), job.assignment.files, *messages)
        except (
            Exception
        ) as error:  # a fault of the grader or the machine must not stop the grading of the class
            yield _not_graded(student, f"not graded: {type(error).__name__}: {error}")


def _read_job(
    assignments: Assignments, student: str, plan: GradingOptions
) -> Job | FinishedSubmission | Outcome:
    """Read a submission.

    Return its job, or a result if it cannot be run. An unreadable notebook gives a result with zero points. A missing
    key or a file without read permission gives an outcome without a score.
    """
    path = assignments.course.paths.submission(student, assignments.topic)
    try:
        if not _is_text(student):
            return _not_graded(student, NOT_TEXT)
        if path.parent.is_symlink() or path.parent.parent.is_symlink():
            raise UnreadableError(
                f"{path.parent.name} is a link to another folder: hand in the folder itself"
            )
        return Job(assignments.for_student(student), path.name, read_file(find_notebook(path)), plan.limits)
    except UnreadableError as error:
        return FinishedSubmission(student, "", Result(None, notes=[f"{error}{describe_misnamed(path)}"]))
    except CourseError as error:
        return _not_graded(student, f"not graded: {error}")
    except (
        OSError
    ) as error:  # an archive can unpack without read permission, which is not the student's fault
        return _not_graded(
            student,
            f"not graded: {path.name} cannot be read ({error.strerror}): chmod -R u+rwX the student's folder",
        )


def _is_text(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _not_graded(student: str, why: str) -> Outcome:
    return Outcome(student, notes=[why], graded=False, state="not graded")


def write_result(course: Course, recorder: Recorder, finished: FinishedSubmission) -> Outcome:
    """Write the result of a submission; return the outcome, also on failure.

    Raise MachineError if the failure would affect all submissions, such as a full disk.
    """
    try:
        return _write_and_record(course, recorder, finished)
    except MachineError:
        raise
    except Exception as error:  # raised by nbgrader, the database or the file system
        raise_if_machine_error(error)
        return _not_graded(finished.student, f"not written: {type(error).__name__}: {error}")


def _write_and_record(course: Course, recorder: Recorder, finished: FinishedSubmission) -> Outcome:
    """Write the gradebook, then the notebook, then the outcome.

    The outcome file marks the submission as done, so it is deleted first and written last.
    """
    student, result, topic = finished.student, finished.result, recorder.topic
    path = outcome_path(course, topic, student)
    path.unlink(missing_ok=True)
    stamp = read_timestamp(course.paths.timestamp(student, topic))
    score = recorder.record(student, result.notebook, stamp)
    seconds, penalty = recorder.lateness(student)
    if result.notebook is not None:
        _write_autograded(course, topic, finished)
    outcome = Outcome(
        student,
        score,
        [*finished.notes, *result.notes],
        result.verdicts,
        finished.digest,
        [*finished.remarks, *result.remarks],
        state=_grading_state(result),
        late=lateness(seconds) if seconds > 0 else "",
        penalty=penalty,
        returned=result.returned,
    )
    write_text(path, json.dumps(asdict(outcome), indent=1, ensure_ascii=False) + "\n")
    return outcome


def _grading_state(result: Result) -> GradingState:
    if result.notebook is None:
        return "unreadable"
    return "repaired" if result.repaired else "graded"


def _write_autograded(course: Course, topic: str, finished: FinishedSubmission) -> None:
    """Write the graded notebook to the folder that formgrader and feedback read."""
    with replace_folder(course.paths.autograded(finished.student, topic)) as folder:
        for name, data in finished.files:
            write_bytes(folder / name, data)
        write_text(folder / f"{topic}.ipynb", _format_notebook(finished.result.notebook))
        copy_submission_metadata(course.paths.submission(finished.student, topic).parent, folder)


def _format_notebook(notebook: Any) -> str:
    """Format a notebook as JSON, one line per cell.

    Indenting takes far longer.
    """
    cells = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in notebook["cells"])
    others = json.dumps({name: part for name, part in notebook.items() if name != "cells"})
    return f'{others[:-1]}, "cells": [\n{cells}\n]}}\n'
