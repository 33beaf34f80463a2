"""Probes of formulas: how the right formula responds when its symbols are doubled or exchanged.

A formula that a student hands in can be evaluated wherever we like, so it can be asked as a function can: double p and
q, and it should grow fourfold. Which of these laws hold is found by running the reference when a key is made; a key
holds the laws and never what the right formula is.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.answers.values import NotPlainError
from autograder.judging import forms, probes
from autograder.judging.compare import wanted
from autograder.judging.key import Law, SealedCase, TaskKey
from autograder.judging.sameness import exactly

Array = NDArray[np.float64]
DOUBLED, EXCHANGED = "double symbols", "exchange symbols"
BECOMES = "becomes part "
CHANGES = "changes"  # in a way that has no name


def changes(symbols: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every change of the symbols that is tried, small sets first."""
    sets = [*itertools.combinations(symbols, 1), *itertools.combinations(symbols, 2)]
    if len(symbols) > 2:
        sets.append(tuple(symbols))
    for chosen in sets:
        yield DOUBLED, ", ".join(chosen)
    for pair in itertools.combinations(symbols, 2):
        yield EXCHANGED, ", ".join(pair)


def changed(points: Mapping[str, Any], change: str, symbols: str) -> dict[str, Any]:
    """The sample points after a change."""
    chosen = symbols.split(", ")
    if change == DOUBLED:
        return {name: 2 * value if name in chosen else value for name, value in points.items()}
    one, other = chosen
    return {**points, one: points[other], other: points[one]}


def laws(change: str, parts: int, part: int) -> Iterator[str]:
    """The laws that a part may obey under a change, the plainest first."""
    yield "stays"
    if change == DOUBLED:
        yield from probes.POWERS
    else:
        yield "changes its sign"
        yield from (f"{BECOMES}{other + 1}" for other in range(parts) if other != part)


def named_or_not(change: str, symbols: str, parts: int, part: int) -> Iterator[str]:
    """The laws that a key may hold: those above, and that a part depends on a symbol in some way or other."""
    yield from laws(change, parts, part)
    if change == DOUBLED and ", " not in symbols:
        yield CHANGES


def obeys(law: str, part: int, before: Sequence[Array], after: Sequence[Array]) -> bool:
    """Does a part respond to a change by the law?"""
    if law == CHANGES:
        return not probes.obeys("stays", "", before[part], after[part], exactly)
    if law.startswith(BECOMES):
        other = int(law.removeprefix(BECOMES)) - 1
        return probes.obeys("stays", "", before[other], after[part], exactly)
    return probes.obeys(law, "", before[part], after[part], exactly)


def broken(
    key: TaskKey, case: SealedCase, value: Any, before: Sequence[Array], wrong: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """The laws that the wrong parts of a formula break, each with the sentence that says so."""
    for law in key.laws:
        if law.part not in wrong:
            continue
        after = _evaluated(key, case, value, changed(case.inputs, law.change, law.argument))
        if after is None or obeys(law.law, law.part, before, after):
            continue
        did = (one for one in laws(law.change, len(before), law.part) if obeys(one, law.part, before, after))
        yield law.part, _sentence(law, next(did, None))


def _evaluated(
    key: TaskKey, case: SealedCase, value: Any, inputs: Mapping[str, Any]
) -> tuple[Array, ...] | None:
    """The parts of a formula at other sample points, if it has real values there."""
    form = wanted(key, SealedCase(**{**vars(case), "inputs": inputs}))
    try:
        parts = forms.read(value, form)
    except NotPlainError:
        return None
    return parts if all(np.isfinite(part).all() for part in parts) else None


def _sentence(law: Law, did: str | None) -> str:
    *first, last = law.argument.split(", ")
    if law.law == CHANGES:
        return f"The right formula for {{it}} depends on {last}; yours does not."
    symbols = f"{', '.join(first)} and {last} are" if first else f"{last} is"
    done = f"{symbols} {'doubled' if law.change == DOUBLED else 'exchanged'}"
    if did == "stays":
        return f"A test of it: if {done}, {{it}} {_should(law.law)}; yours does not change."
    instead = f"; yours {_should(did).replace('should', 'would')}" if did else "; yours does not"
    return f"A test of it: if {done}, {{it}} {_should(law.law)}{instead}."


def _should(law: str) -> str:
    return (
        f"should become what part {law.removeprefix(BECOMES)} is"
        if law.startswith(BECOMES)
        else probes.LAWS[law][0]
    )
