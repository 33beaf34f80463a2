"""Write quizzes: choose tasks, draw and certify questions, write a format, read it back.

Each file is read back before it is left behind. Every foreseen answer must have the judge's verdict in it. In the
formats that judge all numbers together it must have the judge's points and feedback, too.
"""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from autograder.authoring.asked import asked
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.quiz.blanks import normal_form
from autograder.quiz.moodle import moodle_xml
from autograder.quiz.package import Resource, content_package
from autograder.quiz.qti12 import qti12_xml
from autograder.quiz.qti21 import formulas_as_mathml, qti21_item, qti21_test
from autograder.quiz.quantities import trees_of
from autograder.quiz.question import QuizQuestion, questions
from autograder.quiz.readers.moodle import read_moodle
from autograder.quiz.readers.qti12 import read_qti12
from autograder.quiz.readers.qti21 import read_qti21
from autograder.quiz.readers.reading import Readers, ReadingAgreement, compare_reading
from autograder.quiz.readers.stack import read_stack
from autograder.quiz.stack import stack_xml
from autograder.release.origin import default_derivation, derive
from autograder.release.practice import hand_tasks

MAX_VARIANTS = 200
TaskId = tuple[str, str]  # topic and name


@dataclass(frozen=True)
class Format:
    """A format: its ending, how it is written and read, and whether all numbers are judged together."""

    ending: str
    write: Callable[[str, Sequence[QuizQuestion]], bytes]
    read: Callable[[bytes], Readers]
    is_joint: bool


@dataclass(frozen=True)
class Quiz:
    """A written quiz: its bytes, what was compared, and which tasks were left out, with the reason."""

    content: bytes
    agreements: tuple[ReadingAgreement, ...]
    questions: tuple[QuizQuestion, ...]
    left_out: Mapping[str, str]


def export_quiz(course: Course, names: Sequence[str], kind: str, n_variants: int, seed: str) -> Quiz:
    """Return a quiz with certified variants of the named tasks or topics."""
    if not 1 <= n_variants <= MAX_VARIANTS:
        raise CourseError(f"--variants must be between 1 and {MAX_VARIANTS}, not {n_variants}")
    form, tasks = FORMATS[kind], choose_tasks(course, names)
    root = derive(course.secret(), "quiz", seed, default_derivation(course, seed)).root
    drawn = [list(questions(course, *task, n_variants, root)) for task in tasks]
    fitting, left_out = _fitting(form, drawn)
    if not fitting:
        reasons = "; ".join(f"{name} {reason}" for name, reason in left_out.items())
        raise CourseError(f"no task can be written as {kind}: {reasons}")
    content = form.write(" ".join(names), fitting)
    return Quiz(content, tuple(_certify(form, fitting, content)), tuple(fitting), left_out)


def choose_tasks(course: Course, names: Sequence[str]) -> list[TaskId]:
    """Return the hand tasks that topics and tasks name; a task is named as in `areas.total`."""
    chosen: dict[TaskId, None] = {}
    for name in names:
        topic, _, task = name.partition(".")
        course.require_topics([topic])
        exportable = [known for known in hand_tasks(course, topic) if known in asked(course, topic)]
        if task and task not in exportable:
            listed = ", ".join(f"{topic}.{known}" for known in exportable) or "none"
            raise CourseError(
                f"{name} is not a hand task that can be a quiz question; those of {topic} are: {listed}"
            )
        if not exportable:
            raise CourseError(f"{topic} has no hand task: choose another topic")
        chosen |= {(topic, known): None for known in ([task] if task else exportable)}
    return list(chosen)


def _fitting(
    form: Format, drawn: Sequence[Sequence[QuizQuestion]]
) -> tuple[list[QuizQuestion], dict[str, str]]:
    """Return the questions that a format can hold, and the tasks that it cannot, with the reason."""
    fitting: list[QuizQuestion] = []
    left_out: dict[str, str] = {}
    for group in drawn:
        name = f"{group[0].topic}.{group[0].task}"
        shaped = [_shaped(form, question) for question in group]
        if None in shaped:
            left_out[name] = "compares several numbers in a way that this format cannot"
        else:
            fitting += [question for question in shaped if question]
    return fitting, left_out


def _shaped(form: Format, question: QuizQuestion) -> QuizQuestion | None:
    if form.is_joint:
        return question if all(trees_of(part) for part in question.parts) else None
    return normal_form(question)


def _certify(form: Format, written: Sequence[QuizQuestion], content: bytes) -> Iterator[ReadingAgreement]:
    """Read a file back and yield what was compared; CourseError if it disagrees with the judge."""
    readers = form.read(content)
    for question in written:
        for item in compare_reading(question, readers[question.ident]):
            is_equal = item.is_verdict_equal and (
                not form.is_joint or (item.is_score_equal and item.is_only_hint)
            )
            if not is_equal:
                raise CourseError(
                    f"{question.ident}: the exported question judges {item.answer} otherwise than the notebook"
                )
            yield item


def _write_moodle(title: str, written: Sequence[QuizQuestion]) -> bytes:
    return moodle_xml(written)


def _write_stack(title: str, written: Sequence[QuizQuestion]) -> bytes:
    return stack_xml(written)


def _write_qti12(title: str, written: Sequence[QuizQuestion]) -> bytes:
    """Return a package with a quiz for each variant, which holds every task once."""
    numbers = sorted({question.number for question in written})
    quizzes = [
        Resource(
            f"form-{number}",
            "imsqti_xmlv1p2",
            f"form-{number}/form-{number}.xml",
            qti12_xml(
                f"form-{number}",
                f"{title}, form {number}",
                [question for question in written if question.number == number],
            ),
        )
        for number in numbers
    ]
    return content_package(("IMS Content", "1.1.3"), quizzes)


def _read_qti12(content: bytes) -> Readers:
    documents = _documents(content, "form-")
    return dict(chain.from_iterable(read_qti12(document).items() for document in documents))


def _write_qti21(title: str, written: Sequence[QuizQuestion]) -> bytes:
    """Return a package with an item for each question and a test that takes one of each task."""
    mathml = formulas_as_mathml(written)
    items = [
        Resource(
            question.ident,
            "imsqti_item_xmlv2p1",
            f"items/{question.ident}.xml",
            qti21_item(question, mathml),
        )
        for question in written
    ]
    tasks = groupby(written, lambda question: f"{question.topic}.{question.task}")
    groups = {task: [question.ident for question in group] for task, group in tasks}
    needs = [item.identifier for item in items]
    test = Resource("quiz", "imsqti_test_xmlv2p1", "quiz.xml", qti21_test(title, groups), needs)
    return content_package(("QTIv2.1 Package", "1.0.0"), [test, *items])


def _read_qti21(content: bytes) -> Readers:
    return dict(read_qti21(document) for document in _documents(content, "items/"))


def _documents(content: bytes, start: str) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        for name in packed.namelist():
            if name.startswith(start):
                yield packed.read(name)


FORMATS: dict[str, Format] = {
    "moodle": Format("xml", _write_moodle, read_moodle, is_joint=False),
    "stack": Format("xml", _write_stack, read_stack, is_joint=True),
    "qti21": Format("zip", _write_qti21, _read_qti21, is_joint=True),
    "qti12": Format("zip", _write_qti12, _read_qti12, is_joint=False),
}
