"""Recognise answers that hold the right numbers with other order or signs.

Small entries that became zero are recognised too.
"""

from collections.abc import Sequence

import numpy as np

from autograder.answers.arrays import Array, Flags
from autograder.judging import fingerprints
from autograder.judging.compare import Comparison, answer_entries, part_fingerprints, right_part
from autograder.judging.evidence import REAL_BITS, part_bits
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.messages import Diagnosis, fill_subject, part_name, prepend_right_parts, wrong_parts
from autograder.judging.relations import RELATION_RTOL, join_words
from autograder.judging.rounding import with_signs_of
from autograder.judging.sameness import Sameness

BY_ENTRIES = ("exactly", "up_to_column_signs")
MAX_LISTED = 6
ANOTHER_ORDER = "{it} holds the right numbers in another order."


def diagnose_arrangement(key: TaskKey, comparisons: Sequence[Comparison]) -> Diagnosis | None:
    """Describe how the numbers of the wrong parts are arranged.

    None unless this explains every wrong part.
    """
    exchanged = _parts_in_another_order(key, comparisons)
    if exchanged:
        return Diagnosis(exchanged, None, "parts:in another order", key.see)
    wrong = wrong_parts(comparisons, len(key.same))
    texts = [_describe_part(key, comparisons, part) for part in wrong]
    if not texts or not all(texts):
        return None
    sentences = " ".join(
        fill_subject(text, part_name(key, part)) for text, part in zip(texts, wrong, strict=True)
    )
    return Diagnosis(prepend_right_parts(key, wrong, sentences), None, "answer:arranged otherwise", key.see)


def _describe_part(key: TaskKey, comparisons: Sequence[Comparison], part: int) -> str:
    """Return the sentence for a part, if every wrong case has one.

    It is the sentence for the first of these cases.
    """
    texts = [
        _describe_on_case(key, case, comparison, part)
        for case, comparison in zip(key.cases, comparisons, strict=True)
        if not comparison.right[part]
    ]
    return texts[0] if texts and all(texts) else ""


def _describe_on_case(key: TaskKey, case: OpenCase | SealedCase, comparison: Comparison, part: int) -> str:
    if comparison.parts is None:
        return ""
    answer = comparison.parts[part]
    if isinstance(case, SealedCase):
        return ANOTHER_ORDER if _has_right_entries(key, case, part, answer) else ""
    return describe_arrangement(answer, right_part(key, case, part), key.samenesses[part])


def _has_right_entries(key: TaskKey, case: SealedCase, part: int, answer: Array) -> bool:
    """Return whether a sealed list has the right entries, each as often as it should."""
    known, entries = case.entries[part], answer_entries(key.kind, answer)
    if len(known) < 2 or len(entries) != len(known) or not np.isfinite(answer).all():
        return False
    marks = [fingerprints.fingerprint(entry, case.grids[part], case.salt) for entry in entries]
    return sorted(map(str, marks)) == sorted(known)


def _parts_in_another_order(key: TaskKey, comparisons: Sequence[Comparison]) -> str:
    """Return the sentence for sealed numbers that are exchanged; else nothing."""
    case, parts = key.cases[0], comparisons[0].parts
    wrong = wrong_parts(comparisons, len(key.same))
    if not isinstance(case, SealedCase) or parts is None or len(wrong) < 2 or len(set(key.same)) > 1:
        return ""
    free = list(wrong)
    for part in wrong:
        place = next((place for place in free if _is_right_at(key, case, parts[part], place)), None)
        if place is None:
            return ""
        free.remove(place)
    names = join_words([part_name(key, part) for part in wrong])
    text = f"{names[:1].upper()}{names[1:]} are the right numbers in another order."
    return prepend_right_parts(key, wrong, text)


def _is_right_at(key: TaskKey, case: SealedCase, answer: Array, place: int) -> bool:
    single = SealedCase(**{**vars(case), "shapes": (case.shapes[place],), "grids": (case.grids[place],)})
    return part_fingerprints(single, (answer,), (key.samenesses[place],)) == (case.expected[place],)


def describe_arrangement(answer: Array, right: Array, same: Sameness) -> str:
    """Describe an answer that rearranges the right entries; else return nothing."""
    if same.name not in BY_ENTRIES or answer.shape != right.shape or answer.ndim == 0 or not answer.size:
        return ""
    near = RELATION_RTOL * float(np.abs(right).max())
    if answer.size == 1:
        return _describe_single_sign(answer, right, near)
    if not np.isfinite(answer).all():
        return ""
    right = with_signs_of(answer, right, same)
    return (
        _describe_signs(answer, right, near)
        or _describe_order(answer, right, near)
        or _describe_lost_entries(answer, right, near)
    )


def _describe_order(answer: Array, right: Array, near: float) -> str:
    if right.ndim == 2:
        for word, table, want in (("rows", answer, right), ("columns", answer.T, right.T)):
            if len(want) > 1 and _same_rows(table, want, near):
                return f"{{it}} has the right {word} in another order."
    is_known = part_bits(right) >= REAL_BITS or right.ndim == 1
    is_permuted = np.abs(np.sort(answer.ravel()) - np.sort(right.ravel())).max() <= near
    return ANOTHER_ORDER if is_known and is_permuted else ""


def _same_rows(table: Array, want: Array, near: float) -> bool:
    """Return whether the rows are the wanted rows in some order."""
    free = list(range(len(want)))
    for row in table:
        place = next((place for place in free if np.abs(row - want[place]).max() <= near), None)
        if place is None:
            return False
        free.remove(place)
    return True


def _describe_single_sign(answer: Array, right: Array, near: float) -> str:
    """Describe a table that has one entry on this case."""
    return "{it} is right but for its sign." if right.any() and _is_flipped(answer, right, near) else ""


def _describe_signs(answer: Array, right: Array, near: float) -> str:
    if np.abs(np.abs(answer) - np.abs(right)).max() > near:
        return ""
    flipped = np.abs(answer - right) > near
    lines = _describe_lines_of_signs(answer, right, flipped, near) if right.ndim == 2 else ""
    count = f"{int(flipped.sum())} of its {flipped.size} entries"
    return lines or f"{{it}} is right but for the sign of {count}."


def _describe_lines_of_signs(answer: Array, right: Array, flipped: Flags, near: float) -> str:
    """Describe wrong signs of whole columns or rows, or of few entries of one column."""
    columns, rows = np.flatnonzero(flipped.any(axis=0)), np.flatnonzero(flipped.any(axis=1))
    names = [str(place + 1) for place in columns]
    row_names = [str(place + 1) for place in rows]
    if all(_is_flipped(answer[:, column], right[:, column], near) for column in columns):
        return _wrong_sign("column", names)
    if len(columns) > 1 and all(_is_flipped(answer[row], right[row], near) for row in rows):
        return _wrong_sign("row", row_names)
    if len(columns) == 1 and len(rows) <= MAX_LISTED:
        return f"{{it}} is right but for signs: in column {names[0]}, {_describe_places('row', row_names)}."
    return ""


def _is_flipped(line: Array, want: Array, near: float) -> bool:
    return bool(np.abs(line + want).max() <= near)


def _wrong_sign(word: str, places: Sequence[str]) -> str:
    return f"{{it}} is right but for signs: {_describe_places(word, places)}."


def _describe_places(word: str, places: Sequence[str]) -> str:
    if len(places) > MAX_LISTED:
        return f"{len(places)} {word}s have the wrong sign"
    are = "has" if len(places) == 1 else "have"
    return f"{word}{'' if len(places) == 1 else 's'} {join_words(list(places))} {are} the wrong sign"


def _describe_lost_entries(answer: Array, right: Array, near: float) -> str:
    """Describe an answer whose entries below some size became zero."""
    off = np.abs(answer - right) > near
    if not off.any() or off.all() or answer[off].any() or not answer.any():
        return ""
    largest, smallest = (
        float(np.abs(right[off]).max()),
        float(np.abs(right[~off & (right != 0)]).min(initial=np.inf)),
    )
    if largest >= smallest:
        return ""
    return f"{{it}} is right, but its small entries (up to {largest:.3g} in size) are zero."
