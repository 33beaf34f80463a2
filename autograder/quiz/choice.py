"""Choices as questions of a quiz: options with feedback, and what the judge says of foreseen selections.

A find-the-fault question becomes a choice of inputs, as on a page. A platform shuffles the options, so feedback names
no letters.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.authoring.question_builders import Choice
from autograder.authoring.question_cells import HOW_TO_CHOOSE_INPUTS
from autograder.authoring.topic import load_builders
from autograder.course.course import Course
from autograder.judging.judge_question import judge_question
from autograder.judging.question import QuickQuestion
from autograder.quiz.question import Foreseen, QuizQuestion
from autograder.quiz.texts import finished_text
from autograder.release.prose import prose_html
from autograder.release.question_pages import item_html
from autograder.release.questions import draw_question

CHOICE_KINDS = ("choice", "fault")
MAX_EQUAL_DRAWS = 20  # after so many repetitions in a row, all variants are known


@dataclass(frozen=True)
class Option:
    """An option: its letter, HTML, picture as a data URI, and feedback in HTML."""

    letter: str
    text: str
    is_right: bool
    feedback: str = ""
    picture: str = ""


@dataclass(frozen=True)
class ChoiceQuestion:
    """A choice with one set of numbers; `foreseen` has selections of letters, the right one first."""

    topic: str
    task: str
    number: int
    title: str
    text: str
    worked: str
    points: float
    several: bool
    options: tuple[Option, ...]
    foreseen: tuple[Foreseen, ...]
    figure: str = ""

    @property
    def ident(self) -> str:
        """Return a name that is unique in a course and valid in XML."""
        return f"{self.topic}.{self.task}.{self.number:03d}"


AnyQuestion = ChoiceQuestion | QuizQuestion


def choice_names(course: Course, topic: str) -> list[str]:
    """Return the names of a topic's questions that are choices."""
    return [name for name, builder in load_builders(course, topic).items() if builder.kind in CHOICE_KINDS]


def choice_questions(course: Course, topic: str, name: str, most: int, root: str) -> Iterator[ChoiceQuestion]:
    """Yield certified variants of a choice; only a question that draws numbers has several."""
    builder = load_builders(course, topic)[name]
    most = most if isinstance(builder, Choice) else 1
    seen: set[tuple[str, ...]] = set()
    attempt = fruitless = 0
    while len(seen) < most and fruitless < MAX_EQUAL_DRAWS:
        attempt, fruitless = attempt + 1, fruitless + 1
        drawn = draw_question(f"{topic}.{name}", builder, f"{root} quiz {attempt}")
        shown = (drawn.text, drawn.figure, *sorted(item.text + item.picture for item in drawn.items.values()))
        if shown not in seen:
            seen.add(shown)
            fruitless = 0
            yield _choice_question(course, drawn, len(seen))


def _choice_question(course: Course, drawn: QuickQuestion, number: int) -> ChoiceQuestion:
    topic, _, name = drawn.name.partition(".")
    several = drawn.several or drawn.kind == "fault"
    ending = f"\n\n{HOW_TO_CHOOSE_INPUTS}" if drawn.kind == "fault" else ""
    options = tuple(
        Option(
            letter,
            "" if item.picture else finished_text(course, item_html(letter, item)),
            item.is_right,
            "" if item.is_right else finished_text(course, prose_html(item.hint)),
            item.picture,
        )
        for letter, item in drawn.items.items()
    )
    return ChoiceQuestion(
        topic,
        name,
        number,
        drawn.title,
        finished_text(course, prose_html(drawn.text + ending)),
        finished_text(course, prose_html(drawn.explanation)),
        drawn.points,
        several,
        options,
        tuple(_selections(drawn, options, several)),
        drawn.figure,
    )


def _incomplete(right: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the right selection without each of its letters, where something is left."""
    if len(right) < 2:
        return []
    return [(*right[:place], *right[place + 1 :]) for place in range(len(right))]


def _selections(drawn: QuickQuestion, options: tuple[Option, ...], several: bool) -> Iterator[Foreseen]:
    """Yield selections with the judge's verdicts: the right one, each wrong option, incomplete ones."""
    right = tuple(option.letter for option in options if option.is_right)
    wrong = [(option.letter,) for option in options if not option.is_right]
    feedback = {option.letter: option.feedback for option in options}
    chosen: list[tuple[str, ...]] = [right, *wrong]
    if several:
        chosen += [*_incomplete(right), *(right + letters for letters in wrong)]
    for letters in dict.fromkeys(chosen):
        verdict = judge_question(drawn, "".join(letters))
        hints = "".join(feedback[letter] for letter in letters)
        yield Foreseen("".join(letters), letters, verdict.passed, verdict.fraction, hints)
