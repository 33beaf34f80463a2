"""Grade a class: examine submissions side by side, write the gradebook from one place.

A submission that cannot be read or graded costs only itself: it is reported and the batch goes on. What was
graded is written at once and not run again while nothing changed, so an interrupted run loses nothing and the
next one goes on where it stopped.
"""

import contextlib
import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.files import alone, replaced, write_bytes, write_text
from autograder.errors import CourseError, MachineError, UnreadableError, stop_if_refused
from autograder.grading.audit import audited
from autograder.grading.choose import Assignments, load_assignments
from autograder.grading.gradebook import Recorder, parse_utc
from autograder.grading.late import lateness
from autograder.grading.outcome import Outcome, State, outcome_on_file, outcome_path
from autograder.grading.repair import read_file
from autograder.grading.submission import Job, Result
from autograder.grading.workers import Examiners
from autograder.sandbox.limits import Limits

NOT_TEXT = "not graded: the folder's name is not UTF-8 text, which no gradebook can hold: rename it"
SECRET = re.compile(r"[0-9a-f]{16,200}")
IN_FLIGHT = 256  # submissions that are read or being examined at one time: enough for many workers


def unknown_submissions(course: Course) -> list[str]:
    """What was handed in for assignments that this course does not have, as `student/assignment`."""
    known, places = set(course.topics()), course.places
    return [
        f"{student}/{name}"
        for student in places.students()
        for name in places.assignments_of(student)
        if name not in known
    ]


@dataclass(frozen=True)
class Plan:
    """How to grade: what a submission may use, and whether to run unchanged ones again."""

    limits: Limits = field(default_factory=Limits)
    force: bool = False


def grade(
    course: Course,
    topic: str,
    examiners: Examiners,
    plan: Plan | None = None,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Grade every submission of a topic; each outcome is reported as soon as it is written."""
    assignments = load_assignments(course, topic)
    outcomes = []
    with (
        alone(course.places.lock),
        audited(course, topic, "graded"),
        Recorder(course, topic) as recorder,
    ):
        recorder.require_assignment()
        now = recorder.standings()
        in_time = recorder.students_in_time(
            lambda student: read_timestamp(course.places.timestamp(student, topic))
        )
        for found in results(assignments, examiners, plan or Plan(), in_time):
            one = as_it_stands(found, now) if isinstance(found, Outcome) else written(course, recorder, found)
            outcomes.append(one)
            progress(one)
    return sorted(outcomes, key=lambda outcome: outcome.student)


def as_it_stands(before: Outcome, now: Mapping[str, tuple[float, float]]) -> Outcome:
    """An outcome of an earlier run with the points of now: a person may have given some since."""
    if before.student not in now or not before.graded:
        return before
    score, penalty = now[before.student]
    return replace(before, score=score, penalty=penalty)


@dataclass(frozen=True)
class Finished:
    """A submission that has been examined and is to be written; `given` are the files of its assignment."""

    student: str
    digest: str
    result: Result
    given: tuple[tuple[str, bytes], ...] = ()
    remarks: tuple[str, ...] = ()


Running = dict[Future[Result], tuple[str, Job, list[str]]]


def results(
    assignments: Assignments, examiners: Examiners, plan: Plan, recorded: Collection[str]
) -> Iterator[Finished | Outcome]:
    """Each submission's result as it comes in; unchanged ones at once, as the outcomes they had.

    Unchanged are those whose outcome is on file for the same digest, and which the gradebook knows (`recorded`).
    """
    running: Running = {}
    students = assignments.course.places.students_with(assignments.topic)
    spelt = Counter(unicodedata.normalize("NFC", student) for student in students)
    for student in students:
        found = _begun(assignments, student, plan, recorded)
        if isinstance(found, Finished | Outcome):
            yield found
            continue
        job, remarks = found
        if spelt[unicodedata.normalize("NFC", student)] > 1:
            remarks.append("another folder spells this name with other characters: are they the same person?")
        running[examiners.submit(job)] = (student, job, remarks)
        if len(running) >= IN_FLIGHT:
            yield from _next_done(running)
    while running:
        yield from _next_done(running)


def _begun(
    assignments: Assignments, student: str, plan: Plan, recorded: Collection[str]
) -> tuple[Job, list[str]] | Finished | Outcome:
    """What is to be examined, with remarks; at once a result when there is nothing to read or nothing new."""
    try:
        job = _job(assignments, student, plan)
        if not isinstance(job, Job):
            return job
        before = (
            outcome_on_file(assignments.course, assignments.topic, student) if student in recorded else None
        )
        if before and before.digest == job.digest and not plan.force:
            return replace(before, state="unchanged")
        return job, assignments.remarks(student, job.submitted)
    except Exception as error:  # whatever was handed in, the class must not suffer for it
        return _not_graded(student, f"not graded: {type(error).__name__}: {error}")


def job_to_run(assignments: Assignments, student: str, plan: Plan) -> Job | None:
    """Return a submission that is likely to be examined; None if nothing is to be run or it cannot be told yet."""
    try:
        job = _job(assignments, student, plan)
        before = outcome_on_file(assignments.course, assignments.topic, student)
        is_known = isinstance(job, Job) and before is not None and before.digest == job.digest
        return job if isinstance(job, Job) and (plan.force or not is_known) else None
    except Exception:  # said in the submission's turn
        return None


def _next_done(running: Running) -> Iterator[Finished | Outcome]:
    """Wait until something is done, and take it out: large classes are never in memory as a whole."""
    for done in wait(running, return_when=FIRST_COMPLETED).done:
        student, job, remarks = running.pop(done)
        try:
            yield Finished(student, job.digest, done.result(), job.assignment.files, tuple(remarks))
        except Exception as error:  # the examiner's fault or the platform's: the class must not suffer for it
            yield _not_graded(student, f"not graded: {type(error).__name__}: {error}")


def _job(assignments: Assignments, student: str, plan: Plan) -> Job | Finished | Outcome:
    """What is to be examined; at once a result when there is nothing to read, or an outcome without a key."""
    path = assignments.course.places.submission(student, assignments.topic)
    try:
        if not _is_text(student):
            return _not_graded(student, NOT_TEXT)
        if path.parent.is_symlink() or path.parent.parent.is_symlink():
            raise UnreadableError(
                f"{path.parent.name} is a link to another folder: hand in the folder itself"
            )
        return Job(assignments.of(student), path.name, read_file(handed_in(path)), plan.limits)
    except UnreadableError as error:
        return Finished(student, "", Result(None, notes=[f"{error}{_misnamed(path)}"]))
    except CourseError as error:
        return _not_graded(student, f"not graded: {error}")
    except OSError as error:  # archives keep their modes; a zero would be for the wrong person
        return _not_graded(
            student,
            f"not graded: {path.name} cannot be read ({error.strerror}): chmod -R u+rwX the student's folder",
        )


def handed_in(path: Path) -> Path:
    """Return the notebook that was handed in: the one of this name, or else the only one that there is.

    A browser calls the second download `areas (1).ipynb`; JupyterLite calls each one `areas_areas.ipynb`.
    """
    names = _other_names(path)
    return path.with_name(names[0]) if len(names) == 1 else path


def _other_names(path: Path) -> list[str]:
    """List the notebooks in the place of one that is not there."""
    if os.path.lexists(path):
        return []
    return sorted(other.name for other in path.parent.glob("*.ipynb") if not other.name.startswith("."))


def _misnamed(path: Path) -> str:
    names = ", ".join(repr(name[:80]) for name in _other_names(path)[:3])
    return f" under this name; what was handed in is called {names}" if names else ""


def _is_text(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _not_graded(student: str, why: str) -> Outcome:
    return Outcome(student, notes=[why], graded=False, state="not graded")


def written(course: Course, recorder: Recorder, finished: Finished) -> Outcome:
    """Write what one submission earned; a failure costs only this submission, unless all would have it."""
    try:
        return _write(course, recorder, finished)
    except MachineError:
        raise
    except Exception as error:  # nbgrader's, the database's or the file system's
        stop_if_refused(error)
        return _not_graded(finished.student, f"not written: {type(error).__name__}: {error}")


def _write(course: Course, recorder: Recorder, finished: Finished) -> Outcome:
    """Gradebook first, then the notebook, then the note that it is done."""
    student, result, topic = finished.student, finished.result, recorder.topic
    path = outcome_path(course, topic, student)
    path.unlink(missing_ok=True)  # from here on it is not done
    stamp = read_timestamp(course.places.timestamp(student, topic))
    score = recorder.record(student, result.notebook, stamp)
    seconds, penalty = recorder.lateness(student)
    if result.notebook is not None:
        _keep_autograded(course, topic, finished)
    outcome = Outcome(
        student,
        score,
        result.notes,
        result.verdicts,
        finished.digest,
        [*finished.remarks, *result.remarks],
        state=_state(result),
        late=lateness(seconds) if seconds > 0 else "",
        penalty=penalty,
        returned=result.returned,
    )
    write_text(path, json.dumps(asdict(outcome), indent=1, ensure_ascii=False) + "\n")
    return outcome


def read_timestamp(path: Path) -> str | None:
    """When the work was handed in, if the file says so; a link, a pipe or nonsense says nothing."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 200:
            return None
        text = path.read_text("utf-8").strip()
        return text if parse_utc(text) else None
    except (OSError, ValueError, OverflowError):
        return None


def carry_along(submitted: Path, target: Path) -> None:
    """Put time and secret of a hand-in beside what was made of it: nbgrader's exchange returns feedback by them."""
    if os.path.islink(submitted) or os.path.islink(submitted.parent):  # False where nobody may look
        return  # they would be a classmate's
    found = {
        "timestamp.txt": read_timestamp(submitted / "timestamp.txt"),
        "submission_secret.txt": read_secret(submitted / "submission_secret.txt"),
    }
    for name, text in found.items():
        if text:
            write_text(target / name, text)


def read_secret(path: Path) -> str | None:
    """By what a student proves to be the one who handed in; nbgrader writes 128 hexadecimal digits."""
    with contextlib.suppress(OSError, ValueError):
        if not path.is_symlink() and path.is_file() and path.stat().st_size <= 200:
            text = path.read_text("ascii").strip()
            return text if SECRET.fullmatch(text) else None
    return None


def _state(result: Result) -> State:
    if result.notebook is None:
        return "unreadable"
    return "repaired" if result.repaired else "graded"


def _keep_autograded(course: Course, topic: str, finished: Finished) -> None:
    """Write the graded notebook where nbgrader's formgrader and feedback look for it."""
    with replaced(course.places.autograded(finished.student, topic)) as folder:
        for name, data in finished.given:
            write_bytes(folder / name, data)
        write_text(folder / f"{topic}.ipynb", _one_line_per_cell(finished.result.notebook))
        carry_along(course.places.submission(finished.student, topic).parent, folder)


def _one_line_per_cell(notebook: Any) -> str:
    """A notebook as text; indented, as elsewhere, it would take ten times as long to write."""
    cells = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in notebook["cells"])
    others = json.dumps({name: part for name, part in notebook.items() if name != "cells"})
    return f'{others[:-1]}, "cells": [\n{cells}\n]}}\n'
