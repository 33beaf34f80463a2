"""The answer key: the cases of every task of a topic, for one seed, as data.

An *open* case (of a `code` task) holds its inputs, the expected answer and the traces of the wrong answers that
misconceptions and slips give. A *sealed* case (of a `hand` or `sym` task, whose inputs the student can read) holds only
fingerprints of them: a notebook can be checked against the key, but the answer cannot be read from it.

A key is written as JSON that has the same bytes on every machine: inputs are rounded before the reference sees them,
answers after.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from autograder.answers.values import decode, encode
from autograder.errors import BadKeyError
from autograder.judging import seal, trace
from autograder.judging.sameness import SAMENESSES, Sameness

Kind = Literal["code", "hand", "sym"]
FORMAT = 2
INPUT_DIGITS = 12
ANSWER_DIGITS = 10
# of the last digit: where short decimals end in 5, rounding errors would choose between two neighbours
BESIDE_TIES = 0.0137


@dataclass(frozen=True)
class Hint:
    """What a recognised mistake tells the student."""

    text: str
    see: str
    credit: float = 0.0


@dataclass(frozen=True)
class Law:
    """How the right answer responds when the inputs are changed; see `autograder.judging.probes`."""

    change: str
    argument: str
    part: int
    law: str


@dataclass(frozen=True)
class OpenCase:
    """A situation with its inputs, the expected answer, and the traces of wrong answers.

    `wrong` has a row for each name in the task's `wrongs`, a column for each part, two numbers in each.
    `given` says what earlier functions, on which this one may lean, should have returned: by name, inputs and answer.
    """

    name: str
    inputs: Mapping[str, Any]
    expected: Any
    wrong: Any
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SealedCase:
    """A situation whose answers are known only by their fingerprints, part by part.

    `entries` has, for parts that are lists or tables, the fingerprint of each entry, so that it can be said which are
    right; `wrong` has a list for each part, with a fingerprint or None for each name in the task's `wrongs`.
    """

    name: str
    inputs: Mapping[str, Any]
    shapes: tuple[tuple[int, ...], ...]
    grids: tuple[float, ...]
    salt: str
    expected: tuple[str, ...]
    entries: tuple[tuple[str, ...], ...]
    wrong: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True)
class TaskKey:
    """Everything that judging one task needs.

    `wrongs` names every wrong way that can be recognised, the task's own misconceptions first; those and the course's
    slips have their words in `hints`, the engine's slips in `autograder.judging.slips`. `always` lists properties
    that the right answer always has, as (property, part).
    """

    kind: Kind
    points: float
    same: tuple[str, ...]
    tolerance: float
    see: str
    hints: Mapping[str, Hint]
    cases: tuple[OpenCase | SealedCase, ...]
    wrongs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # what each part is called, if the author says so
    laws: tuple[Law, ...] = ()
    always: tuple[tuple[str, int], ...] = ()
    freed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # wrongs with samenesses of their own
    exact_form: bool = False
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
class Page:
    """Where a label of the book leads, and what the book calls the place: "Theorem 4.5"."""

    address: str
    name: str = ""


@dataclass(frozen=True)
class Key:
    """The tasks of a topic for one seed; `pages` maps book labels to places."""

    topic: str
    seed: str
    tasks: Mapping[str, TaskKey]
    pages: Mapping[str, Page] = field(default_factory=dict)


def rounded(value: Any, digits: int) -> Any:
    """Round every number to so many digits of the largest number beside it; containers are kept.

    Arrays come out in the usual order in memory: some library functions silently fail on the other one.
    """
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rounded(item, digits) for item in value)
    if isinstance(value, np.ndarray):
        usual = np.array(value, order="C")
        return _rounded_array(usual, digits) if value.dtype.kind == "f" else usual
    if type(value) is float:
        return float(_rounded_array(np.array(value), digits))
    return value


def _rounded_array(array: Any, digits: int) -> Any:
    largest = float(np.abs(array).max(initial=0.0))
    if largest == 0 or not np.isfinite(largest):
        return array + 0.0
    decimals = digits - 1 - seal.leading_power(largest)
    return np.round(array + BESIDE_TIES * 10.0**-decimals, decimals) + 0.0  # + 0.0 turns -0.0 into 0.0


def dump_key(key: Key) -> str:
    """The text of the key file."""
    tree = {
        "format": FORMAT,
        "topic": key.topic,
        "seed": key.seed,
        "pages": {label: vars(page) for label, page in sorted(key.pages.items())},
        "tasks": {name: _task_tree(task) for name, task in key.tasks.items()},
    }
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def _task_tree(task: TaskKey) -> dict[str, Any]:
    tree = {**vars(task), "hints": {name: vars(hint) for name, hint in task.hints.items()}}
    tree["cases"] = [_case_tree(case) for case in task.cases]
    tree["wrongs"] = "\n".join(task.wrongs)
    tree["laws"] = [f"{law.change}|{law.argument}|{law.part}|{law.law}" for law in task.laws]
    tree["always"] = [f"{name}|{part}" for name, part in task.always]
    return tree


def _case_tree(case: OpenCase | SealedCase) -> dict[str, Any]:
    inputs = {name: encode(item, readable=True) for name, item in case.inputs.items()}
    if isinstance(case, SealedCase):
        packed = [seal.packed(part) for part in case.wrong]
        return {**vars(case), "inputs": inputs, "wrong": packed, "sealed": True}
    tree = {
        "name": case.name,
        "inputs": inputs,
        "expected": encode(case.expected, readable=True),
        "wrong": trace.packed(case.wrong),
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
    except BadKeyError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OSError) as error:
        raise BadKeyError(f"{path.name} is damaged ({error}): take the assignment's files anew") from None


def load_key(text: str) -> Key:
    """The key that `dump_key` wrote."""
    tree = json.loads(text)
    if tree["format"] != FORMAT:
        found = tree["format"]
        raise BadKeyError(
            f"the key has format {found}, this program reads format {FORMAT}: take the files anew"
        )
    tasks = {name: _task_key(task) for name, task in tree["tasks"].items()}
    return Key(
        tree["topic"], tree["seed"], tasks, {label: Page(**page) for label, page in tree["pages"].items()}
    )


def _task_key(tree: dict[str, Any]) -> TaskKey:
    words = {name: tuple(tree[name]) for name in ("same", "parts")}
    return TaskKey(
        **{
            **tree,
            **words,
            "hints": {name: Hint(**hint) for name, hint in tree["hints"].items()},
            "wrongs": tuple(tree["wrongs"].split("\n")) if tree["wrongs"] else (),
            "laws": tuple(_law(line) for line in tree["laws"]),
            "freed": {name: tuple(same) for name, same in tree["freed"].items()},
            "always": tuple((line.split("|")[0], int(line.split("|")[1])) for line in tree["always"]),
            "cases": tuple(_case(case, len(tree["same"])) for case in tree["cases"]),
        }
    )


def _law(line: str) -> Law:
    change, argument, part, law = line.split("|")
    return Law(change, argument, int(part), law)


def _case(tree: dict[str, Any], parts: int) -> OpenCase | SealedCase:
    inputs = {name: decode(item) for name, item in tree["inputs"].items()}
    if tree.pop("sealed", False):
        shapes, wrong = (
            (tuple(tuple(one) for one in tree["shapes"])),
            tuple(tuple(seal.unpacked(part)) for part in tree["wrong"]),
        )
        lists = {"shapes": shapes, "wrong": wrong, "entries": tuple(tuple(one) for one in tree["entries"])}
        return SealedCase(
            **{
                **tree,
                **lists,
                "inputs": inputs,
                "grids": tuple(tree["grids"]),
                "expected": tuple(tree["expected"]),
            }
        )
    given = decode(tree["given"]) if "given" in tree else {}
    return OpenCase(
        tree["name"], inputs, decode(tree["expected"]), trace.unpacked(tree["wrong"], parts), given
    )
