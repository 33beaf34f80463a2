"""Five questions for a lecture: choices of the topic, then choices among the results of mistakes in hand tasks."""

from collections.abc import Iterator
from itertools import chain, islice

from autograder.authoring.asked import asked
from autograder.course.course import Course
from autograder.quiz.choice import ChoiceQuestion, Option, choice_names, choice_questions
from autograder.quiz.question import Foreseen, QuizQuestion, questions
from autograder.release.practice import hand_tasks

LECTURE_QUESTIONS = 5
MAX_OPTIONS = 4
SEED = "for the lecture"


def lecture_questions(course: Course, topic: str) -> list[ChoiceQuestion]:
    """Return the questions of a topic for its lecture, at most LECTURE_QUESTIONS."""
    written = (next(choice_questions(course, topic, name, 1, SEED)) for name in choice_names(course, topic))
    return list(islice(chain(written, _from_hand_tasks(course, topic)), LECTURE_QUESTIONS))


def _from_hand_tasks(course: Course, topic: str) -> Iterator[ChoiceQuestion]:
    """Yield a choice for each hand task between its answer and the results of its mistakes."""
    for name in hand_tasks(course, topic):
        if name in asked(course, topic):
            made = _as_choice(next(questions(course, topic, name, 1, SEED)))
            if len(made.options) >= 3:
                yield made


def _as_choice(question: QuizQuestion) -> ChoiceQuestion:
    distinct = {_shown(question, answer): answer for answer in reversed((question.right, *question.wrong))}
    chosen = sorted(distinct.items())
    right = [pair for pair in chosen if pair[1].passed]
    wrong = [pair for pair in chosen if not pair[1].passed][: MAX_OPTIONS - 1]
    options = tuple(
        Option(letter, text, answer.passed, answer.feedback)
        for letter, (text, answer) in zip("ABCD", sorted([*right, *wrong]), strict=False)
    )
    return ChoiceQuestion(
        question.topic,
        question.task,
        1,
        question.title,
        f"{question.text}<p><b>Which answer is right?</b></p>",
        question.worked,
        question.points,
        False,
        options,
        (),
    )


def _shown(question: QuizQuestion, answer: Foreseen) -> str:
    """Return the numbers of an answer, part by part."""
    parts = []
    for part in question.parts:
        numbers = ", ".join(f"{answer.numbers[blank]:.4g}" for blank in part.blanks)
        value = f"({numbers})" if part.shape else numbers
        parts.append(f"{part.name}: {value}" if len(question.parts) > 1 else value)
    return f"<p>{'; '.join(parts)}</p>"
