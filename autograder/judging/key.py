"""The answer key: the cases of every task of a topic, for one seed, as data.

An *open* case (of a `code` task) holds its inputs, the expected answer and the wrong answers that the
misconceptions give. A *sealed* case (of a `hand` or `sym` task, whose inputs the student can read) holds
only fingerprints of them: a notebook can be checked against the key, but the answer cannot be read from it.

A key is written as JSON that a person can read and that has the same bytes on every machine: inputs are
rounded before the reference sees them, answers after.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from autograder.answers.values import decode, encode
from autograder.errors import BadKeyError
from autograder.judging.sameness import SAMENESSES, Sameness, as_array

Kind = Literal["code", "hand", "sym"]
FORMAT = 1
INPUT_DIGITS = 12
ANSWER_DIGITS = 10
SEALED_DIGITS = 3
SEAL_ROUNDS = 5_000
# of the last digit: where short decimals end in 5, rounding errors would choose between two neighbours
BESIDE_TIES, BESIDE_SEALED_TIES = 0.0137, 1e-6


@dataclass(frozen=True)
class Hint:
    """What a recognised misconception tells the student."""

    text: str
    see: str
    credit: float = 0.0


@dataclass(frozen=True)
class OpenCase:
    """A situation with its inputs, the expected answer, and each misconception's answer (None: it raises).

    A misconception whose answer is indefinite here is left out of `wrong`.
    `given` says what earlier functions, on which this one may lean, should have returned: by name, inputs and answer.
    """

    name: str
    inputs: Mapping[str, Any]
    expected: Any
    wrong: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SealedCase:
    """A situation whose answers are known only by their fingerprints."""

    name: str
    inputs: Mapping[str, Any]
    shapes: tuple[tuple[int, ...], ...]
    grids: tuple[float, ...]
    salt: str
    expected: str
    wrong: Mapping[str, str]


@dataclass(frozen=True)
class TaskKey:
    """Everything that judging one task needs."""

    kind: Kind
    points: float
    same: tuple[str, ...]
    tolerance: float
    see: str
    hints: Mapping[str, Hint]
    cases: tuple[OpenCase | SealedCase, ...]
    picture: str | None = None

    @property
    def is_sealed(self) -> bool:
        """Is the answer a value that the key knows by its fingerprint, and not a function to be called?"""
        return isinstance(self.cases[0], SealedCase)

    @property
    def samenesses(self) -> tuple[Sameness, ...]:
        """The samenesses that the key names."""
        return tuple(SAMENESSES[name] for name in self.same)


@dataclass(frozen=True)
class Key:
    """The tasks of a topic for one seed; `pages` maps book labels to addresses."""

    topic: str
    seed: str
    tasks: Mapping[str, TaskKey]
    pages: Mapping[str, str] = field(default_factory=dict)


def rounded(value: Any, digits: int) -> Any:
    """Round every number to so many digits of the largest number beside it; containers are kept."""
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rounded(item, digits) for item in value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return _rounded_array(value, digits)
    if type(value) is float:
        return float(_rounded_array(np.array(value), digits))
    return value


def _rounded_array(array: Any, digits: int) -> Any:
    largest = float(np.abs(array).max(initial=0.0))
    if largest == 0 or not np.isfinite(largest):
        return array + 0.0
    decimals = digits - 1 - _leading_power(largest)
    return np.round(array + BESIDE_TIES * 10.0**-decimals, decimals) + 0.0  # + 0.0 turns -0.0 into 0.0


def _leading_power(largest: float) -> int:
    """The exponent of the leading power of ten, also of a number that rounding errors put just below that power."""
    return int(np.floor(np.log10(largest * (1 + 1e-9))))


def grid_of(quantity: Any) -> float:
    """The step to which an answer of this size is sealed: a thousandth of its leading power of ten."""
    largest = float(np.abs(quantity).max(initial=0.0))
    return float(10.0 ** ((_leading_power(largest) if largest > 0 else 0) - SEALED_DIGITS))


def steps(quantity: Any, grid: float) -> Any:
    """The answer counted in steps of the grid, unrounded."""
    return np.asarray(quantity, dtype=np.float64) / grid


def fingerprint(quantities: tuple[Any, ...], grids: tuple[float, ...], salt: str) -> str:
    """A slow salted hash of the rounded answer: equal answers have equal fingerprints."""
    parts = []
    for quantity, grid in zip(quantities, grids, strict=True):
        counted = np.rint(steps(quantity, grid) + BESIDE_SEALED_TIES) + 0.0
        parts.append(f"{counted.shape}:{','.join(format(number, '.0f') for number in counted.ravel())}")
    return _slowly_hashed(salt + ";".join(parts), SEAL_ROUNDS)


@lru_cache(maxsize=512)  # certifying asks for the same few again and again
def _slowly_hashed(text: str, rounds: int) -> str:
    digest = text.encode()
    for _ in range(rounds):
        digest = hashlib.sha256(digest).digest()
    return digest.hex()[:32]


def quantities_of(parts: tuple[Any, ...], samenesses: tuple[Sameness, ...]) -> tuple[Any, ...]:
    """The invariant of each part of an answer."""
    return tuple(same.quantity(as_array(part)) for same, part in zip(samenesses, parts, strict=True))


def dump_key(key: Key) -> str:
    """The text of the key file."""
    tree = {
        "format": FORMAT,
        "topic": key.topic,
        "seed": key.seed,
        "pages": dict(sorted(key.pages.items())),
        "tasks": {name: _task_tree(task) for name, task in key.tasks.items()},
    }
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def _task_tree(task: TaskKey) -> dict[str, Any]:
    tree = {**vars(task), "same": list(task.same)}
    tree["hints"] = {name: vars(hint) for name, hint in task.hints.items()}
    tree["cases"] = [_case_tree(case) for case in task.cases]
    return tree


def _case_tree(case: OpenCase | SealedCase) -> dict[str, Any]:
    inputs = {name: encode(item, readable=True) for name, item in case.inputs.items()}
    if isinstance(case, SealedCase):
        shapes = [list(shape) for shape in case.shapes]
        return {**vars(case), "inputs": inputs, "shapes": shapes, "grids": list(case.grids), "sealed": True}
    tree = {
        "name": case.name,
        "inputs": inputs,
        "expected": encode(case.expected, readable=True),
        "wrong": {name: encode(item, readable=True) for name, item in case.wrong.items()},
    }
    return {**tree, "given": encode(dict(case.given), readable=True)} if case.given else tree


def read_key(path: Path) -> Key:
    """Read a key file; a missing or damaged one raises BadKeyError with what to do."""
    try:
        return load_key(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadKeyError(
            f"{path.name} is missing: it belongs beside the notebook of this assignment"
        ) from None
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BadKeyError(f"{path.name} is damaged ({error}): take the assignment's files anew") from None


def load_key(text: str) -> Key:
    """The key that `dump_key` wrote."""
    tree = json.loads(text)
    if tree["format"] != FORMAT:
        raise ValueError(f"it has format {tree['format']}, this program reads format {FORMAT}")
    tasks = {name: _task_key(task) for name, task in tree["tasks"].items()}
    return Key(tree["topic"], tree["seed"], tasks, tree["pages"])


def _task_key(tree: dict[str, Any]) -> TaskKey:
    hints = {name: Hint(**hint) for name, hint in tree["hints"].items()}
    cases = tuple(_case(case) for case in tree["cases"])
    return TaskKey(**{**tree, "same": tuple(tree["same"]), "hints": hints, "cases": cases})


def _case(tree: dict[str, Any]) -> OpenCase | SealedCase:
    inputs = {name: decode(item) for name, item in tree["inputs"].items()}
    if tree.pop("sealed", False):
        shapes = tuple(tuple(shape) for shape in tree["shapes"])
        return SealedCase(**{**tree, "inputs": inputs, "shapes": shapes, "grids": tuple(tree["grids"])})
    wrong = {name: decode(item) for name, item in tree["wrong"].items()}
    given = decode(tree["given"]) if "given" in tree else {}
    return OpenCase(tree["name"], inputs, decode(tree["expected"]), wrong, given)
