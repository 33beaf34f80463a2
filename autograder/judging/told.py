"""What can be told of a wrong answer, and how a message speaks of its parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.judging.compare import Compared
from autograder.judging.key import TaskKey
from autograder.judging.relations import listed


@dataclass(frozen=True)
class Diagnosis:
    """What can be told: the sentence, the mistake if it was recognised, where to reread, the credit it keeps."""

    message: str
    misconception: str | None = None
    slip: str | None = None
    see: str | None = None
    credit: float = 0.0


def part_name(key: TaskKey, part: int) -> str:
    """How a message calls a part: by its number, and by its name if the author gave one."""
    if len(key.same) == 1:
        return "your answer"
    return f"part {part + 1} ({key.parts[part]})" if key.parts else f"part {part + 1}"


def _list_of(key: TaskKey, parts: list[int]) -> str:
    text = listed([part_name(key, part) for part in parts])
    return text[:1].upper() + text[1:]


def sentence(text: str, it: str) -> str:
    """A text with its subject put in, beginning with a capital."""
    filled = text.replace("{it}", it)
    return filled[:1].upper() + filled[1:]


def not_right(key: TaskKey, parts: list[int]) -> list[str]:
    """Say of these parts that they are wrong, or nothing if there are none."""
    return [f"{_list_of(key, parts)} {'is' if len(parts) == 1 else 'are'} not right yet."] if parts else []


def with_right_parts(key: TaskKey, wrong: list[int], text: str) -> str:
    """Say first what is right already."""
    right = [part for part in range(len(key.same)) if part not in wrong]
    if not right or len(key.same) == 1:
        return text
    return f"{_list_of(key, right)} {'is' if len(right) == 1 else 'are'} right. {text}"


def wrong_parts(found: Sequence[Compared], number: int) -> list[int]:
    """The parts that are wrong on some case."""
    return [part for part in range(number) if not all(one.right[part] for one in found)]
