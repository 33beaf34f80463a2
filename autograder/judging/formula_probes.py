"""Probes of formulas: laws under doubling and exchanging symbols.

A submitted formula can be evaluated at any points, so it can be probed like a function: if p and q are doubled, it
should grow fourfold. Running the reference shows which laws hold, when a key is made. The key holds the laws and never
the right formula.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import forms, probes
from autograder.judging.compare import expected_form
from autograder.judging.key import Law, SealedCase, TaskKey
from autograder.judging.sameness import exactly

DOUBLED, EXCHANGED = "double symbols", "exchange symbols"
BECOMES = "becomes part "
CHANGES = "changes"  # in a way that has no name


def symbol_changes(symbols: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every change of the symbols that is tried, small sets first."""
    sets = [*itertools.combinations(symbols, 1), *itertools.combinations(symbols, 2)]
    if len(symbols) > 2:
        sets.append(tuple(symbols))
    for chosen in sets:
        yield DOUBLED, ", ".join(chosen)
    for pair in itertools.combinations(symbols, 2):
        yield EXCHANGED, ", ".join(pair)


def apply_symbol_change(points: Mapping[str, Any], change: str, symbols: str) -> dict[str, object]:
    """Return the sample points after a change of symbols."""
    chosen = symbols.split(", ")
    if change == DOUBLED:
        return {name: 2 * value if name in chosen else value for name, value in points.items()}
    first, second = chosen
    return {**points, first: points[second], second: points[first]}


def laws(change: str, parts: int, part: int) -> Iterator[str]:
    """Yield the laws that a part may obey, plainest first."""
    yield "stays"
    if change == DOUBLED:
        yield from probes.POWERS
    else:
        yield "changes its sign"
        yield from (f"{BECOMES}{other + 1}" for other in range(parts) if other != part)


def named_or_not(change: str, symbols: str, parts: int, part: int) -> Iterator[str]:
    """Yield the laws that a key may hold under a change.

    These are `laws`, and that the part depends on the symbol in some way.
    """
    yield from laws(change, parts, part)
    if change == DOUBLED and ", " not in symbols:
        yield CHANGES


def formula_satisfies_law(law: str, part: int, before: Sequence[Array], after: Sequence[Array]) -> bool:
    """Return whether a part responds to a change as the law says."""
    if law == CHANGES:
        return not probes.satisfies_law("stays", "", before[part], after[part], exactly)
    if law.startswith(BECOMES):
        other = int(law.removeprefix(BECOMES)) - 1
        return probes.satisfies_law("stays", "", before[other], after[part], exactly)
    return probes.satisfies_law(law, "", before[part], after[part], exactly)


def broken(
    key: TaskKey, case: SealedCase, value: object, before: Sequence[Array], wrong: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield each law that a wrong part breaks, as part and sentence."""
    for law in key.laws:
        if law.part not in wrong:
            continue
        after = _evaluate(key, case, value, apply_symbol_change(case.inputs, law.change, law.argument))
        if after is None or formula_satisfies_law(law.law, law.part, before, after):
            continue
        observed = (
            candidate
            for candidate in laws(law.change, len(before), law.part)
            if formula_satisfies_law(candidate, law.part, before, after)
        )
        yield law.part, _law_sentence(law, next(observed, None))


def _evaluate(
    key: TaskKey, case: SealedCase, value: object, inputs: Mapping[str, object]
) -> tuple[Array, ...] | None:
    """Return the parts at other points, or None if not real there."""
    form = expected_form(key, SealedCase(**{**vars(case), "inputs": inputs}))
    try:
        parts = forms.read_parts(value, form)
    except UnsupportedAnswerError:
        return None
    return parts if all(np.isfinite(part).all() for part in parts) else None


def _law_sentence(law: Law, observed: str | None) -> str:
    *first, last = law.argument.split(", ")
    if law.law == CHANGES:
        return f"The right formula for {{it}} depends on {last}; yours does not."
    symbols = f"{', '.join(first)} and {last} are" if first else f"{last} is"
    done = f"{symbols} {'doubled' if law.change == DOUBLED else 'exchanged'}"
    if observed == "stays":
        return f"Test: if {done}, {{it}} {_should(law.law)}; it does not change."
    instead = f"it {_should(observed).replace('should', 'would')}" if observed else "it does not"
    return f"Test: if {done}, {{it}} {_should(law.law)}; {instead}."


def _should(law: str) -> str:
    return (
        f"should become what part {law.removeprefix(BECOMES)} is"
        if law.startswith(BECOMES)
        else probes.LAWS[law][0]
    )
