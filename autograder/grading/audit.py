"""The log of every change of a score: when, whose, what it was and is, and the cause. It replays to the gradebook.

`audit/<topic>.jsonl` has one line for each change of a cell's score or of a late penalty. Scores live in nbgrader's
gradebook, which people change too, in formgrader: so the log is written by comparing. Before a program of ours
writes scores, whatever changed since the last line was changed by someone else; afterwards it was the program.
The lines are signed with the course's secret (`autograder.grading.signed_log`), so an edited, cut or forged log is
noticed, and name the account that ran the command.
"""

import fcntl
import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.authoring.cells import check_name
from autograder.course.course import Course
from autograder.course.files import alone
from autograder.errors import CourseError
from autograder.grading import gradebook
from autograder.grading.outcome import in_words, outcome_on_file
from autograder.grading.signed_log import SignedLog

NO_LOGIN = 2**32 - 1  # what the kernel says of a process that no login session began
PENALTY = "late penalty"  # in the place of a cell's name
BY_SOMEONE = "changed in the gradebook, by a person or another program"
Score = list[
    Any
]  # of a cell: the program's score, a person's, extra credit, must a person look? Of a penalty: points
Scores = dict[str, dict[str, Score]]  # student → cell → score


def audit_path(course: Course, topic: str) -> Path:
    """Where the log of a topic is."""
    return course.classroom / "audit" / f"{topic}.jsonl"


def has_log(course: Course, topic: str) -> bool:
    """Return whether a log was ever written: its head tells when the log itself is gone."""
    return audit_path(course, topic).is_file() or course.places.audit_head(topic).is_file()


def audit_log(course: Course, topic: str) -> SignedLog:
    """Return the log of a topic; its head lies beside the keys."""
    return SignedLog(audit_path(course, topic), course.places.audit_head(topic), course.secret())


@contextmanager
def audited(course: Course, topic: str, cause: str) -> Iterator[None]:
    """Log what happens to the scores of a topic meanwhile, also when it ends early."""
    note(course, topic, BY_SOMEONE)
    try:
        yield
    except BaseException:
        with suppress(CourseError):  # why it ended is what must be said
            note(course, topic, cause)
        raise
    note(course, topic, cause)


def settle_penalties(course: Course, topic: str) -> None:
    """Let what lateness costs follow the points that a person has given since the work was graded.

    nbgrader asks its plugin once, when a program grades: open questions that are read later would go free.
    """
    with gradebook.Recorder(course, topic) as recorder:
        students = recorder.late_with_points_by_hand()
        if not students:
            return
        with (
            alone(course.places.lock),
            audited(course, topic, "lateness costs a share of a person's points, too"),
        ):
            for student in students:
                recorder.penalise(student)


def note(course: Course, topic: str, cause: str = BY_SOMEONE) -> int:
    """Write a line for each difference between the log and the gradebook; return how many.

    CourseError if the gradebook holds nothing of what the log knows: it was lost, and the log must not follow it.
    """
    path = audit_path(course, topic)
    now = scores_now(course, topic)
    if not now and not has_log(course, topic):
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        log = audit_log(course, topic)
        before = replayed(log.read().lines)
        if before and not now:
            raise lost(topic, before)
        lines = [_line(course, topic, change, cause) for change in _changes(before, now)]
        if lines:
            log.append(lines)
    return len(lines)


def lost(topic: str, before: Scores) -> CourseError:
    """What to do about a gradebook without the scores of the log."""
    return CourseError(
        f"the gradebook has no scores of {topic}, and the log those of {len(before)} students: put the lost gradebook "
        f"back, or run `dimred regenerate` with the seed of this class and `dimred audit --restore {topic}` (or "
        f"delete audit/{topic}.jsonl and keys/{topic}.audit.json, if they are to be forgotten)"
    )


def _changes(before: Scores, now: Scores) -> Iterator[tuple[str, str, Score | None, Score | None]]:
    for student in sorted({*before, *now}):
        was, is_ = before.get(student, {}), now.get(student, {})
        for cell in dict.fromkeys([*was, *is_]):
            if was.get(cell) != is_.get(cell):
                yield student, cell, was.get(cell), is_.get(cell)


def _line(
    course: Course, topic: str, change: tuple[str, str, Score | None, Score | None], cause: str
) -> dict[str, Any]:
    student, cell, was, now = change
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": "" if cause == BY_SOMEONE else _user(),
        "student": student,
        "cell": cell,
        "was": was,
        "now": now,
        "cause": cause if cause == BY_SOMEONE else cause + _verdict(course, topic, student, cell),
    }


def _user() -> str:
    """Name the account that runs this, and who became it: by the kernel, not by what the environment says."""
    account = _account_name(os.getuid())
    before = [_login_account(), os.environ.get("SUDO_USER", "")]
    others = list(dict.fromkeys(name for name in before if name and name != account))
    return f"{account}, logged in as {' or '.join(others)}" if others else account


def _account_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # a container may know no name for its user
        return f"uid {number}"


def _login_account() -> str:
    """Name the account of the login session, which `sudo` and `su` do not change; empty if there was none."""
    with suppress(OSError, ValueError):
        number = int(Path("/proc/self/loginuid").read_text("ascii"))
        return "" if number == NO_LOGIN else _account_name(number)
    return ""


def _verdict(course: Course, topic: str, student: str, cell: str) -> str:
    """What grading said of the cell."""
    outcome = outcome_on_file(course, topic, student)
    verdicts = outcome.verdicts if outcome else {}
    said = [in_words(verdict) for task, verdict in verdicts.items() if check_name(task) == cell]
    return f": {said[0]}" if said else ""


def entries_of(course: Course, topic: str) -> list[dict[str, Any]]:
    """The lines of a topic's log; CourseError if one was changed or cut off since it was written."""
    return audit_log(course, topic).read().lines if has_log(course, topic) else []


def describe_unsigned(course: Course, topic: str) -> str:
    """Say how many lines an earlier version wrote without a signature; empty if none."""
    contents = audit_log(course, topic).read()
    if not contents.n_unsigned:
        return ""
    return f"the first {contents.n_unsigned} of {len(contents.lines)} changes are unsigned, by an earlier version"


def replayed(entries: list[dict[str, Any]]) -> Scores:
    """The scores after all changes of a log."""
    scores: Scores = {}
    for entry in entries:
        cells = scores.setdefault(entry["student"], {})
        if entry["now"] is None:
            cells.pop(entry["cell"], None)
        else:
            cells[entry["cell"]] = entry["now"]
    return {student: cells for student, cells in scores.items() if cells}


def scores_now(course: Course, topic: str) -> Scores:
    """What the gradebook holds of a topic, as the log writes it down."""
    found: Scores = {}
    with gradebook.open_gradebook(course) as book:
        for student, cell, score in gradebook.raw_scores(book, topic):
            found.setdefault(student, {})[cell] = score
        for student, points in gradebook.penalties(book, topic):
            found.setdefault(student, {})[PENALTY] = [points]
    return found


def total(cells: Mapping[str, Score]) -> float:
    """What a student has in all, from the log alone, as nbgrader counts it."""
    earned = 0.0
    for cell, score in cells.items():
        if cell != PENALTY:
            auto, manual, extra, _ = score
            earned += (manual if manual is not None else auto or 0.0) + (extra or 0.0)
    return max(0.0, earned - (cells.get(PENALTY, [0.0])[0] or 0.0))


def restore(course: Course, topic: str) -> int:
    """Write the scores of the log into the gradebook, for instance into a new one; return for how many students."""
    scores = replayed(entries_of(course, topic))
    with gradebook.Recorder(course, topic) as recorder:
        recorder.require_assignment()
        for student, cells in scores.items():
            recorder.write_back(student, {name: score for name, score in cells.items() if name != PENALTY})
            if PENALTY in cells:
                recorder.write_penalty(student, cells[PENALTY][0])
    return len(scores)


def told(topic: str, entry: Mapping[str, Any]) -> str:
    """A line of the log in words."""
    was, now = (_counted(entry["cell"], entry[name]) for name in ("was", "now"))
    by = f" ({entry['by']})" if entry["by"] else ""
    return (
        f"{entry['when']}  {topic}  {entry['student']}  {entry['cell']}: {was} → {now}  {entry['cause']}{by}"
    )


def _counted(cell: str, score: Score | None) -> str:
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
