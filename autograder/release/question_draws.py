"""Draw quick questions: run the programs of their options, lines, steps and faults.

Every draw proves what it shows, and raises UncertifiedError where it cannot.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase

import numpy as np

from autograder.authoring.placeholders import latex, python
from autograder.authoring.question import are_same
from autograder.authoring.question_builders import (
    CLAIM_TRIALS,
    Choice,
    Fault,
    Order,
    Proof,
    QuestionBuilder,
    QuestionPart,
)
from autograder.authoring.question_lines import parameters_of, plain_source, program_lines
from autograder.errors import UncertifiedError
from autograder.judging import fault_programs
from autograder.judging.question import FaultPrograms, QuestionItem, QuickQuestion
from autograder.release.draw import rng_from_words
from autograder.release.question_order import LinesProgram, are_right, needed_before
from autograder.release.question_picture import points_picture

SHOWN_DIGITS = 4
QUESTION_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def drawn_question(name: str, builder: QuestionBuilder, rng: np.random.Generator) -> QuickQuestion:
    """Return one draw of a question, before the judge has tried it."""
    settings = builder.settings
    items: Mapping[str, QuestionItem] = {}
    question = QuickQuestion(
        kind=builder.kind,
        name=name,
        title=builder.title,
        text=builder.text,
        see=settings["see"],
        minutes=builder.minutes,
        points=builder.points,
        items=items,
        several=settings.get("several", False),
        explanation=settings.get("explanation", ""),
    )
    if isinstance(builder, Choice):
        return _drawn_choice(question, builder, rng)
    if isinstance(builder, Order):
        return _drawn_order(question, builder, rng)
    if isinstance(builder, Proof):
        return _drawn_proof(question, builder, rng)
    assert isinstance(builder, Fault)
    return _drawn_fault(question, builder, rng)


def _lettered(
    parts: Sequence[QuestionPart], texts: Sequence[str], rng: np.random.Generator
) -> dict[str, QuestionItem]:
    """Return shuffled items by letter; `after` holds names until `_with_letters` replaces them."""
    order = [int(number) for number in rng.permutation(len(parts))]
    letters = {parts[number].name: letter for number, letter in zip(order, ascii_uppercase, strict=False)}
    return {
        letters[part.name]: QuestionItem(
            text=texts[number],
            is_right=part.is_right,
            name="" if part.is_right else part.name,
            hint=part.hint,
            see=part.see,
            after=tuple(sorted(letters[other] for other in part.after)),
        )
        for number in order
        for part in [parts[number]]
    }


def _drawn_choice(question: QuickQuestion, builder: Choice, rng: np.random.Generator) -> QuickQuestion:
    inputs = dict(builder.drawing(rng))
    values = [_value_of(part, inputs, rng) for part in builder.parts]
    _require_agreement(builder, values, inputs)
    shown = [part.text or _shown(builder, value) for part, value in zip(builder.parts, values, strict=True)]
    _require_distinct(builder, values, shown)
    items = _lettered(builder.parts, shown, rng)
    if builder.settings.get("picture"):
        items = _with_pictures(items, dict(zip(shown, values, strict=True)))
    if not builder.settings.get("several") and sum(item.is_right for item in items.values()) != 1:
        raise UncertifiedError("exactly one option must be right, or say several=True")
    figure = builder.settings.get("figure")
    return replace(
        question,
        text=_filled(builder.text, inputs),
        items=items,
        figure=points_picture(inputs[figure]) if figure else "",
    )


def _with_pictures(
    items: Mapping[str, QuestionItem], values: Mapping[str, object]
) -> dict[str, QuestionItem]:
    """Replace the texts of items by pictures of the values that they name."""
    drawings = {text: points_picture(value) for text, value in values.items()}
    return {letter: replace(item, text="", picture=drawings[item.text]) for letter, item in items.items()}


def _require_agreement(builder: Choice, values: Sequence[object], inputs: Mapping[str, object]) -> None:
    """Raise UncertifiedError if the test of a question does not agree with an option."""
    for part, value in zip(builder.parts, values, strict=True):
        if bool(builder.test(value, **inputs)) != part.is_right:
            raise UncertifiedError(
                f"its test says that {part.name} is {'wrong' if part.is_right else 'right'}"
            )


def _value_of(part: QuestionPart, inputs: Mapping[str, object], rng: np.random.Generator) -> object:
    """Return the value of an option; its program takes the drawn numbers, or a generator if it names `rng`."""
    assert part.make is not None
    names = parameters_of(part.make)
    if names == ["rng"]:
        return part.make(rng)
    return part.make(
        **{
            name: np.copy(value) if isinstance(value, np.ndarray) else value
            for name, value in inputs.items()
            if name in names
        }
    )


def _shown(builder: Choice, value: object) -> str:
    show = builder.settings.get("show")
    return show(value) if show else f"${latex(_rounded(value))}$"


def _rounded(value: object) -> object:
    """Round to SHOWN_DIGITS significant digits of the largest number."""
    array = np.asarray(value, dtype=float)
    largest = float(np.abs(array).max(initial=0.0))
    decimals = SHOWN_DIGITS - 1 - int(np.floor(np.log10(largest))) if largest else 0
    rounded = np.round(array, max(decimals, 0)) + 0.0
    return rounded if array.ndim else float(rounded)


def _require_distinct(builder: Choice, values: Sequence[object], shown: Sequence[str]) -> None:
    names = [part.name for part in builder.parts]
    for second in range(len(names)):
        for first in range(second):
            if shown[first] == shown[second]:
                raise UncertifiedError(f"{names[first]} and {names[second]} look alike")
            both = builder.parts[first], builder.parts[second]
            if not any(part.text for part in both) and are_same(values[first], values[second], builder.same):
                raise UncertifiedError(f"{names[first]} and {names[second]} have the same value")


def _filled(text: str, inputs: Mapping[str, object]) -> str:
    def number(match: re.Match[str]) -> str:
        if match[1] not in inputs:
            raise UncertifiedError(f"{match[0]} has no number; drawn are {', '.join(inputs) or 'none'}")
        return latex(inputs[match[1]])

    return QUESTION_PLACEHOLDER.sub(number, text)


def _drawn_order(question: QuickQuestion, builder: Order, rng: np.random.Generator) -> QuickQuestion:
    if builder.drawing is None:
        raise UncertifiedError("it has no draw of inputs on which the orders are run")
    lines = program_lines(builder.program)
    right = list(range(len(lines)))
    parts = [
        QuestionPart(f"right line {number}", line, True) for number, line in enumerate(lines)
    ] + builder.parts
    texts = [part.text for part in parts]
    cases = list(builder.drawing(rng).values())
    expected = [builder.program(**inputs) for inputs in cases]
    program = LinesProgram(texts, cases, builder.program.__globals__)
    before = needed_before(
        texts, right, lambda order: are_right(program.results(order), expected, builder.same)
    )
    parts = [
        replace(part, after=tuple(f"right line {other}" for other in before.get(number, ())))
        for number, part in enumerate(parts)
    ]
    items = _lettered(parts, texts, rng)
    return replace(question, items={letter: replace(item, is_code=True) for letter, item in items.items()})


def _drawn_proof(question: QuickQuestion, builder: Proof, rng: np.random.Generator) -> QuickQuestion:
    names = [part.name for part in builder.parts]
    for part in builder.parts:
        unknown = set(part.after) - set(names)
        if unknown:
            raise UncertifiedError(f"{part.name} comes after {unknown.pop()}, which is no step")
        if part.make is not None:
            _try_claim(part)
    closed = _closed({part.name: set(part.after) for part in builder.parts})
    parts = [replace(part, after=tuple(sorted(closed[part.name]))) for part in builder.parts]
    return replace(question, items=_lettered(parts, [part.text for part in parts], rng))


def _closed(before: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the transitive closure of a relation, or raise UncertifiedError if it has a cycle."""
    for _ in before:
        before = {name: others.union(*(before[other] for other in others)) for name, others in before.items()}
    cyclic = [name for name, others in before.items() if name in others]
    if cyclic:
        raise UncertifiedError(f"the step {cyclic[0]} needs itself")
    return before


def _try_claim(part: QuestionPart) -> None:
    assert part.make is not None
    trials = [
        bool(part.make(rng_from_words("claim", part.name, str(number)))) for number in range(CLAIM_TRIALS)
    ]
    if part.is_right and not all(trials):
        raise UncertifiedError(f"the claim of the step {part.name} is false on random numbers")
    if not part.is_right and all(trials):
        raise UncertifiedError(f"the claim of the wrong step {part.name} is true on random numbers")


def _drawn_fault(question: QuickQuestion, builder: Fault, rng: np.random.Generator) -> QuickQuestion:
    if builder.wrong_program is None or builder.is_valid is None:
        raise UncertifiedError("a fault needs a shown program and a test for valid inputs")
    name = builder.correct.__name__
    shown, correct = (plain_source(way, name) for way in (builder.wrong_program, builder.correct))
    line, mends = _faulty_line(shown, correct)
    parts = [builder.parts[int(number)] for number in rng.permutation(len(builder.parts))]
    inputs = [part.make() for part in parts if part.make]
    programs = FaultPrograms(
        shown,
        correct,
        plain_source(builder.is_valid, "valid"),
        line,
        mends,
        builder.tests,
        tuple(inputs),
        builder.same.name,
        builder.hint,
    )
    tests = "\n".join(f"- `{_call(name, test)}` returns `{_result(shown, test)}`" for test in builder.tests)
    text = f"{builder.text}\n\n```python\n{shown}\n```\n\nThe function passes these tests:\n\n{tests}"
    items = {
        letter: _fault_item(part, values)
        for letter, part, values in zip(ascii_uppercase, parts, inputs, strict=False)
    }
    explanation = question.explanation or f"The fault is in line {line}. A correct line is `{mends[0]}`."
    return replace(question, text=text, items=items, programs=programs, explanation=explanation)


def _fault_item(part: QuestionPart, inputs: Mapping[str, object]) -> QuestionItem:
    name = "" if part.is_right else part.name
    return QuestionItem(_arguments(inputs), part.is_right, name, part.hint, is_code=True)


def _faulty_line(shown: str, correct: str) -> tuple[int, tuple[str, ...]]:
    """Return the number of the only line in which two programs differ, and its correction."""
    pairs = list(zip(shown.splitlines(), correct.splitlines(), strict=False))
    differing = [number for number, (line, other) in enumerate(pairs, 1) if line != other]
    if len(differing) != 1 or len(shown.splitlines()) != len(correct.splitlines()):
        raise UncertifiedError("the shown program must differ from the correct one in exactly one line")
    return differing[0], (pairs[differing[0] - 1][1].strip(),)


def _call(name: str, inputs: Mapping[str, object]) -> str:
    return f"{name}({', '.join(_plain(value) for value in inputs.values())})"


def _arguments(inputs: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={_plain(value)}" for name, value in inputs.items())


def _plain(value: object) -> str:
    """Format an input as a student types it: lists without `np.array`."""
    return python(value.tolist() if isinstance(value, np.ndarray) else value)


def _result(source: str, inputs: Mapping[str, object]) -> str:
    result = fault_programs.result_of(source, inputs)
    if result is None:
        raise UncertifiedError("a visible test has no finite result")
    return _plain(_rounded(result))
