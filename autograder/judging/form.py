"""Describe a wrong form: kind, shape, or entries that are not finite."""

from collections.abc import Sequence

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.attempt import CallResult
from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import forms
from autograder.judging.compare import Comparison, expected_form, right_part
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.messages import (
    Diagnosis,
    fill_subject,
    list_wrong_parts,
    part_name,
    prepend_right_parts,
    wrong_parts,
)
from autograder.judging.structures.differences import describe_other_kind

Case = OpenCase | SealedCase


def diagnose_form(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison]
) -> Diagnosis | None:
    """Name the wrong parts of another kind or shape, if any."""
    wrong = wrong_parts(comparisons, len(key.same))
    return _join_sentences(
        key, wrong, {part: _kind_or_shape(key, attempts, comparisons, part) for part in wrong}
    )


def diagnose_not_finite(key: TaskKey, comparisons: Sequence[Comparison]) -> Diagnosis | None:
    """Name the wrong parts that hold NaN or infinite entries, if any."""
    wrong = wrong_parts(comparisons, len(key.same))
    texts = {}
    for part in wrong:
        texts[part] = ""
        for case, comparison in zip(key.cases, comparisons, strict=True):
            if comparison.parts is None or comparison.right[part] or texts[part]:
                continue
            trouble = describe_not_finite(key, case, part, comparison.parts[part])
            texts[part] = on_case(key, case, trouble, part_name(key, part)) if trouble else ""
    return _join_sentences(key, wrong, texts)


def _join_sentences(key: TaskKey, wrong: list[int], texts: dict[int, str]) -> Diagnosis | None:
    sentences = [text for text in texts.values() if text]
    if not sentences:
        return None
    rest = [part for part in wrong if not texts[part]]
    return Diagnosis(
        prepend_right_parts(key, wrong, " ".join([*sentences, *list_wrong_parts(key, rest)])), see=key.see
    )


def _kind_or_shape(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], part: int
) -> str:
    name = part_name(key, part)
    for case, attempt, comparison in zip(key.cases, attempts, comparisons, strict=True):
        if comparison.parts is None or comparison.right[part]:
            continue
        structure = key.kinds[part] if key.kinds else None
        if structure:
            trouble = describe_other_kind(structure, comparison.values[part])
            if trouble:
                return on_case(key, case, trouble, name)
            continue
        kind = _describe_kind(attempt.value, part, len(key.same))
        trouble = kind or describe_shape(key, case, part, comparison.parts[part], attempt.value)
        if trouble:
            return on_case(key, case, trouble, name)
    return ""


def on_case(key: TaskKey, case: Case, text: str, name: str) -> str:
    """Fill the subject into a sentence, and name the case if needed."""
    if len(key.cases) == 1:
        return fill_subject(text, name)
    filled = text.replace("{it}", name)
    return f"On “{case.name}” {filled[:1].lower()}{filled[1:]}"


def _describe_kind(answer: object, part: int, number: int) -> str:
    """Describe a part that holds truth values in place of numbers."""
    try:
        item = forms.split_parts(answer, number)[part]
    except UnsupportedAnswerError:
        return ""
    if isinstance(item, bool):
        return f"{{it}} is {item}, a truth value; a number is asked for."
    if isinstance(item, np.ndarray) and item.dtype.kind == "b":
        return "{it} holds truth values (True, False); numbers are asked for."
    if isinstance(item, list | tuple) and item and all(isinstance(entry, bool) for entry in item):
        return "{it} holds truth values (True, False); numbers are asked for."
    return ""


def describe_shape(key: TaskKey, case: Case, part: int, array: Array, answer: object = None) -> str:
    """Describe the expected and the actual shape; empty if they agree."""
    form, thing = expected_form(key, case), "formula" if key.kind == "sym" else "number"
    actual = array.shape[1:] if form.points is not None else array.shape
    shape = form.shapes[part]
    is_free = any(form.free_columns[part : part + 1])
    if actual == shape or (is_free and _are_matrices_of_equal_height(actual, shape)):
        return ""
    should = f"{{it}} should be {forms.format_shape(shape, thing)}"
    if len(key.same) == 1 and isinstance(answer, tuple) and len(actual) == len(shape) + 1:
        return f"{should}; it is {len(answer)} of them: return one."
    turned = " (transposed?)" if _is_transposed(actual, shape) else ""
    return f"{should}; it is {forms.format_shape(actual, thing)}{turned}."


def _are_matrices_of_equal_height(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return len(shape) == len(other) == 2 and shape[0] == other[0]


def _is_transposed(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return len(shape) == 2 and shape[::-1] == other


def describe_not_finite(key: TaskKey, case: Case, part: int, array: Array) -> str:
    """Describe entries that are not finite where the right part has none."""
    if np.isfinite(array).all():
        return ""
    if isinstance(case, OpenCase) and not np.isfinite(right_part(key, case, part)).all():
        return ""
    if key.kind == "sym":
        return "{it} has no real value at some points where the right formula has one."
    if key.kind == "hand":
        return "{it} holds entries that are not numbers (NaN or infinite)."
    if not np.isnan(array).any():
        return "{it} holds infinite entries."
    return "{it} holds entries that are not numbers (NaN): look under roots and below fraction bars."
