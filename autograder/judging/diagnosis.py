"""Diagnose a wrong answer by the first of these steps that applies:

1. it is what one of the task's own misconceptions gives on every case;
2. its form is wrong: truth values, a list for a table, other numbers of rows, entries that are no numbers;
3. it is the right answer or a misconception, but for infinite entries, or the right answer, rounded;
4. it is what a slip of the course gives, or a plain change of the right answer (twice it, its parts exchanged);
5. each wrong part of it is a plain change of the right part;
6. it has the right numbers in another order or with other signs;
7. it is what another slip gives: an argument changed, one edit of a correct program;
8. some of its wrong parts are what a misconception or a slip gives for that part;
9. it is what one of them gives on the cases where it is wrong;
10. cancellation left only rounding errors of it, or it was divided by a rounding error;
11. it breaks a law or lacks a property that the right answer has;
12. otherwise: which part is wrong, on which case, and how it relates to the right one.

Steps 1, 4 and 7 to 9 recognise a mistake, the others state facts. Agreement counts by the information in the
numbers that agree (`autograder.judging.evidence`): a slip is named only if chance is ruled out, and only if no other
slip gives the same answer. If the form of an answer is wrong, the only slip named is a plain change of the right
answer.
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from autograder.answers.attempt import CallResult
from autograder.judging import slips
from autograder.judging.arrangement import diagnose_arrangement
from autograder.judging.compare import Comparison, compare, expected_form, right_part
from autograder.judging.evidence import COURSE_SLIP_BITS, agreement_bits, slip_bits
from autograder.judging.facts import describe_difference, diagnose_by_probes, diagnose_cancellation
from autograder.judging.form import diagnose_form, diagnose_not_finite
from autograder.judging.key import Hint, SealedCase, TaskKey
from autograder.judging.law_tests import Ask
from autograder.judging.matches import Matches
from autograder.judging.messages import (
    Diagnosis,
    fill_subject,
    list_wrong_parts,
    part_name,
    prepend_right_parts,
    wrong_parts,
)
from autograder.judging.relations import RELATION_RTOL, distance, join_words
from autograder.judging.repairs import find_repair
from autograder.judging.rounding import diagnose_rounding

PARTS_IN_ANOTHER_ORDER = "The right numbers are there, but in another order: see what each part asks for."
RIGHT_BUT_INFINITE = "Your answer is right but for its infinite entries: zeros belong there."
MAX_CHANCE_INTEGER = 20  # up to here whole numbers agree by chance


def diagnose(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], ask: Ask | None
) -> Diagnosis | None:
    """Return the diagnosis of the first step that applies, or None."""
    matches = Matches(key, attempts, comparisons)
    diagnosis = _find_misconception(key, comparisons, matches) or _find_wrong_form(
        key, attempts, comparisons, matches
    )
    diagnosis = diagnosis or _find_beside_infinity(key, comparisons)
    diagnosis = (
        diagnosis or diagnose_not_finite(key, comparisons) or diagnose_rounding(key, attempts, comparisons)
    )
    diagnosis = (
        diagnosis
        or _find_known_slip(key, comparisons, matches)
        or _find_changed_parts(key, comparisons, matches)
    )
    diagnosis = diagnosis or diagnose_arrangement(key, comparisons)
    for step in (_find_slip_of_whole, _find_by_parts, _find_on_wrong_cases):
        diagnosis = diagnosis or step(key, comparisons, matches)
    return (
        diagnosis
        or diagnose_cancellation(key, comparisons)
        or diagnose_by_probes(key, attempts, comparisons, ask)
        or describe_difference(key, comparisons)
    )


def _find_wrong_form(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    """Diagnose a wrong kind or shape.

    A plain change of the right answer, or a copy of an argument, is named where it explains the form.
    """
    trouble = diagnose_form(key, attempts, comparisons)
    if trouble is None:
        return None
    copies = [
        name
        for name in _causes_everywhere(key, matches)
        if name.startswith("given:") and name.endswith(":itself")
    ]
    change = _find_known_slip(key, comparisons, matches) or _find_changed_parts(key, comparisons, matches)
    return change or _name_cause(key, copies, "your answer") or trouble


def _name_cause(key: TaskKey, names: list[str], it: str, bits: float = np.inf) -> Diagnosis | None:
    """Return the sentence of a recognised mistake, if there is only one.

    The first misconception of the task wins. A slip that is no fact also needs enough bits of agreement.
    """
    for name in names:
        if name in key.hints and not _is_slip(name):
            hint = key.hints[name]
            return Diagnosis(hint.text, name, None, hint.see, hint.credit)
    sentences = _cause_sentences(key, names)
    if len(sentences) != 1:
        return None
    text, name = next(iter(sentences.items()))
    if not _is_fact(name) and bits < (COURSE_SLIP_BITS if name in key.hints else slip_bits(key)):
        return None
    see = key.hints[name].see if name in key.hints else ""
    return Diagnosis(fill_subject(text, it), None, name, see or key.see)


def _cause_sentences(key: TaskKey, names: list[str]) -> dict[str, str]:
    """Map the different sentences on these mistakes to the first mistake of each.

    Of several possible causes those stay that relate the answer to the right one, which is a fact.
    """
    sentences: dict[str, str] = {}
    for name in names:
        if text := _cause_sentence(key, name):
            sentences.setdefault(text, name)
    if len(sentences) > 1:
        return {text: name for text, name in sentences.items() if name.startswith("answer:")}
    return sentences


def _find_beside_infinity(key: TaskKey, comparisons: Sequence[Comparison]) -> Diagnosis | None:
    """Diagnose a function by the finite entries of its answers, if some are infinite.

    What a program did not find may be infinite or zero; the right answer and the misconceptions have one of the two.
    """
    if key.is_sealed or any(key.kinds) or not all(comparison.parts for comparison in comparisons):
        return None
    answers = [comparison.parts or () for comparison in comparisons]
    is_infinite = any(np.isinf(part).any() for parts in answers for part in parts)
    has_numbers = all(any((np.isfinite(part) & (part != 0)).any() for part in parts) for parts in answers)
    if not is_infinite or not has_numbers:
        return None
    finite = [
        CallResult(parts if len(parts) > 1 else parts[0])
        for parts in (tuple(np.where(np.isinf(part), 0.0, part) for part in parts) for parts in answers)
    ]
    compared = [compare(key, case, attempt) for case, attempt in zip(key.cases, finite, strict=True)]
    if all(comparison.is_right for comparison in compared):
        return Diagnosis(RIGHT_BUT_INFINITE, None, "answer:infinite for zero", key.see)
    return _find_misconception(key, compared, Matches(key, finite, compared))


def _is_slip(name: str) -> bool:
    return ":" in name


def _cause_sentence(key: TaskKey, name: str) -> str:
    hint: Hint | None = key.hints.get(name)
    if hint:
        return hint.text
    return slips.count_sentence(name, [case.inputs for case in key.cases]) or slips.slip_sentence(name)


def _causes_everywhere(key: TaskKey, matches: Matches) -> list[str]:
    return matches.names(range(len(key.cases)), range(len(key.same)))


def _find_misconception(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    names = [name for name in _causes_everywhere(key, matches) if not _is_slip(name)]
    return _name_cause(key, names, "your answer")


def _find_known_slip(key: TaskKey, comparisons: Sequence[Comparison], matches: Matches) -> Diagnosis | None:
    """Find a slip of the course, exchanged parts, or a plain change.

    Plain changes count here only if no part of the answer is right.
    """
    names, wrong = _causes_everywhere(key, matches), wrong_parts(comparisons, len(key.same))
    hinted = [name for name in names if name in key.hints]
    changes = _plain_changes(key, comparisons, names, wrong) if len(wrong) == len(key.same) else []
    exchanged = [name for name in names if name.startswith("parts:")]
    bits = agreement_bits(key, comparisons, range(len(key.cases)), wrong)
    diagnosis = _name_cause(key, hinted, "your answer", bits) if hinted else None
    return diagnosis or _name_cause(key, [*exchanged, *changes][:1], "your answer")


def _plain_changes(
    key: TaskKey, comparisons: Sequence[Comparison], names: list[str], parts: Sequence[int]
) -> list[str]:
    """List the recognised plain changes of the right answer, weak ones last."""
    facts = [name for name in names if name.startswith("answer:")]
    if _are_counts(key, comparisons, parts):
        facts = list(itertools.filterfalse(slips.is_ratio, facts))
    if all(_is_single(key, part) for part in parts):
        facts = _changes_of_a_number(facts, is_sealed=key.is_sealed)
    if _are_all_zero(comparisons, parts):
        facts = [name for name in facts if name == "answer:zero"]  # zero fits beside every other change
    return sorted(facts, key=slips.is_weak)


def _are_counts(key: TaskKey, comparisons: Sequence[Comparison], parts: Sequence[int]) -> bool:
    if key.is_sealed:
        return all(_is_count(key, comparisons, part) for part in parts)
    return all(_is_small_count(key, comparisons, range(len(key.cases)), part) for part in parts)


def _are_all_zero(comparisons: Sequence[Comparison], parts: Sequence[int]) -> bool:
    answers = [comparison.parts for comparison in comparisons if comparison.parts is not None]
    return not any(answer[part].any() for answer in answers for part in parts)


def _changes_of_a_number(facts: list[str], *, is_sealed: bool) -> list[str]:
    """Return the plain changes that say something of one number."""
    facts = list(itertools.filterfalse(slips.says_nothing_of_a_number, facts))
    if is_sealed and any(map(slips.is_simple_factor, facts)):
        # −1/2 for −2 is a quarter and upside down: a power of one number is then no evidence
        return list(itertools.filterfalse(slips.is_power, facts))
    return facts


def _find_changed_parts(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    """Name a telling plain change for each wrong part, or return None."""
    wrong = wrong_parts(comparisons, len(key.same))
    changes = list[Diagnosis]()
    for part in wrong:
        change = _find_change_of_part(key, comparisons, matches, part)
        if change is None or slips.is_weak(change.slip or ""):
            return None
        changes.append(change)
    is_order = len(changes) > 2 and all((change.slip or "").startswith("parts:") for change in changes)
    text = PARTS_IN_ANOTHER_ORDER if is_order else " ".join(change.message for change in changes)
    return Diagnosis(prepend_right_parts(key, wrong, text), None, changes[0].slip, changes[0].see)


def _find_change_of_part(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, part: int
) -> Diagnosis | None:
    """Find how a part relates to the right one.

    It may be a plain change of it, another part, or right after a repair.
    """
    it, names = part_name(key, part), matches.names(range(len(key.cases)), [part])
    change = _name_cause(
        key, _plain_changes(key, comparisons, names, [part])[:1], it
    ) or _find_exchanged_part(key, comparisons, matches, part)
    case, parts = key.cases[0], comparisons[0].parts
    if change or not isinstance(case, SealedCase) or parts is None:
        return change
    repair = find_repair(key, case, part, parts[part])
    return Diagnosis(fill_subject(repair, it), None, "answer:repair", key.see) if repair else None


def _find_exchanged_part(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, part: int
) -> Diagnosis | None:
    """Find the other part whose right value this part equals.

    If the value is a common one, the other part must be exchanged as well.
    """
    every = range(len(key.cases))
    for other in range(len(key.same)):
        if other != part and _equals_other_part(key, comparisons, part, other):
            text = f"{{it}} is what {part_name(key, other)} should be."
            low, high = sorted((part + 1, other + 1))
            return Diagnosis(fill_subject(text, part_name(key, part)), None, f"parts:{low} and {high}")
    for name in matches.names(every, [part]):
        if name.startswith("parts:"):
            pair = [int(number) - 1 for number in name.removeprefix("parts:").split(" and ")]
            other = pair[0] if pair[1] == part else pair[1]
            if _is_common_value(key, comparisons, part) and name not in matches.names(every, [other]):
                continue
            text = f"{{it}} is what {part_name(key, other)} should be."
            return Diagnosis(fill_subject(text, part_name(key, part)), None, name)
    return None


def _equals_other_part(key: TaskKey, comparisons: Sequence[Comparison], part: int, other: int) -> bool:
    """Return whether a part equals another part's right value on every case.

    The key does not list an exchange that one of the task's misconceptions makes.
    """
    if ("whole", part) in key.always or key.same[part] != key.same[other]:
        return False
    for case, comparison in zip(key.cases, comparisons, strict=True):
        if isinstance(case, SealedCase) or comparison.parts is None:
            return False
        right = right_part(key, case, other)
        if (
            right.shape != comparison.parts[part].shape
            or distance(comparison.parts[part], right, key.samenesses[other]) > RELATION_RTOL
        ):
            return False
    return True


def _find_slip_of_whole(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    wrong = wrong_parts(comparisons, len(key.same))
    if len(wrong) == 1 and _is_common_value(key, comparisons, wrong[0]) and _is_single(key, wrong[0]):
        return None
    names = [name for name in _causes_everywhere(key, matches) if not _is_fact(name)]
    return _name_cause(
        key, names, "your answer", agreement_bits(key, comparisons, range(len(key.cases)), wrong)
    )


def _is_fact(name: str) -> bool:
    """Return whether a slip only relates the answer to the right one."""
    return name.startswith(("answer:", "parts:"))


def _is_common_value(key: TaskKey, comparisons: Sequence[Comparison], part: int) -> bool:
    """Return whether many mistakes give this value of a sealed part.

    Common are one or two small whole numbers, and formulas without symbols.
    """
    values = comparisons[0].parts[part] if key.is_sealed and comparisons[0].parts is not None else None
    if values is None or not np.isfinite(values).all():
        return False
    if key.kind == "sym":
        return values.ndim > 0 and bool(np.ptp(values, axis=0).max(initial=0.0) == 0)
    return bool(
        values.size <= 2
        and np.abs(values).max(initial=0.0) <= MAX_CHANCE_INTEGER
        and (values == np.rint(values)).all()
    )


def _is_single(key: TaskKey, part: int) -> bool:
    return expected_form(key, key.cases[0]).shapes[part] == ()


def _is_count(key: TaskKey, comparisons: Sequence[Comparison], part: int) -> bool:
    """Return whether a part and its right value are small whole numbers.

    Ratios of such numbers prove nothing.
    """
    return (
        ("whole", part) in key.always and _is_single(key, part) and _is_common_value(key, comparisons, part)
    )


def _find_by_parts(key: TaskKey, comparisons: Sequence[Comparison], matches: Matches) -> Diagnosis | None:
    """Diagnose each wrong part by itself; name the right parts first."""
    wrong = wrong_parts(comparisons, len(key.same))
    if len(key.same) == 1 or any(comparison.parts is None for comparison in comparisons):
        return None
    reasons = _with_single_cause(_without_chance(key, comparisons, matches, wrong))
    if not reasons:
        return None
    diagnoses = list(reasons.values())
    rest = [part for part in wrong if part not in reasons]
    text = " ".join([*(diagnosis.message for diagnosis in diagnoses), *list_wrong_parts(key, rest)])
    see = next(filter(None, (diagnosis.see for diagnosis in diagnoses)), None)
    return Diagnosis(prepend_right_parts(key, wrong, text), None, diagnoses[0].slip, see)


def _with_single_cause(reasons: dict[int, Diagnosis]) -> dict[int, Diagnosis]:
    """Leave out causes that were found by trial if they differ: two at once are unlikely."""
    causes = {part: reason.slip for part, reason in reasons.items() if _is_guess(reason.slip or "")}
    if len(set(causes.values())) <= 1:
        return reasons
    return {part: reason for part, reason in reasons.items() if part not in causes}


def _without_chance(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, wrong: Sequence[int]
) -> dict[int, Diagnosis]:
    """Map each wrong part to its diagnosis, where the answer does not agree with the mistake by chance."""
    reasons = {part: _find_reason(key, comparisons, matches, part) for part in wrong}
    all_explained = None not in reasons.values()
    # a common value proves a cause only if all wrong parts are explained and it is not one number alone
    if not all_explained or (len(wrong) == 1 and _is_single(key, wrong[0])):
        for part in wrong:
            if _is_common_value(key, comparisons, part):
                reasons[part] = _find_change_of_part(key, comparisons, matches, part)
    # a weak slip on one number, worked out by hand, proves nothing while other parts are unexplained
    return {
        part: reason
        for part, reason in reasons.items()
        if reason is not None and (all_explained or not _may_be_chance(key, reason, part))
    }


def _is_guess(name: str) -> bool:
    """Return whether a slip names a cause that was found by trial."""
    return name.startswith(("edit:", "input:", "exchanged:"))


def _may_be_chance(key: TaskKey, diagnosis: Diagnosis, part: int) -> bool:
    return key.kind == "hand" and _is_single(key, part) and slips.is_weak(diagnosis.slip or "")


def _find_reason(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, part: int
) -> Diagnosis | None:
    """Find the plain change or the mistake that explains one part.

    Of several mistakes the one that explains most wrong parts comes first. A mistake is doubtful if it would also have
    spoilt a part that is right. Doubtful exchanges of arguments are left out, and for a small count all doubtful
    mistakes, unless the mistake explains several wrong parts, and all of them.
    """
    change = _find_change_of_part(key, comparisons, matches, part)
    if change:
        return change
    every = range(len(key.cases))
    wrong = wrong_parts(comparisons, len(key.same))
    by_part = {other: matches.names(every, [other]) for other in wrong}
    shared = Counter(itertools.chain.from_iterable(by_part.values()))
    doubtful = _doubtful_mistakes(key, comparisons, matches, part)
    if len(wrong) > 1:  # what explains all that is wrong is not doubtful
        doubtful.difference_update(name for name, number in shared.items() if number == len(wrong))
    able = [name for name in by_part[part] if _can_name_a_part(key, name, part)]
    names = sorted(set(able) - doubtful, key=lambda name: (-shared[name], able.index(name)))
    if not names or _has_rivals(names, shared, len(wrong)):
        return None
    together = [other for other in wrong if names[0] in by_part[other]]
    bits = agreement_bits(key, comparisons, every, together)
    return _name_cause_of_part(key, names, part_name(key, part), bits)


def _doubtful_mistakes(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, part: int
) -> set[str]:
    """Return the mistakes that would also have spoilt a right part, where agreement of a part may be chance."""
    wrong = wrong_parts(comparisons, len(key.same))
    refuted = matches.refuted([other for other in range(len(key.same)) if other not in wrong])
    if _is_small_count(key, comparisons, range(len(key.cases)), part):
        return set(refuted)
    return {name for name in refuted if name.startswith("exchanged:")}


def _has_rivals(names: Sequence[str], shared: Mapping[str, int], n_wrong: int) -> bool:
    """Return whether another mistake explains as much as the first misconception, and neither explains all."""
    first = next((name for name in names if not _is_slip(name)), None)
    if first is None or shared[first] >= n_wrong:
        return False
    return sum(shared[name] >= shared[first] for name in names) > 1


def _can_name_a_part(key: TaskKey, name: str, part: int) -> bool:
    """Return whether a mistake can be the cause of one part.

    Plain changes and exchanges of parts are handled elsewhere. A single number worked out by hand agrees with too many
    slips by chance.
    """
    is_number = key.kind == "hand" and _is_single(key, part)
    return not (_is_fact(name) or (is_number and _is_slip(name)))


def _name_cause_of_part(key: TaskKey, names: list[str], it: str, bits: float) -> Diagnosis | None:
    """Return the sentence that names the cause of one part.

    A misconception is told by its name, because its hint speaks of the whole answer.
    """
    candidates = [name for name in names if not _is_slip(name)]
    if not candidates:
        return _name_cause(key, names, it, bits)
    misconception = candidates[0]
    text = fill_subject(f"{{it}} is what comes out for someone who {misconception.replace('_', ' ')}.", it)
    return Diagnosis(text, None, f"part:{misconception}", key.hints[misconception].see)


def _find_on_wrong_cases(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    """Find a mistake that explains the wrong cases only.

    Edits of a program are left out, because they would change all cases.
    """
    wrong = [position for position, comparison in enumerate(comparisons) if not comparison.is_right]
    if len(wrong) < 2 or len(wrong) == len(comparisons):  # a single wrong case has too many possible causes
        return None
    if not _can_prove_a_mistake(key, comparisons, matches, wrong):
        return None
    bits = agreement_bits(key, comparisons, wrong, range(len(key.same)))
    if bits < COURSE_SLIP_BITS:
        return None
    names = [name for name in matches.names(wrong, range(len(key.same))) if not name.startswith("edit:")]
    diagnosis = _name_cause_of_part(key, names, "there your answer", bits)
    return _only_on_cases(key, wrong, diagnosis) if diagnosis else None


def _only_on_cases(key: TaskKey, cases: Sequence[int], diagnosis: Diagnosis) -> Diagnosis:
    """Return the diagnosis with the cases for which it holds."""
    message = f"Wrong only on {_quote_cases(key, cases)}. {diagnosis.message}"
    cause = (diagnosis.slip or "").removeprefix("part:")
    if cause in key.hints and not _is_slip(cause):
        return Diagnosis(message, cause, None, diagnosis.see)
    return Diagnosis(message, None, diagnosis.slip, diagnosis.see)


def _can_prove_a_mistake(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches, cases: Sequence[int]
) -> bool:
    """Return whether these wrong cases have numbers of a usual size, of which one is no small count."""
    if any(_has_no_number(comparisons[case]) or matches.is_lost[case] for case in cases):
        return False
    wrong = wrong_parts(comparisons, len(key.same))
    return not all(_is_small_count(key, comparisons, cases, part) for part in wrong)


def _is_small_count(key: TaskKey, comparisons: Sequence[Comparison], cases: Sequence[int], part: int) -> bool:
    """Return whether a part is a small whole number on these cases.

    Only parts whose right value is always whole count. Many mistakes give the same small number on a few cases.
    """
    if ("whole", part) not in key.always:
        return False
    values = [
        np.asarray(parts[part]) for parts in (comparisons[case].parts for case in cases) if parts is not None
    ]
    return all(value.size == 1 and np.abs(value).max() <= MAX_CHANCE_INTEGER for value in values)


def _has_no_number(comparison: Comparison) -> bool:
    return comparison.parts is None or not all(np.isfinite(part).all() for part in comparison.parts)


def _quote_cases(key: TaskKey, positions: Sequence[int]) -> str:
    return join_words([f"“{key.cases[position].name}”" for position in positions])
