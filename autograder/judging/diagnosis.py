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

from collections import Counter
from collections.abc import Sequence

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.judging import slips
from autograder.judging.compare import Compared, right_part, wanted
from autograder.judging.facts import Ask, by_facts, by_probes, lost
from autograder.judging.key import Hint, SealedCase, TaskKey
from autograder.judging.matches import Matches
from autograder.judging.relations import CLOSE, distance, listed
from autograder.judging.told import Diagnosis, not_right, part_name, sentence, with_right_parts, wrong_parts
from autograder.judging.undo import undone

ALTERNATIVES = 2  # so many slips that cannot be told apart are both named
SMALL = 20  # whole numbers up to it are met by luck


def diagnose(
    key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared], ask: Ask | None
) -> Diagnosis | None:
    """The first step that says something, or None."""
    matches = Matches(key, attempts, found)
    for step in (_own, _known, _parts_changed, _whole, _by_parts, _where_it_is_wrong):
        said = step(key, found, matches)
        if said:
            return said
    return lost(key, found) or by_probes(key, attempts, found, ask) or by_facts(key, found)


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
    said = [sentence(text, it) for text in texts]
    if len(said) == 1:
        return said[0]
    return f"Two things would give this. Either: {said[0]} Or: {said[1]}"


def _everywhere(key: TaskKey, matches: Matches) -> list[str]:
    return matches.names(range(len(key.cases)), range(len(key.same)))


def _own(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    own = [name for name in _everywhere(key, matches) if not _is_slip(name)]
    return _named(key, own, "your answer")


def _known(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    """A slip of the course, exchanged parts, or a plain change of an answer none of whose parts is right."""
    names, wrong = _everywhere(key, matches), wrong_parts(found, len(key.same))
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


def _parts_changed(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    """Telling changes of the right answer, if they explain every wrong part."""
    wrong = wrong_parts(found, len(key.same))
    said = [_changed(key, found, matches, part) for part in wrong]
    told = [one for one in said if one is not None and not slips.is_weak(one.slip or "")]
    if len(told) < len(said):
        return None
    return Diagnosis(
        with_right_parts(key, wrong, " ".join(one.message for one in told)), None, told[0].slip, told[0].see
    )


def _changed(key: TaskKey, found: Sequence[Compared], matches: Matches, part: int) -> Diagnosis | None:
    """The plain change that makes a part out of the right one, or the repair that makes it right."""
    it, names = part_name(key, part), matches.names(range(len(key.cases)), [part])
    said = _named(key, _facts(key, found, names, [part])[:1], it) or _another_part(key, found, matches, part)
    case, given = key.cases[0], found[0].parts
    if said or not isinstance(case, SealedCase) or given is None:
        return said
    repair = undone(key, case, part, given[part])
    return Diagnosis(sentence(repair, it), None, "answer:repair", key.see) if repair else None


def _another_part(key: TaskKey, found: Sequence[Compared], matches: Matches, part: int) -> Diagnosis | None:
    """A part that stands where another one belongs; of a small number it is believed if the other stands here."""
    every = range(len(key.cases))
    for other in range(len(key.same)):
        if other != part and _stands_here(key, found, part, other):
            text = f"{{it}} is what {part_name(key, other)} should be."
            low, high = sorted((part + 1, other + 1))
            return Diagnosis(sentence(text, part_name(key, part)), None, f"parts:{low} and {high}")
    for name in matches.names(every, [part]):
        if name.startswith("parts:"):
            pair = [int(number) - 1 for number in name.removeprefix("parts:").split(" and ")]
            other = pair[0] if pair[1] == part else pair[1]
            if _is_met_by_luck(key, found, part) and name not in matches.names(every, [other]):
                continue
            text = f"{{it}} is what {part_name(key, other)} should be."
            return Diagnosis(sentence(text, part_name(key, part)), None, name)
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
        right = right_part(key, case, other)
        if (
            right.shape != one.parts[part].shape
            or distance(one.parts[part], right, key.samenesses[other]) > CLOSE
        ):
            return False
    return True


def _whole(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    wrong = wrong_parts(found, len(key.same))
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


def _by_parts(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    """Each wrong part by itself; the right ones are said to be right."""
    number = len(key.same)
    wrong = wrong_parts(found, number)
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
    text = " ".join([*(one.message for one in told), *not_right(key, rest)])
    slip, see = told[0].slip, next((one.see for one in told if one.see), None)
    return Diagnosis(with_right_parts(key, wrong, text), None, slip, see)


def _is_by_luck(key: TaskKey, said: Diagnosis, part: int) -> bool:
    return key.kind == "hand" and _is_single(key, part) and slips.is_weak(said.slip or "")


def _reason(key: TaskKey, found: Sequence[Compared], matches: Matches, part: int) -> Diagnosis | None:
    """What a part says by itself: a plain change of the right one, or a way to be wrong.

    Of several ways the one that explains most parts comes first. Whoever exchanges two arguments spoils all that they
    enter, and a count agrees with many ways: there none is believed that would have spoilt a part that is right, unless
    it explains several others together.
    """
    every = range(len(key.cases))
    wrong = wrong_parts(found, len(key.same))
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
    text = sentence(f"{{it}} is what comes out for someone who {own.replace('_', ' ')}.", it)
    return Diagnosis(text, None, f"part:{own}", key.hints[own].see)


def _where_it_is_wrong(key: TaskKey, found: Sequence[Compared], matches: Matches) -> Diagnosis | None:
    """A mistake that was made in some situations only; an edit of a program is made in all of them."""
    wrong = [position for position, one in enumerate(found) if not one.is_right]
    if len(wrong) == len(found) or any(_has_no_number(found[position]) for position in wrong):
        return None
    if all(_is_small_count(key, found, wrong, part) for part in wrong_parts(found, len(key.same))):
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
