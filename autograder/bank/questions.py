"""Print quick questions: a worksheet in several forms, and a marking key with the reason of each wrong letter.

A form has the numbers and letters of its own seed, so the same command prints the same sheet again.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.authoring.topic import load_builders
from autograder.bank.printing import print_parts, prose_inline
from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.question import QuestionKind, QuickQuestion
from autograder.release.prose import prose_html
from autograder.release.question_pages import HOW_TO_CHOOSE_INPUTS
from autograder.release.questions import draw_question

MAX_WORKSHEET_FORMS = 26
WORKSHEET_FILE, WORKSHEET_KEY_FILE = "questions.pdf", "questions-key.pdf"
LABEL_IN_TEXT = re.compile(r"\[\[([a-z]+(?:-[a-z0-9]+)+)\]\]")


def worksheet_questions(
    course: Course, names: Sequence[str], kinds: Sequence[QuestionKind], seed: str
) -> list[QuickQuestion]:
    """Return the questions of topics, or those named as in "areas.which_area", for one seed."""
    drawn = []
    for reference in names:
        topic, _, name = reference.partition(".")
        builders = load_builders(course, course.require_topics([topic])[0])
        if name and name not in builders:
            known = ", ".join(f"{topic}.{known}" for known in builders) or "none"
            raise CourseError(f"{reference} is no quick question; {topic} has {known}")
        chosen = (
            [name]
            if name
            else [key for key, builder in builders.items() if not kinds or builder.kind in kinds]
        )
        drawn += [draw_question(f"{topic}.{key}", builders[key], seed) for key in chosen]
    if not drawn:
        raise CourseError("there is no quick question of this kind in these topics")
    return drawn


def write_worksheets(
    course: Course, forms: dict[str, list[QuickQuestion]], folder: Path, *, large: bool = False
) -> Iterator[tuple[Path, int]]:
    """Print the sheets and the marking keys; yield each file with the number of its pages."""
    codes = list(forms)
    sheets = [_named(course, worksheet_html(questions)) for questions in forms.values()]
    keys = [_named(course, worksheet_key_html(code, questions)) for code, questions in forms.items()]
    path = folder / WORKSHEET_FILE
    yield path, print_parts("Questions", sheets, codes, path, large=large)
    path = folder / WORKSHEET_KEY_FILE
    yield path, print_parts("Questions: marking key", keys, codes, path)


def form_codes(number: int) -> list[str]:
    """Return the codes of the forms: FORM-A, FORM-B, …"""
    if not 1 <= number <= MAX_WORKSHEET_FORMS:
        raise CourseError(f"--forms must be between 1 and {MAX_WORKSHEET_FORMS}, not {number}")
    return [f"FORM-{chr(ord('A') + place)}" for place in range(number)]


def worksheet_html(questions: Sequence[QuickQuestion]) -> str:
    """Return the pages of one form."""
    boxes = "".join(_question_box(number, question) for number, question in enumerate(questions, 1))
    return f'<h1>Questions</h1><div class="who"><div><span class="label">Name</span></div></div>{boxes}'


def _question_box(number: int, question: QuickQuestion) -> str:
    points = f'<span class="points">{question.points:g} point{"" if question.points == 1 else "s"}</span>'
    return (
        f'<div class="question"><h2>{points}{number}. {prose_inline(question.title)}</h2>'
        f"{prose_html(question.text)}{_picture(question.figure, 'The data')}"
        f'<ul class="{_list_class(question)}">{_items(question)}</ul>'
        f'<div class="answer"><span class="label">{_how_to_answer(question)}</span>'
        f'<span class="room" style="height: 1.6em"></span></div></div>'
    )


def _how_to_answer(question: QuickQuestion) -> str:
    if question.kind == "fault":
        return HOW_TO_CHOOSE_INPUTS
    if question.kind == "order":
        return "Letters in a right order. Some do not belong."
    return "One or more letters" if question.several else "One letter"


def _picture(uri: str, words: str) -> str:
    return f'<p><img src="{uri}" alt="{words}"></p>' if uri else ""


def _list_class(question: QuickQuestion) -> str:
    return "pictures" if any(item.picture for item in question.items.values()) else "items"


def _items(question: QuickQuestion) -> str:
    return "".join(
        f"<li><b>{letter}</b> {_shown(item.text, item.is_code)}{_picture(item.picture, letter)}</li>"
        for letter, item in question.items.items()
    )


def _shown(text: str, is_code: bool) -> str:
    if is_code and "\n" in text:
        return prose_html(f"```python\n{text}\n```")
    return prose_inline(f"`{text}`" if is_code else text)


def worksheet_key_html(code: str, questions: Sequence[QuickQuestion]) -> str:
    """Return the marking key of one form: right letters, and why the others are wrong."""
    parts = [f"<h1>Questions: marking key {code}</h1>"]
    for number, question in enumerate(questions, 1):
        rows = "".join(
            f"<tr><td><b>{letter}</b></td><td>{_reason(question, letter)}</td></tr>"
            for letter in question.items
        )
        parts.append(
            f"<h2>{number}. {prose_inline(question.title)}</h2>"
            f"<p>Right: <strong>{' '.join(question.right)}</strong>, all or nothing: {question.points:g}. "
            f"A blind guess earns at most {question.points * question.guessing:.2g} on average; "
            f"taking off {question.points * question.penalty:.2g} for a wrong answer makes it nothing.</p>"
            f"<table><tr><th>Letter</th><th>Why</th></tr>{rows}</table>"
        )
    return "\n".join(parts)


def _reason(question: QuickQuestion, letter: str) -> str:
    item = question.items[letter]
    if not item.is_right:
        return prose_inline(item.hint)
    return f"right; after {', '.join(item.after)}" if item.after else "right"


def _named(course: Course, text: str) -> str:
    """Replace labels by the book's numbers, because paper has no links."""
    places = labels(course.book)
    return LABEL_IN_TEXT.sub(lambda match: places[match[1]].number or places[match[1]].title, text)
