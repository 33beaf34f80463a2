"""Moodle XML for STACK, the question type that computes with Maxima: all numbers are judged together.

The response tree has a node for the right answer and one for each misconception, in the order of the judge. A node
compares the largest distance of the invariants, in units of their grids. Answers that no node knows earn the share of
their right parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from xml.etree.ElementTree import Element

from autograder.quiz.layout import answer_lines
from autograder.quiz.moodle import WRONG, number, start_question
from autograder.quiz.quantities import Interval, Tree, all_intervals, intervals
from autograder.quiz.question import QuizQuestion
from autograder.quiz.xml import add

# in units of the grid: a number that is rounded as asked has at most half a step of error
TOLERANCE = "0.5000001"
SMALLEST_DIVISOR = "1.0e-30"  # instead of zero, at which Maxima stops
TREE = "prt1"


@dataclass(frozen=True)
class Node:
    """A node of the response tree: a distance in Maxima, and what happens if it is small."""

    distance: str
    mode: str
    score: float
    feedback: str
    then: int
    otherwise: int
    otherwise_feedback: str = ""


def add_stack_numbers(quiz: Element, question: QuizQuestion) -> None:
    """Add a question of numbers that are judged together."""
    element = add(quiz, "question", type="stack")
    lines = answer_lines(question, lambda blank: f"[[input:{_input(blank)}]][[validation:{_input(blank)}]]")
    start_question(element, question, question.text + lines)
    add(element, "defaultgrade", number(question.points))
    variables = "\n".join(
        f"t{_input(blank)}: {_decimal(value)};" for blank, value in enumerate(question.right.numbers)
    )
    add(add(element, "questionvariables"), "text", variables)
    add(add(element, "specificfeedback", format="html"), "text", f"[[feedback:{TREE}]]")
    add(add(element, "questionnote"), "text", question.ident)
    for blank in range(len(question.right.numbers)):
        _add_input(element, _input(blank))
    _add_tree(element, question)


def _input(blank: int) -> str:
    return f"ans{blank + 1}"


def _decimal(value: float) -> str:
    return format(Decimal(repr(value)), "f")


def _add_input(element: Element, name: str) -> None:
    entry = add(element, "input")
    for tag, text in (
        ("name", name),
        ("type", "numerical"),
        ("tans", f"t{name}"),
        ("boxsize", "12"),
        ("strictsyntax", "1"),
        ("insertstars", "0"),
        ("forbidfloat", "0"),
        ("requirelowestterms", "0"),
        ("checkanswertype", "0"),
        ("mustverify", "0"),
        ("showvalidation", "1"),
    ):
        add(entry, tag, text)


def _add_tree(element: Element, question: QuizQuestion) -> None:
    tree = add(element, "prt")
    add(tree, "name", TREE)
    add(tree, "value", "1")
    add(tree, "autosimplify", "1")
    right = intervals(question, question.right.numbers) or []
    lists = [f"q{place + 1}: {_quantities(part)};" for place, part in enumerate(right)]
    nodes = _nodes(question, right)
    distances = [f"d{place}: {node.distance};" for place, node in enumerate(nodes)]
    lines = [*lists, f"q: {_joined(len(right))};", *distances]
    add(add(tree, "feedbackvariables"), "text", "\n".join(lines))
    for place, node in enumerate(nodes):
        _add_node(tree, place, node)


def _joined(count: int) -> str:
    return f"append({', '.join(f'q{place + 1}' for place in range(count))})"


def _nodes(question: QuizQuestion, right: Sequence[Sequence[Interval]]) -> list[Node]:
    nodes = [Node(_distance("q", all_intervals(right)), "=", 1.0, "", -1, 1)]
    for answer in question.wrong:
        parts = intervals(question, answer.numbers)
        if parts:
            after = len(nodes) + 1
            nodes.append(
                Node(_distance("q", all_intervals(parts)), "=", answer.fraction, answer.feedback, -1, after)
            )
    for place, part in enumerate(right):
        after = -1 if place == len(right) - 1 else len(nodes) + 1
        share = 1 / len(right) if len(right) > 1 else 0.0
        text = f"<p>{WRONG}</p>" if place == 0 else ""
        nodes.append(Node(_distance(f"q{place + 1}", part), "+", share, text, after, after, text))
    return nodes


def _quantities(part: Sequence[Interval]) -> str:
    return "[" + ", ".join(f"({_maxima(item.tree)})*{_inverse(item.step)}" for item in part) + "]"


def _inverse(step: Decimal) -> str:
    return format(1 / step, "f")


def _distance(quantities: str, conditions: Sequence[Interval]) -> str:
    """Return the largest distance of these quantities from the centres, in steps of the grid."""
    centres = "[" + ", ".join(format((item.centre / item.step).quantize(1), "f") for item in conditions) + "]"
    return f"lmax(map(abs, {quantities} - {centres}))"


def _maxima(tree: Tree) -> str:
    """Write a tree for Maxima."""
    head, *operands = tree
    if head == "blank":
        return _input(operands[0])
    if head == "number":
        return _decimal(operands[0])
    texts = [_maxima(operand) for operand in operands]
    if head == "divide":
        return f"({texts[0]})/max({texts[1]}, {SMALLEST_DIVISOR})"
    if head in ("min", "max"):
        return f"{head}({', '.join(texts)})"
    sign = {"sum": " + ", "product": "*", "subtract": " - "}[head]
    return sign.join(f"({text})" for text in texts)


def _add_node(tree: Element, place: int, node: Node) -> None:
    element = add(tree, "node")
    for tag, text in (
        ("name", str(place)),
        ("answertest", "NumAbsolute"),
        ("sans", f"d{place}"),
        ("tans", "0"),
        ("testoptions", TOLERANCE),
        ("quiet", "1"),
    ):
        add(element, tag, text)
    _add_branch(element, ("true", place), node.mode, node.score, (node.then, node.feedback))
    mode = "=" if place == 0 else "+"
    _add_branch(element, ("false", place), mode, 0.0, (node.otherwise, node.otherwise_feedback))


def _add_branch(
    element: Element, branch: tuple[str, int], mode: str, score: float, after: tuple[int, str]
) -> None:
    kind, place = branch
    following, feedback = after
    add(element, f"{kind}scoremode", mode)
    add(element, f"{kind}score", number(score) or "0")
    add(element, f"{kind}penalty", "")
    add(element, f"{kind}nextnode", str(following))
    add(element, f"{kind}answernote", f"{TREE}-{place}-{kind[0].upper()}")
    add(add(element, f"{kind}feedback", format="html"), "text", feedback)
