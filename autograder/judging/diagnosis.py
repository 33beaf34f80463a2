"""Why is an answer wrong? The first of these that applies:

1. it is what one of the task's own misconceptions gives on every case;
2. it is what a slip of the course gives, or a plain change of the right answer (twice it, its parts exchanged);
3. each wrong part of it is a plain change of the right part;
4. it is what another slip gives: an argument changed, one edit of a correct program;
5. some of its wrong parts are what a misconception or a slip gives for that part;
6. it is what one of them gives on the cases where it is wrong;
7. nothing but rounding errors is left of it, or it was divided by one;
8. it breaks a law or lacks a property that the right answer has;
9. which part is wrong, on which case, and how it relates to the right one.

Steps 1 and 4 to 6 recognise a way to be wrong, the others state facts. What agrees by luck is no reason: a small whole
number is met by many wrong ways, so only facts are told of it. Two slips that give the same answer on these numbers
are both named; more than two say nothing.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autograder.answers.attempt import Attempt, Call
from autograder.judging import forms, formula_probes, probes, slips, trace
from autograder.judging.compare import (
    Compared,
    largest_number,
    right_entries,
    sealed_marks,
    wanted,
    zero_scale,
)
from autograder.judging.key import Hint, OpenCase, SealedCase, TaskKey
from autograder.judging.relations import CLOSE, distance, gap, listed, relation
from autograder.judging.sameness import SAMENESSES, Sameness
from autograder.judging.undo import undone

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ask = Callable[[list[Call]], list[Attempt]]
MAX_PROBES = 12
ALTERNATIVES = 2  # so many slips that cannot be told apart are both named
SMALL = 20  # whole numbers up to it are met by luck


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
    for step in (_own, _known, _parts_changed, _whole, _by_parts, _where_it_is_wrong, _lost):
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

    def refuted(self, parts: Sequence[int]) -> set[str]:
        """The wrong ways by which one of these parts, which are right, would have come out wrong."""
        wrong = np.zeros(len(self.key.wrongs), dtype=bool)
        for case in range(len(self.key.cases)):
            for part in parts:
                wrong |= _is_wrong(self.key, case, part)
        return {name for name, yes in zip(self.key.wrongs, wrong, strict=True) if yes}


def _is_wrong(key: TaskKey, case: int, part: int) -> Flags:
    """Which wrong ways give something definite for this part, and not what is right?"""
    one = key.cases[case]
    if isinstance(one, SealedCase):
        return np.array([mark not in (None, one.expected[part]) for mark in one.wrong[part]], dtype=bool)
    room = _room(key, one, part)
    right = _traced(one.wrong[:, part], _right(key, one, part), key.samenesses[part], room)
    wrong: Flags = ~np.isnan(one.wrong[:, part, 0]) & ~right
    return wrong


def _right(key: TaskKey, case: OpenCase, part: int) -> Array:
    return forms.read(case.expected, wanted(key, case))[part]


def _room(key: TaskKey, case: OpenCase, part: int) -> float:
    """How far apart two answers may be where zero is right: of rounding errors no two machines make the same."""
    return 0.0 if _right(key, case, part).any() else key.tolerance * zero_scale(case)


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
    room = _room(key, case, part)
    flags = _traced(table, given, key.samenesses[part], room)
    for position, samenesses in _freed(key):
        flags[position] = _traced(table[position : position + 1], given, samenesses[part], room)[0]
    scale = largest_number(case.inputs)
    is_lost = trace.is_lost(given, expected) or trace.is_drowned(given, expected, scale)
    return flags | lost if is_lost else flags


def _traced(table: Array, given: Array, same: Sameness, room: float) -> Flags:
    try:
        quantity = trace.quantity_of(given, same)
    except ValueError:
        return np.zeros(len(table), dtype=bool)
    size = max(float(np.linalg.norm(quantity)), room / trace.CLOSE, 1e-12)
    return trace.matching(table, trace.trace(quantity), size)


def _named(key: TaskKey, names: list[str], it: str, alternatives: int = ALTERNATIVES) -> Diagnosis | None:
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
    if len(told) > alternatives:  # too many ways lead here; what it is beside the right answer is a fact
        told = {text: name for text, name in told.items() if name.startswith("answer:")}
    if not told or len(told) > alternatives:
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


def _everywhere(key: TaskKey, matches: _Matches) -> list[str]:
    return matches.names(range(len(key.cases)), range(len(key.same)))


def _own(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    own = [name for name in _everywhere(key, matches) if not _is_slip(name)]
    return _named(key, own, "your answer")


def _known(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """A slip of the course, exchanged parts, or a plain change of an answer none of whose parts is right."""
    names, wrong = _everywhere(key, matches), _wrong_parts(found, len(key.same))
    hinted = [name for name in names if name in key.hints]
    changes = _facts(key, found, names, wrong) if len(wrong) == len(key.same) else []
    return _named(
        key, hinted or [*(name for name in names if name.startswith("parts:")), *changes][:1], "your answer"
    )


def _facts(key: TaskKey, found: Sequence[Compared], names: list[str], parts: Sequence[int]) -> list[str]:
    """The plain changes among recognised ways, the most telling first; all of them are true."""
    counts = all(_is_count(key, found, part) for part in parts)
    facts = [name for name in names if name.startswith("answer:") and not (counts and slips.is_ratio(name))]
    return sorted(facts, key=slips.is_weak)


def _parts_changed(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """Telling changes of the right answer, if they explain every wrong part."""
    wrong = _wrong_parts(found, len(key.same))
    said = [_changed(key, found, matches, part) for part in wrong]
    told = [one for one in said if one is not None and not slips.is_weak(one.slip or "")]
    if len(told) < len(said):
        return None
    return Diagnosis(
        _with_right_parts(key, wrong, " ".join(one.message for one in told)), None, told[0].slip, told[0].see
    )


def _changed(key: TaskKey, found: Sequence[Compared], matches: _Matches, part: int) -> Diagnosis | None:
    """The plain change that makes a part out of the right one, or the repair that makes it right."""
    it, names = part_name(key, part), matches.names(range(len(key.cases)), [part])
    said = _named(key, _facts(key, found, names, [part])[:1], it) or _another_part(key, found, matches, part)
    case, given = key.cases[0], found[0].parts
    if said or not isinstance(case, SealedCase) or given is None:
        return said
    repair = undone(key, case, part, given[part])
    return Diagnosis(_sentence(repair, it), None, "answer:repair", key.see) if repair else None


def _another_part(key: TaskKey, found: Sequence[Compared], matches: _Matches, part: int) -> Diagnosis | None:
    """A part that stands where another one belongs; of a small number it is believed if the other stands here."""
    every = range(len(key.cases))
    for other in range(len(key.same)):
        if other != part and _stands_here(key, found, part, other):
            text = f"{{it}} is what {part_name(key, other)} should be."
            low, high = sorted((part + 1, other + 1))
            return Diagnosis(_sentence(text, part_name(key, part)), None, f"parts:{low} and {high}")
    for name in matches.names(every, [part]):
        if name.startswith("parts:"):
            pair = [int(number) - 1 for number in name.removeprefix("parts:").split(" and ")]
            other = pair[0] if pair[1] == part else pair[1]
            if _is_met_by_luck(key, found, part) and name not in matches.names(every, [other]):
                continue
            text = f"{{it}} is what {part_name(key, other)} should be."
            return Diagnosis(_sentence(text, part_name(key, part)), None, name)
    return None


def _stands_here(key: TaskKey, found: Sequence[Compared], part: int, other: int) -> bool:
    """Is a part what another one should be, on every case?

    A misconception that exchanges the two is not known by the name of the exchange.
    """
    if ("whole", part) in key.always or key.same[part] != key.same[other]:
        return False
    for case, one in zip(key.cases, found, strict=True):
        if isinstance(case, SealedCase) or one.parts is None:
            return False
        right = _right(key, case, other)
        if (
            right.shape != one.parts[part].shape
            or distance(one.parts[part], right, key.samenesses[other]) > CLOSE
        ):
            return False
    return True


def _whole(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    wrong = _wrong_parts(found, len(key.same))
    if len(wrong) == 1 and _is_met_by_luck(key, found, wrong[0]) and _is_single(key, wrong[0]):
        return None
    names = [name for name in _everywhere(key, matches) if not _is_fact(name)]
    counts = all(_is_count(key, found, part) for part in wrong)
    return _named(key, names, "your answer", alternatives=1 if counts else ALTERNATIVES)


def _is_fact(name: str) -> bool:
    """Does a slip's sentence say how an answer relates to the right one, whatever led there?"""
    return name.startswith(("answer:", "parts:"))


def _is_met_by_luck(key: TaskKey, found: Sequence[Compared], part: int) -> bool:
    """Is a part something that many wrong ways give: one or two small whole numbers, a formula without symbols?"""
    given = found[0].parts[part] if key.is_sealed and found[0].parts is not None else None
    if given is None or not np.isfinite(given).all():
        return False
    if key.kind == "sym":
        return given.ndim > 0 and bool(np.ptp(given, axis=0).max(initial=0.0) == 0)
    return bool(
        given.size <= 2 and np.abs(given).max(initial=0.0) <= SMALL and (given == np.rint(given)).all()
    )


def _is_single(key: TaskKey, part: int) -> bool:
    return wanted(key, key.cases[0]).shapes[part] == ()


def _is_count(key: TaskKey, found: Sequence[Compared], part: int) -> bool:
    """Is a part a small whole number where a whole one is right? Ratios say nothing of it."""
    return ("whole", part) in key.always and _is_single(key, part) and _is_met_by_luck(key, found, part)


def part_name(key: TaskKey, part: int) -> str:
    """How a message calls a part: by its number, and by its name if the author gave one."""
    if len(key.same) == 1:
        return "your answer"
    return f"part {part + 1} ({key.parts[part]})" if key.parts else f"part {part + 1}"


def _wrong_parts(found: Sequence[Compared], number: int) -> list[int]:
    return [part for part in range(number) if not all(one.right[part] for one in found)]


def _by_parts(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """Each wrong part by itself; the right ones are said to be right."""
    number = len(key.same)
    wrong = _wrong_parts(found, number)
    if number == 1 or any(one.parts is None for one in found):
        return None
    said = {part: _reason(key, found, matches, part) for part in wrong}
    open_ = None in said.values()
    # what agrees by luck is believed only where everything is explained, and more than a number
    for part in wrong:
        if _is_met_by_luck(key, found, part) and (open_ or (len(wrong) == 1 and _is_single(key, part))):
            said[part] = _changed(key, found, matches, part)
    if open_:  # a factor or a rounding that fits one number by hand explains nothing beside unexplained ones
        said = {part: None if one and _is_by_luck(key, one, part) else one for part, one in said.items()}
    told = [one for one in said.values() if one is not None]
    if not told:
        return None
    rest = [part for part, one in said.items() if one is None]
    text = " ".join([*(one.message for one in told), *_not_right(key, rest)])
    slip, see = told[0].slip, next((one.see for one in told if one.see), None)
    return Diagnosis(_with_right_parts(key, wrong, text), None, slip, see)


def _is_by_luck(key: TaskKey, said: Diagnosis, part: int) -> bool:
    return key.kind == "hand" and _is_single(key, part) and slips.is_weak(said.slip or "")


def _reason(key: TaskKey, found: Sequence[Compared], matches: _Matches, part: int) -> Diagnosis | None:
    """What a part says by itself: a plain change of the right one, or a way to be wrong.

    Of several ways the one that explains most parts comes first. Whoever exchanges two arguments spoils all that they
    enter, and a count agrees with many ways: there none is believed that would have spoilt a part that is right, unless
    it explains several others together.
    """
    every = range(len(key.cases))
    wrong = _wrong_parts(found, len(key.same))
    refuted = matches.refuted([other for other in range(len(key.same)) if other not in wrong])
    shared = Counter(name for other in wrong for name in matches.names(every, [other]))
    doubtful = {
        name
        for name in refuted
        if name.startswith("exchanged:") or _is_small_count(key, found, every, part)
        if not 1 < shared[name] == len(wrong)
    }
    names = [name for name in matches.names(every, [part]) if name not in doubtful]
    able = [name for name in names if _can_name_a_part(key, name, part)]
    able.sort(key=lambda name: -shared[name])  # a stable order
    return _changed(key, found, matches, part) or _named_part(key, able, part_name(key, part))


def _can_name_a_part(key: TaskKey, name: str, part: int) -> bool:
    """Could this be the reason for a single part?

    Plain changes are told as such, exchanged parts as a whole. A single number that was worked out by hand agrees with
    too many slips by luck.
    """
    is_number = key.kind == "hand" and _is_single(key, part)
    return not (_is_fact(name) or (is_number and _is_slip(name)))


def _named_part(key: TaskKey, names: list[str], it: str) -> Diagnosis | None:
    """Of a misconception only its name is told, since its hint speaks of the whole answer; then what the slips say."""
    own = next((name for name in names if not _is_slip(name)), None)
    if own is None:
        return _named(key, names, it)
    text = _sentence(f"{{it}} is what comes out for someone who {own.replace('_', ' ')}.", it)
    return Diagnosis(text, None, f"part:{own}", key.hints[own].see)


def _not_right(key: TaskKey, parts: list[int]) -> list[str]:
    return [f"{_list_of(key, parts)} {'is' if len(parts) == 1 else 'are'} not right yet."] if parts else []


def _list_of(key: TaskKey, parts: list[int]) -> str:
    text = listed([part_name(key, part) for part in parts])
    return text[:1].upper() + text[1:]


def _with_right_parts(key: TaskKey, wrong: list[int], text: str) -> str:
    """Say first what is right already."""
    right = [part for part in range(len(key.same)) if part not in wrong]
    if not right or len(key.same) == 1:
        return text
    return f"{_list_of(key, right)} {'is' if len(right) == 1 else 'are'} right. {text}"


def _where_it_is_wrong(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """A mistake that was made in some situations only; an edit of a program is made in all of them."""
    wrong = [position for position, one in enumerate(found) if not one.is_right]
    if len(wrong) == len(found) or any(_has_no_number(found[position]) for position in wrong):
        return None
    if all(_is_small_count(key, found, wrong, part) for part in _wrong_parts(found, len(key.same))):
        return None
    names = matches.names(wrong, range(len(key.same)))
    said = _named_part(key, [name for name in names if not name.startswith("edit:")], "there your answer")
    if said is None:
        return None
    own = (said.slip or "").removeprefix("part:")
    known = own if own in key.hints and not _is_slip(own) else None
    return Diagnosis(
        f"Wrong only on {_cases(key, wrong)}. {said.message}", known, None if known else said.slip, said.see
    )


def _is_small_count(key: TaskKey, found: Sequence[Compared], cases: Sequence[int], part: int) -> bool:
    """Is a part a small whole number on these cases, where a whole one is right? Many wrong ways give it on a few."""
    if ("whole", part) not in key.always:
        return False
    given = [np.asarray(parts[part]) for parts in (found[case].parts for case in cases) if parts is not None]
    return all(one.size == 1 and np.abs(one).max() <= SMALL for one in given)


def _has_no_number(found: Compared) -> bool:
    return found.parts is None or not all(np.isfinite(part).all() for part in found.parts)


def _cases(key: TaskKey, positions: Sequence[int]) -> str:
    return listed([f"“{key.cases[position].name}”" for position in positions])


LOST = {
    "tiny": "{it} is practically zero beside what is right: rounding errors are all that is left. Was something "
    "subtracted from itself, or the smallest taken where the largest is asked?",
    "huge": "{it} is enormous beside what is right: it looks divided by a rounding error, that is, by something that "
    "should be zero.",
}


def _lost(key: TaskKey, found: Sequence[Compared], matches: _Matches) -> Diagnosis | None:
    """Parts of which rounding errors are left wherever they are wrong: no law and no property can be read off those."""
    wrong = _wrong_parts(found, len(key.same))
    said = {part: _lost_as(key, found, part) for part in wrong}
    told = [_sentence(LOST[how], part_name(key, part)) for part, how in said.items() if how]
    if not told:
        return None
    rest = [part for part, how in said.items() if not how]
    return Diagnosis(_with_right_parts(key, wrong, " ".join([*told, *_not_right(key, rest)])), see=key.see)


def _lost_as(key: TaskKey, found: Sequence[Compared], part: int) -> str:
    """How a part is lost on all cases where it is wrong, if it is lost in one way on all of them."""
    ways = {
        trace.lost_as(one.parts[part], _right(key, case, part))
        if isinstance(case, OpenCase) and one.parts is not None
        else ""
        for case, one in zip(key.cases, found, strict=True)
        if not one.right[part]
    }
    return ways.pop() if len(ways) == 1 else ""


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
    right, same = _right(key, case, part), key.samenesses[part]
    text = relation(given, right, same)
    if len(key.cases) == 1:
        return _sentence(text or f"{{it}} is not right{gap(given, right, same)}.", it)
    where = f"On “{case.name}”"
    if not text:
        return f"{where} {it} is not right{gap(given, right, same)}."
    return f"{where}: {text.replace('{it}', it)}"


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
        word = "Entry" if len(right) == 1 else "Entries"
        return (
            f"{word} {listed(right)} of {it} {'is' if len(right) == 1 else 'are'} right, the others not yet."
        )
    what = "is not equal to the right formula" if key.kind == "sym" else "is not the right value"
    return _sentence(f"{{it}} {what}: check each step.", it)
