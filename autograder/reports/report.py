"""The class report: what the class misunderstood, which tasks were hard, who needs attention."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

import numpy as np

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.grading import gradebook
from autograder.grading.choose import load_assignment
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.judging.key import Key, load_key
from autograder.reports.pages import render_page

SIGNS = {"good": "●", "part": "◐", "bad": "○"}


def write_report(course: Course, topic: str) -> Path:
    """Write the report page of a topic and return its path."""
    key = load_key(load_assignment(course, topic).public)
    outcomes = list(outcomes_on_file(course, topic))
    scores = gradebook.scores(course, topic)
    page = course.places.report_page(topic)
    write_text(page, _page(topic, key, outcomes, scores))
    return page


def _page(topic: str, key: Key, outcomes: list[Outcome], scores: Mapping[str, Any]) -> str:
    totals = [scores[one.student]["score"] for one in outcomes if one.student in scores] or [0.0]
    most = max((entry["max"] for entry in scores.values()), default=0.0)
    return render_page(
        "report.html",
        topic=topic,
        mean=mean(totals),
        median=median(totals),
        max=most,
        pending=sum(entry["needs_manual_grade"] for entry in scores.values()),
        bins=_bins(totals, most),
        misconceptions=list(_misconceptions(key, outcomes)),
        tasks=[_task(name, task.points, outcomes) for name, task in key.tasks.items()],
        attention=[{"student": one.student, "note": note} for one in outcomes for note in one.told],
        students=[_student(topic, key, one, scores.get(one.student)) for one in outcomes],
    )


def _bins(totals: list[float], most: float) -> list[dict[str, Any]]:
    """Ten bins of the share of points; the last one includes full marks."""
    counts = Counter(min(int(10 * total / most), 9) if most else 0 for total in totals)
    highest = max(counts.values(), default=1)
    return [
        {
            "label": f"{10 * low}–{10 * low + 10} %",
            "count": counts[low],
            "width": 100 * counts[low] // highest,
        }
        for low in range(9, -1, -1)
    ]


def _misconceptions(key: Key, outcomes: list[Outcome]) -> Iterator[dict[str, Any]]:
    counted = Counter(
        (name, verdict["misconception"])
        for one in outcomes
        for name, verdict in one.verdicts.items()
        if verdict["misconception"]
    )
    for (task, name), count in counted.most_common():
        hint = key.tasks[task].hints[name]
        page = key.pages.get(hint.see)
        yield {
            "task": task,
            "name": name.replace("_", " "),
            "count": count,
            "hint": hint.text,
            "page": page.address if page else None,
            "place": (page.name if page else "") or "the page to reread",
        }


def _task(name: str, points: float, outcomes: list[Outcome]) -> dict[str, Any]:
    verdicts = [one.verdicts[name] for one in outcomes if name in one.verdicts]
    shares = [verdict["fraction"] for verdict in verdicts]
    unexplained = [v for v in verdicts if not v["passed"] and not v["misconception"]]
    unanswered = sum(verdict["problem"] in ("not written", "missing") for verdict in unexplained)
    return {
        "name": name,
        "points": points,
        "share": mean(shares) if shares else 0.0,
        "full": sum(share == 1 for share in shares),
        "partial": sum(0 < share < 1 for share in shares),
        "unanswered": unanswered,
        "other": len(unexplained) - unanswered,
        "discrimination": _discrimination(name, outcomes),
    }


def _discrimination(name: str, outcomes: list[Outcome]) -> float | None:
    """Correlation between a task's share and the rest of the score; None when one of them does not vary."""
    pairs = [
        (
            one.verdicts[name]["fraction"],
            sum(v["fraction"] * v["points"] for n, v in one.verdicts.items() if n != name),
        )
        for one in outcomes
        if name in one.verdicts
    ]
    shares, rest = np.array(pairs).reshape(-1, 2).T
    if len(shares) < 3 or np.ptp(shares) == 0 or np.ptp(rest) == 0:
        return None
    return float(np.corrcoef(shares, rest)[0, 1])


def _student(topic: str, key: Key, one: Outcome, score: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        "id": one.student,
        "score": score["score"] if score else 0.0,
        "pending": bool(score and score["needs_manual_grade"]),
        "feedback": f"../feedback/{quote(one.student)}/{topic}/{topic}.html",
        "cells": [_cell(name, one.verdicts.get(name)) for name in key.tasks],
    }


def _cell(name: str, verdict: Mapping[str, Any] | None) -> dict[str, str]:
    share = verdict["fraction"] if verdict else 0.0
    mark = "good" if share == 1 else "part" if share > 0 else "bad"
    why = (verdict["misconception"] or verdict["problem"] or f"{100 * share:.0f} %") if verdict else "not run"
    return {"name": name, "mark": mark, "sign": SIGNS[mark], "why": str(why).replace("_", " ")}
