"""Audit log of a topic, with a signed line per score change.

Scores live in nbgrader's gradebook, and instructors change them in formgrader as well. So changes are detected by
comparing the gradebook with the log. Changes found before a command writes scores have the cause EXTERNAL_CHANGE.
Changes found afterwards have the command's cause and the account that ran it. Replaying the log gives the scores of the
gradebook. The lines are signed with the course secret (`autograder.grading.signed_log`), so edits are detected.
"""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.authoring.cells import check_name
from autograder.course.accounts import describe_account
from autograder.course.course import Course
from autograder.course.files import exclusive_lock
from autograder.errors import CourseError
from autograder.grading import gradebook
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.outcome import describe_verdict, outcome_on_file
from autograder.grading.recorder import Recorder
from autograder.grading.signed_log import SignedLog
from autograder.program import program_name

ACTIONS = ".class.jsonl"  # no topic name starts with a dot
PENALTY = "late penalty"  # used where an entry has the name of a cell
EXTERNAL_CHANGE = "changed in the gradebook, by a person or another program"
# Of a cell: [automatic score, manual score, extra credit, needs manual grading]. Of a penalty: [points].
Score = list[Any]
Scores = dict[str, dict[str, Score]]  # student → cell → score


def audit_path(course: Course, topic: str) -> Path:
    """Return the path of a topic's log."""
    return course.classroom / "audit" / f"{topic}.jsonl"


def has_log(course: Course, topic: str) -> bool:
    """Tell whether a log was ever written.

    The head remains if the log itself is deleted.
    """
    return audit_path(course, topic).is_file() or course.paths.audit_head(topic).is_file()


def audit_log(course: Course, topic: str) -> SignedLog:
    """Return the log of a topic."""
    return SignedLog(audit_path(course, topic), course.paths.audit_head(topic), course.secret())


@contextmanager
def log_changes_around(course: Course, topic: str, cause: str) -> Iterator[None]:
    """Log score changes before and during the block, also on an error."""
    log_changes(course, topic, EXTERNAL_CHANGE)
    try:
        yield
    except BaseException:
        with suppress(CourseError):  # the error of the block matters more than one of the log
            log_changes(course, topic, cause)
        raise
    log_changes(course, topic, cause)


def update_late_penalties(course: Course, topic: str) -> None:
    """Recompute late penalties after manual grading.

    nbgrader calls its penalty plugin during autograding only, so points added later would escape the penalty.
    """
    with Recorder(course, topic) as recorder:
        students = recorder.late_with_points_by_hand()
        if not students:
            return
        with (
            exclusive_lock(course.paths.lock),
            log_changes_around(course, topic, "lateness costs a share of a person's points, too"),
        ):
            for student in students:
                recorder.penalise(student)


def log_changes(course: Course, topic: str, cause: str = EXTERNAL_CHANGE) -> int:
    """Append a line per difference between log and gradebook; return their number.

    Raise CourseError if the log has scores and the gradebook has none: the gradebook was probably lost.
    """
    path = audit_path(course, topic)
    now = scores_now(course, topic)
    if not now and not has_log(course, topic):
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        log = audit_log(course, topic)
        before = replay(log.read().lines)
        if before and not now:
            raise missing_scores_error(topic, before)
        lines = [_new_entry(course, topic, change, cause) for change in _changes(before, now)]
        if lines:
            log.append(lines)
    return len(lines)


def log_action(course: Course, what: str) -> None:
    """Append an action on the whole class to the log of actions.

    Examples: reading a class list, collecting submissions, generating exercises.
    """
    log = _action_log(course)
    course.paths.enter()
    log.path.parent.mkdir(parents=True, exist_ok=True)
    with log.path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        log.append([{"when": when, "by": describe_account(), "what": what}])


def actions(course: Course) -> list[dict[str, object]]:
    """Read the log of actions; raise CourseError if a line was edited."""
    log = _action_log(course)
    return log.read().lines if log.path.is_file() or log.head.is_file() else []


def _action_log(course: Course) -> SignedLog:
    return SignedLog(course.classroom / "audit" / ACTIONS, course.paths.audit_head(".class"), course.secret())


def missing_scores_error(topic: str, before: Scores) -> CourseError:
    """Return the error for a gradebook without the scores of the log."""
    return CourseError(
        f"the gradebook has no scores of {topic}, and the log those of {len(before)} students: put the lost gradebook "
        f"back, or run `{program_name()} regenerate` with the seed of this class and "
        f"`{program_name()} audit --restore {topic}` (or "
        f"delete audit/{topic}.jsonl and keys/{topic}.audit.json, if they are to be forgotten)"
    )


def _changes(before: Scores, now: Scores) -> Iterator[tuple[str, str, Score | None, Score | None]]:
    for student in sorted({*before, *now}):
        old, new = before.get(student, {}), now.get(student, {})
        for cell in dict.fromkeys([*old, *new]):
            if old.get(cell) != new.get(cell):
                yield student, cell, old.get(cell), new.get(cell)


def _new_entry(
    course: Course, topic: str, change: tuple[str, str, Score | None, Score | None], cause: str
) -> dict[str, object]:
    student, cell, was, now = change
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": "" if cause == EXTERNAL_CHANGE else describe_account(),
        "student": student,
        "cell": cell,
        "was": was,
        "now": now,
        "cause": cause if cause == EXTERNAL_CHANGE else cause + _describe_cause(course, topic, student, cell),
    }


def _describe_cause(course: Course, topic: str, student: str, cell: str) -> str:
    """Return the verdict on a cell as a suffix of the cause."""
    outcome = outcome_on_file(course, topic, student)
    verdicts = outcome.verdicts if outcome else {}
    descriptions = [
        describe_verdict(verdict) for task, verdict in verdicts.items() if check_name(task) == cell
    ]
    return f": {descriptions[0]}" if descriptions else ""


def log_entries(course: Course, topic: str) -> list[dict[str, Any]]:
    """Read a topic's log.

    Raise CourseError if a line was edited or removed.
    """
    return audit_log(course, topic).read().lines if has_log(course, topic) else []


def describe_unsigned(course: Course, topic: str) -> str:
    """Describe how many lines are unsigned; return an empty string if none."""
    contents = audit_log(course, topic).read()
    if not contents.n_unsigned:
        return ""
    return f"the first {contents.n_unsigned} of {len(contents.lines)} changes are unsigned, by an earlier version"


def replay(entries: list[dict[str, Any]]) -> Scores:
    """Return the scores after all changes of a log."""
    scores: Scores = {}
    for entry in entries:
        cells = scores.setdefault(entry["student"], {})
        if entry["now"] is None:
            cells.pop(entry["cell"], None)
        else:
            cells[entry["cell"]] = entry["now"]
    return {student: cells for student, cells in scores.items() if cells}


def scores_now(course: Course, topic: str) -> Scores:
    """Read the scores and penalties of a topic from the gradebook."""
    scores: Scores = {}
    with open_gradebook(course) as book:
        for student, cell, score in gradebook.raw_scores(book, topic):
            scores.setdefault(student, {})[cell] = score
        for student, points in gradebook.penalties(book, topic):
            scores.setdefault(student, {})[PENALTY] = [points]
    return scores


def total(cells: Mapping[str, Score]) -> float:
    """Sum a student's scores and subtract the penalty, as nbgrader does."""
    earned = 0.0
    for cell, score in cells.items():
        if cell != PENALTY:
            auto, manual, extra, _ = score
            earned += (manual if manual is not None else auto or 0.0) + (extra or 0.0)
    return max(0.0, earned - (cells.get(PENALTY, [0.0])[0] or 0.0))


def restore(course: Course, topic: str) -> int:
    """Write the scores of the log into the gradebook.

    Return the number of students.
    """
    scores = replay(log_entries(course, topic))
    with Recorder(course, topic) as recorder:
        recorder.require_assignment()
        for student, cells in scores.items():
            recorder.write_back(student, {name: score for name, score in cells.items() if name != PENALTY})
            if PENALTY in cells:
                recorder.write_penalty(student, cells[PENALTY][0])
    return len(scores)


def format_entry(topic: str, entry: Mapping[str, Any]) -> str:
    """Format a log entry as a line of text."""
    was, now = (_describe_score(entry["cell"], entry[name]) for name in ("was", "now"))
    by = f" ({entry['by']})" if entry["by"] else ""
    return (
        f"{entry['when']}  {topic}  {entry['student']}  {entry['cell']}: {was} → {now}  {entry['cause']}{by}"
    )


def _describe_score(cell: str, score: Score | None) -> str:
    if score is None:
        return "nothing"
    if cell == PENALTY:
        return f"{score[0]:g}"
    auto, manual, extra, pending = score
    points = manual if manual is not None else auto
    plus = f" + {extra:g}" if extra else ""
    return (
        ("to be read" if points is None else f"{points:g}") + plus + (" (to be looked at)" if pending else "")
    )
