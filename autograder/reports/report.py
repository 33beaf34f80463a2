"""Write the report on a topic."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

import numpy as np

from autograder.authoring.cells import check_name, is_answer_cell, name_of, source_of
from autograder.authoring.rubric import Rubric, decisions, rubrics
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.handout import last_handout
from autograder.errors import CourseError
from autograder.grading.attendance import attendance
from autograder.grading.audit import log_changes, update_late_penalties
from autograder.grading.choose import load_assignment
from autograder.grading.equal_work import equal_hand_ins, shared_rare_mistakes
from autograder.grading.retakes import read_changes
from autograder.grading.unforeseen import shortest_program, unexplained_groups
from autograder.judging.key import Hint, Key, load_key, read_key
from autograder.judging.verdict import VerdictRecord
from autograder.reports import fairness, statistics
from autograder.reports.effort import Effort, effort, hand_ins
from autograder.reports.pages import render_page
from autograder.reports.results import ShownNames, StudentResult, TopicResults, read_results
from autograder.reports.similarity import Fingerprints, fingerprints, similar_pairs

SIGNS = {"good": "●", "part": "◐", "bad": "○"}
NEEDS_HELP_SHARE = 0.5  # a student below this share of the points needs help
MAX_SHOWN_HELP = 15  # students who need help; the page folds the rest
NO_ANSWER_PROBLEMS = ("not written", "missing")
ERROR_NAMES = {
    "raised": "raised an error",
    "did not run": "did not run",
    "too slow": "took too long",
    "stopped": "ended early",
}
MAX_SHOWN_GROUPS = 8  # groups of unexplained wrong answers, shown with a program
MAX_ERROR_ROWS = 20
MAX_SHOWN_MISCONCEPTIONS = 12  # the page folds the rest
MIN_DISCRIMINATION, MIN_TASK_SHARE = 0.1, 0.25  # the report lists a task below one of these


@dataclass(frozen=True)
class ReportOptions:
    """Options of a report: names shown or hidden, section, order."""

    hide_names: bool = False
    section: str = ""
    best_first: bool = False

    def file(self, name: str) -> str:
        """Return the file name of a page."""
        parts = [name, *([quote(self.section, safe="")] if self.section else [])]
        return ".".join([*parts, *(["without-names"] if self.hide_names else []), "html"])


def write_report(course: Course, topic: str, options: ReportOptions | None = None) -> Path:
    """Write the report of a topic and return its path.

    Raise CourseError if no student of the named section was graded.
    """
    options = options or ReportOptions()
    assignment = load_assignment(course, topic)
    update_late_penalties(course, topic)
    log_changes(course, topic)
    results = read_results(course, topic, options.section)
    if not results.marks and options.section:
        raise CourseError(
            f"nobody of section {options.section!r} was graded in {topic}: is it spelt as in the roster?"
        )
    names = ShownNames(course, list(results.marks), hidden=options.hide_names)
    key, release = _with_all_hints(course, load_key(assignment.public)), json.loads(assignment.release)
    page = course.paths.report / options.file(topic)
    values = _page_values(course, results, key, names)
    values |= _rubric_values(results, rubrics(release))
    values |= _attention_values(course, results, names, options)
    if options.best_first:
        values["bins"] = values["bins"][::-1]
        values["students"] = sorted(values["students"], key=lambda row: -row["score"])
    if not options.hide_names:
        values |= {"pairs": _similar_pairs(course, results, names, release, json.loads(assignment.source))}
    write_text(
        page, render_page("report.html", **values, section=options.section, pages=options.file("index"))
    )
    return page


def _page_values(course: Course, results: TopicResults, key: Key, names: ShownNames) -> dict[str, Any]:
    students = list(results.marks.values())
    scores = [student.score for student in students]
    tasks = list(_tasks(key, students))
    efforts = _efforts(course, results)
    points = np.array([[_share(student, name) for name in key.tasks] for student in students] or [[0.0]])
    groups = list(_groups(course, results, names))
    low, middle, high = statistics.quartiles(scores)
    return {
        "topic": results.topic,
        "hidden": names.hidden,
        "mean": mean(scores or [0.0]),
        "quartiles": (low, middle, high),
        "deviation": statistics.deviation(scores),
        "reliability": statistics.reliability(points),
        "max": results.total,
        "pending": sum(student.is_pending for student in students),
        "fewest": statistics.MIN_STUDENTS_FOR_CORRELATION,
        "bins": statistics.bins(list(results.shares().values())),
        "misconceptions": list(_misconceptions(key, students)),
        "errors": list(_errors(students, hidden=names.hidden)),
        "frequent": MAX_SHOWN_MISCONCEPTIONS,
        "sections": _sections(results, names),
        "groups": groups,
        "tasks": tasks,
        "effort": _describe_efforts(list(efforts.values())),
        "variants": _variants(course, results),
        "lengths": _lengths(course, results),
        "help": _students_needing_help(results, names),
        "help_below": NEEDS_HELP_SHARE,
        "help_shown": MAX_SHOWN_HELP,
        "alerts": [] if names.hidden else [*_task_alerts(tasks, groups), *_alerts(results, names)],
        "task_names": list(key.tasks),
        "students": [
            _student_row(results, key, student, names, efforts[student.student]) for student in students
        ],
        "has_sections": any(names.sections.values()),
        "pairs": [],
    }


def _attention_values(
    course: Course, results: TopicResults, names: ShownNames, options: ReportOptions
) -> dict[str, Any]:
    """Return absent and unlisted students, equal submissions and shared rare mistakes.

    If names are hidden, return only the number of absent students.
    """
    present = attendance(course, results.topic, options.section)
    counts = {
        "n_listed": present.n_listed,
        "n_absent": len(present.absent),
        **_retake_values(course, results),
    }
    if names.hidden:
        return {**counts, "absent": [], "strangers": [], "equal": [], "shared": []}
    outcomes = [result.outcome for result in results.marks.values()]
    return {
        **counts,
        "absent": [
            student.id if student.shown == student.id else f"{student.shown} ({student.id})"
            for student in present.absent
        ],
        "strangers": list(present.strangers),
        "equal": list(_equal_groups(course, results, names)),
        "shared": [
            {"one": names[pair.students[0]], "other": names[pair.students[1]], "tasks": pair.tasks}
            for pair in shared_rare_mistakes(course, results.topic, outcomes)
        ],
    }


def _retake_values(course: Course, results: TopicResults) -> dict[str, object]:
    """Return how many of these students have other points by a retake, and how many points these are."""
    changes = [
        cells for student, cells in read_changes(course, results.topic).items() if student in results.marks
    ]
    return {"n_retaken": len(changes), "retake_points": sum(sum(cells.values()) for cells in changes)}


def _sections(results: TopicResults, names: ShownNames) -> list[dict[str, object]]:
    """Return size, mean and median share of each section, if several."""
    shares = results.shares()
    shares_by_section: dict[str, list[float]] = {}
    for student, share in shares.items():
        shares_by_section.setdefault(names.sections.get(student) or "none", []).append(share)
    return [
        {
            "name": name,
            "number": len(section_shares),
            "mean": mean(section_shares),
            "median": median(section_shares),
        }
        for name, section_shares in sorted(shares_by_section.items())
        if len(shares_by_section) > 1
    ]


def _with_all_hints(course: Course, key: Key) -> Key:
    """Return the class's key with the hints of the tasks that other students have in a composed assignment."""
    handout = last_handout(course, key.topic) if course.is_composed(key.topic) else None
    by_form = {record.get("form"): folder for folder, record in handout.students.items()} if handout else {}
    for folder in by_form.values():
        other = read_key(course.paths.secret_key(key.topic, folder))
        tasks = {
            name: replace(task, hints={**other.tasks[name].hints, **task.hints})
            if name in other.tasks
            else task
            for name, task in key.tasks.items()
        }
        key = replace(key, tasks=tasks, pages={**other.pages, **key.pages})
    return key


def _share(result: StudentResult, task: str) -> float:
    return float(result.outcome.verdicts[task]["fraction"]) if task in result.outcome.verdicts else 0.0


def _equal_groups(course: Course, results: TopicResults, names: ShownNames) -> Iterator[dict[str, object]]:
    """Yield the groups of equal submissions that have a member among these students."""
    members = set(results.marks)
    for group in equal_hand_ins(course, results.topic):
        if members.intersection(group.students):
            yield {
                "kind": group.kind,
                "students": [names[student] for student in group.students if student in members],
                "others": len(set(group.students) - members),
            }


def _misconceptions(key: Key, students: list[StudentResult]) -> Iterator[dict[str, object]]:
    counts = Counter(
        (name, verdict["misconception"])
        for result in students
        for name, verdict in result.outcome.verdicts.items()
        if verdict["misconception"]
    )
    for (task, name), count in counts.most_common():
        hint = key.tasks[task].hints.get(name) if task in key.tasks else None
        yield {
            "task": task,
            "name": name.replace("_", " "),
            "count": count,
            **(_hint_values(key, hint) if hint else {"hint": "", "page": None, "place": "the page"}),
        }


def _hint_values(key: Key, hint: Hint) -> dict[str, str | None]:
    page = key.pages.get(hint.see)
    return {
        "hint": hint.text,
        "page": page.address if page else None,
        "place": (page.name if page else "") or "the page",
    }


def _errors(students: list[StudentResult], *, hidden: bool) -> Iterator[dict[str, object]]:
    """Count errors by task, kind and exception, the most frequent first.

    If names are hidden, leave out the exception's message, which may contain a name.
    """
    counts = Counter(
        (name, ERROR_NAMES[verdict["problem"]], _shown_exception(verdict, hidden=hidden))
        for result in students
        for name, verdict in result.outcome.verdicts.items()
        if verdict["problem"] in ERROR_NAMES and not verdict["passed"]
    )
    for (task, kind, exception), count in counts.most_common(MAX_ERROR_ROWS):
        yield {"task": task, "kind": kind, "exception": exception, "count": count}


def _shown_exception(verdict: VerdictRecord, *, hidden: bool = False) -> str:
    error = str(verdict.get("error") or "")
    return error.partition(":")[0] if hidden else error


def _groups(course: Course, results: TopicResults, names: ShownNames) -> Iterator[dict[str, Any]]:
    """Yield the largest groups of unexplained wrong answers."""
    groups = unexplained_groups(course, results.topic, [result.outcome for result in results.marks.values()])
    for group in [shared for shared in groups if len(shared.students) > 1][:MAX_SHOWN_GROUPS]:
        program = "" if names.hidden else shortest_program(course, group)[1]
        yield {
            "name": group.name,
            "task": group.task,
            "count": len(group.students),
            "case": group.case,
            "text": group.text,
            "program": program,
        }


def _tasks(key: Key, students: list[StudentResult]) -> Iterator[dict[str, object]]:
    discriminations = _discriminations(key, students)
    for (name, task), discrimination in zip(key.tasks.items(), discriminations, strict=True):
        verdicts = [result.outcome.verdicts[name] for result in students if name in result.outcome.verdicts]
        yield {
            "name": name,
            "kind": task.kind,
            "points": task.points,
            **_share_values([verdict["fraction"] for verdict in verdicts]),
            "known": sum(bool(verdict["misconception"]) for verdict in verdicts),
            **_unexplained_values([v for v in verdicts if not v["passed"] and not v["misconception"]]),
            "discrimination": discrimination,
        }


def _discriminations(key: Key, students: list[StudentResult]) -> Sequence[float | None]:
    if not students:
        return [None] * len(key.tasks)
    points = [[_share(result, name) * task.points for name, task in key.tasks.items()] for result in students]
    return statistics.discriminations(np.array(points))


def _share_values(shares: Sequence[float]) -> dict[str, float | None]:
    return {
        "number": len(shares),
        "share": mean(shares) if shares else None,
        "full": sum(share == 1 for share in shares),
        "partial": sum(0 < share < 1 for share in shares),
    }


def _unexplained_values(verdicts: Sequence[VerdictRecord]) -> dict[str, int | str]:
    """Count missing answers, errors by kind, and the other answers that no misconception explains."""
    unanswered = sum(verdict["problem"] in NO_ANSWER_PROBLEMS for verdict in verdicts)
    errors = Counter(ERROR_NAMES[v["problem"]] for v in verdicts if v["problem"] in ERROR_NAMES)
    return {
        "unanswered": unanswered,
        "errors": errors.total(),
        "errors_by_kind": ", ".join(f"{count} {kind}" for kind, count in sorted(errors.items())),
        "other": len(verdicts) - unanswered - errors.total(),
    }


def _task_alerts(tasks: list[dict[str, Any]], groups: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    for task in tasks:
        discrimination, share = task["discrimination"], task["share"]
        if discrimination is not None and discrimination < MIN_DISCRIMINATION:
            what = f"its discrimination is {discrimination:.2f}: those who did well otherwise did not do better here"
            yield {"who": task["name"], "what": what}
        if (
            share is not None
            and share < MIN_TASK_SHARE
            and task["number"] >= statistics.MIN_STUDENTS_FOR_CORRELATION
        ):
            yield {"who": task["name"], "what": f"the class earned {share:.0%} of its points"}
    for group in groups:
        if group["count"] > 2:
            what = (
                f"{group['count']} students gave the same wrong answer that nobody foresaw ({group['name']})"
            )
            yield {"who": group["task"], "what": what}


def _alerts(results: TopicResults, names: ShownNames) -> Iterator[dict[str, str]]:
    for result in results.marks.values():
        for remark in result.outcome.instructor_notes:
            yield {"who": names[result.student], "what": remark}


def _efforts(course: Course, results: TopicResults) -> dict[str, Effort]:
    hand_in_counts = hand_ins(course, results.topic)
    return {student: effort(course, results.topic, student, hand_in_counts) for student in results.marks}


def _describe_efforts(efforts: list[Effort]) -> list[str]:
    kinds = (
        ("minutes", "minutes of work between the first and the last run, without pauses"),
        ("runs", "cells run in the last session"),
        ("hand_ins", "hand-ins"),
    )
    lines = []
    for name, words in kinds:
        known = [value for effort_ in efforts if (value := getattr(effort_, name)) is not None]
        if known:
            lines.append(f"{words}: median {median(known):.0f}, most {max(known):.0f}; known of {len(known)}")
    return lines


def _variants(course: Course, results: TopicResults) -> list[dict[str, object]]:
    handout = last_handout(course, results.topic)
    if handout is None:
        return []
    names = {
        folder: record.get("variant", f"variant-{record['seed'][:6]}")
        for folder, record in handout.students.items()
    }
    return fairness.by_variant(names, results.shares())


def _lengths(course: Course, results: TopicResults) -> list[dict[str, object]]:
    handout = last_handout(course, results.topic)
    if handout is None:
        return []
    keys = {}
    for student in results.marks:
        folder = handout.folder(student)
        if folder:
            path = course.paths.release(results.topic, folder) / f"{results.topic}.key.json"
            keys[student] = read_key(path)
    shares = {
        result.student: {task: _share(result, task) for task in result.outcome.verdicts}
        for result in results.marks.values()
    }
    return fairness.by_length(keys, shares)


def _students_needing_help(results: TopicResults, names: ShownNames) -> list[dict[str, object]]:
    """List the students below NEEDS_HELP_SHARE of the graded points, weakest first.

    An unreadable submission counts as a share of zero.
    """
    shares = results.graded_shares()
    needing_help = [result for result in results.marks.values() if shares[result.student] < NEEDS_HELP_SHARE]
    return [
        {
            "name": names[result.student],
            "share": shares[result.student],
            "why": _describe_need_for_help(result),
        }
        for result in sorted(needing_help, key=lambda result: (shares[result.student], names[result.student]))
    ]


def _describe_need_for_help(result: StudentResult) -> str:
    verdicts = result.outcome.verdicts
    if not verdicts:
        return "nothing could be read"
    wrong = sorted({v["misconception"].replace("_", " ") for v in verdicts.values() if v["misconception"]})
    empty = sum(verdict["problem"] in NO_ANSWER_PROBLEMS for verdict in verdicts.values())
    parts = [f"{empty} of {len(verdicts)} tasks not answered"] if empty else []
    errors = Counter(ERROR_NAMES[v["problem"]] for v in verdicts.values() if v["problem"] in ERROR_NAMES)
    parts += [f"{count} {kind}" for kind, count in errors.items()]
    return "; ".join([*parts, *wrong[:4]])


def _rubric_values(results: TopicResults, rubric_list: list[Rubric]) -> dict[str, Any]:
    """Return the mean share of the points per rubric item."""
    rows = []
    for rubric in rubric_list:
        read = [decisions(result.comments.get(rubric.question, "")) for result in results.marks.values()]
        for item in rubric.items:
            earned = [decided[item.name] for decided in read if item.name in decided]
            if earned:
                share = mean(earned) / item.points
                rows.append(
                    {"question": rubric.question, "item": item.name, "number": len(earned), "share": share}
                )
    return {"rubric": rows}


def _similar_pairs(
    course: Course, results: TopicResults, names: ShownNames, *course_notebooks: object
) -> list[dict[str, Any]]:
    """Return the pairs of similar submissions, with names and answers."""
    fingerprints_by_student = {student: _answers(course, results.topic, student) for student in results.marks}
    course_fingerprints: dict[str, Fingerprints] = {}
    for notebook in course_notebooks:
        for answer, prints in _fingerprints(notebook).items():
            course_fingerprints[answer] = course_fingerprints.get(answer, frozenset()) | prints
    return [
        {
            "one": names[pair.one],
            "other": names[pair.other],
            "share": pair.share,
            "answers": ", ".join(pair.answers),
        }
        for pair in similar_pairs(fingerprints_by_student, course_fingerprints)
    ]


def _answers(course: Course, topic: str, student: str) -> dict[str, Fingerprints]:
    path = course.paths.autograded(student, topic) / f"{topic}.ipynb"
    try:
        return _fingerprints(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def _fingerprints(notebook: Any) -> dict[str, Fingerprints]:
    return {
        str(name_of(cell)): fingerprints(source_of(cell), is_code=cell["cell_type"] == "code")
        for cell in notebook["cells"]
        if is_answer_cell(cell)
    }


def _student_row(
    results: TopicResults, key: Key, result: StudentResult, names: ShownNames, effort_: Effort
) -> dict[str, object]:
    feedback = f"../feedback/{quote(result.student)}/{results.topic}/{results.topic}.html"
    return {
        "name": names[result.student],
        "section": names.sections.get(result.student, ""),
        "score": result.score,
        "pending": result.is_pending,
        "penalty": result.penalty,
        "late": result.late / 3600,
        "runs": effort_.runs,
        "feedback": None if names.hidden else feedback,
        "cells": [_task_cell(name, result, hidden=names.hidden) for name in key.tasks],
    }


def _task_cell(name: str, result: StudentResult, *, hidden: bool) -> Mapping[str, object]:
    verdict = result.outcome.verdicts.get(name)
    share = float(verdict["fraction"]) if verdict else 0.0
    sign = "good" if share == 1 else "part" if share > 0 else "bad"
    error = _shown_exception(verdict, hidden=hidden) if verdict else ""
    why = (verdict["misconception"] or error or verdict["problem"]) if verdict else "not run"
    by_hand = result.cells.get(check_name(name))
    return {
        "sign": SIGNS[sign],
        "mark": sign[0],
        "share": share,
        "why": str(why or "").replace("_", " "),
        "points": by_hand,
    }
