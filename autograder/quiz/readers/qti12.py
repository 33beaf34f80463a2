"""Read QTI 1.2: the conditions of each item in their order, until one ends the processing."""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autograder.quiz.qti12 import QTI12_NAMESPACE
from autograder.quiz.readers.reading import Reader, Readers, Reading, plain_text

_NS = f"{{{QTI12_NAMESPACE}}}"


def read_qti12(content: bytes) -> Readers:
    """Return a reader for each question; an item holds one of its numbers."""
    items: dict[str, list[Element]] = {}
    for item in ElementTree.fromstring(content).iter(f"{_NS}item"):
        items.setdefault(item.get("ident", "").rpartition(".")[0], []).append(item)
    return {ident: _reader(group) for ident, group in items.items()}


def _reader(items: Sequence[Element]) -> Reader:
    def read(answers: Sequence[object]) -> Reading:
        points = [_points(item) for item in items]
        is_choice = items[0].find(f".//{_NS}render_choice") is not None
        values = [answers] if is_choice else answers  # all letters belong to one item
        readings = [_read_item(item, value) for item, value in zip(items, values, strict=True)]
        score = sum(weight * reading.fraction for weight, reading in zip(points, readings, strict=True))
        return Reading(score / sum(points), tuple(text for reading in readings for text in reading.feedback))

    return read


def _points(item: Element) -> float:
    fields = item.iter(f"{_NS}qtimetadatafield")
    entries = {field.findtext(f"{_NS}fieldlabel"): field.findtext(f"{_NS}fieldentry") for field in fields}
    return float(entries["points_possible"] or 0)


def _read_item(item: Element, value: object) -> Reading:
    score, shown = 0.0, list[str]()
    for condition in item.iter(f"{_NS}respcondition"):
        if not all(_holds(test, value) for test in condition.find(f"{_NS}conditionvar") or ()):
            continue
        for variable in condition.iter(f"{_NS}setvar"):
            score = float(variable.text or 0) / 100
        shown += [feedback.get("linkrefid", "") for feedback in condition.iter(f"{_NS}displayfeedback")]
        if condition.get("continue") != "Yes":
            break
    return Reading(score, _feedback_texts(item, shown))


def _feedback_texts(item: Element, shown: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of the feedback that is shown, without that on right and wrong in general."""
    texts = {
        feedback.get("ident"): feedback.findtext(f".//{_NS}mattext", "")
        for feedback in item.iter(f"{_NS}itemfeedback")
    }
    return tuple(plain_text(texts[name]) for name in shown if name not in ("general_fb", "correct_fb"))


def _holds(test: Element, value: Any) -> bool:
    kind = test.tag.removeprefix(_NS)
    if kind in ("and", "or"):
        return (all if kind == "and" else any)(_holds(child, value) for child in test)
    if kind == "not":
        return not _holds(test[0], value)
    if kind == "other":
        return True
    if not isinstance(value, int | float):
        return test.text in value
    bound = float(test.text or 0)
    return {"varequal": value == bound, "vargte": value >= bound, "varlte": value <= bound}[kind]
