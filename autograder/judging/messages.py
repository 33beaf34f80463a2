"""Diagnoses as data, and sentences that name parts of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.judging.compare import Comparison
from autograder.judging.key import TaskKey
from autograder.judging.relations import join_words


@dataclass(frozen=True)
class Diagnosis:
    """The sentence for the student, and the mistake if it was recognised.

    `see` is the label to reread; `credit` is the share of the points that the mistake still earns.
    """

    message: str
    misconception: str | None = None
    slip: str | None = None
    see: str | None = None
    credit: float = 0.0


def part_name(key: TaskKey, part: int) -> str:
    """Return the name of a part in messages: number and author's name."""
    if len(key.same) == 1:
        return "your answer"
    return f"part {part + 1} ({key.parts[part]})" if key.parts else f"part {part + 1}"


def _list_of(key: TaskKey, parts: list[int]) -> str:
    text = join_words([part_name(key, part) for part in parts])
    return text[:1].upper() + text[1:]


def fill_subject(text: str, it: str) -> str:
    """Put the subject into a sentence and capitalise it."""
    filled = text.replace("{it}", it)
    return filled[:1].upper() + filled[1:]


def list_wrong_parts(key: TaskKey, parts: list[int]) -> list[str]:
    """Return a sentence that these parts are wrong; none without parts."""
    return [f"{_list_of(key, parts)} {'is' if len(parts) == 1 else 'are'} not right yet."] if parts else []


def prepend_right_parts(key: TaskKey, wrong: list[int], text: str) -> str:
    """Put in front of a text which parts are right."""
    right = [part for part in range(len(key.same)) if part not in wrong]
    if not right or len(key.same) == 1:
        return text
    return f"{_list_of(key, right)} {'is' if len(right) == 1 else 'are'} right. {text}"


def wrong_parts(comparisons: Sequence[Comparison], number: int) -> list[int]:
    """Return the parts that are wrong on some case."""
    return [part for part in range(number) if not all(comparison.right[part] for comparison in comparisons)]
