"""The answer key: a topic's tasks and cases for one seed, as data.

An *open* case (of a `code` task) holds its inputs, the expected answer and the traces of the wrong answers that
misconceptions and slips give. A *sealed* case (of a `hand` or `sym` task, whose inputs the student can read) holds only
fingerprints of these answers: a notebook can be checked against the key, but the answer cannot be read from it.

A key is written as JSON that has the same bytes on every machine: inputs are rounded before the reference gets them,
answers afterwards.
"""

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from autograder.answers.tables import DataTable
from autograder.answers.values import decode, encode
from autograder.errors import BadKeyError, FormatError
from autograder.formats import KEY
from autograder.judging import fingerprints, trace
from autograder.judging.properties import PROPERTIES
from autograder.judging.question import QuickQuestion, load_question, question_tree
from autograder.judging.sameness import SAMENESSES, Sameness
from autograder.judging.statements import property_named
from autograder.judging.structures.kinds import Kind
from autograder.judging.structures.samenesses import sameness_named

TaskKind = Literal["code", "hand", "sym", "choice", "order", "fault"]  # the last three are quick questions
FORMAT_OF_ARRAYS = 3  # of keys whose answers and inputs are arrays, which earlier versions of the engine read
INPUT_DIGITS = 12
ANSWER_DIGITS = 10
# in units of the last digit: without it, rounding errors would decide how a decimal that ends in 5 is rounded
ROUNDING_TIE_OFFSET = 0.0137


@dataclass(frozen=True)
class Hint:
    """The hint for a recognised mistake, with label and credit."""

    text: str
    see: str
    credit: float = 0.0


@dataclass(frozen=True)
class Law:
    """A response of the right answer to changed inputs.

    See `autograder.judging.probes`.
    """

    change: str
    argument: str
    part: int
    law: str


@dataclass(frozen=True)
class OpenCase:
    """A case with inputs, expected answer, and traces of wrong answers.

    `wrong` has a row for each name in the task's `wrongs`, a column for each part, two numbers in each.
    `given` holds, by name of an earlier function that this one may call, inputs and the answer it should return.
    """

    name: str
    inputs: Mapping[str, Any]
    expected: Any
    wrong: Any
    given: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SealedCase:
    """A case whose answers are known only by their fingerprints.

    `entries` has, for parts that are lists or tables, the fingerprint of each entry, so that a message can name the
    right ones. `wrong` has a list for each part, with a fingerprint or None for each name in the task's `wrongs`.
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
    """The data by which one task is judged.

    `wrongs` names every mistake that can be recognised, the task's own misconceptions first. `hints` has the sentences
    of these and of the course's slips, `autograder.judging.slips` those of the engine's slips. `always` lists
    properties that the right answer always has, as (property, part). `question` is the quick question that fills a slot
    of a printed exam; its answer is letters, and its only case is empty.
    """

    kind: TaskKind
    points: float
    same: tuple[str, ...]
    tolerance: float
    see: str
    hints: Mapping[str, Hint]
    cases: tuple[OpenCase | SealedCase, ...]
    wrongs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # names of the parts, if the author gives them
    laws: tuple[Law, ...] = ()
    always: tuple[tuple[str, int], ...] = ()
    freed: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # samenesses of mistakes that have their own
    exact_form: bool = False
    picture: str | None = None
    twins: tuple[OpenCase, ...] = ()  # small cases of a function, which are shown and never scored
    question: QuickQuestion | None = None

    @property
    def is_sealed(self) -> bool:
        """Return whether the cases are sealed, so the answer is a value."""
        return isinstance(self.cases[0], SealedCase)

    @property
    def samenesses(self) -> tuple[Sameness, ...]:
        """Return the sameness of each part."""
        return tuple(map(sameness_named, self.same))

    @property
    def kinds(self) -> tuple[Kind | None, ...]:
        """Return the kind of each part with structure; empty if all parts are numbers."""
        kinds = tuple(same.kind for same in self.samenesses)
        return kinds if any(kinds) else ()


@dataclass(frozen=True)
class Page:
    """The address of a label in the book, and a name: "Theorem 4.5".

    The address is relative to the root of the site until the key is released.
    """

    address: str
    name: str = ""

    @property
    def is_absolute(self) -> bool:
        """Return whether the address is a full URL."""
        return "://" in self.address


@dataclass(frozen=True)
class Key:
    """The tasks of a topic for one seed, and the book's pages.

    `pages` maps labels to pages. `questions` are the quick questions, which earn no points in a notebook. `hint_costs`
    has the share of a task's points that each level of `hint` costs; empty if hints are free.
    """

    topic: str
    seed: str
    tasks: Mapping[str, TaskKey]
    pages: Mapping[str, Page] = field(default_factory=dict)
    questions: Mapping[str, QuickQuestion] = field(default_factory=dict)
    hint_costs: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


def round_values(value: object, digits: int) -> Any:
    """Round floats to a number of digits, also inside containers.

    The digits of an array count from its largest number. Arrays come out in C order, because some library functions
    silently fail on Fortran order.
    """
    if isinstance(value, dict):
        return {name: round_values(item, digits) for name, item in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return type(value)(round_values(item, digits) for item in value)
    if isinstance(value, DataTable):
        return value.with_columns(value.names, round_values(value.columns, digits))
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
    decimals = digits - 1 - fingerprints.leading_power(largest)
    return (
        np.round(array + ROUNDING_TIE_OFFSET * 10.0**-decimals, decimals) + 0.0
    )  # + 0.0 turns -0.0 into 0.0


def dump_key(key: Key) -> str:
    """Return the text of the key file."""
    tree = {
        "format": KEY.version if _has_structures(key) else FORMAT_OF_ARRAYS,
        "topic": key.topic,
        "seed": key.seed,
        "pages": {label: vars(page) for label, page in sorted(key.pages.items())},
        "tasks": {name: _task_tree(task) for name, task in key.tasks.items()},
    }
    asked = {name: task.question for name, task in key.tasks.items() if task.question}
    if questions := {**key.questions, **asked}:
        tree["questions"] = {name: question_tree(question) for name, question in questions.items()}
    if key.hint_costs:
        tree["hint_costs"] = {name: list(costs) for name, costs in key.hint_costs.items()}
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def _has_structures(key: Key) -> bool:
    """Return whether a key needs a format that earlier versions of the engine do not read."""
    tasks = key.tasks.values()
    samenesses = {name for task in tasks for name in (*task.same, *itertools.chain(*task.freed.values()))}
    inputs = [
        value for task in tasks for case in (*task.cases, *task.twins) for value in case.inputs.values()
    ]
    statements = {name for task in tasks for name, _ in task.always}
    is_known = samenesses <= SAMENESSES.keys() and statements <= PROPERTIES.keys()
    return not is_known or any(map(_is_structure, inputs))


def _is_structure(value: object) -> bool:
    if isinstance(value, dict):
        return not all(isinstance(name, str) for name in value) or any(map(_is_structure, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_is_structure, value))
    return isinstance(value, frozenset | DataTable)


def _task_tree(task: TaskKey) -> dict[str, object]:
    tree = {**vars(task), "hints": {name: vars(hint) for name, hint in task.hints.items()}}
    del tree["question"]  # it stands among the questions of the key
    tree["cases"] = [_case_tree(case) for case in task.cases]
    tree["twins"] = [_twin_tree(case) for case in task.twins]
    tree["wrongs"] = "\n".join(task.wrongs)
    tree["laws"] = [f"{law.change}|{law.argument}|{law.part}|{law.law}" for law in task.laws]
    tree["always"] = [f"{name}|{part}" for name, part in task.always]
    return tree


def _case_tree(case: OpenCase | SealedCase) -> dict[str, object]:
    inputs = {name: encode(item, readable=True) for name, item in case.inputs.items()}
    if isinstance(case, SealedCase):
        packed = [fingerprints.join_fingerprints(part) for part in case.wrong]
        return {**vars(case), "inputs": inputs, "wrong": packed, "sealed": True}
    tree = {
        "name": case.name,
        "inputs": inputs,
        "expected": encode(case.expected, readable=True),
        "wrong": trace.encode_traces(case.wrong),
    }
    return {**tree, "given": encode(dict(case.given), readable=True)} if case.given else tree


def _twin_tree(case: OpenCase) -> dict[str, object]:
    """Return a small case as data for JSON."""
    inputs = {name: encode(item, readable=True) for name, item in case.inputs.items()}
    return {"name": case.name, "inputs": inputs, "expected": encode(case.expected, readable=True)}


def read_key(path: Path) -> Key:
    """Read a key file.

    Raise BadKeyError, with what to do, if it is missing or damaged.
    """
    try:
        return load_key(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadKeyError(
            f"{path.name} is missing: it belongs beside the notebook of this assignment"
        ) from None
    except BadKeyError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OSError) as error:
        raise BadKeyError(
            f"{path.name} is damaged ({error}): download the assignment's files again"
        ) from None


def load_key(text: str) -> Key:
    """Parse the text of a key file."""
    tree = json.loads(text)
    if not isinstance(tree, dict) or "format" not in tree:
        raise ValueError("it is no key")
    try:
        KEY.require_readable(tree, "the key")
    except FormatError as error:
        raise BadKeyError(str(error)) from None
    questions = {name: load_question(question) for name, question in tree.get("questions", {}).items()}
    tasks = {
        name: replace(_task_key(task), question=questions.pop(name, None))
        for name, task in tree["tasks"].items()
    }
    base = f"{tree['book']}/" if tree.get("book") else ""
    pages = {label: Page(base + page["address"], page["name"]) for label, page in tree["pages"].items()}
    costs = {name: tuple(map(float, shares)) for name, shares in tree.get("hint_costs", {}).items()}
    return Key(tree["topic"], tree["seed"], tasks, pages, questions, costs)


def _require_known_names(tree: dict[str, Any]) -> None:
    """Raise BadKeyError if a key names a sameness or a property that is not there."""
    for name in {*tree["same"], *itertools.chain(*tree["freed"].values())}:
        sameness_named(name)
    for line in tree["always"]:
        property_named(line.split("|")[0])


def _task_key(tree: dict[str, Any]) -> TaskKey:
    words = {name: tuple(tree[name]) for name in ("same", "parts")}
    _require_known_names(tree)
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
            "twins": tuple(_twin(case, len(tree["same"])) for case in tree.get("twins", ())),
        }
    )


def _twin(tree: dict[str, Any], parts: int) -> OpenCase:
    inputs = {name: decode(item) for name, item in tree["inputs"].items()}
    return OpenCase(tree["name"], inputs, decode(tree["expected"]), np.zeros((0, parts, 2)))


def _law(line: str) -> Law:
    change, argument, part, law = line.split("|")
    return Law(change, argument, int(part), law)


def _case(tree: dict[str, Any], parts: int) -> OpenCase | SealedCase:
    inputs = {name: decode(item) for name, item in tree["inputs"].items()}
    if tree.pop("sealed", False):
        shapes, wrong = (
            (tuple(tuple(item) for item in tree["shapes"])),
            tuple(tuple(fingerprints.split_fingerprints(part)) for part in tree["wrong"]),
        )
        lists = {"shapes": shapes, "wrong": wrong, "entries": tuple(tuple(item) for item in tree["entries"])}
        return SealedCase(
            **{
                **tree,
                **lists,
                "inputs": inputs,
                "grids": tuple(tree["grids"]),
                "expected": tuple(tree["expected"]),
            }
        )
    stubs = decode(tree["given"]) if "given" in tree else {}
    return OpenCase(
        tree["name"], inputs, decode(tree["expected"]), trace.decode_traces(tree["wrong"], parts), stubs
    )
