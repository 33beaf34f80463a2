"""Draw a variant: fresh numbers for every task of a topic, certified task by task before anyone sees them.

Random streams are derived from words (seed, topic, task, public or secret, try), so the numbers of one task
do not move when another task is added, and a secret stream cannot be computed from a public one.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.answers.values import plain
from autograder.authoring.task import Cases, Misconception, Task
from autograder.errors import UncertifiedError
from autograder.judging.judge import parts_of
from autograder.judging.key import (
    ANSWER_DIGITS,
    INPUT_DIGITS,
    Hint,
    OpenCase,
    SealedCase,
    TaskKey,
    fingerprint,
    grid_of,
    quantities_of,
    rounded,
)
from autograder.judging.sameness import as_array
from autograder.release.rules import broken_rules

MAX_TRIES = 200
NOISE = 1e-12  # beside the expected answer


@dataclass(frozen=True)
class DrawnTask:
    """A task's public and secret cases, and why earlier draws of them were refused."""

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


def draw_task(name: str, task: Task, seed: str, secret: str) -> DrawnTask:
    """Draw the public and the secret cases of one task, each until it is certified.

    Public numbers depend on the seed alone, so that they are the same on every machine.
    """
    public, refused = _certified(name, task, seed, ("public",))
    if task.kind != "code":  # what is printed in the text cannot be secret; what a function is called on can
        return DrawnTask(public, public, refused)
    hidden, refused_too = _certified(name, task, seed, ("secret", secret))
    return DrawnTask(public, hidden, refused + refused_too)


def _certified(name: str, task: Task, seed: str, words: tuple[str, ...]) -> tuple[TaskKey, tuple[str, ...]]:
    """The first draw that breaks no rule, and the first rule that each draw before it broke."""
    refused: list[str] = []
    while len(refused) < MAX_TRIES:
        attempt = str(len(refused) + 1)
        salt = words_digest(seed, name, "salt", attempt).hex()[:16]
        with _one_line(f"{name}: its draw or its reference"):
            key = task_key(task, task.draw(stream(seed, name, *words, attempt)), salt)
        with _one_line(f"{name}: one of its ways or its test for ill-posed draws"):
            broken = broken_rules(task, key)
        if not broken:
            return key, tuple(refused)
        refused.append(broken[0])
    raise UncertifiedError(
        f"{name}: no draw in {MAX_TRIES} tries could be certified with seed {seed}; {refused[-1]}"
    )


@contextlib.contextmanager
def _one_line(what: str) -> Iterator[None]:
    """Say in one line which part of a task raised what."""
    try:
        yield
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise UncertifiedError(f"{what} raised {why}") from error


def task_key(task: Task, cases: Cases, salt: str = "") -> TaskKey:
    """Run the reference and the misconceptions once on each case, and write down what they say."""
    make: Callable[[TaskKey, Task, str, Mapping[str, Any], str], OpenCase | SealedCase]
    make = _open_case if task.kind == "code" else _sealed_case
    bare = TaskKey(
        kind=task.kind,
        points=float(task.points),
        same=tuple(same.name for same in task.samenesses),
        tolerance=task.tolerance,
        see=task.see,
        hints={wrong.name: Hint(wrong.hint, wrong.see, wrong.credit) for wrong in task.misconceptions},
        cases=(),
        picture=task.picture,
    )
    made = []
    for name, inputs in cases.items():
        exact = {argument: rounded(plain(value), INPUT_DIGITS) for argument, value in inputs.items()}
        made.append(make(bare, task, name, exact, salt))
    return TaskKey(**{**vars(bare), "cases": tuple(made)})


def _open_case(bare: TaskKey, task: Task, name: str, inputs: Mapping[str, Any], salt: str) -> OpenCase:
    expected = _representative(bare, _called(task.answer, inputs))
    wrong = {}
    for misconception in _definite(task, inputs):
        try:
            answer = _representative(bare, _called(misconception.wrong, inputs))
            wrong[misconception.name] = _without_noise(answer, expected)
        except Exception:  # a wrong way may well crash: then crashing is how it is recognised
            wrong[misconception.name] = None
    return OpenCase(name, inputs, expected, wrong, _given(task, inputs))


def _definite(task: Task, inputs: Mapping[str, Any]) -> Iterator[Misconception]:
    """The misconceptions whose answers on these inputs are determined by mathematics."""
    return (one for one in task.misconceptions if not one.indefinite(*inputs.values()))


def _given(task: Task, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the earlier functions that this one may call make of what it will call them with."""
    given = {}
    for earlier in task.follows:
        arguments = plain(dict(earlier.inputs(*inputs.values())))
        answer = rounded(_called(earlier.answer, arguments), ANSWER_DIGITS)
        given[earlier.name] = {"inputs": arguments, "answer": answer}
    return given


def _called(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """What the function makes of copies of the inputs, as plain data."""
    arguments = [value.copy() if isinstance(value, np.ndarray) else value for value in inputs.values()]
    return plain(function(*arguments))


def _representative(bare: TaskKey, answer: Any) -> Any:
    """The form in which a key writes an answer down: signs fixed where they are free, noise rounded off."""
    parts = parts_of(bare, answer)
    fixed = tuple(
        rounded(same.representative(as_array(part)), ANSWER_DIGITS) if _fits(part, same.axes) else part
        for part, same in zip(parts, bare.samenesses, strict=True)
    )
    return plain(fixed if len(bare.same) > 1 else fixed[0])


def _without_noise(answer: Any, expected: Any) -> Any:
    """Zeros for a part that is nothing but rounding errors, which differ from machine to machine."""
    if isinstance(answer, tuple) and isinstance(expected, tuple) and len(answer) == len(expected):
        return tuple(map(_without_noise, answer, expected))
    if isinstance(answer, np.ndarray) and isinstance(expected, np.ndarray):
        is_noise = np.abs(answer).max(initial=0.0) < NOISE * np.abs(expected).max(initial=0.0)
        return np.zeros_like(answer) if is_noise else answer
    return answer


def _fits(part: Any, axes: int | None) -> bool:
    """A misconception may give the wrong number of axes: such an answer is kept as it is."""
    return axes is None or as_array(part).ndim == axes


def _sealed_case(bare: TaskKey, task: Task, name: str, inputs: Mapping[str, Any], salt: str) -> SealedCase:
    quantities = _quantities(bare, task.answer, inputs)
    grids = tuple(grid_of(quantity) for quantity in quantities)
    parts = parts_of(bare, _called(task.answer, inputs))
    wrong = {}
    for misconception in _definite(task, inputs):
        wrong[misconception.name] = fingerprint(_quantities(bare, misconception.wrong, inputs), grids, salt)
    return SealedCase(
        name=name,
        inputs=inputs,
        shapes=tuple(as_array(part).shape for part in parts),
        grids=grids,
        salt=salt,
        expected=fingerprint(quantities, grids, salt),
        wrong=wrong,
    )


def _quantities(bare: TaskKey, function: Callable[..., Any], inputs: Mapping[str, Any]) -> tuple[Any, ...]:
    return quantities_of(parts_of(bare, _called(function, inputs)), bare.samenesses)
