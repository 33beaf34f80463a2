"""Read QTI 2.1: run the response processing of an item."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autograder.quiz.qti21 import MATHML_NAMESPACE, QTI21_NAMESPACE
from autograder.quiz.readers.reading import Reader, Reading

_NS = f"{{{QTI21_NAMESPACE}}}"
Value = float | str | bool | list[object] | None
_OPERATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "product": prod,
    "min": min,
    "max": max,
}


def read_qti21(content: bytes) -> tuple[str, Reader]:
    """Return the identifier and the reader of an item."""
    item = ElementTree.fromstring(content)

    def read(answers: Sequence[object]) -> Reading:
        variables = _declared(item, answers)
        for rule in item.find(f"{_NS}responseProcessing") or ():
            _run(rule, variables)
        named = variables["FEEDBACK"]
        names = named if isinstance(named, list) else [named]
        shown = [
            _text(feedback)
            for feedback in item.iter(f"{_NS}modalFeedback")
            if feedback.get("identifier") in names and feedback.get("identifier") != "right"
        ]
        score, most = variables["SCORE"], variables["MAXSCORE"]
        assert isinstance(score, float)
        assert isinstance(most, float)
        return Reading(score / most, tuple(shown))

    return str(item.get("identifier")), read


def _declared(item: Element, answers: Sequence[Any]) -> dict[str, Value]:
    """Return the variables before the processing; `correct …` has the right answer to a choice."""
    variables: dict[str, Value] = {
        str(outcome.get("identifier")): _default(outcome) for outcome in item.iter(f"{_NS}outcomeDeclaration")
    }
    declarations = list(item.iter(f"{_NS}responseDeclaration"))
    names = [str(response.get("identifier")) for response in declarations]
    if declarations[0].get("baseType") != "identifier":
        return variables | dict(zip(names, answers, strict=True))
    right = [value.text for value in declarations[0].iter(f"{_NS}value")]
    return variables | {names[0]: list(answers), f"correct {names[0]}": right}


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


def _base_value(element: Element) -> str | float:
    text = element.text or ""
    return text if element.get("baseType") == "identifier" else float(text)


def _value(element: Element, variables: Mapping[str, Value]) -> Value:
    kind = element.tag.removeprefix(_NS)
    if kind == "variable":
        return variables[str(element.get("identifier"))]
    if kind == "baseValue":
        return _base_value(element)
    if kind == "correct":
        return variables[f"correct {element.get('identifier')}"]
    values = [_value(child, variables) for child in element]
    if kind in ("match", "member", "multiple"):
        return _of_containers(kind, values)
    if kind == "and":
        return all(value is True for value in values)
    return None if None in values else _operation(kind, [float(str(value)) for value in values])


def _of_containers(kind: str, values: Sequence[Value]) -> Value:
    lists = [value if isinstance(value, list) else [] if value is None else [value] for value in values]
    if kind == "multiple":
        return [item for values in lists for item in values]
    first, second = map(set, lists)
    return first == second if kind == "match" else first <= second


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
