"""Archive every attempt of a student and select the one that counts.

The setting `attempts` in `course.toml` decides whether the last or the best attempt counts. nbgrader and its gradebook
hold one submission per student and topic. Before a class is graded, each submission is copied from `submitted/` to
`attempts/`. If the best attempt counts, all attempts are graded and the best is copied back to `submitted/`.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from autograder.course.files import write_bytes, write_text
from autograder.errors import CourseError, MachineError, raise_if_machine_error
from autograder.grading.assignment import Assignment
from autograder.grading.choose import Assignments
from autograder.grading.hand_in import copy_submission_metadata, find_notebook
from autograder.grading.repair import read_file
from autograder.grading.submission import GradingOptions, Job
from autograder.grading.workers import GradingPool


def archive_and_select_attempts(
    assignments: Assignments, examiners: GradingPool, plan: GradingOptions
) -> Iterator[str]:
    """Archive every submission and, if the best counts, copy it to `submitted/`.

    Yield a remark per student whose best attempt replaced the last one. If an attempt cannot be archived or compared,
    yield the reason and leave the submission as it is. Other students are not affected.
    """
    for student in assignments.course.paths.students_with(assignments.topic):
        try:
            yield from _archive_and_select(assignments, student, examiners, plan)
        except MachineError:
            raise
        except Exception as error:
            yield f"{student}: the last hand-in counts: {type(error).__name__}: {error}"


def _archive_and_select(
    assignments: Assignments, student: str, examiners: GradingPool, plan: GradingOptions
) -> Iterator[str]:
    course, topic = assignments.course, assignments.topic
    folder = course.paths.attempts(student, topic)
    keep_attempt(course.paths.submission(student, topic), folder)
    attempts = sorted(folder.glob("*/*.ipynb"), key=lambda path: int(path.parent.name))
    if course.settings["attempts"] == "best" and len(attempts) > 1:
        yield from _put_best(assignments, student, attempts, examiners, plan)


def keep_attempt(submitted: Path, folder: Path) -> None:
    """Copy a submission to the archive unless the same bytes are there.

    Do nothing if the submission cannot be read or lies behind a symbolic link. Grading reports such a submission.
    """
    try:
        if submitted.parent.is_symlink() or submitted.parent.parent.is_symlink():
            return
        data = read_file(find_notebook(submitted))
    except (CourseError, OSError):
        return
    if all(path.read_bytes() != data for path in folder.glob("*/*.ipynb")):
        target = folder / str(1 + len(list(folder.glob("*/*.ipynb")))) / submitted.name
        try:
            write_bytes(target, data)
            copy_submission_metadata(submitted.parent, target.parent)
        except OSError as error:  # the archive is the course's own folder, so the student did not cause this
            raise_if_machine_error(error)
            raise


def _put_best(
    assignments: Assignments, student: str, attempts: list[Path], examiners: GradingPool, plan: GradingOptions
) -> Iterator[str]:
    """Copy the attempt with the most points to `submitted/`.

    On a tie the latest of them counts.
    """
    assignment = assignments.for_student(student)
    points = _points_of_attempts(assignment, attempts, examiners, plan)
    best = max(reversed(attempts), key=lambda path: points[path])
    target = assignments.course.paths.submission(student, assignments.topic)
    if read_file(find_notebook(target)) != best.read_bytes():
        for name in ("timestamp.txt", "submission_secret.txt"):  # they belong to the attempt that is replaced
            _remove(target.parent / name)
        _remove(target.with_name(target.name + ".tmp"))
        write_bytes(target, best.read_bytes())
        copy_submission_metadata(best.parent, target.parent)
        number, total = best.parent.name, len(attempts)
        last = points[attempts[-1]]
        yield f"{student}: attempt {number} of {total} counts, with {points[best]:g} points (the last one: {last:g})"


def _remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _points_of_attempts(
    assignment: Assignment, attempts: list[Path], examiners: GradingPool, plan: GradingOptions
) -> dict[Path, float]:
    """Return the points of each attempt, from `points.json` where known.

    The digest of a job covers the key and the scoring code, so a change of either runs the attempt again.
    """
    record = attempts[0].parents[1] / "points.json"
    known = json.loads(record.read_text("utf-8")) if record.is_file() and not plan.force else {}
    jobs = {path: Job(assignment, path.name, path.read_bytes(), plan.limits) for path in attempts}
    running = {job.digest: examiners.submit(job) for job in jobs.values() if job.digest not in known}
    for digest, future in running.items():
        verdicts = future.result().verdicts.values()
        known[digest] = round(sum(verdict["fraction"] * verdict["points"] for verdict in verdicts), 2)
    if running:
        write_text(record, json.dumps(known, indent=1) + "\n")
    return {path: known[job.digest] for path, job in jobs.items()}
