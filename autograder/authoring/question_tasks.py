"""Quick questions as tasks of a printed exam: their points, their text, and the cell of their answer."""

from dataclasses import dataclass, field

from autograder.authoring.blocks import BlockCell, TaskBlock
from autograder.authoring.question_builders import QuestionBuilder
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION
from autograder.authoring.task_data import Cases, Task


@dataclass(frozen=True)
class QuestionTask(Task):
    """A task whose draw, text and answer are those of a quick question."""

    question: QuestionBuilder = field(kw_only=True)


def question_task(builder: QuestionBuilder) -> QuestionTask:
    """Return a quick question as a task."""
    return QuestionTask(
        builder.kind,
        builder.points,
        builder.minutes,
        _no_numbers,
        _no_answer,
        builder.settings["see"],
        question=builder,
    )


def _no_numbers(rng: object) -> Cases:
    """Return one case without inputs: `autograder.release.questions` draws the question."""
    return {"the question": {}}


def _no_answer() -> None:
    """Return nothing: the answer is letters, which the draw decides."""


def question_block(name: str, builder: QuestionBuilder) -> TaskBlock:
    """Return the text and the answer cell of a quick question, with placeholders for what is drawn."""
    answer = f"{name}_letters"
    solution = (
        f"{answer} = None  # your answer: letters, as text\n"
        f"{BEGIN_SOLUTION}\n{answer} = {{{{ {name}.letters }}}}\n{END_SOLUTION}"
    )
    cells = (BlockCell(False, f"{{{{ {name}.text }}}}"), BlockCell(True, solution))
    return TaskBlock(builder.title, cells, answer, frozenset({answer}), frozenset(), (), ())
