"""Count the results of retakes: the best, the last, or the mean of a task and its retake.

The gradebook keeps both: the retake is an assignment of its own, and the original's cell gets the difference as extra
credit. So the first score stays visible, formgrader shows the sum, and the audit log names the cause. What was added is
kept beside the keys, because extra credit that a person gave stays as it is.
"""

import json
from collections.abc import Callable, Iterator

from autograder.authoring.cells import check_name
from autograder.course.course import Course
from autograder.course.files import exclusive_lock, write_text
from autograder.grading import gradebook
from autograder.grading.audit import log_changes_around
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.recorder import Recorder, has_assignment

CellScores = dict[str, dict[str, float]]  # student → cell → points without extra credit
Changes = dict[str, dict[str, float]]  # student → cell → points that a retake added
SMALLEST_CHANGE = 1e-9
COMBINED: dict[str, Callable[[float, float], float]] = {
    "best": max,
    "last": lambda first, second: second,
    "mean": lambda first, second: (first + second) / 2,
}


def retakes_of(course: Course, topic: str) -> list[str]:
    """Return the retakes of an assignment that were graded."""
    names = []
    for name in course.composed():
        if course.retake_of(name) == topic and has_assignment(course, name):
            names.append(name)
    return names


def count_retakes(course: Course, topic: str) -> Iterator[str]:
    """Combine the results of an assignment and its retakes in the gradebook; yield a line about the change.

    `topic` is the assignment or a retake of it.
    """
    original = course.retake_of(topic) or topic
    retakes = retakes_of(course, original)
    if not retakes or not has_assignment(course, original):
        return
    before = read_changes(course, original)
    after = _all_changes(course, original, retakes)
    if after == before:
        return
    with (
        exclusive_lock(course.paths.lock),
        log_changes_around(course, original, f"retake {', '.join(retakes)}"),
        Recorder(course, original) as recorder,
    ):
        _write(recorder, original, before, after)
    write_text(course.paths.retakes(original), json.dumps(after, indent=1, ensure_ascii=False) + "\n")
    changed = sum(after.get(student) != before.get(student) for student in {*before, *after})
    points = sum(sum(cells.values()) for cells in after.values())
    yield f"{original}: retakes count for {len(after)} students ({changed} changed): {points:+g} points in all"


def read_changes(course: Course, topic: str) -> Changes:
    """Return the points that retakes added to an assignment."""
    try:
        return dict(json.loads(course.paths.retakes(topic).read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def retake_notes(course: Course, topic: str, student: str) -> list[str]:
    """Return the sentences for a student's feedback page about counted retakes."""
    cells = read_changes(course, topic).get(student, {})
    changes = ", ".join(
        f"{cell.removeprefix('check-')} {points:+g}" for cell, points in sorted(cells.items())
    )
    return [f"the retake changed your points: {changes}"] if changes else []


def _all_changes(course: Course, topic: str, retakes: list[str]) -> Changes:
    """Return the points to add, by student and cell: those of the last retake that has the cell."""
    changes: Changes = {}
    with open_gradebook(course) as book:
        first = _scores(book, topic)
        for name in retakes:
            for student, cells in _of_one_retake(course, name, first, _scores(book, name)).items():
                changes.setdefault(student, {}).update(cells)
    different = {
        student: {cell: points for cell, points in cells.items() if abs(points) > SMALLEST_CHANGE}
        for student, cells in changes.items()
    }
    return {student: cells for student, cells in different.items() if cells}


def _of_one_retake(course: Course, name: str, first: CellScores, second: CellScores) -> Changes:
    """Return the points that one retake adds to the tasks that a student lost and was asked again."""
    composition = course.composition(name)
    assert composition
    combine = COMBINED[composition.counts or str(course.settings["retake"])]
    changes: Changes = {}
    for student, form in composition.own_forms.items():
        for slot in composition.tasks(form):
            cell = check_name(slot)
            before, after = first.get(student, {}).get(cell), second.get(student, {}).get(cell)
            is_counted = slot not in composition.uncounted.get(student, ())
            if before is not None and after is not None and is_counted:
                changes.setdefault(student, {})[cell] = combine(before, after) - before
    return changes


def _scores(book: object, topic: str) -> CellScores:
    """Return the scores of an assignment without extra credit."""
    scores: CellScores = {}
    for student, cell, (auto, manual, _, _) in gradebook.raw_scores(book, topic):
        score = manual if manual is not None else auto
        if score is not None:
            scores.setdefault(student, {})[cell] = float(score)
    return scores


def _write(recorder: Recorder, topic: str, before: Changes, after: Changes) -> None:
    """Add the points of retakes to the extra credit of the cells, in place of those added before."""
    for student in {*before, *after}:
        submission = recorder.gradebook.find_submission(topic, student)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                old = before.get(student, {}).get(grade.name, 0.0)
                new = after.get(student, {}).get(grade.name, 0.0)
                if old != new:
                    by_person = float(grade.extra_credit or 0.0) - old
                    grade.extra_credit = by_person + new
    recorder.session.commit()
