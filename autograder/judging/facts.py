"""State facts about a wrong answer: cancellation, broken laws, distances.

They hold whatever mistake led to the answer.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.attempt import CallResult
from autograder.judging import formula_probes, trace
from autograder.judging.compare import Comparison, right_entries, right_part, right_value
from autograder.judging.fingerprints import fingerprint
from autograder.judging.form import describe_not_finite, describe_shape, on_case
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.law_tests import Ask, sentences_from_calls
from autograder.judging.messages import (
    Diagnosis,
    fill_subject,
    list_wrong_parts,
    part_name,
    prepend_right_parts,
    wrong_parts,
)
from autograder.judging.relations import describe_dimension, describe_distance, describe_relation, join_words
from autograder.judging.statements import property_named
from autograder.judging.structures.differences import MAX_NAMED_PLACES, describe_structure
from autograder.judging.structures.kinds import Kind

CANCELLATION_SENTENCES = {
    "zero": "{it} is zero, and the right one is not.",
    "tiny": "{it} is practically zero beside what is right.",
    "huge": "{it} is enormous beside what is right.",
    "absurd": "{it} is out of all proportion to what is right.",
}


def diagnose_cancellation(key: TaskKey, comparisons: Sequence[Comparison]) -> Diagnosis | None:
    """Diagnose parts of which cancellation left only rounding errors.

    No law and no property can be read off such parts.
    """
    wrong = wrong_parts(comparisons, len(key.same))
    kinds = {
        part: "" if ("whole", part) in key.always else _shared_cancellation_kind(key, comparisons, part)
        for part in wrong
    }
    sentences = [
        _on_cases(key, comparisons, part, CANCELLATION_SENTENCES[kind])
        for part, kind in kinds.items()
        if kind
    ]
    if not sentences:
        return None
    rest = [part for part, kind in kinds.items() if not kind]
    return Diagnosis(
        prepend_right_parts(key, wrong, " ".join([*sentences, *list_wrong_parts(key, rest)])), see=key.see
    )


def _on_cases(key: TaskKey, comparisons: Sequence[Comparison], part: int, text: str) -> str:
    """Add the names of the wrong cases, unless they are all cases."""
    wrong = [
        f"“{case.name}”"
        for case, comparison in zip(key.cases, comparisons, strict=True)
        if not comparison.right[part]
    ]
    it = part_name(key, part)
    return (
        fill_subject(text, it)
        if len(wrong) == len(key.cases)
        else f"On {join_words(wrong)}: {text}".replace("{it}", it)
    )


def _shared_cancellation_kind(key: TaskKey, comparisons: Sequence[Comparison], part: int) -> str:
    """Return how cancellation spoilt a part on all its wrong cases.

    Empty if it did not, or not in the same way on all of them.
    """
    ways = {
        _cancellation_on_case(comparison.parts[part], right_part(key, case, part))
        if isinstance(case, OpenCase) and comparison.parts is not None
        else ""
        for case, comparison in zip(key.cases, comparisons, strict=True)
        if not comparison.right[part]
    }
    return ways.pop() if len(ways) == 1 else ""


def _cancellation_on_case(part: Array, right: Array) -> str:
    way = trace.cancellation_kind(part, right)
    return "zero" if way and not part.any() else way


def diagnose_by_probes(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], ask: Ask | None
) -> Diagnosis | None:
    """Name a law that the answer breaks or a property it lacks."""
    facts = itertools.chain(
        _wrong_dimensions(key, comparisons),
        _missing_properties(key, comparisons),
        sentences_from_calls(key, comparisons, ask),
        _broken_formula_laws(key, attempts[0], comparisons[0]),
    )
    sentence = next(facts, None)
    if sentence is None:
        return None
    wrong = wrong_parts(comparisons, len(key.same))
    return Diagnosis(prepend_right_parts(key, wrong, sentence), None, None, key.see)


def _missing_properties(key: TaskKey, comparisons: Sequence[Comparison]) -> Iterator[str]:
    for name, part in key.always:
        required = property_named(name)
        for case, comparison in zip(key.cases, comparisons, strict=True):
            if comparison.parts is None or comparison.right[part]:
                continue
            array = comparison.parts[part]
            if (
                describe_shape(key, case, part, array)
                or not np.isfinite(array).all()
                or required.holds(array)
            ):
                continue
            yield on_case(key, case, required.describe_lack(array), part_name(key, part))


def _wrong_dimensions(key: TaskKey, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield a sentence for each basis of a space of wrong dimension."""
    for part in wrong_parts(comparisons, len(key.same)):
        for case, comparison in zip(key.cases, comparisons, strict=True):
            if comparison.parts is None or comparison.right[part] or not isinstance(case, OpenCase):
                continue
            right = right_part(key, case, part)
            if text := describe_dimension(comparison.parts[part], right, key.samenesses[part]):
                yield on_case(key, case, text, part_name(key, part))
                break


def _broken_formula_laws(key: TaskKey, attempt: CallResult, comparison: Comparison) -> Iterator[str]:
    case = key.cases[0]
    if key.kind != "sym" or not isinstance(case, SealedCase) or comparison.parts is None:
        return
    wrong = [
        part
        for part, is_right in enumerate(comparison.right)
        if not is_right and not _form_trouble(key, case, part, comparison.parts[part])
    ]
    for part, text in formula_probes.broken(key, case, attempt.value, comparison.parts, wrong):
        yield fill_subject(text, part_name(key, part))


def describe_difference(key: TaskKey, comparisons: Sequence[Comparison]) -> Diagnosis | None:
    """Say which part is wrong, on which case, and by how much."""
    wrong = wrong_parts(comparisons, len(key.same))
    for case, comparison in zip(key.cases, comparisons, strict=True):
        if not comparison.is_right and comparison.parts is not None:
            parts = [part for part in wrong if not comparison.right[part]]
            texts = [_describe_part(key, case, part, comparison) for part in parts]
            text = " ".join(filter(None, texts))
            return Diagnosis(prepend_right_parts(key, wrong, text), None, None, key.see) if text else None
    return None


def _describe_part(key: TaskKey, case: OpenCase | SealedCase, part: int, comparison: Comparison) -> str:
    assert comparison.parts is not None
    answer, it = comparison.parts[part], part_name(key, part)
    if key.kinds and key.kinds[part]:
        return _describe_structure(key, case, part, comparison)
    trouble = _form_trouble(key, case, part, answer)
    if trouble:
        return fill_subject(trouble, it)
    if isinstance(case, SealedCase):
        return _describe_sealed_part(key, case, part, answer)
    right, same = right_part(key, case, part), key.samenesses[part]
    text = describe_relation(answer, right, same)
    if len(key.cases) == 1:
        return fill_subject(text or f"{{it}} is not right{describe_distance(answer, right, same)}.", it)
    where = f"On “{case.name}”"
    if not text:
        return f"{where} {it} is not right{describe_distance(answer, right, same)}."
    return f"{where}: {text.replace('{it}', it)}"


def _describe_structure(key: TaskKey, case: OpenCase | SealedCase, part: int, comparison: Comparison) -> str:
    """Describe how a part with structure differs from the right one."""
    kind, right, it = key.kinds[part], right_value(key, case, part), part_name(key, part)
    assert kind
    if isinstance(case, SealedCase):
        return fill_subject(_describe_sealed_structure(case, part, kind, comparison.values[part]), it)
    text = describe_structure(kind, comparison.values[part], right, key.tolerance)
    return fill_subject(text, it) if len(key.cases) == 1 else f"On “{case.name}”: {text.replace('{it}', it)}"


def _describe_sealed_structure(case: SealedCase, part: int, kind: Kind, value: object) -> str:
    """Name what is right already of a part with structure that only fingerprints know."""
    known = set(case.entries[part])
    right, wrong = list[str](), list[str]()  # the names of the places, one for each entry
    for place, digest in kind.leaf_digests(value):
        names = right if fingerprint(digest, 1.0, case.salt) in known else wrong
        names.append(place[0])
    if not right or not wrong:
        return "{it} is not right: check each step."
    whole = [name for name in dict.fromkeys(right) if name not in wrong]
    if whole and len(whole) <= MAX_NAMED_PLACES:
        return f"Of {{it}}, {join_words(whole)} {'is' if len(whole) == 1 else 'are'} right, the rest not yet."
    return f"{len(right)} of the {len(right) + len(wrong)} entries of {{it}} are right, the rest not yet."


def _form_trouble(key: TaskKey, case: OpenCase | SealedCase, part: int, answer: Array) -> str:
    return describe_shape(key, case, part, answer) or describe_not_finite(key, case, part, answer)


def _describe_sealed_part(key: TaskKey, case: SealedCase, part: int, answer: Array) -> str:
    it = part_name(key, part)
    entries = right_entries(key, case, part, answer)
    if entries and any(entries):
        right = [str(position) for position, yes in enumerate(entries, start=1) if yes]
        word = "Entry" if len(right) == 1 else "Entries"
        return f"{word} {join_words(right)} of {it} {'is' if len(right) == 1 else 'are'} right, the others not yet."
    what = "is not equal to the right formula" if key.kind == "sym" else "is not the right value"
    return fill_subject(f"{{it}} {what}: check each step.", it)
