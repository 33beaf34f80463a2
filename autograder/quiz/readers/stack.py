"""Read STACK questions: tree_value the variables of the response tree and walk through its nodes.

Of Maxima only what `autograder.quiz.stack` writes is understood: sums, products, lists, `append`, `lmax`, `map`.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from autograder.quiz.readers.reading import Reader, Readers, Reading, plain_text

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
}
_FUNCTIONS: dict[str, Callable[..., object]] = {
    "append": lambda *lists: np.concatenate(lists),
    "lmax": np.max,
    "map": lambda function, values: function(values),
    "max": max,
    "min": min,
}


def read_stack(content: bytes) -> Readers:
    """Return a reader for each STACK question."""
    return {
        question.findtext("idnumber", ""): _reader(question)
        for question in ElementTree.fromstring(content).iter("question")
        if question.get("type") == "stack"
    }


def _reader(question: Element) -> Reader:
    names = [entry.findtext("name", "") for entry in question.iter("input")]
    tree = question.find("prt")
    if tree is None:
        raise ValueError("the question has no response tree")
    nodes = {node.findtext("name", ""): node for node in tree.iter("node")}

    def read(numbers: Sequence[float]) -> Reading:
        variables: dict[str, Any] = dict(zip(names, numbers, strict=True)) | {"abs": np.abs}
        for line in tree.findtext("feedbackvariables/text", "").splitlines():
            name, _, formula = line.rstrip(";").partition(":")
            variables[name] = _evaluate(ast.parse(formula.strip(), mode="eval").body, variables)
        return _walk(nodes, variables)

    return read


def _walk(nodes: Mapping[str, Element], variables: Mapping[str, Any]) -> Reading:
    score, place, feedback = 0.0, "0", list[str]()
    while place != "-1":
        node = nodes[place]
        distance = variables[node.findtext("sans", "")] - float(node.findtext("tans", "0"))
        branch = "true" if abs(distance) <= float(node.findtext("testoptions", "0")) else "false"
        change = float(node.findtext(f"{branch}score", "0"))
        score = change if node.findtext(f"{branch}scoremode") == "=" else score + change
        feedback.append(plain_text(node.findtext(f"{branch}feedback/text", "")))
        place = node.findtext(f"{branch}nextnode", "-1")
    return Reading(score, tuple(filter(None, feedback)))


def _evaluate(node: ast.expr, variables: Mapping[str, object]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return variables[node.id]
        case ast.UnaryOp(op=ast.USub()):
            return -_evaluate(node.operand, variables)
        case ast.BinOp():
            sides = _evaluate(node.left, variables), _evaluate(node.right, variables)
            return _OPERATORS[type(node.op)](*sides)
        case ast.List():
            return np.array([_evaluate(item, variables) for item in node.elts], dtype=float)
        case ast.Call(func=ast.Name(id=name)):
            arguments = [_evaluate(argument, variables) for argument in node.args]
            return _FUNCTIONS[name](*arguments)
    raise ValueError(f"not understood: {ast.unparse(node)}")
