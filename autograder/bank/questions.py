"""Print quick questions: a worksheet in several forms, and a marking key with the reason of each wrong letter.

A form has the numbers and letters of its own seed, so the same command prints the same sheet again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autograder.authoring.question_builders import QuestionBuilder
from autograder.authoring.topic import load_builders
from autograder.bank.printing import print_parts, question_heading
from autograder.bank.quick import quick_key_html, quick_question_html
from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.question import QuestionKind, QuickQuestion
from autograder.release.questions import draw_question

MAX_WORKSHEET_FORMS = 26
WORKSHEET_FILE, WORKSHEET_KEY_FILE = "questions.pdf", "questions-key.pdf"
LABEL_IN_TEXT = re.compile(r"\[\[([a-z]+(?:-[a-z0-9]+)+)\]\]")


def _questions_of_kinds(builders: Mapping[str, QuestionBuilder], kinds: Sequence[QuestionKind]) -> list[str]:
    return [name for name, builder in builders.items() if not kinds or builder.kind in kinds]


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
        chosen = [name] if name else _questions_of_kinds(builders, kinds)
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
    heading = question_heading(number, question.title, question.points)
    return f'<div class="question">{heading}{quick_question_html(question)}</div>'


def worksheet_key_html(code: str, questions: Sequence[QuickQuestion]) -> str:
    """Return the marking key of one form: right letters, and why the others are wrong."""
    parts = [
        question_heading(number, question.title, question.points) + quick_key_html(question, question.points)
        for number, question in enumerate(questions, 1)
    ]
    return "\n".join([f"<h1>Questions: marking key {code}</h1>", *parts])


def _named(course: Course, text: str) -> str:
    """Replace labels by the book's numbers, because paper has no links."""
    places = labels(course.book)
    return LABEL_IN_TEXT.sub(lambda match: places[match[1]].number or places[match[1]].title, text)
