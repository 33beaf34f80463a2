"""The class report: what the class misunderstood, which tasks were hard and which told little, who needs help."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

import numpy as np

from autograder.authoring.cells import check_name, is_answer, name_of, source_of
from autograder.authoring.rubric import Rubric, decisions, rubrics
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.handout import last_handout
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.unforeseen import shortest_program, unforeseen
from autograder.judging.key import Key, load_key, read_key
from autograder.reports import fairness, statistics
from autograder.reports.effort import Effort, effort, hand_ins
from autograder.reports.marks import Mark, Marks, Names, read_marks
from autograder.reports.pages import render_page
from autograder.reports.similarity import Fingerprints, fingerprints, similar_pairs

SIGNS = {"good": "●", "part": "◐", "bad": "○"}
HELP = 0.5  # share of the points below which somebody needs help
EMPTY = ("not written", "missing")
ERRORS = {
    "raised": "raised an error",
    "did not run": "did not run",
    "too slow": "took too long",
    "stopped": "ended early",
}
GROUPS = 8  # of unforeseen answers, shown with a program
MAX_ERROR_ROWS = 20
FREQUENT = 12  # misconceptions that are seen at once; the rest is folded
LITTLE, TOO_HARD = 0.1, 0.25  # discrimination and share at which a task deserves a look


@dataclass(frozen=True)
class Wanted:
    """Which report: with names or without, of the whole class or of a section."""

    hide_names: bool = False
    section: str = ""

    def file(self, name: str) -> str:
        """The file name of a page."""
        parts = [name, *([quote(self.section, safe="")] if self.section else [])]
        return ".".join([*parts, *(["without-names"] if self.hide_names else []), "html"])


def write_report(course: Course, topic: str, wanted: Wanted | None = None) -> Path:
    """Write the report page of a topic and return its path; CourseError if nobody of it was graded."""
    wanted = wanted or Wanted()
    assignment = load_assignment(course, topic)
    marks = read_marks(course, topic, wanted.section)
    if not marks.marks and wanted.section:
        raise CourseError(
            f"nobody of section {wanted.section!r} was graded in {topic}: is it spelt as in the roster?"
        )
    names = Names(course, list(marks.marks), hidden=wanted.hide_names)
    key, release = load_key(assignment.public), json.loads(assignment.release)
    page = course.places.report / wanted.file(topic)
    values = _values(course, marks, key, names)
    values |= _by_hand(marks, rubrics(release))
    if not wanted.hide_names:
        values |= {"pairs": _pairs(course, marks, names, release, json.loads(assignment.source))}
    write_text(page, render_page("report.html", **values, section=wanted.section, pages=wanted.file("index")))
    return page


def _values(course: Course, marks: Marks, key: Key, names: Names) -> dict[str, Any]:
    everyone = list(marks.marks.values())
    scores = [one.score for one in everyone]
    tasks = list(_tasks(key, everyone))
    efforts = _efforts(course, marks)
    points = np.array([[_share(one, name) for name in key.tasks] for one in everyone] or [[0.0]])
    groups = list(_groups(course, marks, names))
    low, middle, high = statistics.quartiles(scores)
    return {
        "topic": marks.topic,
        "hidden": names.hidden,
        "mean": mean(scores or [0.0]),
        "quartiles": (low, middle, high),
        "deviation": statistics.deviation(scores),
        "reliability": statistics.reliability(points),
        "max": marks.total,
        "pending": sum(one.is_pending for one in everyone),
        "fewest": statistics.FEWEST,
        "bins": statistics.bins(list(marks.shares().values())),
        "misconceptions": list(_misconceptions(key, everyone)),
        "errors": list(_errors(everyone, hidden=names.hidden)),
        "frequent": FREQUENT,
        "sections": _sections(marks, names),
        "groups": groups,
        "tasks": tasks,
        "effort": _effort_in_words(list(efforts.values())),
        "variants": _variants(course, marks),
        "lengths": _lengths(course, marks),
        "help": _help(marks, names),
        "help_below": HELP,
        "alerts": [] if names.hidden else [*_task_alerts(tasks, groups), *_alerts(marks, names)],
        "task_names": list(key.tasks),
        "students": [_student(marks, key, one, names, efforts[one.student]) for one in everyone],
        "has_sections": any(names.sections.values()),
        "pairs": [],
    }


def _sections(marks: Marks, names: Names) -> list[dict[str, Any]]:
    """How each section did, where there are several."""
    shares = marks.shares()
    found: dict[str, list[float]] = {}
    for student, share in shares.items():
        found.setdefault(names.sections.get(student) or "none", []).append(share)
    return [
        {"name": name, "number": len(theirs), "mean": mean(theirs), "median": median(theirs)}
        for name, theirs in sorted(found.items())
        if len(found) > 1
    ]


def _share(mark: Mark, task: str) -> float:
    return float(mark.outcome.verdicts[task]["fraction"]) if task in mark.outcome.verdicts else 0.0


def _misconceptions(key: Key, everyone: list[Mark]) -> Iterator[dict[str, Any]]:
    counted = Counter(
        (name, verdict["misconception"])
        for one in everyone
        for name, verdict in one.outcome.verdicts.items()
        if verdict["misconception"]
    )
    for (task, name), count in counted.most_common():
        hint = key.tasks[task].hints.get(name) if task in key.tasks else None
        page = key.pages.get(hint.see) if hint else None
        yield {
            "task": task,
            "name": name.replace("_", " "),
            "count": count,
            "hint": hint.text if hint else "",
            "page": page.address if page else None,
            "place": (page.name if page else "") or "the page",
        }


def _errors(everyone: list[Mark], *, hidden: bool) -> Iterator[dict[str, Any]]:
    """Count the errors of programs by task, kind and exception, the most frequent first.

    Where names are hidden the exception's message is, too: it may hold one.
    """
    counted = Counter(
        (name, ERRORS[verdict["problem"]], _exception(verdict, hidden=hidden))
        for one in everyone
        for name, verdict in one.outcome.verdicts.items()
        if verdict["problem"] in ERRORS and not verdict["passed"]
    )
    for (task, kind, exception), count in counted.most_common(MAX_ERROR_ROWS):
        yield {"task": task, "kind": kind, "exception": exception, "count": count}


def _exception(verdict: Mapping[str, Any], *, hidden: bool = False) -> str:
    error = str(verdict.get("error") or "")
    return error.partition(":")[0] if hidden else error


def _groups(course: Course, marks: Marks, names: Names) -> Iterator[dict[str, Any]]:
    """The largest groups of wrong answers that nobody foresaw."""
    found = unforeseen(course, marks.topic, [one.outcome for one in marks.marks.values()])
    for group in [one for one in found if len(one.students) > 1][:GROUPS]:
        program = "" if names.hidden else shortest_program(course, group)[1]
        yield {
            "name": group.name,
            "task": group.task,
            "count": len(group.students),
            "case": group.case,
            "text": group.text,
            "program": program,
        }


def _tasks(key: Key, everyone: list[Mark]) -> Iterator[dict[str, Any]]:
    points = np.array(
        [[_share(one, name) * task.points for name, task in key.tasks.items()] for one in everyone]
    )
    told = statistics.discriminations(points) if everyone else [None] * len(key.tasks)
    for (name, task), discrimination in zip(key.tasks.items(), told, strict=True):
        verdicts = [one.outcome.verdicts[name] for one in everyone if name in one.outcome.verdicts]
        shares = [verdict["fraction"] for verdict in verdicts]
        unexplained = [v for v in verdicts if not v["passed"] and not v["misconception"]]
        unanswered = sum(verdict["problem"] in EMPTY for verdict in unexplained)
        errors = Counter(ERRORS[v["problem"]] for v in unexplained if v["problem"] in ERRORS)
        yield {
            "name": name,
            "kind": task.kind,
            "points": task.points,
            "number": len(shares),
            "share": mean(shares) if shares else None,
            "full": sum(share == 1 for share in shares),
            "partial": sum(0 < share < 1 for share in shares),
            "unanswered": unanswered,
            "known": sum(bool(verdict["misconception"]) for verdict in verdicts),
            "errors": errors.total(),
            "errors_by_kind": ", ".join(f"{count} {kind}" for kind, count in sorted(errors.items())),
            "other": len(unexplained) - unanswered - errors.total(),
            "discrimination": discrimination,
        }


def _task_alerts(tasks: list[dict[str, Any]], groups: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    for task in tasks:
        told, share = task["discrimination"], task["share"]
        if told is not None and told < LITTLE:
            yield {
                "who": task["name"],
                "what": f"its discrimination is {told:.2f}: those who did well otherwise did not do better here",
            }
        if share is not None and share < TOO_HARD and task["number"] >= statistics.FEWEST:
            yield {"who": task["name"], "what": f"the class earned {share:.0%} of its points"}
    for group in groups:
        if group["count"] > 2:
            what = (
                f"{group['count']} students gave the same wrong answer that nobody foresaw ({group['name']})"
            )
            yield {"who": group["task"], "what": what}


def _alerts(marks: Marks, names: Names) -> Iterator[dict[str, str]]:
    for one in marks.marks.values():
        for note in one.outcome.told:
            yield {"who": names[one.student], "what": note}


def _efforts(course: Course, marks: Marks) -> dict[str, Effort]:
    counted = hand_ins(course, marks.topic)
    return {student: effort(course, marks.topic, student, counted) for student in marks.marks}


def _effort_in_words(efforts: list[Effort]) -> list[str]:
    kinds = (
        ("minutes", "minutes of work between the first and the last run, without pauses"),
        ("runs", "cells run in the last session"),
        ("hand_ins", "hand-ins"),
    )
    said = []
    for name, words in kinds:
        known = [value for one in efforts if (value := getattr(one, name)) is not None]
        if known:
            said.append(f"{words}: median {median(known):.0f}, most {max(known):.0f}; known of {len(known)}")
    return said


def _variants(course: Course, marks: Marks) -> list[dict[str, Any]]:
    handout = last_handout(course, marks.topic)
    if handout is None:
        return []
    names = {
        folder: record.get("variant", f"variant-{record['seed'][:6]}")
        for folder, record in handout.students.items()
    }
    return fairness.by_variant(names, marks.shares())


def _lengths(course: Course, marks: Marks) -> list[dict[str, Any]]:
    handout = last_handout(course, marks.topic)
    if handout is None:
        return []
    keys = {}
    for student in marks.marks:
        folder = handout.folder(student)
        if folder:
            path = course.places.release(marks.topic, folder) / f"{marks.topic}.key.json"
            keys[student] = read_key(path)
    shares = {
        one.student: {task: _share(one, task) for task in one.outcome.verdicts}
        for one in marks.marks.values()
    }
    return fairness.by_length(keys, shares)


def _help(marks: Marks, names: Names) -> list[dict[str, Any]]:
    """Those below half of the points, or whose work could not be read: the weakest first."""
    shares = marks.shares()
    found = [one for one in marks.marks.values() if shares[one.student] < HELP]
    return [
        {"name": names[one.student], "share": shares[one.student], "why": _why(one)}
        for one in sorted(found, key=lambda one: (shares[one.student], names[one.student]))
    ]


def _why(mark: Mark) -> str:
    verdicts = mark.outcome.verdicts
    if not verdicts:
        return "nothing could be read"
    wrong = sorted({v["misconception"].replace("_", " ") for v in verdicts.values() if v["misconception"]})
    empty = sum(verdict["problem"] in EMPTY for verdict in verdicts.values())
    parts = [f"{empty} of {len(verdicts)} tasks not answered"] if empty else []
    errors = Counter(ERRORS[v["problem"]] for v in verdicts.values() if v["problem"] in ERRORS)
    parts += [f"{count} {kind}" for kind, count in errors.items()]
    return "; ".join([*parts, *wrong[:4]])


def _by_hand(marks: Marks, found: list[Rubric]) -> dict[str, Any]:
    """How often each item of each rubric was earned."""
    rows = []
    for rubric in found:
        read = [decisions(one.comments.get(rubric.question, "")) for one in marks.marks.values()]
        for item in rubric.items:
            given = [decided[item.name] for decided in read if item.name in decided]
            if given:
                share = mean(given) / item.points
                rows.append(
                    {"question": rubric.question, "item": item.name, "number": len(given), "share": share}
                )
    return {"rubric": rows}


def _pairs(course: Course, marks: Marks, names: Names, *given: Any) -> list[dict[str, Any]]:
    """Pairs of submissions that deserve a look."""
    own = {student: _answers(course, marks.topic, student) for student in marks.marks}
    theirs: dict[str, Fingerprints] = {}
    for notebook in given:
        for answer, marks_ in _fingerprints(notebook).items():
            theirs[answer] = theirs.get(answer, frozenset()) | marks_
    return [
        {
            "one": names[pair.one],
            "other": names[pair.other],
            "share": pair.share,
            "answers": ", ".join(pair.answers),
        }
        for pair in similar_pairs(own, theirs)
    ]


def _answers(course: Course, topic: str, student: str) -> dict[str, Fingerprints]:
    path = course.places.autograded(student, topic) / f"{topic}.ipynb"
    try:
        return _fingerprints(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def _fingerprints(notebook: Any) -> dict[str, Fingerprints]:
    return {
        str(name_of(cell)): fingerprints(source_of(cell), is_code=cell["cell_type"] == "code")
        for cell in notebook["cells"]
        if is_answer(cell)
    }


def _student(marks: Marks, key: Key, one: Mark, names: Names, worked: Effort) -> dict[str, Any]:
    feedback = f"../feedback/{quote(one.student)}/{marks.topic}/{marks.topic}.html"
    return {
        "name": names[one.student],
        "section": names.sections.get(one.student, ""),
        "score": one.score,
        "pending": one.is_pending,
        "penalty": one.penalty,
        "late": one.late / 3600,
        "runs": worked.runs,
        "feedback": None if names.hidden else feedback,
        "cells": [_cell(name, one, hidden=names.hidden) for name in key.tasks],
    }


def _cell(name: str, mark: Mark, *, hidden: bool) -> Mapping[str, Any]:
    verdict = mark.outcome.verdicts.get(name)
    share = float(verdict["fraction"]) if verdict else 0.0
    sign = "good" if share == 1 else "part" if share > 0 else "bad"
    error = _exception(verdict, hidden=hidden) if verdict else ""
    why = (verdict["misconception"] or error or verdict["problem"]) if verdict else "not run"
    by_hand = mark.cells.get(check_name(name))
    return {
        "sign": SIGNS[sign],
        "mark": sign[0],
        "share": share,
        "why": str(why or "").replace("_", " "),
        "points": by_hand,
    }
