"""Call a wrong function on changed inputs: which law of the right answer it breaks, or whether rounding errors decide.

A law is told only of a function that is stable, before the change of the inputs and after it: what comes of rounding
errors breaks any law.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.answers.arrays import Array, Inputs
from autograder.answers.attempt import Call, CallResult
from autograder.judging import forms, probes
from autograder.judging.compare import Comparison
from autograder.judging.form import on_case
from autograder.judging.key import Law, TaskKey
from autograder.judging.messages import fill_subject, part_name

Ask = Callable[[list[Call]], list[CallResult]]
Parts = tuple[Array, ...]
MAX_PROBES = 12
MAX_NUDGED = 4  # cases that are asked again with other last digits
LOST_DIGITS = (
    "{it} changes much when the inputs change in their ninth digit: something is left to rounding errors."
)


@dataclass(frozen=True)
class NudgedAnswer:
    """Answer of a function on inputs and, if it could be read, on nearly the same inputs."""

    inputs: Inputs
    parts: Parts
    nudged: Parts | None

    def is_stable(self, key: TaskKey, part: int) -> bool:
        """Return whether a part is the same on nearly the same inputs, but for signs and rotation."""
        if self.nudged is None:
            return False
        return probes.may_obey("stays", "", self.parts[part], self.nudged[part], key.samenesses[part])


def sentences_from_calls(key: TaskKey, comparisons: Sequence[Comparison], ask: Ask | None) -> Iterator[str]:
    """Yield the laws that a function breaks on the first case that it answered wrongly; then where digits decide."""
    wrong = [
        position
        for position, comparison in enumerate(comparisons)
        if comparison.parts is not None and not comparison.is_right
    ][:MAX_NUDGED]
    if not wrong or ask is None:
        return
    asked = _ask_nudged(key, comparisons, wrong, ask)
    laws = [law for law in key.laws if _may_be_told(law, comparisons, wrong[0])]
    yield from _broken_laws(key, laws[:MAX_PROBES], asked[0], ask)
    for case, answered in zip(wrong, asked, strict=True):
        yield from _lost_digits(key, case, comparisons[case], answered)


def _may_be_told(law: Law, comparisons: Sequence[Comparison], case: int) -> bool:
    """Return whether breaking a law may be why a part is wrong on a case.

    A program that is wrong in every unit has more to mend than its limits, and a library has limits of its own: laws
    on units are tested only if the part is right on another case.
    """
    if comparisons[case].right[law.part]:
        return False
    is_on_units = law.change in ("small unit", "large unit")
    return not is_on_units or any(comparison.right[law.part] for comparison in comparisons)


def _ask_nudged(
    key: TaskKey, comparisons: Sequence[Comparison], cases: Sequence[int], ask: Ask
) -> list[NudgedAnswer]:
    """Call the function on slightly changed inputs of these cases."""
    results = ask([Call(probes.nudged(key.cases[case].inputs)) for case in cases])
    return [
        NudgedAnswer(key.cases[case].inputs, comparisons[case].parts or (), _read_any_form(key, result))
        for case, result in zip(cases, results, strict=True)
    ]


def _changed_inputs(laws: Sequence[Law], inputs: Inputs) -> dict[tuple[str, str], Inputs]:
    """Map each change of an argument that is possible to the changed inputs."""
    changes: dict[tuple[str, str], Inputs] = {}
    for law in laws:
        with contextlib.suppress(ValueError):
            changes[law.change, law.argument] = probes.apply_change(inputs, law.change, law.argument)
    return changes


def _may_obey(key: TaskKey, law: Law, before: Sequence[Array], after: Sequence[Array]) -> bool:
    same = key.samenesses[law.part]
    return probes.may_obey(law.law, law.change, before[law.part], after[law.part], same)


def _broken_laws(key: TaskKey, laws: Sequence[Law], before: NudgedAnswer, ask: Ask) -> Iterator[str]:
    laws = [law for law in laws if before.is_stable(key, law.part)]
    changes = _changed_inputs(laws, before.inputs)
    results = ask([Call(dict(inputs)) for inputs in changes.values()]) if changes else []
    afters = {change: _read_any_form(key, result) for change, result in zip(changes, results, strict=False)}
    for law in laws:
        after = afters.get((law.change, law.argument))
        if after is None or _may_obey(key, law, before.parts, after):
            continue
        inputs = changes[law.change, law.argument]
        (again,) = ask([Call(probes.nudged(inputs))])
        if NudgedAnswer(inputs, after, _read_any_form(key, again)).is_stable(key, law.part):
            yield _law_sentence(key, law, before, after[law.part])


def _law_sentence(key: TaskKey, law: Law, before: NudgedAnswer, after: Array) -> str:
    """Return the sentence for a broken law.

    A law also counts as kept if signs or a rotation are all that differ, because a program may leave these to chance.
    """
    others, same = probes.possible_laws(law.change), key.samenesses[law.part]
    did = next(
        (
            other
            for other in others
            if probes.satisfies_law(other, law.change, before.parts[law.part], after, same)
        ),
        None,
    )
    axes = probes.axes_of(before.inputs[law.argument])
    text = probes.broken_law(law.law, law.change, law.argument, did, axes)
    return fill_subject(text, part_name(key, law.part))


def _lost_digits(key: TaskKey, case: int, comparison: Comparison, answered: NudgedAnswer) -> Iterator[str]:
    """Yield a sentence for each wrong part that is decided by last digits."""
    for part, is_right in enumerate(comparison.right):
        if is_right or answered.nudged is None:
            continue
        if probes.is_unstable(answered.parts[part], answered.nudged[part], key.samenesses[part]):
            yield on_case(key, key.cases[case], LOST_DIGITS, part_name(key, part))


def _read_any_form(key: TaskKey, attempt: CallResult | None) -> Parts | None:
    """Return the parts of the answer to a probe, whatever their form.

    None if the answer cannot be read or holds entries that are not finite.
    """
    if attempt is None or attempt.problem:
        return None
    try:
        parts = forms.read_parts(attempt.value, forms.any_form(key.samenesses))
    except ValueError:
        return None
    return parts if all(np.isfinite(part).all() for part in parts) else None
