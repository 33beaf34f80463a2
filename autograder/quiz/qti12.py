"""QTI 1.2 for Canvas and other platforms: an item for each number, a quiz for each variant.

Canvas reads an item of type `numerical_question`. Its importer takes every condition with an exact number, or with a
bare pair of bounds, for a right answer. So the bounds of a foreseen wrong number stand inside `or`, without an exact
number: other platforms show its feedback, and Canvas leaves the condition out.
"""

from xml.etree.ElementTree import Element

from autograder.quiz.blanks import Blank, WrongNumber, blanks_of
from autograder.quiz.moodle import WRONG, number
from autograder.quiz.quantities import Interval
from autograder.quiz.question import QuizQuestion
from autograder.quiz.xml import add

QTI12_NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
RESPONSE_IDENT = "response1"


def start_quiz(ident: str, title: str) -> tuple[Element, Element]:
    """Return the root of a quiz and the section of its items."""
    root = Element("questestinterop", xmlns=QTI12_NAMESPACE)
    assessment = add(root, "assessment", ident=ident, title=title)
    return root, add(assessment, "section", ident="root_section")


def add_number_items(section: Element, question: QuizQuestion) -> None:
    """Add an item for each number of a question."""
    blanks = blanks_of(question)
    for place, blank in enumerate(blanks):
        _add_item(section, question, blank, (place, len(blanks)))


def _add_item(section: Element, question: QuizQuestion, blank: Blank, place: tuple[int, int]) -> None:
    position, count = place
    ident = f"{question.ident}.{position + 1}"
    title = question.title + (f" ({position + 1} of {count})" if count > 1 else "")
    points = question.points * blank.weight / sum(question.weights)
    item = start_item(section, (ident, title), "numerical_question", points)
    presentation = add(item, "presentation")
    which = f"<p><b>Enter one number: {blank.label}.</b></p>" if blank.label else ""
    add_mattext(presentation, question.text + which)
    response = add(presentation, "response_str", ident=RESPONSE_IDENT, rcardinality="Single")
    add(add(response, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
    _add_processing(item, blank)
    _add_feedback(item, "general_fb", question.worked)
    for label, feedback in _feedbacks(blank):
        _add_feedback(item, label, feedback)


def start_item(section: Element, names: tuple[str, str], kind: str, points: float) -> Element:
    """Add an item with ident and title, and the metadata that Canvas reads."""
    ident, title = names
    item = add(section, "item", ident=ident, title=title)
    metadata = add(add(item, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", kind), ("points_possible", number(points))):
        field = add(metadata, "qtimetadatafield")
        add(field, "fieldlabel", label)
        add(field, "fieldentry", entry)
    return item


def _add_processing(item: Element, blank: Blank) -> None:
    processing = add(item, "resprocessing")
    add(
        add(processing, "outcomes"),
        "decvar",
        maxvalue="100",
        minvalue="0",
        varname="SCORE",
        vartype="Decimal",
    )
    always = add(processing, "respcondition", continue_="Yes")
    add(add(always, "conditionvar"), "other")
    add(always, "displayfeedback", feedbacktype="Response", linkrefid="general_fb")
    right = add(processing, "respcondition", continue_="No")
    alternatives = add(add(right, "conditionvar"), "or")
    add(alternatives, "varequal", format(blank.right.centre, "f"), respident=RESPONSE_IDENT)
    _add_bounds(alternatives, blank.right)
    add(right, "setvar", "100", action="Set", varname="SCORE")
    for (label, _), wrong in zip(_feedbacks(blank), blank.wrong, strict=False):
        _add_wrong(processing, wrong, label)
    other = add(processing, "respcondition", continue_="No")
    add(add(other, "conditionvar"), "other")
    add(other, "displayfeedback", feedbacktype="Response", linkrefid="general_incorrect_fb")


def _add_wrong(processing: Element, wrong: WrongNumber, label: str) -> None:
    condition = add(processing, "respcondition", continue_="No")
    _add_bounds(add(add(condition, "conditionvar"), "or"), wrong.interval)
    if wrong.fraction:
        add(condition, "setvar", number(100 * wrong.fraction), action="Set", varname="SCORE")
    add(condition, "displayfeedback", feedbacktype="Response", linkrefid=label)


def _add_bounds(parent: Element, interval: Interval) -> None:
    bounds = add(parent, "and")
    add(bounds, "vargte", format(interval.low, "f"), respident=RESPONSE_IDENT)
    add(bounds, "varlte", format(interval.high, "f"), respident=RESPONSE_IDENT)


def _feedbacks(blank: Blank) -> list[tuple[str, str]]:
    """Return idents and texts of feedback: those of wrong numbers, then that of all others."""
    named = [(f"wrong_{place + 1}_fb", wrong.feedback or WRONG) for place, wrong in enumerate(blank.wrong)]
    return [*named, ("general_incorrect_fb", WRONG)]


def _add_feedback(item: Element, label: str, text: str) -> None:
    if text:
        add_mattext(add(add(item, "itemfeedback", ident=label), "flow_mat"), text)


def add_mattext(parent: Element, text: str) -> None:
    """Add a text in HTML."""
    add(add(parent, "material"), "mattext", text, texttype="text/html")
