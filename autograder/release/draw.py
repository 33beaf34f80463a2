"""Draw a variant: fresh numbers for every task of a topic, certified task by task before anyone sees them.

Random streams are derived from words (the root of the variant, topic, task, public or secret, try), so the numbers of
one task do not move when another task is added, and a secret stream cannot be computed from a public one.
"""

import contextlib
import copy
import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.answers.values import plain
from autograder.authoring.task import Cases, Follows, Task
from autograder.errors import UncertifiedError
from autograder.judging import forms, formula_probes, probes, seal
from autograder.judging.compare import entries_of, largest_number, sealed_marks
from autograder.judging.key import (
    ANSWER_DIGITS,
    INPUT_DIGITS,
    Law,
    OpenCase,
    SealedCase,
    TaskKey,
    rounded,
)
from autograder.judging.sameness import Sameness, discrepancy
from autograder.release import mistakes
from autograder.release.mistakes import Mistake, called, right_parts, traces
from autograder.release.quiet import quiet
from autograder.release.rules import Shares, broken_rules, most_usual, shares

Array = NDArray[np.float64]
MAX_TRIES = 200
FRESH = 5  # draws nobody sees, which say what a misconception usually earns
LARGER = (0.00137, 0.00274, 0.00411, 0.00548, 0.00685)  # no power of two: every product is rounded anew
HARDLY = 0.1  # of an answer: more than such a change of the inputs makes
NOISE = 1e-13  # of the inputs, or their squares: a number so small is a rounding error
MOST_ENTRIES = 12  # of a sealed list or table: so many can be told apart entry by entry


@dataclass(frozen=True)
class DrawnTask:
    """A task's public and secret cases, and why earlier draws of the public ones were refused.

    How often secret ones were drawn again would tell something of them, and change with the secret.
    """

    public: TaskKey
    secret: TaskKey
    refused: tuple[str, ...] = ()

    @property
    def tries(self) -> int:
        """How many draws it took."""
        return 1 + len(self.refused)


def words_digest(*words: str) -> bytes:
    """A hash of a list of words; the separator cannot occur inside a word by accident."""
    return hashlib.sha256("\x1f".join(words).encode()).digest()


def stream(*words: str) -> np.random.Generator:
    """The random stream that belongs to these words."""
    return np.random.default_rng(int.from_bytes(words_digest(*words)))


def draw_task(name: str, task: Task, seed: str, secret: str, extra: Sequence[Mistake] = ()) -> DrawnTask:
    """Draw the public and the secret cases of one task, each until it is certified.

    Public numbers depend on `seed` alone, so that they are the same on every machine; a class's or a student's seed
    is the root that `autograder.release.origin` derives.
    """
    public, refused = _certified(name, task, (seed, "public"), extra)
    if task.kind != "code":  # what is printed in the text cannot be secret; what a function is called on can
        return DrawnTask(public, public, refused)
    hidden, _ = draw_secret(name, task, seed, secret)
    return DrawnTask(public, hidden, refused)


def draw_secret(name: str, task: Task, seed: str, secret: str) -> tuple[TaskKey, tuple[str, ...]]:
    """The secret cases of a function, and why earlier draws were refused.

    They hold no slips: those explain, and what explains is shown on public cases.
    """
    return _certified(name, task, (seed, "secret", secret), ())


def _certified(
    name: str, task: Task, words: tuple[str, ...], extra: Sequence[Mistake]
) -> tuple[TaskKey, tuple[str, ...]]:
    """The first draw that breaks no rule, and the first rule that each draw before it broke."""
    refused: list[str] = []
    while len(refused) < MAX_TRIES:
        attempt = str(len(refused) + 1)
        seed, *others = words
        salt = words_digest(seed, name, "salt", attempt).hex()[:16]
        with one_line(f"{name}: its draw or its reference"):
            key = task_key(task, task.draw(stream(seed, name, *others, attempt)), salt)
        with one_line(f"{name}: one of its ways or its test for ill-posed draws"):
            broken = broken_rules(task, key, usual_shares(task))
        if not broken:
            cases = {case.name: case.inputs for case in key.cases}
            return (task_key(task, cases, salt, extra) if extra else key), tuple(refused)
        refused.append(broken[0])
    raise UncertifiedError(f"{name}: no draw in {MAX_TRIES} tries could be certified; {refused[-1]}")


@functools.cache
def usual_shares(task: Task) -> Shares:
    """What share of the points each misconception earns, found on draws nobody sees; the same on every machine."""
    keys = (task_key(task, task.draw(stream("usual", str(number)))) for number in range(FRESH))
    return most_usual([shares(task, key) for key in keys])


@contextlib.contextmanager
def one_line(what: str) -> Iterator[None]:
    """Say in one line which part of a task raised what."""
    try:
        yield
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise UncertifiedError(f"{what} raised {why}") from error


def task_key(task: Task, cases: Cases, salt: str = "", extra: Sequence[Mistake] = ()) -> TaskKey:
    """Run the reference, the misconceptions and the extra slips once on each case, and write down what they say."""
    wrong = [*mistakes.own_mistakes(task), *extra]
    exact = {
        name: {argument: rounded(plain(value), INPUT_DIGITS) for argument, value in inputs.items()}
        for name, inputs in cases.items()
    }
    make = _open_case if task.kind == "code" else _sealed_case
    inputs = list(exact.values())
    return TaskKey(
        kind=task.kind,
        points=float(task.points),
        same=tuple(same.name for same in task.samenesses),
        tolerance=task.tolerance,
        see=task.see,
        hints={one.name: one.hint for one in wrong if one.hint},
        cases=tuple(make(task, name, values, wrong, salt) for name, values in exact.items()),
        wrongs=tuple(one.name for one in wrong),
        parts=task.parts,
        laws=tuple(_all_laws(task, inputs)) if extra else (),
        always=tuple(properties(task, inputs)) if extra else (),
        freed={one.name: tuple(same.name for same in one.same) for one in wrong if one.same},
        exact_form=task.exact_form,
        picture=task.picture,
    )


def _open_case(
    task: Task, name: str, inputs: Mapping[str, Any], wrong: Sequence[Mistake], salt: str
) -> OpenCase:
    expected = _expected(task, inputs)
    right = forms.read(expected, forms.Wanted(((),) * len(task.samenesses), exact_form=True))
    table = np.array([traces(task, one, inputs, right) for one in wrong]).reshape(-1, len(right), 2)
    return OpenCase(name, inputs, expected, table, _given(task, inputs))


def _expected(task: Task, inputs: Mapping[str, Any]) -> Any:
    """The reference's answer as a key writes it down: signs fixed where they are free, noise rounded off."""
    answer = called(task.answer, inputs)
    parts = forms.parts_of(answer, len(task.samenesses))
    fixed = tuple(_representative(part, same) for part, same in zip(parts, task.samenesses, strict=True))
    noise = [_is_small(part, inputs) for part in fixed]
    if any(noise):
        noise = [yes and not stable for yes, stable in zip(noise, _is_stable(task, inputs), strict=True)]
    quiet = tuple(part * 0 + 0.0 if yes else part for part, yes in zip(fixed, noise, strict=True))
    return plain(quiet if len(quiet) > 1 else quiet[0])


def _representative(part: Any, same: Sameness) -> Any:
    array = forms.read_part(part, forms.Wanted(((),), exact_form=True))
    fixed = same.representative(array) if same.axes in (None, array.ndim) else array
    return rounded(fixed, ANSWER_DIGITS) if array.ndim else rounded(float(fixed), ANSWER_DIGITS)


def _is_small(part: Any, inputs: Mapping[str, Any]) -> bool:
    """Could a number be nothing but rounding errors, compared with the inputs?"""
    largest = largest_number(inputs)
    return float(np.abs(part).max(initial=0.0)) < NOISE * max(largest, largest**2)


def _is_stable(task: Task, inputs: Mapping[str, Any]) -> list[bool]:
    """Which parts hardly change when all inputs are a little larger? Rounding errors would change altogether.

    A small answer to large inputs may be right: coefficients of a design in large units are.
    """
    before = right_parts(task, inputs)
    after = [right_parts(task, _enlarged(inputs, 1 + share)) for share in LARGER]
    return [
        bool(np.abs(one).max(initial=0.0)) and all(_is_near(moved[part], one, same) for moved in after)
        for part, (one, same) in enumerate(zip(before, task.samenesses, strict=True))
    ]


def _enlarged(inputs: Mapping[str, Any], factor: float) -> dict[str, Any]:
    return {
        name: value * factor if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        for name, value in inputs.items()
    }


def _is_near(part: Array, before: Array, same: Sameness) -> bool:
    try:
        return discrepancy(part, before, same) <= HARDLY
    except ValueError:
        return False


def _given(task: Task, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the earlier functions that this one may call make of what it will call them with."""
    given = {}
    for earlier in task.follows:
        wanted = earlier.inputs(*inputs.values())
        calls = [_should_return(earlier, one) for one in (wanted if isinstance(wanted, list) else [wanted])]
        given[earlier.name] = {"calls": calls} if isinstance(wanted, list) else calls[0]
    return given


def _should_return(earlier: Follows, inputs: Mapping[str, Any]) -> dict[str, Any]:
    arguments = plain(dict(inputs))
    return {"inputs": arguments, "answer": rounded(called(earlier.answer, arguments), ANSWER_DIGITS)}


def _sealed_case(
    task: Task, name: str, inputs: Mapping[str, Any], wrong: Sequence[Mistake], salt: str
) -> SealedCase:
    right = right_parts(task, inputs)
    quantities = [same.quantity(part) for same, part in zip(task.samenesses, right, strict=True)]
    grids = tuple(seal.grid_of(quantity) for quantity in quantities)
    bare = SealedCase(name, inputs, tuple(part.shape for part in right), grids, salt, (), (), ())
    marks = [_marks(task, bare, one, inputs, right) for one in wrong]
    return replace(
        bare,
        expected=tuple(str(mark) for mark in sealed_marks(bare, right, task.samenesses)),
        entries=tuple(_entries(task, bare, part, number) for number, part in enumerate(right)),
        wrong=tuple(tuple(mark[part] for mark in marks) for part in range(len(right))),
    )


def _entries(task: Task, case: SealedCase, part: Array, number: int) -> tuple[str, ...]:
    """The fingerprints of the entries of a list or table whose entries mean something by themselves."""
    entries = entries_of(task.kind, part)
    if task.samenesses[number].name != "exactly" or not 2 <= len(entries) <= MOST_ENTRIES:
        return ()
    return tuple(str(seal.fingerprint(entry, case.grids[number], case.salt)) for entry in entries)


def _marks(
    task: Task, case: SealedCase, one: Mistake, inputs: Mapping[str, Any], right: Sequence[Array]
) -> tuple[str | None, ...]:
    """The fingerprints of a wrong way; None for a part that it has no answer for."""
    marks = []
    for position, part in enumerate(wrong_parts(task, one, inputs, right)):
        same = (one.same or task.samenesses)[position]
        single = replace(case, shapes=(case.shapes[position],), grids=(case.grids[position],))
        marks.append(None if part is None else sealed_marks(single, (part,), (same,))[0])
    return tuple(marks)


def wrong_parts(
    task: Task, one: Mistake, inputs: Mapping[str, Any], right: Sequence[Array]
) -> list[Array | None]:
    """What a wrong way gives, part by part, in the form of the right answer; None where that is not determined."""
    if one.indefinite is not None and one.indefinite(*inputs.values()):
        return [None] * len(right)
    made = mistakes.outcome(one, inputs, right)
    return [
        None if part is None else _fitted(task, part, want) for part, want in zip(made, right, strict=True)
    ]


def _fitted(task: Task, part: Array, want: Array) -> Array:
    if task.kind == "sym":
        constant = part.ndim == 0 or part.shape[0] != want.shape[0]
        return np.broadcast_to(part, want.shape) if constant and part.size == 1 else part
    return forms.fitted(part, forms.Wanted((want.shape,)), want.shape)


def properties(task: Task, cases: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    """The properties that every part of every right answer has, on these cases and on draws nobody sees."""
    rights = [right_parts(task, inputs) for inputs in [*cases, *mistakes.unseen(task)]]
    for name, (_, holds) in probes.PROPERTIES.items():
        for part, same in enumerate(task.samenesses):
            if (
                same.name in ("exactly", "up_to_order")
                and task.kind != "sym"
                and all(holds(right[part]) for right in rights)
            ):
                yield name, part


def _all_laws(task: Task, cases: Sequence[Mapping[str, Any]]) -> Iterator[Law]:
    if task.kind == "code":
        yield from _laws(task, cases)
    elif task.kind == "sym":
        yield from _formula_laws(task, cases[0])


def _formula_laws(task: Task, points: Mapping[str, Any]) -> Iterator[Law]:
    """The laws of the right formula, where all correct ways still agree."""
    ways = (task.answer, *(way for way in task.alternatives if callable(way)))
    before, number = right_parts(task, points), len(task.samenesses)
    for change, symbols in formula_probes.changes(list(points)):
        try:
            after = _agreed(task, ways, formula_probes.changed(points, change, symbols))
        except _DisagreementError:
            continue
        for part in range(number) if after else ():
            for law in formula_probes.named_or_not(change, symbols, number, part):
                if formula_probes.obeys(law, part, before, after or ()):
                    yield Law(change, symbols, part, law)
                    break


def _laws(task: Task, cases: Sequence[Mapping[str, Any]]) -> Iterator[Law]:
    """The laws that the reference obeys on every case.

    Correct ways that disagree after a change in one of the cases show that it leaves what the task promises; that they
    still agree in another case, of one dimension say, makes no law of it.
    """
    ways = (task.answer, *(way for way in task.alternatives if callable(way)))
    for change, argument in probes.changes(cases[0]):
        try:
            found = [_before_and_after(task, ways, inputs, change, argument) for inputs in cases]
        except _DisagreementError:
            continue
        pairs = [pair for pair in found if pair]
        if not pairs:
            continue
        for part, same in enumerate(task.samenesses):
            for law in probes.possible_laws(change):
                if all(probes.obeys(law, change, before[part], after[part], same) for before, after in pairs):
                    yield Law(change, argument, part, law)
                    break


def _before_and_after(
    task: Task, ways: Sequence[Callable[..., Any]], inputs: Mapping[str, Any], change: str, argument: str
) -> tuple[tuple[Array, ...], tuple[Array, ...]] | None:
    """The right answer before and after a change; None where the change means nothing, or makes a case ill-posed."""
    try:
        moved = probes.changed(inputs, change, argument)
    except Exception:  # the change means nothing here
        return None
    after = _agreed(task, ways, moved)
    return (right_parts(task, inputs), after) if after else None


class _DisagreementError(Exception):
    """Correct ways give different answers."""


def _agreed(
    task: Task, ways: Sequence[Callable[..., Any]], inputs: Mapping[str, Any]
) -> tuple[Array, ...] | None:
    """The right answer, if there is one on these inputs; raises _DisagreementError if correct ways give several."""
    try:
        with quiet():
            if task.ill_posed(*copy.deepcopy(list(inputs.values()))):
                return None
            first, *others = (mistakes.parts_from(task, way, inputs) for way in ways)
    except Exception:  # a change may leave the task's contract, and then anything may happen
        return None
    if not all(np.isfinite(part).all() for part in first):
        return None
    if not all(mistakes.equal(one, first, task.samenesses) for one in others):
        raise _DisagreementError
    return first
