"""Quick questions for the book's pages: variants as HTML, with what the page's script needs to judge.

The script judges choices and orders as `autograder.judging.judge_question` does. No program runs in a page, so of a
find-the-fault question the page asks for all inputs, of a few, on which the fault shows.
"""

import json
from pathlib import Path
from typing import Any

from autograder.authoring.question_builders import Choice
from autograder.authoring.question_cells import HOW_TO_CHOOSE_INPUTS
from autograder.authoring.topic import load_builders
from autograder.course.course import Course
from autograder.judging.question import QuestionItem, QuickQuestion, describe_picture
from autograder.release.prose import prose_html
from autograder.release.questions import draw_question

QUESTIONS_FOLDER = Path("_static", "questions")  # in the folder of the pages
PAGE_VARIANTS = 3


def page_questions(course: Course, topic: str) -> list[dict[str, Any]]:
    """Return the data of all quick questions of a topic."""
    course = course.published
    return [
        _page_question([draw_question(f"{topic}.{name}", builder, seed) for seed in _seeds(builder)])
        for name, builder in load_builders(course, topic).items()
    ]


def _seeds(builder: object) -> list[str]:
    """Return a seed for each variant; only a choice has random numbers."""
    number = PAGE_VARIANTS if isinstance(builder, Choice) else 1
    return [f"on a page, number {variant}" for variant in range(1, number + 1)]


def _page_question(drawn: list[QuickQuestion]) -> dict[str, object]:
    first = drawn[0]
    variants: list[dict[str, Any]] = []
    for question in drawn:
        variant = _variant(question)
        if all(_without_letters(variant) != _without_letters(other) for other in variants):
            variants.append(variant)
    return {
        "name": first.name,
        "kind": first.kind,
        "several": first.several or first.kind == "fault",
        "title": first.title,
        "minutes": first.minutes,
        "see": first.see,
        "explanation": prose_html(first.explanation),
        "variants": variants,
    }


def _without_letters(variant: dict[str, Any]) -> object:
    """Return what distinguishes variants: the text, and the items in any order."""
    return variant["text"], variant["figure"], sorted(item["html"] for item in variant["items"].values())


def _variant(question: QuickQuestion) -> dict[str, object]:
    ending = f"\n\n{HOW_TO_CHOOSE_INPUTS}" if question.kind == "fault" else ""
    return {
        "text": prose_html(question.text + ending),
        "figure": picture_html(question.figure, "The data") if question.figure else "",
        "items": {letter: _item_data(letter, item) for letter, item in question.items.items()},
    }


def _item_data(letter: str, item: QuestionItem) -> dict[str, object]:
    data: dict[str, Any] = {"html": item_html(letter, item), "right": item.is_right}
    if not item.is_right:
        data |= {"hint": prose_html(item.hint), "see": item.see}
    return {**data, "after": list(item.after)} if item.after else data


def item_html(letter: str, item: QuestionItem) -> str:
    """Return an option, line or input as HTML."""
    if item.picture:
        return picture_html(item.picture, f"Picture {letter}")
    if item.is_code:
        return prose_html(f"```python\n{item.text}\n```" if "\n" in item.text else f"`{item.text}`")
    return prose_html(item.text)


def picture_html(picture: str, name: str) -> str:
    """Return a drawing as HTML, with its description for readers who cannot see it."""
    return f'<img src="{picture}" alt="{name}: {describe_picture(picture)}">'


def questions_file(course: Course, topic: str) -> Path:
    """Return the path of a topic's questions for its page."""
    return course.book / QUESTIONS_FOLDER / f"{topic}.json"


def questions_json(questions: list[dict[str, object]]) -> str:
    """Return the data as JSON with one line per question."""
    lines = [json.dumps(question, ensure_ascii=False, separators=(",", ":")) for question in questions]
    return "[\n" + ",\n".join(lines) + "\n]\n"
