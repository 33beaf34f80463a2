"""Write quizzes: choose tasks, draw and certify questions, write a format, read it back.

Each file is read back before it is left behind. Every foreseen answer must have the judge's verdict in it. In the
formats that judge all numbers together it must have the judge's points and feedback, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.authoring.asked import asked
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.quiz.blanks import normal_form
from autograder.quiz.choice import AnyQuestion, ChoiceQuestion, choice_names, choice_questions
from autograder.quiz.formats import FORMATS, QuizFormat
from autograder.quiz.quantities import trees_of
from autograder.quiz.question import questions
from autograder.quiz.readers.reading import ReadingAgreement, compare_reading
from autograder.release.origin import default_derivation, derive
from autograder.release.practice import hand_tasks

MAX_VARIANTS = 200
TaskId = tuple[str, str]  # topic and name


@dataclass(frozen=True)
class Quiz:
    """A written quiz: its bytes, what was compared, and which tasks were left out, with the reason."""

    content: bytes
    agreements: tuple[ReadingAgreement, ...]
    questions: tuple[AnyQuestion, ...]
    left_out: Mapping[str, str]


def export_quiz(course: Course, names: Sequence[str], kind: str, n_variants: int, seed: str) -> Quiz:
    """Return a quiz with certified variants of the named tasks or topics."""
    if not 1 <= n_variants <= MAX_VARIANTS:
        raise CourseError(f"--variants must be between 1 and {MAX_VARIANTS}, not {n_variants}")
    form, tasks = FORMATS[kind], choose_tasks(course, names)
    root = derive(course.secret(), "quiz", seed, default_derivation(course, seed)).root
    drawn = [list(_questions(course, task, n_variants, root)) for task in tasks]
    fitting, left_out = _fitting(form, drawn)
    if not fitting:
        reasons = "; ".join(f"{name} {reason}" for name, reason in left_out.items())
        raise CourseError(f"no task can be written as {kind}: {reasons}")
    content = form.write(" ".join(names), fitting)
    return Quiz(content, tuple(_certify(form, fitting, content)), tuple(fitting), left_out)


def choose_tasks(course: Course, names: Sequence[str]) -> list[TaskId]:
    """Return the hand tasks and choices that topics and tasks name; a task is named as in `areas.total`."""
    chosen: dict[TaskId, None] = {}
    for name in names:
        topic, _, task = name.partition(".")
        course.require_topics([topic])
        exportable = _exportable(course, topic)
        if task and task not in exportable:
            listed = ", ".join(f"{topic}.{known}" for known in exportable) or "none"
            raise CourseError(f"{name} cannot be a quiz question; those of {topic} are: {listed}")
        if not exportable:
            raise CourseError(f"{topic} has no hand task and no choice: choose another topic")
        chosen |= {(topic, known): None for known in ([task] if task else exportable)}
    return list(chosen)


def _exportable(course: Course, topic: str) -> list[str]:
    """Return the hand tasks and choices of a topic that can be quiz questions."""
    with_text = asked(course, topic)
    return [*(name for name in hand_tasks(course, topic) if name in with_text), *choice_names(course, topic)]


def _questions(course: Course, task: TaskId, most: int, root: str) -> Iterator[AnyQuestion]:
    topic, name = task
    make = choice_questions if name in choice_names(course, topic) else questions
    yield from make(course, topic, name, most, root)


def _fitting(
    form: QuizFormat, drawn: Sequence[Sequence[AnyQuestion]]
) -> tuple[list[AnyQuestion], dict[str, str]]:
    """Return the questions that a format can hold, and the tasks that it cannot, with the reason."""
    fitting: list[AnyQuestion] = []
    left_out: dict[str, str] = {}
    for group in drawn:
        name = f"{group[0].topic}.{group[0].task}"
        shaped = [_shaped(form, question) for question in group]
        if None in shaped:
            left_out[name] = "compares several numbers in a way that this format cannot"
        else:
            fitting += [question for question in shaped if question]
    return fitting, left_out


def _shaped(form: QuizFormat, question: AnyQuestion) -> AnyQuestion | None:
    if isinstance(question, ChoiceQuestion):
        return question
    if form.is_joint:
        return question if all(trees_of(part) for part in question.parts) else None
    return normal_form(question)


def _certify(form: QuizFormat, written: Sequence[AnyQuestion], content: bytes) -> Iterator[ReadingAgreement]:
    """Read a file back and yield what was compared; CourseError if it disagrees with the judge."""
    readers = form.read(content)
    for question in written:
        for item in compare_reading(question, readers[question.ident]):
            is_equal = item.is_verdict_equal and (
                not form.is_joint
                or isinstance(question, ChoiceQuestion)  # several options of Moodle earn parts of the points
                or (item.is_score_equal and item.is_only_hint)
            )
            if not is_equal:
                raise CourseError(
                    f"{question.ident}: the exported question judges {item.answer} otherwise than the notebook"
                )
            yield item
