"""Choices in Moodle XML, QTI 2.1 and QTI 1.2."""

import base64
import hashlib
from collections.abc import Callable
from xml.etree.ElementTree import Element

from autograder.judging.question import describe_picture
from autograder.quiz.choice import AnyQuestion, ChoiceQuestion, Option
from autograder.quiz.moodle import number, start_question
from autograder.quiz.qti12 import RESPONSE_IDENT, add_mattext, start_item
from autograder.quiz.qti21 import Formulas, add_modal_feedback, put_html, start_assessment_item
from autograder.quiz.xml import add, to_bytes

CANVAS_FOLDER = "%24IMS-CC-FILEBASE%24/"  # the package's files, in the links of Canvas


def pictures_of(question: ChoiceQuestion) -> dict[str, bytes]:
    """Return the pictures of a question by the names of their files."""
    addresses = [question.figure, *(option.picture for option in question.options)]
    return {_file_name(address): _content(address) for address in addresses if address}


def _content(address: str) -> bytes:
    return base64.b64decode(address.partition(",")[2])


def _file_name(address: str) -> str:
    """Return a name that depends on the picture alone."""
    return hashlib.sha256(_content(address)).hexdigest()[:16] + ".svg"


def question_texts(question: AnyQuestion) -> list[str]:
    """Return all texts of a question."""
    texts = [question.text, question.worked]
    if isinstance(question, ChoiceQuestion):
        return texts + [text for option in question.options for text in (option.text, option.feedback)]
    return texts + [answer.feedback for answer in question.foreseen]


def option_html(option: Option, place: Callable[[str], str]) -> str:
    """Return an option as HTML; `place` is the address of a file."""
    if option.picture:
        words = f"Picture {option.letter}: {describe_picture(option.picture)}"
        return f'<p><img src="{place(_file_name(option.picture))}" alt="{words}"/></p>'
    return option.text


def text_html(question: ChoiceQuestion, place: Callable[[str], str]) -> str:
    """Return the text of a question with its figure."""
    if not question.figure:
        return question.text
    words = f"The data: {describe_picture(question.figure)}"
    return f'{question.text}<p><img src="{place(_file_name(question.figure))}" alt="{words}"/></p>'


def add_moodle_choice(quiz: Element, question: ChoiceQuestion) -> None:
    """Add a question of type multichoice."""
    element = add(quiz, "question", type="multichoice")
    start_question(element, question, text_html(question, _moodle_address))
    if question.figure:
        _add_file(element.find("questiontext"), question.figure)
    add(element, "defaultgrade", number(question.points))
    add(element, "single", "false" if question.several else "true")
    add(element, "shuffleanswers", "true")
    add(element, "answernumbering", "none")
    right = sum(option.is_right for option in question.options)
    for option in question.options:
        wrong = -100.0 if question.several else 0.0
        percent = 100 / right if option.is_right else wrong
        answer = add(element, "answer", fraction=number(percent), format="html")
        add(answer, "text", option_html(option, _moodle_address))
        if option.picture:
            _add_file(answer, option.picture)
        add(add(answer, "feedback", format="html"), "text", option.feedback)


def _moodle_address(name: str) -> str:
    return f"@@PLUGINFILE@@/{name}"


def _add_file(parent: Element | None, address: str) -> None:
    if parent is not None:
        content = address.partition(",")[2]
        add(parent, "file", content, name=_file_name(address), path="/", encoding="base64")


def qti21_choice(question: ChoiceQuestion, mathml: Formulas) -> bytes:
    """Return an item with a choice; each chosen wrong option shows its feedback."""
    item = start_assessment_item(question.ident, f"{question.title} ({question.number})")
    _declare_choice(item, question)
    body = add(item, "itemBody")
    put_html(body, text_html(question, _qti21_address), mathml)
    most = "0" if question.several else "1"
    interaction = add(
        body, "choiceInteraction", responseIdentifier="RESPONSE", shuffle="true", maxChoices=most
    )
    for option in question.options:
        choice = add(interaction, "simpleChoice", identifier=option.letter)
        put_html(choice, option_html(option, _qti21_address), mathml)
    _add_choice_processing(item, question)
    for option in question.options:
        if option.feedback:
            add_modal_feedback(item, f"FEEDBACK_{option.letter}", option.feedback, mathml)
    if question.worked:
        add_modal_feedback(item, "right", question.worked, mathml)
    return to_bytes(item)


def _declare_choice(item: Element, question: ChoiceQuestion) -> None:
    """Declare the response with its right options, and the outcomes."""
    cardinality = "multiple" if question.several else "single"
    declaration = add(
        item, "responseDeclaration", identifier="RESPONSE", cardinality=cardinality, baseType="identifier"
    )
    correct = add(declaration, "correctResponse")
    for option in question.options:
        if option.is_right:
            add(correct, "value", option.letter)
    for name, value in (("SCORE", 0.0), ("MAXSCORE", question.points)):
        outcome = add(item, "outcomeDeclaration", identifier=name, cardinality="single", baseType="float")
        add(add(outcome, "defaultValue"), "value", number(value) or "0")
    add(item, "outcomeDeclaration", identifier="FEEDBACK", cardinality="multiple", baseType="identifier")


def _qti21_address(name: str) -> str:
    return f"../images/{name}"


def _add_choice_processing(item: Element, question: ChoiceQuestion) -> None:
    processing = add(item, "responseProcessing")
    branch = add(add(processing, "responseCondition"), "responseIf")
    match = add(branch, "match")
    add(match, "variable", identifier="RESPONSE")
    add(match, "correct", identifier="RESPONSE")
    score = add(branch, "setOutcomeValue", identifier="SCORE")
    add(score, "baseValue", repr(question.points), baseType="float")
    _append_feedback(branch, "right")
    for option in question.options:
        if not option.feedback:
            continue
        branch = add(add(processing, "responseCondition"), "responseIf")
        test = add(branch, "member" if question.several else "match")
        add(test, "baseValue", option.letter, baseType="identifier")
        add(test, "variable", identifier="RESPONSE")
        _append_feedback(branch, f"FEEDBACK_{option.letter}")


def _append_feedback(branch: Element, name: str) -> None:
    """Add a name to the outcome FEEDBACK, which may be empty."""
    joined = add(add(branch, "setOutcomeValue", identifier="FEEDBACK"), "multiple")
    add(joined, "variable", identifier="FEEDBACK")
    add(joined, "baseValue", name, baseType="identifier")


def add_qti12_choice(section: Element, question: ChoiceQuestion) -> None:
    """Add an item with a choice; every chosen wrong option shows its feedback."""
    kind = "multiple_answers_question" if question.several else "multiple_choice_question"
    item = start_item(section, (f"{question.ident}.1", question.title), kind, question.points)
    presentation = add(item, "presentation")
    add_mattext(presentation, text_html(question, _canvas_address))
    response = add(
        presentation,
        "response_lid",
        ident=RESPONSE_IDENT,
        rcardinality="Multiple" if question.several else "Single",
    )
    choices = add(response, "render_choice", shuffle="Yes")
    for option in question.options:
        add_mattext(add(choices, "response_label", ident=option.letter), option_html(option, _canvas_address))
    _add_qti12_conditions(item, question)
    if question.worked:
        add_mattext(add(add(item, "itemfeedback", ident="correct_fb"), "flow_mat"), question.worked)
    for option in question.options:
        if option.feedback:
            feedback = add(item, "itemfeedback", ident=f"{option.letter}_fb")
            add_mattext(add(feedback, "flow_mat"), option.feedback)


def _canvas_address(name: str) -> str:
    return f"{CANVAS_FOLDER}images/{name}"


def _add_qti12_conditions(item: Element, question: ChoiceQuestion) -> None:
    processing = add(item, "resprocessing")
    add(
        add(processing, "outcomes"),
        "decvar",
        maxvalue="100",
        minvalue="0",
        varname="SCORE",
        vartype="Decimal",
    )
    for option in question.options:
        if option.feedback:
            condition = add(processing, "respcondition", continue_="Yes")
            _add_equal(add(condition, "conditionvar"), option.letter)
            add(condition, "displayfeedback", feedbacktype="Response", linkrefid=f"{option.letter}_fb")
    right = add(processing, "respcondition", continue_="No")
    test = add(right, "conditionvar")
    every = add(test, "and") if question.several else test
    for option in question.options:
        if option.is_right:
            _add_equal(every, option.letter)
        elif question.several:
            _add_equal(add(every, "not"), option.letter)
    add(right, "setvar", "100", action="Set", varname="SCORE")
    if question.worked:
        add(right, "displayfeedback", feedbacktype="Response", linkrefid="correct_fb")


def _add_equal(parent: Element, letter: str) -> None:
    add(parent, "varequal", letter, respident=RESPONSE_IDENT)
