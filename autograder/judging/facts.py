"""What is true of a wrong answer, whatever led to it: what is left of it, what it lacks, which part is wrong."""

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autograder.answers.attempt import Attempt, Call
from autograder.judging import forms, formula_probes, probes, trace
from autograder.judging.compare import Compared, right_entries, right_part, wanted
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.relations import gap, listed, relation
from autograder.judging.told import Diagnosis, not_right, part_name, sentence, with_right_parts, wrong_parts

Array = NDArray[np.float64]
Ask = Callable[[list[Call]], list[Attempt]]
MAX_PROBES = 12
LOST = {
    "tiny": "{it} is practically zero beside what is right: rounding errors are all that is left. Was something "
    "subtracted from itself, or the smallest taken where the largest is asked?",
    "huge": "{it} is enormous beside what is right: it looks divided by a rounding error, that is, by something that "
    "should be zero.",
    "absurd": "{it} is out of all proportion to what is right: does an iteration diverge, or is something divided by "
    "zero?",
}


def lost(key: TaskKey, found: Sequence[Compared]) -> Diagnosis | None:
    """Parts of which rounding errors are left wherever they are wrong: no law and no property can be read off those."""
    wrong = wrong_parts(found, len(key.same))
    said = {part: _lost_as(key, found, part) for part in wrong}
    told = [sentence(LOST[how], part_name(key, part)) for part, how in said.items() if how]
    if not told:
        return None
    rest = [part for part, how in said.items() if not how]
    return Diagnosis(with_right_parts(key, wrong, " ".join([*told, *not_right(key, rest)])), see=key.see)


def _lost_as(key: TaskKey, found: Sequence[Compared], part: int) -> str:
    """How a part is lost on all cases where it is wrong, if it is lost in one way on all of them."""
    ways = {
        trace.lost_as(one.parts[part], right_part(key, case, part))
        if isinstance(case, OpenCase) and one.parts is not None
        else ""
        for case, one in zip(key.cases, found, strict=True)
        if not one.right[part]
    }
    return ways.pop() if len(ways) == 1 else ""


def by_probes(
    key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared], ask: Ask | None
) -> Diagnosis | None:
    """A law that the function or the formula breaks, or a property that the answer lacks."""
    facts = itertools.chain(
        _missing_properties(key, found),
        _broken_laws(key, found, ask),
        _broken_formula_laws(key, attempts[0], found[0]),
    )
    said = next(facts, None)
    if said is None:
        return None
    wrong = wrong_parts(found, len(key.same))
    return Diagnosis(with_right_parts(key, wrong, said), None, None, key.see)


def _missing_properties(key: TaskKey, found: Sequence[Compared]) -> Iterator[str]:
    for name, part in key.always:
        words, holds = probes.PROPERTIES[name]
        for case, one in zip(key.cases, found, strict=True):
            if one.parts is None or one.right[part] or not _is_in_form(key, case, part, one.parts[part]):
                continue
            if np.isfinite(one.parts[part]).all() and not holds(one.parts[part]):
                yield sentence(
                    f"{{it}} {words}, if it is right; on “{case.name}” it is not so.", part_name(key, part)
                )


def _is_in_form(key: TaskKey, case: OpenCase | SealedCase, part: int, given: Array) -> bool:
    form = wanted(key, case)
    shape = case.shapes[part] if isinstance(case, SealedCase) else form.shapes[part]
    return given.shape == shape


def _broken_laws(key: TaskKey, found: Sequence[Compared], ask: Ask | None) -> Iterator[str]:
    """Call the function on changed inputs of the first case that it answered."""
    answered = [position for position, one in enumerate(found) if one.parts is not None]
    wrong = [position for position in answered if not found[position].is_right]
    if not wrong or ask is None:
        return
    case, before = key.cases[wrong[0]], found[wrong[0]].parts
    assert before is not None
    laws = [law for law in key.laws if not found[wrong[0]].right[law.part]][:MAX_PROBES]
    pairs = list(dict.fromkeys((law.change, law.argument) for law in laws))
    calls = [Call(probes.changed(case.inputs, change, argument)) for change, argument in pairs]
    answers = dict(zip(pairs, ask(calls), strict=False))
    for law in laws:
        after = _read_anyhow(key, answers.get((law.change, law.argument)))
        same = key.samenesses[law.part]
        if after is None or probes.obeys(law.law, law.change, before[law.part], after[law.part], same):
            continue
        did = next(
            (
                one
                for one in probes.possible_laws(law.change)
                if probes.obeys(one, law.change, before[law.part], after[law.part], same)
            ),
            None,
        )
        yield sentence(probes.broken_law(law.law, law.change, law.argument, did), part_name(key, law.part))


def _broken_formula_laws(key: TaskKey, attempt: Attempt, found: Compared) -> Iterator[str]:
    case = key.cases[0]
    if key.kind != "sym" or not isinstance(case, SealedCase) or found.parts is None:
        return
    wrong = [
        part
        for part, is_right in enumerate(found.right)
        if not is_right and not _form_trouble(key, case, part, found.parts[part])
    ]
    for part, text in formula_probes.broken(key, case, attempt.value, found.parts, wrong):
        yield sentence(text, part_name(key, part))


def _read_anyhow(key: TaskKey, attempt: Attempt | None) -> tuple[Array, ...] | None:
    """The parts of an answer to a probe, whose right form is not known."""
    if attempt is None or attempt.problem:
        return None
    try:
        loose = forms.Wanted(((),) * len(key.same), exact_form=True)
        parts = forms.read(attempt.value, loose)
    except ValueError:
        return None
    return parts if all(np.isfinite(part).all() for part in parts) else None


def by_facts(key: TaskKey, found: Sequence[Compared]) -> Diagnosis | None:
    """Which part is wrong, on which case, how far."""
    wrong = wrong_parts(found, len(key.same))
    first = next(
        (position for position, one in enumerate(found) if not one.is_right and one.parts is not None), None
    )
    if first is None or not wrong:
        return None
    texts = [
        _fact(key, key.cases[first], part, found[first]) for part in wrong if not found[first].right[part]
    ]
    text = " ".join(text for text in texts if text)
    return Diagnosis(with_right_parts(key, wrong, text), None, None, key.see) if text else None


def _fact(key: TaskKey, case: OpenCase | SealedCase, part: int, found: Compared) -> str:
    assert found.parts is not None
    given, it = found.parts[part], part_name(key, part)
    trouble = _form_trouble(key, case, part, given)
    if trouble:
        return sentence(trouble, it)
    if isinstance(case, SealedCase):
        return _sealed_fact(key, case, part, given)
    right, same = right_part(key, case, part), key.samenesses[part]
    text = relation(given, right, same)
    if len(key.cases) == 1:
        return sentence(text or f"{{it}} is not right{gap(given, right, same)}.", it)
    where = f"On “{case.name}”"
    if not text:
        return f"{where} {it} is not right{gap(given, right, same)}."
    return f"{where}: {text.replace('{it}', it)}"


def _form_trouble(key: TaskKey, case: OpenCase | SealedCase, part: int, given: Array) -> str:
    """What is wrong with the form of a part; empty if nothing is."""
    form, thing = wanted(key, case), "formula" if key.kind == "sym" else "number"
    own = given.shape[1:] if form.points is not None else given.shape
    shape = form.shapes[part]
    free = bool(form.free_columns) and form.free_columns[part]
    if own != shape and not (free and len(own) == 2 and len(shape) == 2 and own[0] == shape[0]):
        turned = " (transposed?)" if len(own) == 2 and own[::-1] == shape else ""
        return f"{{it}} should be {forms.said(shape, thing)}; it is {forms.said(own, thing)}{turned}."
    if not np.isfinite(given).all():
        if key.kind == "sym":
            return "{it} has no real value at some points where the right formula has one."
        if key.kind == "hand":
            return "{it} holds entries that are not numbers (NaN or infinite)."
        if not np.isnan(given).any():
            return "{it} holds infinite entries."
        return "{it} holds entries that are not numbers (NaN): look under roots and below fraction bars."
    return ""


def _sealed_fact(key: TaskKey, case: SealedCase, part: int, given: Array) -> str:
    it = part_name(key, part)
    entries = right_entries(key, case, part, given)
    if entries and any(entries):
        right = [str(position) for position, yes in enumerate(entries, start=1) if yes]
        word = "Entry" if len(right) == 1 else "Entries"
        return (
            f"{word} {listed(right)} of {it} {'is' if len(right) == 1 else 'are'} right, the others not yet."
        )
    what = "is not equal to the right formula" if key.kind == "sym" else "is not the right value"
    return sentence(f"{{it}} {what}: check each step.", it)
