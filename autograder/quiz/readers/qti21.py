"""Read QTI 2.1: run the response processing of an item."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autograder.quiz.qti21 import MATHML_NAMESPACE, QTI21_NAMESPACE
from autograder.quiz.readers.reading import Reader, Reading

_NS = f"{{{QTI21_NAMESPACE}}}"
Value = float | str | bool | None
_OPERATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "product": prod,
    "min": min,
    "max": max,
}


def read_qti21(content: bytes) -> tuple[str, Reader]:
    """Return the identifier and the reader of an item."""
    item = ElementTree.fromstring(content)

    def read(numbers: Sequence[float]) -> Reading:
        variables: dict[str, Value] = {
            str(outcome.get("identifier")): _default(outcome)
            for outcome in item.iter(f"{_NS}outcomeDeclaration")
        }
        blanks = [str(response.get("identifier")) for response in item.iter(f"{_NS}responseDeclaration")]
        variables |= dict(zip(blanks, numbers, strict=True))
        for rule in item.find(f"{_NS}responseProcessing") or ():
            _run(rule, variables)
        shown = [
            _text(feedback)
            for feedback in item.iter(f"{_NS}modalFeedback")
            if feedback.get("identifier") == variables["FEEDBACK"] != "right"
        ]
        return Reading(float(variables["SCORE"] or 0) / float(variables["MAXSCORE"] or 1), tuple(shown))

    return str(item.get("identifier")), read


def _default(outcome: Element) -> Value:
    text = outcome.findtext(f"{_NS}defaultValue/{_NS}value")
    return None if text is None else float(text)


def _run(rule: Element, variables: dict[str, Value]) -> None:
    """Run a condition, or set an outcome."""
    if rule.tag == f"{_NS}setOutcomeValue":
        variables[str(rule.get("identifier"))] = _value(rule[0], variables)
        return
    for branch in rule:
        is_else = branch.tag == f"{_NS}responseElse"
        if is_else or _value(branch[0], variables) is True:
            for inner in branch if is_else else branch[1:]:
                _run(inner, variables)
            return


def _value(element: Element, variables: Mapping[str, Value]) -> Value:
    kind = element.tag.removeprefix(_NS)
    if kind == "variable":
        return variables[str(element.get("identifier"))]
    if kind == "baseValue":
        text = element.text or ""
        return text if element.get("baseType") == "identifier" else float(text)
    values = [_value(child, variables) for child in element]
    if kind == "and":
        return all(value is True for value in values)
    return None if None in values else _operation(kind, [float(value or 0) for value in values])


def _operation(kind: str, values: Sequence[float]) -> Value:
    if kind in ("gte", "lte"):
        return values[0] >= values[1] if kind == "gte" else values[0] <= values[1]
    if kind == "divide":
        return values[0] / values[1] if values[1] else None
    if kind == "subtract":
        return values[0] - values[1]
    return float(_OPERATIONS[kind](values))


def _text(element: Element) -> str:
    """Return the text of an element without its formulas."""
    pieces = [element.text or ""]
    for child in element:
        if child.tag != f"{{{MATHML_NAMESPACE}}}math":
            pieces.append(_text(child))
        pieces.append(child.tail or "")
    return " ".join(" ".join(pieces).split())
