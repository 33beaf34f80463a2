"""Objectives, prerequisites and a plan for 50 minutes, read from a chapter and its tasks."""

import re
from dataclasses import dataclass

from autograder.authoring.asked import asked
from autograder.authoring.topic import load_tasks
from autograder.book.labels import labels
from autograder.course import contents
from autograder.course.course import Course

LECTURE_MINUTES = 50
OPENING_MINUTES, CLOSING_MINUTES, QUESTION_MINUTES = 5, 5, 2
MAX_OBJECTIVES = 6  # of each kind
_LABEL = re.compile(r"\b(?:eq|thm|def|prop|lem|cor|alg|sec)-[a-z0-9_]+(?:-[a-z0-9]+)+\b")
_STATEMENT = re.compile(r"^(?:thm|def|prop|lem|cor|alg)-")


@dataclass(frozen=True)
class PlanStep:
    """A step of the plan: when it begins, how long it takes, and what it is."""

    start: int
    minutes: int
    what: str


def _statements(course: Course, topic: str) -> list[str]:
    return [
        f"{place.number}: {place.title}" if place.title else place.number
        for label, place in labels(course.book).items()
        if place.page == topic and _STATEMENT.match(label)
    ]


def objectives(course: Course, topic: str) -> dict[str, list[str]]:
    """Return what students should be able to do, by kind, in Markdown."""
    tasks, titles = load_tasks(course, topic), asked(course, topic)
    by_hand = [titles[name].title for name in tasks if name in titles and titles[name].title]
    programs = [
        f"`{name}`: {_cited((task.answer.__doc__ or name).strip().splitlines()[0])}"
        for name, task in tasks.items()
        if task.kind == "code"
    ]
    return {
        "State and use": _statements(course, topic)[:MAX_OBJECTIVES],
        "Work out by hand": by_hand[:MAX_OBJECTIVES],
        "Write as a program": programs[:MAX_OBJECTIVES],
    }


def _cited(text: str) -> str:
    """Put labels into backquotes, by which a text becomes a link."""
    return _LABEL.sub(lambda match: f"`{match[0]}`", text)


def prerequisites(course: Course, topic: str) -> list[str]:
    """Return the earlier pages that the chapter cites, the most cited first, in Markdown."""
    places = labels(course.book)
    order = [entry.rpartition("/")[2] for entry in contents.contents_entries(course.root)]
    before = order[: order.index(topic)] if topic in order else []
    text = (course.book / f"{topic}.md").read_text("utf-8")
    cited: dict[str, list[str]] = {}
    for label in dict.fromkeys(_LABEL.findall(text)):
        if label in places and places[label].page in before:
            cited.setdefault(places[label].page, []).append(places[label].number)
    most = sorted(cited, key=lambda page: -len(cited[page]))
    return [f"{course.title(page)} ({', '.join(filter(None, cited[page]))})" for page in most]


def lecture_plan(sections: list[tuple[str, int]], n_questions: int) -> list[PlanStep]:
    """Divide the lecture among its sections by their numbers of slides; questions come between them."""
    asked_minutes = n_questions * QUESTION_MINUTES
    rest = LECTURE_MINUTES - OPENING_MINUTES - CLOSING_MINUTES - asked_minutes
    shares = _shares([max(weight, 1) for _, weight in sections], rest)
    spots = _spots(len(sections), n_questions)
    steps: list[tuple[int, str]] = [(OPENING_MINUTES, "The opening question and picture of the chapter")]
    number = 0
    for place, ((title, _), minutes) in enumerate(zip(sections, shares, strict=True)):
        if minutes:
            steps.append((minutes, title))
        for _ in range(spots.count(place)):
            number += 1
            steps.append((QUESTION_MINUTES, f"Question {number}: vote, talk to your neighbour, vote again"))
    steps.append((CLOSING_MINUTES, "Summary; the first task, live"))
    starts = [sum(minutes for minutes, _ in steps[:place]) for place in range(len(steps))]
    return [PlanStep(start, minutes, what) for start, (minutes, what) in zip(starts, steps, strict=True)]


def _shares(weights: list[int], total: int) -> list[int]:
    """Divide whole minutes by weight (largest remainders)."""
    if not weights:
        return []
    exact = [total * weight / sum(weights) for weight in weights]
    whole = [int(share) for share in exact]
    by_rest = sorted(range(len(weights)), key=lambda place: whole[place] - exact[place])
    for place in by_rest[: total - sum(whole)]:
        whole[place] += 1
    return whole


def _spots(n_sections: int, n_questions: int) -> list[int]:
    """Return the sections after which questions are asked, spread evenly."""
    return (
        [((place + 1) * n_sections) // (n_questions + 1) for place in range(n_questions)]
        if n_sections
        else []
    )
