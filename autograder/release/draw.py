"""Draw a variant: certified random numbers for every task of a topic.

The seeds of random streams are hashed words (root of the variant, topic, task, public or secret, attempt). So the
numbers of a task do not change when another task is added, and a public stream does not reveal a secret one.
"""

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.answers.arguments import arguments as arguments_of
from autograder.answers.arrays import Array
from autograder.answers.values import encode, to_plain_data
from autograder.authoring.small_cases import small_cases
from autograder.authoring.task import Cases, Follows, Task
from autograder.errors import UncertifiedError
from autograder.judging import fingerprints, forms, formula_probes, probes
from autograder.judging.compare import answer_entries, largest_number, part_fingerprints
from autograder.judging.key import (
    ANSWER_DIGITS,
    INPUT_DIGITS,
    Law,
    OpenCase,
    SealedCase,
    TaskKey,
    round_values,
)
from autograder.judging.properties import PROPERTIES
from autograder.judging.relations import is_count
from autograder.judging.sameness import Sameness, discrepancy
from autograder.judging.statements import property_named
from autograder.judging.structures.kinds import Kind
from autograder.release import mistakes
from autograder.release.mistakes import Mistake, call_quietly, right_parts, traces
from autograder.release.quiet import quiet
from autograder.release.rules import Shares, broken_rules, points_by_misconception, typical_points

MAX_TRIES = 200
MAX_PUBLISHED = 5  # secret draws refused because a case is a public one
N_REFERENCE_DRAWS = 5  # draws that no variant uses, to measure what a misconception usually earns
INPUT_SCALINGS = (
    0.00137,
    0.00274,
    0.00411,
    0.00548,
    0.00685,
)  # not powers of two, so that every product has other rounding errors
MAX_RELATIVE_CHANGE = 0.1  # of an answer; larger than the effect of INPUT_SCALINGS on a stable answer
ROUNDING_NOISE_RATIO = 1e-13  # of the inputs or their squares; smaller answers may be rounding errors
MAX_ENTRY_FINGERPRINTS = 12  # entries of a sealed list or table; longer ones have no fingerprints by entry


@dataclass(frozen=True)
class DrawnTask:
    """A task's public and secret cases, and refusals of public draws.

    Refusals of secret draws are not recorded: their number depends on the secret and would reveal something of it.
    """

    public: TaskKey
    secret: TaskKey
    refused: tuple[str, ...] = ()

    @property
    def tries(self) -> int:
        """The number of public draws, including the accepted one."""
        return 1 + len(self.refused)


def words_digest(*words: str) -> bytes:
    """Hash a list of words, joined by a control character."""
    return hashlib.sha256("\x1f".join(words).encode()).digest()


def rng_from_words(*words: str) -> np.random.Generator:
    """Return the random generator that is seeded by these words."""
    return np.random.default_rng(int.from_bytes(words_digest(*words)))


def draw_task(name: str, task: Task, seed: str, secret: str, extra: Sequence[Mistake] = ()) -> DrawnTask:
    """Draw the public and the secret cases of a task until certified.

    Public numbers depend on `seed` alone, so they are the same on every machine. For a class or a student, `seed` is
    the root that `autograder.release.origin` derives.
    """
    public, refused = _draw_certified(name, task, (seed, "public"), extra)
    if task.kind != "code":  # numbers that are printed in the text cannot be secret
        return DrawnTask(public, public, refused)
    hidden, _ = draw_secret(name, task, seed, secret, public)
    return DrawnTask(public, hidden, refused)


def draw_secret(
    name: str, task: Task, seed: str, secret: str, public: TaskKey | None = None
) -> tuple[TaskKey, tuple[str, ...]]:
    """Draw the secret cases of a function, none of which is a public one; return refusals, too.

    Their key holds no slips, because explanations are shown for public cases only.
    """
    return _draw_certified(name, task, (seed, "secret", secret), (), _inputs_of(public) if public else set())


def _draw_certified(
    name: str,
    task: Task,
    words: tuple[str, ...],
    extra: Sequence[Mistake],
    published: Set[str] = frozenset(),
) -> tuple[TaskKey, tuple[str, ...]]:
    """Return the first draw that breaks no rule and has no published case.

    The first broken rule of each earlier draw is returned, too. Raise UncertifiedError after MAX_TRIES draws. A case
    without random numbers is always the same; so after MAX_PUBLISHED refusals published cases are accepted.
    """
    refused: list[str] = []
    while len(refused) < MAX_TRIES:
        attempt = str(len(refused) + 1)
        seed, *others = words
        salt = words_digest(seed, name, "salt", attempt).hex()[:16]
        with one_line(f"{name}: its draw or its reference"):
            key = task_key(task, task.draw(rng_from_words(seed, name, *others, attempt)), salt)
        if len(refused) < MAX_PUBLISHED and not published.isdisjoint(_inputs_of(key)):
            refused.append("a case is a public one")
            continue
        with one_line(f"{name}: one of its programs or its test for ill-posed draws"):
            broken = broken_rules(task, key, usual_shares(task))
        if not broken:
            cases = {case.name: case.inputs for case in key.cases}
            return (task_key(task, cases, salt, extra) if extra else key), tuple(refused)
        refused.append(broken[0])
    raise UncertifiedError(f"{name}: no draw in {MAX_TRIES} tries could be certified; {refused[-1]}")


def _inputs_of(key: TaskKey) -> set[str]:
    """Return the inputs of all cases with every digit."""
    return {repr({name: encode(value) for name, value in case.inputs.items()}) for case in key.cases}


@functools.cache
def usual_shares(task: Task) -> Shares:
    """Return the share of the points that each misconception usually earns.

    It is measured on draws that no variant uses, with a fixed seed.
    """
    keys = (
        task_key(task, task.draw(rng_from_words("usual", str(number)))) for number in range(N_REFERENCE_DRAWS)
    )
    return typical_points([points_by_misconception(task, key) for key in keys])


@contextlib.contextmanager
def one_line(what: str) -> Iterator[None]:
    """Turn any exception into an UncertifiedError with a message of one line."""
    try:
        yield
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise UncertifiedError(f"{what} raised {why}") from error


def task_key(task: Task, cases: Cases, salt: str = "", extra: Sequence[Mistake] = ()) -> TaskKey:
    """Build the key of a task on these cases.

    The reference, the misconceptions and the extra slips run once on each case.
    """
    wrong = [*mistakes.own_mistakes(task), *extra]
    exact = {name: _rounded_inputs(inputs) for name, inputs in cases.items()}
    make = _open_case if task.kind == "code" else _sealed_case
    derived = _derived_fields(task, list(exact.values())) if extra else {}
    return TaskKey(
        kind=task.kind,
        points=float(task.points),
        same=_names(task.samenesses),
        tolerance=task.tolerance,
        see=task.see,
        hints={mistake.name: mistake.hint for mistake in wrong if mistake.hint},
        cases=tuple(make(task, name, values, wrong, salt) for name, values in exact.items()),
        wrongs=_names(wrong),
        parts=task.parts,
        freed={mistake.name: _names(mistake.same) for mistake in wrong if mistake.same},
        exact_form=task.exact_form,
        picture=task.picture,
        **derived,
    )


def _derived_fields(task: Task, inputs: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    """Return what explains wrong answers: laws, properties and, for code, small cases."""
    return {
        "laws": tuple(_all_laws(task, inputs)),
        "always": tuple(properties(task, inputs)),
        "twins": tuple(_small_open_cases(task, inputs)) if task.kind == "code" else (),
    }


def _rounded_inputs(inputs: Mapping[str, object]) -> dict[str, Any]:
    return {name: round_values(to_plain_data(value), INPUT_DIGITS) for name, value in inputs.items()}


def _names(named: Iterable[Sameness | Mistake]) -> tuple[str, ...]:
    return tuple(item.name for item in named)


def _small_open_cases(task: Task, cases: Sequence[Mapping[str, object]]) -> Iterator[OpenCase]:
    """Yield the small cases that `check` may show."""
    ways = (task.answer, *(way for way in task.alternatives if callable(way)))

    def is_valid(inputs: Mapping[str, object]) -> bool:
        try:
            parts = _agreed_answer(task, ways, inputs)
        except _DisagreementError:
            return False
        return parts is not None and all(part.size for part in parts)

    number = len(cases)
    for inputs in small_cases(cases, task.tied, is_valid):
        try:
            expected = _expected(task, inputs)
        except Exception:  # _is_stable scales the inputs, which may break the task's contract
            continue
        number += 1
        yield OpenCase(f"small case {number}", inputs, expected, np.zeros((0, 0, 2)))


def _open_case(
    task: Task, name: str, inputs: Mapping[str, object], wrong: Sequence[Mistake], salt: str
) -> OpenCase:
    expected = _expected(task, inputs)
    right = forms.read_parts(expected, forms.any_form(task.samenesses))
    table = np.array([traces(task, mistake, inputs, right) for mistake in wrong]).reshape(-1, len(right), 2)
    return OpenCase(name, inputs, expected, table, _results_of_earlier_tasks(task, inputs))


def _expected(task: Task, inputs: Mapping[str, object]) -> object:
    """Return the reference's answer as plain data for a key.

    Free signs are fixed and rounding noise is set to zero.
    """
    answer = call_quietly(task.answer, inputs)
    if any(same.kind for same in task.samenesses):
        return _expected_with_kinds(task, answer)
    parts = forms.split_parts(answer, len(task.samenesses))
    fixed = tuple(_representative(part, same) for part, same in zip(parts, task.samenesses, strict=True))
    cleaned = _without_noise(task, inputs, fixed)
    return to_plain_data(cleaned if len(cleaned) > 1 else cleaned[0])


def _without_noise(task: Task, inputs: Mapping[str, Any], parts: tuple[Any, ...]) -> tuple[object, ...]:
    """Set parts to zero that are small and not stable."""
    small = [_is_small(part, inputs) for part in parts]
    if not any(small):
        return parts
    noise = [yes and not stable for yes, stable in zip(small, _is_stable(task, inputs), strict=True)]
    return tuple(part * 0 + 0.0 if yes else part for part, yes in zip(parts, noise, strict=True))


def _expected_with_kinds(task: Task, answer: object) -> object:
    """Return an answer with structure as plain data for a key."""
    kinds = [same.kind for same in task.samenesses]
    parts = tuple(
        round_values(part, ANSWER_DIGITS) if kind else _representative(part, same)
        for part, kind, same in zip(forms.split_kinds(answer, kinds), kinds, task.samenesses, strict=True)
    )
    for part, kind in zip(parts, kinds, strict=True):
        if kind:
            kind.read(part)
    return to_plain_data(parts if len(parts) > 1 else parts[0])


def _representative(part: object, same: Sameness) -> object:
    array = forms.read_part(part, forms.ExpectedForm(((),), exact_form=True))
    fixed = same.representative(array) if same.axes in (None, array.ndim) else array
    return round_values(fixed, ANSWER_DIGITS) if array.ndim else round_values(float(fixed), ANSWER_DIGITS)


def _is_small(part: Any, inputs: Mapping[str, Any]) -> bool:
    """Return whether a part is small enough to be rounding noise."""
    largest = largest_number(inputs)
    return float(np.abs(part).max(initial=0.0)) < ROUNDING_NOISE_RATIO * max(largest, largest**2)


def _is_stable(task: Task, inputs: Mapping[str, object]) -> list[bool]:
    """Return for each part whether it keeps its value under scaled inputs.

    Rounding errors would change completely. A small stable answer is right: coefficients of a design in large units.
    """
    before = right_parts(task, inputs)
    after = [right_parts(task, _scaled(inputs, 1 + share)) for share in INPUT_SCALINGS]
    return [
        bool(np.abs(part_before).max(initial=0.0))
        and all(_is_near(moved[part], part_before, same) for moved in after)
        for part, (part_before, same) in enumerate(zip(before, task.samenesses, strict=True))
    ]


def _scaled(inputs: Mapping[str, object], factor: float) -> dict[str, object]:
    return {
        name: value * factor if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        for name, value in inputs.items()
    }


def _is_near(part: Array, before: Array, same: Sameness) -> bool:
    try:
        return discrepancy(part, before, same) <= MAX_RELATIVE_CHANGE
    except ValueError:
        return False


def _results_of_earlier_tasks(task: Task, inputs: Mapping[str, object]) -> dict[str, Any]:
    """Return the expected results of the earlier functions in `Task.follows`."""
    results = {}
    for earlier in task.follows:
        arguments = earlier.inputs(*arguments_of(inputs))
        calls = [
            _expected_result(earlier, call_inputs)
            for call_inputs in (arguments if isinstance(arguments, list) else [arguments])
        ]
        results[earlier.name] = {"calls": calls} if isinstance(arguments, list) else calls[0]
    return results


def _expected_result(earlier: Follows, inputs: Mapping[str, object]) -> dict[str, Any]:
    arguments = to_plain_data(dict(inputs))
    return {
        "inputs": arguments,
        "answer": round_values(call_quietly(earlier.answer, arguments), ANSWER_DIGITS),
    }


def _sealed_case(
    task: Task, name: str, inputs: Mapping[str, object], wrong: Sequence[Mistake], salt: str
) -> SealedCase:
    right = right_parts(task, inputs)
    quantities = [same.quantity(part) for same, part in zip(task.samenesses, right, strict=True)]
    grids = tuple(
        1.0 if same.kind else fingerprints.grid_of(quantity)
        for quantity, same in zip(quantities, task.samenesses, strict=True)
    )
    bare = SealedCase(name, inputs, tuple(part.shape for part in right), grids, salt, (), (), ())
    marks = [_marks(task, bare, mistake, inputs, right) for mistake in wrong]
    return replace(
        bare,
        expected=tuple(str(mark) for mark in part_fingerprints(bare, right, task.samenesses)),
        entries=_all_entries(task, bare, right),
        wrong=tuple(tuple(mark[part] for mark in marks) for part in range(len(right))),
    )


def _all_entries(task: Task, case: SealedCase, right: Sequence[Array]) -> tuple[tuple[str, ...], ...]:
    """Return the fingerprints of the entries of each part, or of its leaves if it has structure."""
    kinds = [same.kind for same in task.samenesses]
    values = (
        forms.split_kinds(call_quietly(task.answer, case.inputs), kinds)
        if any(kinds)
        else [None] * len(right)
    )
    return tuple(
        leaf_fingerprints(kind, value, case.salt) if kind else _entries(task, case, part, number)
        for number, (part, kind, value) in enumerate(zip(right, kinds, values, strict=True))
    )


def leaf_fingerprints(kind: Kind, value: object, salt: str) -> tuple[str, ...]:
    """Return a fingerprint for each leaf; none if there are too few or too many."""
    digests = kind.leaf_digests(value)
    if not 2 <= len(digests) <= MAX_ENTRY_FINGERPRINTS:
        return ()
    return tuple(str(fingerprints.fingerprint(digest, 1.0, salt)) for _, digest in digests)


def _entries(task: Task, case: SealedCase, part: Array, number: int) -> tuple[str, ...]:
    """Return a fingerprint for each entry of a list or table.

    The result is empty if entries are not compared exactly, or if there are too few or too many.
    """
    entries = answer_entries(task.kind, part)
    if task.samenesses[number].name != "exactly" or not 2 <= len(entries) <= MAX_ENTRY_FINGERPRINTS:
        return ()
    return tuple(str(fingerprints.fingerprint(entry, case.grids[number], case.salt)) for entry in entries)


def _marks(
    task: Task, case: SealedCase, mistake: Mistake, inputs: Mapping[str, object], right: Sequence[Array]
) -> tuple[str | None, ...]:
    """Return a mistake's fingerprint for each part, or None without an answer."""
    marks = []
    for position, part in enumerate(parts_that_differ(task, mistake, inputs, right)):
        same = (mistake.same or task.samenesses)[position]
        single = replace(case, shapes=(case.shapes[position],), grids=(case.grids[position],))
        marks.append(None if part is None else part_fingerprints(single, (part,), (same,))[0])
    return tuple(marks)


def parts_that_differ(
    task: Task, mistake: Mistake, inputs: Mapping[str, object], right: Sequence[Array]
) -> list[Array | None]:
    """Return a mistake's answer, its parts shaped like the right answer's.

    A part is None where the mistake has no definite answer.
    """
    if mistake.indefinite is not None and mistake.indefinite(*arguments_of(inputs)):
        return [None] * len(right)
    parts = mistakes.mistake_answer(mistake, inputs, right)
    return [
        None if part is None else _reshaped(task, part, want) for part, want in zip(parts, right, strict=True)
    ]


def _reshaped(task: Task, part: Array, want: Array) -> Array:
    if task.kind == "sym":
        constant = part.ndim == 0 or part.shape[0] != want.shape[0]
        return np.broadcast_to(part, want.shape) if constant and part.size == 1 else part
    return forms.reshape_to_expected(part, forms.ExpectedForm((want.shape,)), want.shape)


ALSO_REQUIRED = {"at most one": ("not negative",)}  # −50 is at most 1, but that explains nothing


def properties(task: Task, cases: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, int]]:
    """Yield the properties that a part has in every right answer.

    They must hold on these cases and on trial draws.
    """
    rights = [right_parts(task, inputs) for inputs in [*cases, *mistakes.trial_inputs(task)]]
    parts = _parts_with_properties(task)
    for name in PROPERTIES:
        required = [PROPERTIES[other] for other in (name, *ALSO_REQUIRED.get(name, ()))]
        for part in parts:
            if all(property_.holds(right[part]) for property_ in required for right in rights):
                yield name, part
    yield from _declared_properties(task, rights)


def _parts_with_properties(task: Task) -> list[int]:
    """Return the parts whose numbers stand for themselves."""
    if task.kind == "sym":
        return []
    return [part for part, name in enumerate(_names(task.samenesses)) if name in ("exactly", "up_to_order")]


def _declared_properties(task: Task, rights: Sequence[Sequence[Array]]) -> Iterator[tuple[str, int]]:
    """Yield the statements that the author declares; raise UncertifiedError if the reference breaks one."""
    for declared in task.always:
        if not all(property_named(declared.name).holds(right[declared.part]) for right in rights):
            raise UncertifiedError(f"the reference breaks the statement {declared.condition!r} on some draw")
        yield declared.name, declared.part


def _all_laws(task: Task, cases: Sequence[Mapping[str, object]]) -> Iterator[Law]:
    if task.kind == "code":
        yield from _laws(task, cases)
    elif task.kind == "sym":
        yield from _formula_laws(task, cases[0])


def _formula_laws(task: Task, points: Mapping[str, object]) -> Iterator[Law]:
    """Yield metamorphic relations of the right formula on which correct solutions agree."""
    ways = (task.answer, *(way for way in task.alternatives if callable(way)))
    before, number = right_parts(task, points), len(task.samenesses)
    for change, symbols in formula_probes.symbol_changes(list(points)):
        try:
            after = _agreed_answer(task, ways, formula_probes.apply_symbol_change(points, change, symbols))
        except _DisagreementError:
            continue
        for part in range(number) if after else ():
            for law in formula_probes.named_or_not(change, symbols, number, part):
                if formula_probes.formula_satisfies_law(law, part, before, after or ()):
                    yield Law(change, symbols, part, law)
                    break


def _laws(task: Task, cases: Sequence[Mapping[str, object]]) -> Iterator[Law]:
    """Yield the metamorphic relations that all correct solutions obey on every case.

    A change is skipped if it fails on a case, makes it ill-posed, or makes correct solutions disagree. The changed
    inputs then break the task's contract, and a relation on the remaining cases would be accidental.
    """
    ways = (task.answer, *(way for way in task.alternatives if callable(way)))
    for change, argument in probes.applicable_changes(cases[0]):
        if argument in task.tied:
            continue
        pairs = list(_before_and_after_each(task, ways, cases, change, argument))
        if len(pairs) < len(cases):
            continue
        for part in range(len(task.samenesses)):
            law = _law_of(task, pairs, Law(change, argument, part, ""))
            if law and (not is_count(pairs[0][0][part]) or _holds_elsewhere(task, ways, law)):
                yield law


Pair = tuple[tuple[Array, ...], tuple[Array, ...]]  # right answers before and after a change


def _law_of(task: Task, pairs: Sequence[Pair], unknown: Law) -> Law | None:
    """Return the simplest relation that a part obeys on all pairs."""
    laws = [replace(unknown, law=law) for law in probes.possible_laws(unknown.change)]
    return next((law for law in laws if all(_obeys(task, law, pair) for pair in pairs)), None)


def _obeys(task: Task, law: Law, pair: Pair) -> bool:
    before, after = (parts[law.part] for parts in pair)
    return probes.satisfies_law(law.law, law.change, before, after, task.samenesses[law.part])


def _holds_elsewhere(task: Task, ways: Sequence[Callable[..., object]], law: Law) -> bool:
    """Return whether a relation holds on trial draws.

    Counts may double or stay equal by chance on a few cases.
    """
    for inputs in mistakes.trial_inputs(task):
        with contextlib.suppress(_DisagreementError):
            pair = _before_and_after(task, ways, inputs, law.change, law.argument)
            if pair and not _obeys(task, law, pair):
                return False
    return True


def _before_and_after_each(
    task: Task,
    ways: Sequence[Callable[..., object]],
    cases: Sequence[Mapping[str, object]],
    change: str,
    argument: str,
) -> Iterator[tuple[tuple[Array, ...], tuple[Array, ...]]]:
    """Yield the right answers before and after a change.

    Stop at the first case on which the change is meaningless.
    """
    for inputs in cases:
        try:
            pair = _before_and_after(task, ways, inputs, change, argument)
        except _DisagreementError:
            return
        if pair is None:
            return
        yield pair


def _before_and_after(
    task: Task,
    ways: Sequence[Callable[..., object]],
    inputs: Mapping[str, object],
    change: str,
    argument: str,
) -> tuple[tuple[Array, ...], tuple[Array, ...]] | None:
    """Return the right answers before and after a change.

    The result is None if the change fails or makes the case ill-posed.
    """
    try:
        moved = probes.apply_change(inputs, change, argument)
    except Exception:  # the change does not apply to these inputs
        return None
    after = _agreed_answer(task, ways, moved)
    return (right_parts(task, inputs), after) if after else None


class _DisagreementError(Exception):
    """Correct solutions give different answers."""


def _agreed_answer(
    task: Task, ways: Sequence[Callable[..., object]], inputs: Mapping[str, object]
) -> tuple[Array, ...] | None:
    """Return the answer on which all correct solutions agree.

    The result is None if the inputs are ill-posed, if a solution raises or if the answer is not finite. Raise
    _DisagreementError if the answers differ.
    """
    try:
        with quiet():
            if task.ill_posed(*arguments_of(inputs)):
                return None
            first, *others = (mistakes.parts_from(task, way, inputs) for way in ways)
    except Exception:  # a change may break the task's contract, and then any exception is possible
        return None
    if not all(np.isfinite(part).all() for part in first):
        return None
    if not all(mistakes.equal(answer, first, task.samenesses) for answer in others):
        raise _DisagreementError
    return first
