"""Several hand-ins of one student: all are kept, and the last one or the best one counts, as `course.toml` says.

nbgrader keeps one submission for each student and topic, and so does the gradebook. Before a class is graded, what lies
in `submitted/` is copied to `attempts/`; if the best one counts, all of them are examined and the best is put back.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from autograder.course.course import Course
from autograder.course.files import write_bytes, write_text
from autograder.errors import CourseError, MachineError, stop_if_refused
from autograder.grading.assignment import Assignment
from autograder.grading.choose import Assignments, load_assignments
from autograder.grading.grade import Plan, carry_along, handed_in
from autograder.grading.repair import read_file
from autograder.grading.submission import Job
from autograder.grading.workers import Examiners


def settle_attempts(course: Course, topic: str, examiners: Examiners, plan: Plan) -> Iterator[str]:
    """Keep every hand-in; where the best counts, put it in place and say so.

    What cannot be kept or compared is judged where it lies, and costs nobody else anything.
    """
    assignments = load_assignments(course, topic)
    for student in course.places.students_with(topic):
        try:
            yield from _settled(assignments, student, examiners, plan)
        except MachineError:
            raise
        except Exception as error:
            yield f"{student}: the last hand-in counts: {type(error).__name__}: {error}"


def _settled(assignments: Assignments, student: str, examiners: Examiners, plan: Plan) -> Iterator[str]:
    course, topic = assignments.course, assignments.topic
    folder = course.places.attempts(student, topic)
    _keep(course.places.submission(student, topic), folder)
    kept = sorted(folder.glob("*/*.ipynb"), key=lambda path: int(path.parent.name))
    if course.settings["attempts"] == "best" and len(kept) > 1:
        yield from _put_best(assignments, student, kept, examiners, plan)


def _keep(submitted: Path, folder: Path) -> None:
    """Copy a hand-in to the kept ones, unless the same is there; what cannot be read is judged where it lies."""
    try:
        if submitted.parent.is_symlink() or submitted.parent.parent.is_symlink():
            return
        data = read_file(handed_in(submitted))
    except (CourseError, OSError):
        return
    if all(path.read_bytes() != data for path in folder.glob("*/*.ipynb")):
        place = folder / str(1 + len(list(folder.glob("*/*.ipynb")))) / submitted.name
        try:
            write_bytes(place, data)
            carry_along(submitted.parent, place.parent)
        except OSError as error:  # ours, not the student's
            stop_if_refused(error)
            raise


def _put_best(
    assignments: Assignments, student: str, kept: list[Path], examiners: Examiners, plan: Plan
) -> Iterator[str]:
    """Put the attempt with the most points in place; of equals the later one, which is the student's last word."""
    given = assignments.of(student)
    earned = _earned(given, kept, examiners, plan)
    best = max(reversed(kept), key=lambda path: earned[path])
    target = assignments.course.places.submission(student, assignments.topic)
    if read_file(handed_in(target)) != best.read_bytes():
        for name in ("timestamp.txt", "submission_secret.txt"):  # those of the other attempt
            _remove(target.parent / name)
        _remove(target.with_name(target.name + ".tmp"))
        write_bytes(target, best.read_bytes())
        carry_along(best.parent, target.parent)
        number, of = best.parent.name, len(kept)
        last = earned[kept[-1]]
        yield f"{student}: attempt {number} of {of} counts, with {earned[best]:g} points (the last one: {last:g})"


def _remove(path: Path) -> None:
    """Whatever a student handed in under this name: a file, a link, a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _earned(given: Assignment, kept: list[Path], examiners: Examiners, plan: Plan) -> dict[Path, float]:
    """The points of each attempt; those that were examined before by the same key are not run again."""
    notes = kept[0].parents[1] / "points.json"
    known = json.loads(notes.read_text("utf-8")) if notes.is_file() and not plan.force else {}
    jobs = {path: Job(given, path.name, path.read_bytes(), plan.limits) for path in kept}
    running = {job.digest: examiners.submit(job) for job in jobs.values() if job.digest not in known}
    for digest, future in running.items():
        verdicts = future.result().verdicts.values()
        known[digest] = round(sum(one["fraction"] * one["points"] for one in verdicts), 2)
    if running:
        write_text(notes, json.dumps(known, indent=1) + "\n")
    return {path: known[job.digest] for path, job in jobs.items()}
