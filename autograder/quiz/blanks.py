"""Answers judged blank by blank, for platforms that compare one number at a time.

Where a direction may have any length, or values any order, the question asks for a normal form. Feedback that depends
on several numbers together stands at a blank whose wrong number only this misconception gives. If there is none, the
blank names every misconception that gives its number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from autograder.judging.fingerprints import grid_of
from autograder.quiz.quantities import Interval, interval
from autograder.quiz.question import AnswerPart, Foreseen, QuizQuestion, as_typed

NORMAL_FORMS = {
    "exactly": "",
    "up_to_direction": "Enter {it} with length one, its first entry that is not zero positive, to four decimals.",
    "up_to_sign": "Enter {it} with its first entry that is not zero positive.",
    "up_to_order": "Enter {it} in ascending order.",
}


@dataclass(frozen=True)
class WrongNumber:
    """A foreseen wrong number in a blank: feedback, and the share of the blank's points."""

    interval: Interval
    feedback: str
    fraction: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class Blank:
    """A blank with its right number, its weight and its foreseen wrong numbers."""

    label: str
    weight: int
    right: Interval
    wrong: tuple[WrongNumber, ...]


def normal_form(question: QuizQuestion) -> QuizQuestion | None:
    """Return the question with normal forms asked for and all numbers in them.

    None if a part has no normal form.
    """
    if any(part.same not in NORMAL_FORMS for part in question.parts):
        return None
    foreseen = list(filter(None, (_normal(question, raw) for raw in question.foreseen)))
    names = {answer.name for answer in foreseen}
    left_out = tuple(answer.name for answer in question.foreseen if answer.name not in names)
    asked = "".join(f"<p>{line}</p>" for line in filter(None, map(_ask, question.parts)))
    return replace(
        question,
        text=question.text + asked,
        parts=tuple(_normal_part(part, foreseen[0].numbers) for part in question.parts),
        foreseen=tuple(foreseen),
        left_out=(*question.left_out, *left_out),
    )


def _ask(part: AnswerPart) -> str:
    return NORMAL_FORMS[part.same].replace("{it}", part.name or "the numbers")


def _normal_part(part: AnswerPart, right: Sequence[float]) -> AnswerPart:
    if part.same == "exactly":
        return part
    return replace(part, same="exactly", grid=grid_of([right[blank] for blank in part.blanks]))


def _normal(question: QuizQuestion, answer: Foreseen) -> Foreseen | None:
    """Return an answer in normal form; None if a part has none."""
    numbers: list[float] = []
    for part in question.parts:
        values = np.array([answer.numbers[blank] for blank in part.blanks])
        if part.same in ("up_to_direction", "up_to_sign"):
            large = values[np.abs(values) > 1e-9 * np.abs(values).max(initial=0.0)]
            if not large.size:
                return None
            length = np.linalg.norm(values) if part.same == "up_to_direction" else 1.0
            values = values / (length * np.sign(large[0]))
        elif part.same == "up_to_order":
            values = np.sort(values)
        numbers += [as_typed(value) for value in values]
    return replace(answer, numbers=tuple(numbers))


def blanks_of(question: QuizQuestion) -> tuple[Blank, ...]:
    """Return the blanks of a question in normal form."""
    grids = [part.grid for part in question.parts for _ in part.blanks]
    labels = [", ".join(filter(None, (part.name, label))) for part in question.parts for label in part.labels]
    right = [
        interval(("blank", blank), number, grid)
        for blank, (number, grid) in enumerate(zip(question.right.numbers, grids, strict=True))
    ]
    wrong = [_wrong_places(answer, right) for answer in question.wrong]
    shown = _shown_names(question.wrong, wrong)
    return tuple(
        Blank(
            labels[place],
            question.weights[place],
            right[place],
            _wrong_numbers(question, wrong, shown, place),
        )
        for place in range(len(right))
    )


Wrong = dict[int, Interval]  # blank → the interval of a wrong number


def _wrong_places(answer: Foreseen, right: Sequence[Interval]) -> Wrong:
    places: Wrong = {}
    for place, (number, want) in enumerate(zip(answer.numbers, right, strict=True)):
        actual = interval(want.tree, number, float(want.step))
        if actual.centre != want.centre and not want.holds(answer.numbers):
            places[place] = actual
    return places


def _shown_names(answers: Sequence[Foreseen], wrong: Sequence[Wrong]) -> dict[tuple[int, Decimal], list[int]]:
    """Return for each wrong number the answers whose feedback stands there."""
    sharing: dict[tuple[int, Decimal], list[int]] = {}
    for number, places in enumerate(wrong):
        for place, actual in places.items():
            sharing.setdefault((place, actual.centre), []).append(number)
    shown: dict[tuple[int, Decimal], list[int]] = {}
    for number, places in enumerate(wrong):
        spots = [(place, actual.centre) for place, actual in places.items()]
        alone = [spot for spot in spots if _texts(answers, sharing[spot]) == {answers[number].feedback}]
        for spot in (alone or spots)[:1]:
            shown.setdefault(spot, []).append(number)
    return shown


def _texts(answers: Sequence[Foreseen], numbers: Sequence[int]) -> set[str]:
    return {answers[number].feedback for number in numbers}


def _wrong_numbers(
    question: QuizQuestion,
    wrong: Sequence[Wrong],
    shown: dict[tuple[int, Decimal], list[int]],
    place: int,
) -> tuple[WrongNumber, ...]:
    """Return the wrong numbers of a blank, each once."""
    numbers: dict[Decimal, WrongNumber] = {}
    for answer, places in zip(question.wrong, wrong, strict=True):
        actual = places.get(place)
        if actual is None:
            continue
        named = [question.wrong[other] for other in shown.get((place, actual.centre), ())]
        texts = list(dict.fromkeys(other.feedback for other in named))
        share = _share(question, answer, places)
        before = numbers.get(actual.centre)
        numbers[actual.centre] = WrongNumber(
            actual,
            texts[0] if len(texts) == 1 else "".join(f"<p>Perhaps:</p>{text}" for text in texts),
            min(share, before.fraction) if before else share,
            tuple(other.name for other in named),
        )
    return tuple(numbers.values())


def _share(question: QuizQuestion, answer: Foreseen, places: Wrong) -> float:
    """Return the share that each wrong blank earns, so that all blanks together earn what the judge gives."""
    total, weights = sum(question.weights), question.weights
    lost = sum(weights[place] for place in places)
    return min(max((answer.fraction * total - (total - lost)) / lost, 0.0), 1.0) if lost else 0.0
