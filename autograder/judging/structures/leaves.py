"""Leaves of an answer with structure: numbers, texts, truth values and missing values, each at a place.

Numbers agree up to a relative tolerance. In a digest they are rounded to four significant digits, so that rounding
errors do not change it.
"""

import hashlib
import json
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.tables import DataTable
from autograder.answers.texts import bounded_normal_form
from autograder.answers.values import Expression, UnsupportedAnswerError

LeafPlace = tuple[str, ...]  # steps from the outside in words: ("row 2", "column 'age'")
Leaf = float | str | None  # None stands for what is missing
MAX_LEAVES = 10_000
DIGEST_SIZE = 8
DIGEST_DIGITS = 3  # after the leading digit
# in units of the last digit: without it, rounding errors would decide how a decimal that ends in 5 is rounded
DIGEST_TIE_OFFSET = 1e-5
DIGEST_ZERO = 1e-12  # smaller numbers count as zero in a digest
ZERO_ATOL = 1e-9  # where zero is right
LONG_TEXT_WORDS = 7
SHORT_TEXT_BITS, LONG_TEXT_BITS, NUMBER_BITS = 2.0, 20.0, 13.0


@dataclass(frozen=True)
class Freedom:
    """Differences of texts that do not count."""

    any_case: bool = False
    any_space: bool = False
    any_punctuation: bool = False

    def normal(self, text: str) -> str:
        """Return the text without what does not count."""
        text = bounded_normal_form("NFC", text).strip()
        if self.any_case:
            text = text.casefold()
        if self.any_punctuation:
            text = "".join(" " if _is_punctuation(character) else character for character in text)
        return " ".join(text.split()) if self.any_space or self.any_punctuation else text


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def leaf_of(value: object) -> Leaf:
    """Return a value as a leaf; raise UnsupportedAnswerError if it is a container."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | int | float):
        number = float(value)
        return None if math.isnan(number) else number
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, Expression):
        return value.text
    raise UnsupportedAnswerError(f"{describe_type(value)} was found where a number or a text was expected")


def describe_type(value: object) -> str:
    """Return what a value is, in words."""
    if isinstance(value, np.ndarray):
        return "one number" if value.ndim == 0 else f"an array of shape {value.shape}"
    words = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a text",
        dict: "a dict",
        list: "a list",
        tuple: "a tuple",
        frozenset: "a set",
        DataTable: "a table",
        Expression: "a formula",
    }
    return words.get(type(value), "nothing" if value is None else type(value).__name__)


def agree(leaf: Leaf, right: Leaf, tolerance: float) -> bool:
    """Return whether two leaves agree; texts must be in their normal form."""
    if not isinstance(leaf, float) or not isinstance(right, float):
        return leaf == right and type(leaf) is type(right)
    zero = ZERO_ATOL if abs(right) <= DIGEST_ZERO else DIGEST_ZERO
    return leaf == right or math.isclose(leaf, right, rel_tol=tolerance, abs_tol=zero)


def leaf_text(leaf: Leaf, digits: int = DIGEST_DIGITS) -> str:
    """Return the text of a leaf for a digest, with its type."""
    if leaf is None:
        return "missing"
    if isinstance(leaf, str):
        return f"text {leaf}"
    return f"number {number_text(leaf, digits)}"


def number_text(number: float, digits: int = DIGEST_DIGITS) -> str:
    """Return a number with so many digits after the leading one."""
    if not math.isfinite(number) or abs(number) < DIGEST_ZERO:
        return "0" if math.isfinite(number) else repr(number)
    unit = 10.0 ** (math.floor(math.log10(abs(number))) - digits)
    return f"{number + DIGEST_TIE_OFFSET * unit:.{digits}e}"


def is_near_edge(leaf: Leaf, margin: float, digits: int = DIGEST_DIGITS) -> bool:
    """Return whether a number is so near the edge of its rounding that another program may round it otherwise.

    `margin` is in units of the last digit.
    """
    if not isinstance(leaf, float) or not math.isfinite(leaf) or abs(leaf) < DIGEST_ZERO:
        return False
    steps = abs(leaf) / 10.0 ** (math.floor(math.log10(abs(leaf))) - digits)
    return abs(steps % 1.0 - 0.5) < margin


def digest_words(words: Sequence[object]) -> Array:
    """Return eight whole numbers that identify these words."""
    data = hashlib.sha256(json.dumps(words, ensure_ascii=False).encode()).digest()
    return np.frombuffer(data, dtype=">i4").astype(np.float64)


def count_leaves(value: object, most: int) -> int:
    """Count the leaves of plain data, until there are more than `most`."""
    number, pending = 0, [value]
    while pending and number <= most:
        item = pending.pop()
        if isinstance(item, np.ndarray):
            number += item.size
        elif isinstance(item, DataTable):
            pending.extend(item.columns)
        elif isinstance(item, dict | list | tuple | frozenset):
            number += len(item) // 4  # empty containers count, too
            pending.extend(item.values() if isinstance(item, dict) else item)
        else:
            number += 1
    return number


def leaves_of_any(value: object, place: LeafPlace = ()) -> Iterator[tuple[LeafPlace, Leaf]]:
    """Yield the leaves of any plain data, to identify answers of another kind than expected."""
    if isinstance(value, np.ndarray) and value.ndim:
        value = value.tolist()
    if isinstance(value, DataTable):
        value = value.as_dict()
    if isinstance(value, frozenset):
        value = sorted(value, key=repr)
    if isinstance(value, dict):
        value = [[name, item] for name, item in value.items()]
    if isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from leaves_of_any(item, (*place, str(number)))
    else:
        yield place, leaf_of(value)


def leaf_bits(leaf: Leaf, is_truth: bool) -> float:
    """Return the information in a leaf, in bits: few words and truth values have little."""
    if is_truth or leaf is None:
        return 1.0
    if isinstance(leaf, str):
        return LONG_TEXT_BITS if len(leaf.split()) >= LONG_TEXT_WORDS else SHORT_TEXT_BITS
    return (
        0.0
        if leaf == 0
        else NUMBER_BITS
        if leaf != round(leaf)
        else min(NUMBER_BITS, math.log2(2 * abs(leaf) + 1))
    )
