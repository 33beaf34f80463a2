"""Moodle XML: a numerical question for one number, embedded answers (Cloze) for several.

Moodle asks for the first alternative that matches, so the right number comes first. In an embedded answer `}` and `~`
end a feedback; they are written as character references, which Moodle decodes.
"""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from autograder.quiz.blanks import Blank, blanks_of
from autograder.quiz.choice import AnyQuestion
from autograder.quiz.layout import answer_lines
from autograder.quiz.quantities import Interval
from autograder.quiz.question import QuizQuestion
from autograder.quiz.xml import add

WRONG = "This is not right yet."
# the shares of the points that a numerical question of Moodle accepts, in percent
MOODLE_PERCENTS = (
    *(100, 90, 250 / 3, 80, 75, 70, 200 / 3, 60, 50, 40, 100 / 3, 30, 25, 20, 50 / 3, 100 / 7, 12.5, 100 / 9),
    *(10, 5, 0),
)


def add_moodle_numbers(quiz: Element, question: QuizQuestion) -> None:
    """Add a question of numbers, in normal form."""
    blanks = blanks_of(question)
    is_single = len(blanks) == 1
    element = add(quiz, "question", type="numerical" if is_single else "cloze")
    start_question(
        element, question, question.text if is_single else question.text + _cloze(question, blanks)
    )
    if not is_single:
        return
    add(element, "defaultgrade", number(question.points))
    _add_answer(element, blanks[0].right, 100, "")
    for wrong in blanks[0].wrong:
        _add_answer(element, wrong.interval, 100 * wrong.fraction, wrong.feedback)
    _add_other_answers(element)


def start_question(element: Element, question: AnyQuestion, text: str) -> None:
    """Add name, text, general feedback and settings."""
    add(add(element, "name"), "text", f"{question.title} ({question.number})")
    add(add(element, "questiontext", format="html"), "text", text)
    add(add(element, "generalfeedback", format="html"), "text", question.worked)
    add(element, "penalty", "0.3333333")
    add(element, "hidden", "0")
    add(element, "idnumber", question.ident)


def number(value: float) -> str:
    """Return a number in decimals, without an exponent."""
    return format(value, ".7f").rstrip("0").rstrip(".")


def _add_answer(element: Element, interval: Interval, percent: float, feedback: str) -> None:
    nearest = min(MOODLE_PERCENTS, key=lambda known: abs(known - percent))
    answer = add(element, "answer", fraction=number(nearest), format="moodle_auto_format")
    add(answer, "text", format(interval.centre, "f"))
    add(add(answer, "feedback", format="html"), "text", feedback)
    add(answer, "tolerance", format(interval.step / 2, "f"))


def _add_other_answers(element: Element) -> None:
    answer = add(element, "answer", fraction="0", format="moodle_auto_format")
    add(answer, "text", "*")
    add(add(answer, "feedback", format="html"), "text", WRONG)
    add(answer, "tolerance", "0")


def _cloze(question: QuizQuestion, blanks: Sequence[Blank]) -> str:
    return answer_lines(question, lambda place: _embedded(blanks[place]))


def _embedded(blank: Blank) -> str:
    """Return an embedded numerical answer with its alternatives."""
    alternatives = ["=" + _range(blank.right)]
    for wrong in blank.wrong:
        feedback = _escape(wrong.feedback or WRONG)
        alternatives.append(f"%{number(100 * wrong.fraction)}%{_range(wrong.interval)}#{feedback}")
    alternatives.append(f"%0%*#{WRONG}")
    return f"{{{blank.weight}:NUMERICAL:{'~'.join(alternatives)}}}"


def _range(interval: Interval) -> str:
    return f"{interval.centre:f}:{interval.step / 2:f}"


def _escape(feedback: str) -> str:
    """Write a feedback without the signs that end it, on one line; Moodle decodes the character references."""
    shown = re.sub(r"\s*\n\s*", " ", feedback).replace("&", "&amp;")
    return shown.replace("}", "&#125;").replace("~", "&#126;")
