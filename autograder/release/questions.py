"""Draw and certify quick questions.

`drawn_questions(course, topic, seed)` returns all questions of a topic for one seed, by name. A question that breaks a
rule is drawn again:

- each right option passes the author's test and each wrong one fails it;
- no two options look alike or have the same value;
- every arrangement of a program's lines was run, and the right ones are those of the declared partial order;
- the claims of a proof's right steps are true on random numbers, those of wrong steps are not;
- a shown program passes its visible tests, and fails exactly on the inputs that reveal its fault;
- the judge accepts the right answer, and rejects an empty answer and each wrong item with that item's own hint.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from autograder.authoring.question_builders import Choice, QuestionBuilder
from autograder.authoring.question_tasks import QuestionTask
from autograder.authoring.topic import load_builders, load_tasks
from autograder.course.course import Course
from autograder.errors import UncertifiedError
from autograder.judging import fault_programs
from autograder.judging.judge_question import judge_question
from autograder.judging.key import Hint, SealedCase, TaskKey
from autograder.judging.question import FaultPrograms, QuestionItem, QuickQuestion
from autograder.judging.verdict import Verdict
from autograder.release.draw import MAX_TRIES, DrawnTask, one_line, rng_from_words
from autograder.release.question_draws import drawn_question

N_VISIBLE_TESTS = 3
MIN_ITEMS = 4


def drawn_questions(course: Course, topic: str, seed: str) -> dict[str, QuickQuestion]:
    """Return the certified questions of a topic for one seed, by name."""
    builders = load_builders(course, topic)
    taken = sorted(set(builders) & set(load_tasks(course, topic))) if builders else []
    if taken:
        raise UncertifiedError(f"{topic}.{taken[0]} is a task and a question: rename the question")
    return {name: draw_question(f"{topic}.{name}", builder, seed) for name, builder in builders.items()}


def draw_question_task(name: str, task: QuestionTask, seed: str) -> DrawnTask:
    """Return the key of a quick question that fills a slot of a printed exam."""
    question = draw_question(name, task.question, seed)
    wrong = [item for item in question.items.values() if not item.is_right]
    key = TaskKey(
        task.kind,
        float(task.points),
        same=(),
        tolerance=task.tolerance,
        see=question.see,
        hints={item.name: Hint(item.hint, item.see or question.see) for item in wrong},
        cases=(SealedCase("the question", {}, (), (), "", (), (), ()),),
        wrongs=tuple(item.name for item in wrong),
        question=question,
    )
    return DrawnTask(key, key)


def labels_of(questions: Iterable[QuickQuestion]) -> set[str]:
    """Return the labels of the book that questions name."""
    named: set[str] = set()
    for question in questions:
        named |= {question.see, *(item.see for item in question.items.values() if item.see)}
    return named


def question_certificate(questions: Mapping[str, QuickQuestion]) -> dict[str, Any]:
    """Return the record of certified questions."""
    return {
        name: {
            "kind": question.kind,
            "items": len(question.items),
            "mistakes recognised": [item.name for item in question.items.values() if not item.is_right],
            "earned by a blind guess at most": round(question.guessing, 6),
        }
        for name, question in questions.items()
    }


def draw_question(name: str, builder: QuestionBuilder, seed: str) -> QuickQuestion:
    """Return the first draw of a question that breaks no rule.

    `name` is its full name, such as "areas.which_area".
    """
    why = ""
    for attempt in range(1, MAX_TRIES + 1):
        rng = rng_from_words(seed, name, "question", str(attempt))
        try:
            with one_line(name):
                question = drawn_question(name, builder, rng)
                _certify(question)
                return question
        except UncertifiedError as error:
            why = str(error)
            if not isinstance(builder, Choice):  # only a choice has random numbers that another draw changes
                break
    raise UncertifiedError(f"{name}: {why.replace(f'{name} raised UncertifiedError: ', '')}")


def _certify(question: QuickQuestion) -> None:
    """Raise UncertifiedError unless the judge agrees with the author."""
    if len(question.items) < MIN_ITEMS:
        raise UncertifiedError(f"it has {len(question.items)} items; at least {MIN_ITEMS} are needed")
    if not judge_question(question, "".join(question.right)).passed:
        raise UncertifiedError("the right answer is not accepted")
    if judge_question(question, None).fraction:
        raise UncertifiedError("an empty answer earns points")
    for letter, item in question.items.items():
        if not item.is_right and not _is_recognised(item, judge_question(question, letter)):
            raise UncertifiedError(f"{item.name} is not recognised as itself")
    if question.programs is not None:
        _certify_programs(question, question.programs)


def _certify_programs(question: QuickQuestion, programs: FaultPrograms) -> None:
    if len(programs.tests) != N_VISIBLE_TESTS:
        raise UncertifiedError(f"it needs {N_VISIBLE_TESTS} visible tests, not {len(programs.tests)}")
    for test in programs.tests:
        if judge_question(question, dict(test), runs="programs").passed:
            raise UncertifiedError("the shown program fails one of its visible tests")
    for item, inputs in zip(question.items.values(), programs.inputs, strict=True):
        fault_programs.read_input(programs, dict(inputs))
        if judge_question(question, dict(inputs), runs="programs").passed != item.is_right:
            raise UncertifiedError(f"on {item.text} the fault shows: {not item.is_right}")
    if not all(judge_question(question, mend, runs="lines").passed for mend in programs.mends):
        raise UncertifiedError("a correction is not accepted")


def _is_recognised(item: QuestionItem, verdict: Verdict) -> bool:
    return not verdict.passed and verdict.misconception == item.name and item.hint in verdict.message
