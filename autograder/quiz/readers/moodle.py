"""Read Moodle XML as Moodle does: the first alternative that matches decides.

Embedded answers are found by the regular expressions of Moodle's question type `multianswer`.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autograder.quiz.readers.reading import Reader, Readers, Reading, plain_text

_SHARE = r"(?:=|%-?[0-9]+(?:[.,][0-9]*)?%)?"
_ANSWER = r".+?(?<!\\|&)(?=[~#}]|$)"
_FEEDBACK = r".*?(?<!\\)(?=[~}]|$)"
_ONE = f"{_SHARE}{_ANSWER}(?:#{_FEEDBACK})?"
_EMBEDDED = re.compile(
    rf"\{{(?P<weight>[0-9]*):(?:NUMERICAL|NM):(?P<alternatives>{_ONE}(?:~{_ONE})*)\}}", re.DOTALL
)
_ALTERNATIVE = re.compile(
    rf"~?(?P<share>{_SHARE})(?P<answer>{_ANSWER})(?:#(?P<feedback>{_FEEDBACK}))?", re.DOTALL
)


@dataclass(frozen=True)
class _Alternative:
    fraction: float
    answer: str
    tolerance: float
    feedback: str

    def matches(self, value: float) -> bool:
        return self.answer == "*" or abs(value - float(self.answer)) <= self.tolerance * (1 + 1e-9)


def read_moodle(content: bytes) -> Readers:
    """Return a reader for each question of a type that is exported."""
    readers: dict[str, Reader] = {}
    for question in ElementTree.fromstring(content).iter("question"):
        kind, ident = question.get("type"), question.findtext("idnumber", "")
        if kind == "numerical":
            readers[ident] = _reader([(1.0, [_alternative(answer) for answer in question.iter("answer")])])
        elif kind == "cloze":
            readers[ident] = _reader(_embedded(question.findtext("questiontext/text", "")))
        elif kind == "multichoice":
            readers[ident] = _choice_reader([_alternative(answer) for answer in question.iter("answer")])
    return readers


def _alternative(answer: Element) -> _Alternative:
    return _Alternative(
        float(answer.get("fraction", "0")) / 100,
        answer.findtext("text", ""),
        float(answer.findtext("tolerance", "0")),
        plain_text(answer.findtext("feedback/text", "")),
    )


def _embedded(text: str) -> list[tuple[float, list[_Alternative]]]:
    """Return weight and alternatives of each embedded answer."""
    return [
        (
            float(match["weight"] or 1),
            [_from_match(item) for item in _ALTERNATIVE.finditer(match["alternatives"])],
        )
        for match in _EMBEDDED.finditer(text)
    ]


def _from_match(match: re.Match[str]) -> _Alternative:
    fraction = 1.0 if match["share"] == "=" else float(match["share"].strip("%") or 0) / 100
    answer, _, tolerance = match["answer"].partition(":")
    return _Alternative(
        fraction, answer, float(tolerance or 0), plain_text(html.unescape(match["feedback"] or ""))
    )


def _reader(blanks: Sequence[tuple[float, Sequence[_Alternative]]]) -> Reader:
    def read(numbers: Sequence[float]) -> Reading:
        if len(numbers) != len(blanks):
            raise ValueError(f"the question has {len(blanks)} blanks, not {len(numbers)}")
        chosen = [
            (weight, next(item for item in alternatives if item.matches(value)))
            for value, (weight, alternatives) in zip(numbers, blanks, strict=True)
        ]
        total = sum(weight for weight, _ in chosen)
        score = sum(weight * item.fraction for weight, item in chosen)
        return Reading(score / total, tuple(item.feedback for _, item in chosen if item.feedback))

    return read


def _choice_reader(options: Sequence[_Alternative]) -> Reader:
    def read(letters: Sequence[str]) -> Reading:
        chosen = [options[ascii_uppercase.index(letter)] for letter in letters]
        score = min(max(sum(item.fraction for item in chosen), 0.0), 1.0)
        return Reading(score, tuple(item.feedback for item in chosen if item.feedback))

    return read
