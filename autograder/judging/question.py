"""Quick questions as data: choice, order and find-the-fault.

A question of one seed is certified data, which every medium shows in its own way: notebook, page, paper, quiz. It is
judged by `autograder.judging.judge_question`. Letters name its items, in the order in which they are shown.

- `choice`: the items are options; the answer is the letters of all right options;
- `order`: the items are lines of a program or steps of a proof; the answer is the letters of the right ones in an order
  in which each comes after those it needs;
- `fault`: a program is shown that passes its visible tests; the answer is an input on which it fails, or its faulty
  line, corrected. Where no program can run, the items are inputs to choose from, as in a choice.
"""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import perm
from typing import Any, Literal

from autograder.answers.values import decode, encode

QuestionKind = Literal["choice", "order", "fault"]
QUESTION_KINDS: tuple[QuestionKind, ...] = ("choice", "order", "fault")


@dataclass(frozen=True)
class QuestionItem:
    """An option, a line, a step or an input.

    `name` is that of the mistake that gives it. `hint` tells why it is wrong, `see` what to read. `after` has the
    letters of the items that it needs before it. `picture` is the data URI of a drawing, if the item is one. `is_code`
    says that the text is Python, otherwise it is Markdown.
    """

    text: str
    is_right: bool
    name: str = ""
    hint: str = ""
    see: str = ""
    after: tuple[str, ...] = ()
    picture: str = ""
    is_code: bool = False


@dataclass(frozen=True)
class FaultPrograms:
    """The programs of a find-the-fault question, as source that needs numpy alone.

    `valid` is a function that returns why an input is not allowed, or None. `line` is the faulty line of the shown
    program, counted from 1, and `mends` are known corrections of it. `tests` are the visible tests: inputs that the
    shown program passes. `inputs` are those of the question's items. `hint` is for an input on which the fault does not
    show.
    """

    shown: str
    correct: str
    valid: str
    line: int
    mends: tuple[str, ...]
    tests: tuple[Mapping[str, Any], ...]
    inputs: tuple[Mapping[str, Any], ...]
    same: str
    hint: str


@dataclass(frozen=True)
class QuickQuestion:
    """A certified question of one seed.

    `name` is its full name, such as "areas.which_area". `text` is Markdown. `several` says whether more than one item
    may be right. `figure` is a picture below the text. `points` are what it is worth on paper and in a quiz. In a
    notebook it is worth none, because there an answer can be tried until it is right.
    """

    kind: QuestionKind
    name: str
    title: str
    text: str
    see: str
    minutes: int
    points: float
    items: Mapping[str, QuestionItem]
    several: bool = False
    explanation: str = ""
    figure: str = ""
    programs: FaultPrograms | None = None

    @property
    def right(self) -> tuple[str, ...]:
        """Return the letters of the right items, of an order in a right order."""
        letters = [letter for letter, item in self.items.items() if item.is_right]
        if self.kind != "order":
            return tuple(letters)
        ordered: list[str] = []
        while len(ordered) < len(letters):
            ready = (letter for letter in letters if letter not in ordered)
            ordered.append(next(letter for letter in ready if set(self.items[letter].after) <= set(ordered)))
        return tuple(ordered)

    @property
    def guessing(self) -> float:
        """Return an upper bound of what a blind guess earns, as a share.

        Of `several` options any set may be right, so a guess is one of 2ᵏ − 1. Of lines in order it is one of the
        arrangements; several may be right, which are counted.
        """
        if self.kind == "order":
            return self.n_orders / perm(len(self.items), len(self.right))
        return 1 / (2 ** len(self.items) - 1) if self.several or self.kind == "fault" else 1 / len(self.items)

    @property
    def penalty(self) -> float:
        """Return the share that a medium with negative marks takes off for a wrong answer.

        With it a blind guess earns nothing on average.
        """
        return self.guessing / (1 - self.guessing)

    @property
    def n_orders(self) -> int:
        """Return the number of right orders."""
        if self.kind != "order":
            return 1
        counts = {frozenset[str](): 1}
        for _ in self.right:
            longer: dict[frozenset[str], int] = {}
            for before, count in counts.items():
                for letter in set(self.right) - before:
                    if set(self.items[letter].after) <= before:
                        longer[before | {letter}] = longer.get(before | {letter}, 0) + count
            counts = longer
        return sum(counts.values())


def describe_picture(picture: str) -> str:
    """Return the description inside a drawing, for readers who cannot see it."""
    svg = base64.b64decode(picture.partition(",")[2]).decode()
    description = re.search(r"<desc>(.*?)</desc>", svg)
    return description[1] if description else ""


def question_tree(question: QuickQuestion) -> dict[str, object]:
    """Return a question as data for JSON."""
    items = {
        letter: _without_defaults(item, QuestionItem("", False)) for letter, item in question.items.items()
    }
    tree = {**vars(question), "items": items}
    programs = tree.pop("programs")
    if programs is not None:
        inputs = {name: [_encoded(test) for test in getattr(programs, name)] for name in ("tests", "inputs")}
        tree["programs"] = {**vars(programs), **inputs}
    return tree


def _encoded(inputs: Mapping[str, object]) -> dict[str, object]:
    return {name: encode(value, readable=True) for name, value in inputs.items()}


def _without_defaults(item: QuestionItem, default: QuestionItem) -> dict[str, object]:
    always = ("text", "is_right")
    return {
        name: value for name, value in vars(item).items() if name in always or value != vars(default)[name]
    }


def load_question(tree: Mapping[str, Any]) -> QuickQuestion:
    """Return the question of data from JSON."""
    items = {
        letter: QuestionItem(**{**item, "after": tuple(item.get("after", ()))})
        for letter, item in tree["items"].items()
    }
    return QuickQuestion(**{**tree, "items": items, "programs": _load_programs(tree.get("programs"))})


def _load_programs(tree: Mapping[str, Any] | None) -> FaultPrograms | None:
    if tree is None:
        return None
    inputs = {
        part: tuple({name: decode(value) for name, value in test.items()} for test in tree[part])
        for part in ("tests", "inputs")
    }
    return FaultPrograms(**{**tree, **inputs, "mends": tuple(tree["mends"])})
