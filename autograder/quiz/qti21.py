"""QTI 2.1: one item for a question, judged on all numbers together, as in the notebook.

The conditions compute the judge's invariants from the numbers, so a direction may have any length and either sign.
Formulas are MathML.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autograder.errors import CourseError
from autograder.program import program_name
from autograder.quiz.layout import answer_lines
from autograder.quiz.moodle import WRONG, number
from autograder.quiz.quantities import Interval, Tree, all_intervals, intervals
from autograder.quiz.question import Foreseen, QuizQuestion
from autograder.quiz.texts import formulas, replace_formulas
from autograder.quiz.xml import add, clean, to_bytes
from autograder.reports.mathml import TexFormula, to_mathml

QTI21_NAMESPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"
MATHML_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
RIGHT_FEEDBACK, OTHER_FEEDBACK = "right", "other"
BLANK_MARK = "textEntryInteraction"
Formulas = Mapping[TexFormula, str]


def formulas_as_mathml(pages: Sequence[Sequence[str]]) -> Formulas:
    """Convert the formulas of the texts of each page; raise CourseError if one cannot be converted."""
    listed = [list(dict.fromkeys(pair for text in texts for pair in formulas(text))) for texts in pages]
    converted = to_mathml(listed)
    missing = [tex for page in listed for tex, shown in page if (tex, shown) not in converted]
    if missing:
        raise CourseError(
            f"the formula {missing[0]!r} could not be converted to MathML: install node, "
            f"see `{program_name()} doctor`, or correct the formula"
        )
    return converted


def start_assessment_item(ident: str, title: str) -> Element:
    """Return an item without contents."""
    return Element(
        "assessmentItem",
        {
            "xmlns": QTI21_NAMESPACE,
            "identifier": _identifier(ident),
            "title": clean(title),
            "adaptive": "false",
            "timeDependent": "false",
        },
    )


def qti21_item(question: QuizQuestion, mathml: Formulas) -> bytes:
    """Return the item of a question."""
    item = start_assessment_item(question.ident, f"{question.title} ({question.number})")
    for blank, value in enumerate(question.right.numbers):
        declaration = add(
            item,
            "responseDeclaration",
            identifier=_response(blank),
            cardinality="single",
            baseType="float",
        )
        add(add(declaration, "correctResponse"), "value", repr(value))
    score = add(item, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    add(add(score, "defaultValue"), "value", "0")
    most = add(item, "outcomeDeclaration", identifier="MAXSCORE", cardinality="single", baseType="float")
    add(add(most, "defaultValue"), "value", number(question.points))
    add(item, "outcomeDeclaration", identifier="FEEDBACK", cardinality="single", baseType="identifier")
    body = add(item, "itemBody")
    lines = answer_lines(question, lambda blank: f'<{BLANK_MARK} number="{blank}"/>')
    put_html(body, question.text + lines, mathml)
    _add_processing(item, question)
    for answer in _feedback_answers(question):
        add_modal_feedback(item, answer.name, answer.feedback, mathml)
    add_modal_feedback(item, OTHER_FEEDBACK, f"<p>{WRONG}</p>", mathml)
    if question.worked:
        add_modal_feedback(item, RIGHT_FEEDBACK, question.worked, mathml)
    return to_bytes(item)


def _identifier(text: str) -> str:
    """Return an identifier of QTI, which may not hold other signs."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text)


def _response(blank: int) -> str:
    return f"RESPONSE_{blank + 1}"


def _feedback_answers(question: QuizQuestion) -> list[Foreseen]:
    return [answer for answer in question.wrong if intervals(question, answer.numbers)]


def put_html(parent: Element, text: str, mathml: Formulas) -> None:
    """Add XHTML with MathML for formulas and interactions for blanks."""
    shown = replace_formulas(text, lambda tex, displayed: mathml[tex, displayed])
    root = ElementTree.fromstring(f"<div>{clean(shown)}</div>")
    for element in root.iter():
        if element.tag == BLANK_MARK:
            blank = int(element.attrib.pop("number"))
            element.attrib |= {"responseIdentifier": _response(blank), "expectedLength": "12"}
    for formula in root.iter("math"):
        formula.set("xmlns", MATHML_NAMESPACE)
    _wrap_loose_text(root)
    parent.append(root)


def _wrap_loose_text(root: Element) -> None:
    """Put formulas that stand between paragraphs into paragraphs of their own."""
    for place, child in enumerate(list(root)):
        if child.tag == "math":
            paragraph, child.tail = Element("p"), None
            root.remove(child)
            paragraph.append(child)
            root.insert(place, paragraph)


def _add_processing(item: Element, question: QuizQuestion) -> None:
    condition = add(add(item, "responseProcessing"), "responseCondition")
    right = intervals(question, question.right.numbers) or []
    branch = add(condition, "responseIf")
    _add_all(branch, all_intervals(right))
    _set_score(branch, question.points)
    _set_feedback(branch, RIGHT_FEEDBACK)
    for answer in _feedback_answers(question):
        branch = add(condition, "responseElseIf")
        _add_all(branch, all_intervals(intervals(question, answer.numbers) or []))
        _set_score(branch, question.points * answer.fraction)
        _set_feedback(branch, answer.name)
    branch = add(condition, "responseElse")
    share = Fraction(1, len(right))
    for part in right if len(right) > 1 else ():
        only = add(add(branch, "responseCondition"), "responseIf")
        _add_all(only, part)
        total = add(add(only, "setOutcomeValue", identifier="SCORE"), "sum")
        add(total, "variable", identifier="SCORE")
        add(total, "baseValue", repr(question.points * float(share)), baseType="float")
    _set_feedback(branch, OTHER_FEEDBACK)


def _add_all(branch: Element, conditions: Sequence[Interval]) -> None:
    both = add(branch, "and")
    for condition in conditions:
        for operator, bound in (("gte", condition.low), ("lte", condition.high)):
            comparison = add(both, operator)
            _add_tree(comparison, condition.tree)
            add(comparison, "baseValue", format(bound, "f"), baseType="float")


def _add_tree(parent: Element, tree: Tree) -> None:
    head, *operands = tree
    if head == "blank":
        add(parent, "variable", identifier=_response(operands[0]))
    elif head == "number":
        add(parent, "baseValue", repr(operands[0]), baseType="float")
    else:
        operation = add(parent, head)
        for operand in operands:
            _add_tree(operation, operand)


def _set_score(branch: Element, score: float) -> None:
    add(add(branch, "setOutcomeValue", identifier="SCORE"), "baseValue", repr(score), baseType="float")


def _set_feedback(branch: Element, name: str) -> None:
    value = add(branch, "setOutcomeValue", identifier="FEEDBACK")
    add(value, "baseValue", _identifier(name), baseType="identifier")


def add_modal_feedback(item: Element, name: str, text: str, mathml: Formulas) -> None:
    """Add a text that is shown with the outcome of this name."""
    modal = add(
        item,
        "modalFeedback",
        outcomeIdentifier="FEEDBACK",
        identifier=_identifier(name),
        showHide="show",
    )
    put_html(modal, text, mathml)


def qti21_test(title: str, groups: Mapping[str, Sequence[str]]) -> bytes:
    """Return a test that takes one variant of each task; `groups` lists the items of each."""
    root = Element("assessmentTest", {"xmlns": QTI21_NAMESPACE, "identifier": "quiz", "title": clean(title)})
    part = add(root, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="individual")
    for name, items in groups.items():
        section = add(part, "assessmentSection", identifier=_identifier(name), title=name, visible="false")
        add(section, "selection", select="1")
        for item in items:
            add(section, "assessmentItemRef", identifier=_identifier(item), href=f"items/{item}.xml")
    return to_bytes(root)
