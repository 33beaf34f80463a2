"""Diagnose a wrong answer by the first of these steps that applies:

1. it is what one of the task's own misconceptions gives on every case;
2. its form is wrong: truth values, a list for a table, other numbers of rows, entries that are no numbers;
3. it is the right answer, rounded;
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

import functools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from autograder.answers.attempt import CallResult
from autograder.judging import slips
from autograder.judging.arrangement import diagnose_arrangement
from autograder.judging.compare import Comparison, expected_form, right_part
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
MAX_CHANCE_INTEGER = 20  # up to here whole numbers agree by chance


def diagnose(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], ask: Ask | None
) -> Diagnosis | None:
    """Return the diagnosis of the first step that applies, or None."""
    matches = Matches(key, attempts, comparisons)
    diagnosis = _find_misconception(key, comparisons, matches) or _find_wrong_form(
        key, attempts, comparisons, matches
    )
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
    misconceptions = [name for name in names if name in key.hints and not _is_slip(name)]
    if misconceptions:
        hint = key.hints[misconceptions[0]]
        return Diagnosis(hint.text, misconceptions[0], None, hint.see, hint.credit)
    sentences: dict[str, str] = {}
    for name in names:
        text = _cause_sentence(key, name)
        if text:
            sentences.setdefault(text, name)
    if len(sentences) > 1:  # several causes are possible; a relation to the right answer is a fact
        sentences = {text: name for text, name in sentences.items() if name.startswith("answer:")}
    if len(sentences) != 1:
        return None
    text, name = next(iter(sentences.items()))
    known = key.hints.get(name)
    if not _is_fact(name) and bits < (COURSE_SLIP_BITS if known else slip_bits(key)):
        return None
    return Diagnosis(fill_subject(text, it), None, name, (known.see if known else "") or key.see)


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
    every = range(len(key.cases))
    is_small = _is_count if key.is_sealed else functools.partial(_is_small_count, cases=every)
    counts = all(is_small(key, comparisons, part=part) for part in parts)
    facts = [name for name in names if name.startswith("answer:") and not (counts and slips.is_ratio(name))]
    if all(_is_single(key, part) for part in parts):
        facts = [name for name in facts if not slips.says_nothing_of_a_number(name)]
        if key.is_sealed and any(slips.is_simple_factor(name) for name in facts):
            # −1/2 for −2 is a quarter and upside down: a power of one number is then no evidence
            facts = [name for name in facts if not slips.is_power(name)]
    if not any(
        comparison.parts[part].any()
        for comparison in comparisons
        if comparison.parts is not None
        for part in parts
    ):
        facts = [name for name in facts if name == "answer:zero"]  # zero fits beside every other change
    return sorted(facts, key=slips.is_weak)


def _find_changed_parts(
    key: TaskKey, comparisons: Sequence[Comparison], matches: Matches
) -> Diagnosis | None:
    """Name a telling plain change for each wrong part, or return None."""
    wrong = wrong_parts(comparisons, len(key.same))
    changes = [_find_change_of_part(key, comparisons, matches, part) for part in wrong]
    telling = [change for change in changes if change is not None and not slips.is_weak(change.slip or "")]
    if len(telling) < len(changes):
        return None
    is_order = len(telling) > 2 and all((change.slip or "").startswith("parts:") for change in telling)
    text = PARTS_IN_ANOTHER_ORDER if is_order else " ".join(change.message for change in telling)
    return Diagnosis(
        prepend_right_parts(key, wrong, text),
        None,
        telling[0].slip,
        telling[0].see,
    )


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
    number = len(key.same)
    wrong = wrong_parts(comparisons, number)
    if number == 1 or any(comparison.parts is None for comparison in comparisons):
        return None
    reasons = {part: _find_reason(key, comparisons, matches, part) for part in wrong}
    open_ = None in reasons.values()
    # a common value proves a cause only if all wrong parts are explained and it is not one number alone
    for part in wrong:
        if _is_common_value(key, comparisons, part) and (
            open_ or (len(wrong) == 1 and _is_single(key, part))
        ):
            reasons[part] = _find_change_of_part(key, comparisons, matches, part)
    if (
        open_
    ):  # a weak slip on one number, worked out by hand, proves nothing while other parts are unexplained
        reasons = {
            part: None if diagnosis and _may_be_chance(key, diagnosis, part) else diagnosis
            for part, diagnosis in reasons.items()
        }
    causes = {
        part: diagnosis.slip or ""
        for part, diagnosis in reasons.items()
        if diagnosis and _is_guess(diagnosis.slip or "")
    }
    if len(set(causes.values())) > 1:  # two different causes at once are unlikely
        reasons = {part: None if part in causes else diagnosis for part, diagnosis in reasons.items()}
    diagnoses = [diagnosis for diagnosis in reasons.values() if diagnosis is not None]
    if not diagnoses:
        return None
    rest = [part for part, diagnosis in reasons.items() if diagnosis is None]
    text = " ".join([*(diagnosis.message for diagnosis in diagnoses), *list_wrong_parts(key, rest)])
    slip, see = diagnoses[0].slip, next((diagnosis.see for diagnosis in diagnoses if diagnosis.see), None)
    return Diagnosis(prepend_right_parts(key, wrong, text), None, slip, see)


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
    every = range(len(key.cases))
    wrong = wrong_parts(comparisons, len(key.same))
    refuted = matches.refuted([other for other in range(len(key.same)) if other not in wrong])
    shared = Counter(name for other in wrong for name in matches.names(every, [other]))
    doubtful = {
        name
        for name in refuted
        if name.startswith("exchanged:") or _is_small_count(key, comparisons, every, part)
        if not 1 < shared[name] == len(wrong)
    }
    names = [name for name in matches.names(every, [part]) if name not in doubtful]
    able = [name for name in names if _can_name_a_part(key, name, part)]
    able.sort(key=lambda name: -shared[name])  # a stable order
    together = [other for other in wrong if able and able[0] in matches.names(every, [other])]
    bits = agreement_bits(key, comparisons, every, together)
    misconceptions = [name for name in able if not _is_slip(name)]
    rivals = [name for name in able if shared[name] >= shared[misconceptions[0]]] if misconceptions else []
    if len(rivals) > 1 and shared[misconceptions[0]] < len(
        wrong
    ):  # several reasons, none of which explains all that is wrong
        able = []
    return _find_change_of_part(key, comparisons, matches, part) or _name_cause_of_part(
        key, able, part_name(key, part), bits
    )


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
    if any(_has_no_number(comparisons[position]) or matches.is_lost[position] for position in wrong):
        return None
    if all(
        _is_small_count(key, comparisons, wrong, part) for part in wrong_parts(comparisons, len(key.same))
    ):
        return None
    names = matches.names(wrong, range(len(key.same)))
    bits = agreement_bits(key, comparisons, wrong, range(len(key.same)))
    able = [name for name in names if not name.startswith("edit:")]
    diagnosis = (
        _name_cause_of_part(key, able, "there your answer", bits) if bits >= COURSE_SLIP_BITS else None
    )
    if diagnosis is None:
        return None
    cause = (diagnosis.slip or "").removeprefix("part:")
    known = cause if cause in key.hints and not _is_slip(cause) else None
    return Diagnosis(
        f"Wrong only on {_quote_cases(key, wrong)}. {diagnosis.message}",
        known,
        None if known else diagnosis.slip,
        diagnosis.see,
    )


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
