"""The formats: how questions of each kind are written as a file, and how the file is read.

| kind | `moodle` | `stack` | `qti21` | `qti12` |
|---|---|---|---|---|
| numbers | numerical, Cloze | response tree | text entries, judged together | an item for each number |
| choice, inputs of a fault | multichoice | multichoice | choiceInteraction | multiple choice, multiple answers |
"""

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from xml.etree.ElementTree import Element

from autograder.quiz.choice import AnyQuestion, ChoiceQuestion
from autograder.quiz.choice_xml import (
    add_moodle_choice,
    add_qti12_choice,
    pictures_of,
    qti21_choice,
    question_texts,
)
from autograder.quiz.moodle import add_moodle_numbers
from autograder.quiz.package import Resource, content_package
from autograder.quiz.qti12 import add_number_items, start_quiz
from autograder.quiz.qti21 import formulas_as_mathml, qti21_item, qti21_test
from autograder.quiz.question import QuizQuestion
from autograder.quiz.readers.moodle import read_moodle
from autograder.quiz.readers.qti12 import read_qti12
from autograder.quiz.readers.qti21 import read_qti21
from autograder.quiz.readers.reading import Readers
from autograder.quiz.readers.stack import read_stack
from autograder.quiz.stack import add_stack_numbers
from autograder.quiz.xml import add, to_bytes


@dataclass(frozen=True)
class QuizFormat:
    """A format: its ending, how it is written and read, and whether all numbers are judged together."""

    ending: str
    write: Callable[[str, Sequence[AnyQuestion]], bytes]
    read: Callable[[bytes], Readers]
    is_joint: bool


def _task(question: AnyQuestion) -> str:
    return f"{question.topic}.{question.task}"


def _write_bank(
    written: Sequence[AnyQuestion], add_numbers: Callable[[Element, QuizQuestion], None]
) -> bytes:
    """Return Moodle XML with a category for each task."""
    quiz = Element("quiz")
    for _, group in groupby(written, _task):
        for place, question in enumerate(group):
            if place == 0:
                category = add(add(quiz, "question", type="category"), "category")
                add(category, "text", f"$course$/top/{question.topic}/{question.task}")
            if isinstance(question, ChoiceQuestion):
                add_moodle_choice(quiz, question)
            else:
                add_numbers(quiz, question)
    return to_bytes(quiz)


def _write_moodle(title: str, written: Sequence[AnyQuestion]) -> bytes:
    return _write_bank(written, add_moodle_numbers)


def _write_stack(title: str, written: Sequence[AnyQuestion]) -> bytes:
    return _write_bank(written, add_stack_numbers)


def _read_stack_bank(content: bytes) -> Readers:
    return {**read_moodle(content), **read_stack(content)}


def _write_qti12(title: str, written: Sequence[AnyQuestion]) -> bytes:
    """Return a package with a quiz for each variant, which holds every task once.

    A task with fewer variants starts again with its first.
    """
    tasks = [list(group) for _, group in groupby(written, _task)]
    quizzes = [
        _quiz_resource(number, title, [group[(number - 1) % len(group)] for group in tasks])
        for number in range(1, max(map(len, tasks)) + 1)
    ]
    return content_package(("IMS Content", "1.1.3"), [*quizzes, *_pictures(written)])


def _quiz_resource(number: int, title: str, chosen: Sequence[AnyQuestion]) -> Resource:
    name = f"form-{number}"
    root, section = start_quiz(name, f"{title}, form {number}")
    for question in chosen:
        if isinstance(question, ChoiceQuestion):
            add_qti12_choice(section, question)
        else:
            add_number_items(section, question)
    needs = [picture.identifier for picture in _pictures(chosen)]
    return Resource(name, "imsqti_xmlv1p2", f"{name}/{name}.xml", to_bytes(root), needs)


def _pictures(written: Sequence[AnyQuestion]) -> list[Resource]:
    """Return the pictures of choices, each once."""
    files: dict[str, bytes] = {}
    for question in written:
        if isinstance(question, ChoiceQuestion):
            files |= pictures_of(question)
    return [
        Resource(f"picture-{name.partition('.')[0]}", "webcontent", f"images/{name}", content)
        for name, content in sorted(files.items())
    ]


def _read_qti12_package(content: bytes) -> Readers:
    documents = _documents(content, "form-")
    return dict(chain.from_iterable(read_qti12(document).items() for document in documents))


def _write_qti21(title: str, written: Sequence[AnyQuestion]) -> bytes:
    """Return a package with an item for each question and a test that takes one of each task."""
    mathml = formulas_as_mathml([question_texts(question) for question in written])
    items = [
        Resource(
            question.ident,
            "imsqti_item_xmlv2p1",
            f"items/{question.ident}.xml",
            qti21_choice(question, mathml)
            if isinstance(question, ChoiceQuestion)
            else qti21_item(question, mathml),
            [picture.identifier for picture in _pictures([question])],
        )
        for question in written
    ]
    groups = {task: [question.ident for question in group] for task, group in groupby(written, _task)}
    needs = [item.identifier for item in items]
    test = Resource("quiz", "imsqti_test_xmlv2p1", "quiz.xml", qti21_test(title, groups), needs)
    return content_package(("QTIv2.1 Package", "1.0.0"), [test, *items, *_pictures(written)])


def _read_qti21_package(content: bytes) -> Readers:
    return dict(read_qti21(document) for document in _documents(content, "items/"))


def _documents(content: bytes, start: str) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        for name in packed.namelist():
            if name.startswith(start):
                yield packed.read(name)


FORMATS: dict[str, QuizFormat] = {
    "moodle": QuizFormat("xml", _write_moodle, read_moodle, is_joint=False),
    "stack": QuizFormat("xml", _write_stack, _read_stack_bank, is_joint=True),
    "qti21": QuizFormat("zip", _write_qti21, _read_qti21_package, is_joint=True),
    "qti12": QuizFormat("zip", _write_qti12, _read_qti12_package, is_joint=False),
}
