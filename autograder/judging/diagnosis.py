"""Why is an answer wrong? The first of these that applies, each a fact and none a guess:

1. it is what one of the task's own misconceptions gives, or a slip, on every case;
2. each wrong part of it is what a misconception or a slip gives for that part;
3. it is what one of them gives on the cases where it is wrong;
4. it breaks a law or lacks a property that the right answer has;
5. which part is wrong, on which case, and how far.

Two slips that give the same answer on these numbers are both named; more than two say nothing.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from autograder.answers.attempt import Attempt, Call
from autograder.judging import forms, formula_probes, probes, slips, trace
from autograder.judging.compare import Compared, largest_number, right_entries, sealed_marks, wanted
from autograder.judging.key import Hint, OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import SAMENESSES, Sameness, discrepancy

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ask = Callable[[list[Call]], list[Attempt]]
CLOSE = 1e-6
FAR = 20.0  # times the right size
COUNTS = 1e6  # whole numbers above it are no counts
MAX_PROBES = 12
SOME = 0.2  # of the entries: fewer are right by luck
ALTERNATIVES = 2  # so many slips that cannot be told apart are both named


@dataclass(frozen=True)
class Diagnosis:
    """What can be told: the sentence, the mistake if it was recognised, where to reread, the credit it keeps."""

    message: str
    misconception: str | None = None
    slip: str | None = None
    see: str | None = None
    credit: float = 0.0


def diagnose(
    key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared], ask: Ask | None
) -> Diagnosis | None:
    """The first step that says something, or None."""
    matches = _Matches(key, attempts, found)
    for step in (_whole, _by_parts, _where_it_is_wrong):
        said = step(key, found, matches)
        if said:
            return said
    return _by_probes(key, attempts, found, ask) or _by_facts(key, found)


class _Matches:
    """Which wrong ways give what was given, as flags over `key.wrongs`, by case and part."""

    def __init__(self, key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared]) -> None:
        self.key = key
        self.flags = [
            [_matching(key, case, attempt, one, part) for part in range(len(key.same))]
            for case, attempt, one in zip(key.cases, attempts, found, strict=True)
        ]

    def names(self, cases: Sequence[int], parts: Sequence[int]) -> list[str]:
        """The wrong ways that agree on all of these cases and parts, and say something definite on one of them."""
        if not cases or not self.key.wrongs:
            return []
        agree = np.ones(len(self.key.wrongs), dtype=bool)
        definite = np.zeros(len(self.key.wrongs), dtype=bool)
        for case in cases:
            for part in parts:
                agree &= self.flags[case][part]
                definite |= self.flags[case][part] & _is_wrong(self.key, case, part)
        return [name for name, yes in zip(self.key.wrongs, agree & definite, strict=True) if yes]


def _is_wrong(key: TaskKey, case: int, part: int) -> Flags:
    """Which wrong ways give something definite for this part, and not what is right?"""
    one = key.cases[case]
    if isinstance(one, SealedCase):
        return np.array([mark not in (None, one.expected[part]) for mark in one.wrong[part]], dtype=bool)
    right = _traced(one.wrong[:, part], _right(key, one, part), key.samenesses[part])
    wrong: Flags = ~np.isnan(one.wrong[:, part, 0]) & ~right
    return wrong


def _right(key: TaskKey, case: OpenCase, part: int) -> Array:
    return forms.read(case.expected, wanted(key, case))[part]


def _matching(
    key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt, found: Compared, part: int
) -> Flags:
    none = np.zeros(len(key.wrongs), dtype=bool)
    if isinstance(case, SealedCase):
        return _same_mark(key, case, found, part) if found.parts is not None else none
    silent: Flags = np.isnan(case.wrong[:, part, 0])
    if attempt.problem == "raised":
        raised: Flags = case.wrong[:, part, 0] == trace.RAISED
        return raised | silent
    if attempt.problem or found.parts is None:
        return none
    return silent | _same_trace(key, case, found.parts[part], part)


def _same_mark(key: TaskKey, case: SealedCase, found: Compared, part: int) -> Flags:
    """Which fingerprints of wrong answers are this one's; some have a sameness of their own."""
    own = found.marks[part]
    flags = np.array([mark is not None and mark == own for mark in case.wrong[part]], dtype=bool)
    for position, samenesses in _freed(key):
        mark = sealed_marks(case, found.parts or (), samenesses)[part]
        flags[position] = mark is not None and mark == case.wrong[part][position]
    return flags


def _freed(key: TaskKey) -> Iterator[tuple[int, tuple[Sameness, ...]]]:
    for name, same in key.freed.items():
        yield key.wrongs.index(name), tuple(SAMENESSES[one] for one in same)


def _same_trace(key: TaskKey, case: OpenCase, given: Array, part: int) -> Flags:
    expected, table = _right(key, case, part), case.wrong[:, part]
    lost: Flags = table[:, 0] == trace.LOST
    if not np.isfinite(given).all():
        return lost
    flags = _traced(table, given, key.samenesses[part])
    for position, samenesses in _freed(key):
        flags[position] = _traced(table[position : position + 1], given, samenesses[part])[0]
    scale = largest_number(case.inputs)
    is_lost = trace.is_lost(given, expected) or trace.is_drowned(given, expected, scale)
    return flags | lost if is_lost else flags


def _traced(table: Array, given: Array, same: Sameness) -> Flags:
    try:
        quantity = trace.quantity_of(given, same)
    except ValueError:
        return np.zeros(len(table), dtype=bool)
    return trace.matching(table, trace.trace(quantity), float(np.linalg.norm(quantity)) or 1e-12)


def _named(key: TaskKey, names: list[str], it: str) -> Diagnosis | None:
    """What the recognised wrong ways say: one, or two that cannot be told apart."""
    own = [name for name in names if name in key.hints and not _is_slip(name)]
    if own:
        hint = key.hints[own[0]]
        return Diagnosis(hint.text, own[0], None, hint.see, hint.credit)
    told: dict[str, str] = {}
    for name in names:
        text = _words(key, name)
        if text:
            told.setdefault(text, name)
    if len(told) > ALTERNATIVES:  # too many ways lead here; what it is beside the right answer is a fact
        told = {text: name for text, name in told.items() if name.startswith("answer:")}
    if not told or len(told) > ALTERNATIVES:
        return None
    name = next(iter(told.values()))
    known = key.hints.get(name)
    return Diagnosis(_either(list(told), it), None, name, (known.see if known else "") or key.see)


def _is_slip(name: str) -> bool:
    return ":" in name


def _words(key: TaskKey, name: str) -> str:
    hint: Hint | None = key.hints.get(name)
    return hint.text if hint else slips.sentence(name)


def _either(texts: list[str], it: str) -> str:
    said = [_sentence(text, it) for text in texts]
    if len(said) == 1:
        return said[0]
    return f"Two things would give this. Either: {said[0]} Or: {said[1]}"


def _sentence(text: str, it: str) -> str:
    filled = text.replace("{it}", it)
    return filled[:1].upper() + filled[1:]


def _whole(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    parts = range(len(key.same))
    return _named(key, matches.names(range(len(key.cases)), parts), "your answer")


def part_name(key: TaskKey, part: int) -> str:
    """How a message calls a part: by its number, and by its name if the author gave one."""
    if len(key.same) == 1:
        return "your answer"
    return f"part {part + 1} ({key.parts[part]})" if key.parts else f"part {part + 1}"


def _wrong_parts(found: Sequence[Compared], number: int) -> list[int]:
    return [part for part in range(number) if not all(one.right[part] for one in found)]


def _by_parts(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """Each wrong part by itself; the right ones are said to be right."""
    number, every = len(key.same), range(len(key.cases))
    wrong = _wrong_parts(found, number)
    if number == 1 or any(one.parts is None for one in found):
        return None
    told, slip, see, open_ = [], None, None, []
    for part in wrong:
        names = [name for name in matches.names(every, [part]) if _can_name_a_part(key, name, part)]
        said = _named_part(key, names, part_name(key, part))
        if said is None:
            open_.append(part)
            continue
        told.append(said.message)
        slip, see = slip or said.slip, see or said.see
    if not told:
        return None
    return Diagnosis(
        _with_right_parts(key, wrong, " ".join([*told, *_not_right(key, open_)])), None, slip, see
    )


def _can_name_a_part(key: TaskKey, name: str, part: int) -> bool:
    """Could this be the reason for a single part?

    Exchanged parts are named as a whole. A single number that was worked out by hand agrees with too much by luck:
    of it only facts are told, such as "twice what it should be".
    """
    family = name.partition(":")[0]
    is_number = key.kind == "hand" and wanted(key, key.cases[0]).shapes[part] == ()
    return family == "answer" if is_number and _is_slip(name) else family != "parts"


def _named_part(key: TaskKey, names: list[str], it: str) -> Diagnosis | None:
    """What the slips say of a part; of a misconception only its name, since its hint speaks of the whole answer."""
    said = _named(key, [name for name in names if _is_slip(name)], it)
    own = next((name for name in names if not _is_slip(name)), None)
    if said or own is None:
        return said
    text = _sentence(f"{{it}} is what comes out for someone who {own.replace('_', ' ')}.", it)
    return Diagnosis(text, None, f"part:{own}", key.hints[own].see)


def _not_right(key: TaskKey, parts: list[int]) -> list[str]:
    return [f"{_list_of(key, parts)} {'is' if len(parts) == 1 else 'are'} not right yet."] if parts else []


def _list_of(key: TaskKey, parts: list[int]) -> str:
    names = [part_name(key, part) for part in parts]
    text = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    return text[:1].upper() + text[1:]


def _with_right_parts(key: TaskKey, wrong: list[int], text: str) -> str:
    """Say first what is right already."""
    right = [part for part in range(len(key.same)) if part not in wrong]
    if not right or len(key.same) == 1:
        return text
    return f"{_list_of(key, right)} {'is' if len(right) == 1 else 'are'} right. {text}"


def _where_it_is_wrong(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """A mistake that was made in some situations only."""
    wrong = [position for position, one in enumerate(found) if not one.is_right]
    if len(wrong) == len(found) or any(_has_no_number(found[position]) for position in wrong):
        return None
    said = _named(key, matches.names(wrong, range(len(key.same))), "your answer")
    if said is None:
        return None
    where = _cases(key, wrong)
    return Diagnosis(f"Wrong only on {where}. {said.message}", said.misconception, said.slip, said.see)


def _has_no_number(found: Compared) -> bool:
    return found.parts is None or not all(np.isfinite(part).all() for part in found.parts)


def _cases(key: TaskKey, positions: Sequence[int]) -> str:
    names = [f"“{key.cases[position].name}”" for position in positions]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _by_probes(
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
    wrong = _wrong_parts(found, len(key.same))
    return Diagnosis(_with_right_parts(key, wrong, said), None, None, key.see)


def _missing_properties(key: TaskKey, found: Sequence[Compared]) -> Iterator[str]:
    for name, part in key.always:
        words, holds = probes.PROPERTIES[name]
        for case, one in zip(key.cases, found, strict=True):
            if one.parts is None or one.right[part] or not _is_in_form(key, case, part, one.parts[part]):
                continue
            if np.isfinite(one.parts[part]).all() and not holds(one.parts[part]):
                yield _sentence(
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
        yield _sentence(probes.broken_law(law.law, law.change, law.argument, did), part_name(key, law.part))


def _broken_formula_laws(key: TaskKey, attempt: Attempt, found: Compared) -> Iterator[str]:
    case = key.cases[0]
    if key.kind != "sym" or not isinstance(case, SealedCase) or found.parts is None:
        return
    wrong = [
        part
        for part, is_right in enumerate(found.right)
        if not is_right and not form_trouble(key, case, part, found.parts[part])
    ]
    for part, text in formula_probes.broken(key, case, attempt.value, found.parts, wrong):
        yield _sentence(text, part_name(key, part))


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


def _by_facts(key: TaskKey, found: Sequence[Compared]) -> Diagnosis | None:
    """Which part is wrong, on which case, how far."""
    wrong = _wrong_parts(found, len(key.same))
    first = next(
        (position for position, one in enumerate(found) if not one.is_right and one.parts is not None), None
    )
    if first is None or not wrong:
        return None
    texts = [
        _fact(key, key.cases[first], part, found[first]) for part in wrong if not found[first].right[part]
    ]
    text = " ".join(text for text in texts if text)
    return Diagnosis(_with_right_parts(key, wrong, text), None, None, key.see) if text else None


def _fact(key: TaskKey, case: OpenCase | SealedCase, part: int, found: Compared) -> str:
    assert found.parts is not None
    given, it = found.parts[part], part_name(key, part)
    trouble = form_trouble(key, case, part, given)
    if trouble:
        return _sentence(trouble, it)
    if isinstance(case, SealedCase):
        return _sealed_fact(key, case, part, given)
    expected = forms.read(case.expected, wanted(key, case))[part]
    for relation in (_is_scaled, _is_shifted, _is_off_in_some):
        text = relation(given, expected, key.samenesses[part])
        if text:
            return _sentence(text, it)
    return _sentence(f"{{it}} is not right{_gap(given, expected, key.samenesses[part])}.", it)


def form_trouble(key: TaskKey, case: OpenCase | SealedCase, part: int, given: Array) -> str:
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
        return "{it} holds entries that are not numbers (NaN or infinite)."
    return ""


def _sealed_fact(key: TaskKey, case: SealedCase, part: int, given: Array) -> str:
    it = part_name(key, part)
    entries = right_entries(key, case, part, given)
    if entries and any(entries):
        right = [str(position) for position, yes in enumerate(entries, start=1) if yes]
        which = right[0] if len(right) == 1 else ", ".join(right[:-1]) + " and " + right[-1]
        word = "Entry" if len(right) == 1 else "Entries"
        return f"{word} {which} of {it} {'is' if len(right) == 1 else 'are'} right, the others not yet."
    what = "is not equal to the right formula" if key.kind == "sym" else "is not the right value"
    return _sentence(f"{{it}} {what}: check each step.", it)


def _is_scaled(answer: Array, expected: Array, same: Sameness) -> str:
    size = float(np.linalg.norm(expected))
    factor = float(np.linalg.norm(answer)) / size if size else 0.0
    if factor == 0 or _distance(answer / factor, expected, same) > CLOSE or answer.size == 1:
        return ""
    simple = Fraction(factor).limit_denominator(12)
    said = str(simple) if abs(factor - simple) < CLOSE else f"{factor:.5g}"
    return f"{{it}} is {said} times what it should be."


def _is_shifted(answer: Array, expected: Array, same: Sameness) -> str:
    if answer.shape != expected.shape or answer.ndim == 0 or len(answer) < 3:
        return ""
    moved = answer - answer.mean(axis=0) + expected.mean(axis=0)
    return (
        "{it} is right but for a shift by the same amount everywhere."
        if _distance(moved, expected, same) <= CLOSE
        else ""
    )


def _is_off_in_some(answer: Array, expected: Array, same: Sameness) -> str:
    """Entries that are right already, where entries mean something by themselves."""
    if same.name != "exactly" or answer.shape != expected.shape or answer.ndim == 0:
        return ""
    close = np.abs(answer - expected) <= CLOSE * float(np.abs(expected).max(initial=0.0))
    if close.mean() < SOME or close.all():
        return ""
    return f"{{it}} has {int(close.sum())} of its {close.size} entries right."


def _distance(answer: Array, expected: Array, same: Sameness) -> float:
    try:
        return discrepancy(answer, expected, same)
    except ValueError:
        return float("inf")


def _gap(answer: Array, expected: Array, same: Sameness) -> str:
    gap = _distance(answer, expected, same)
    is_count = np.allclose(expected, np.rint(expected)) and np.abs(expected).max(initial=0.0) < COUNTS
    if not np.isfinite(gap) or is_count:
        return ""  # counts are right or wrong: a ratio would say nothing
    return ": it is far too large" if gap > FAR else f": it differs by {gap:.2g} of its size"
