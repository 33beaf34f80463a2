"""Show quick questions in a notebook: a section of text cells and answer cells that earn no points."""

from collections.abc import Iterator, Mapping
from typing import Any

import nbformat

from autograder.authoring.cells import new_role
from autograder.authoring.placeholders import python
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION
from autograder.judging.question import QuestionItem, QuickQuestion, describe_picture

SECTION = """\
## Quick questions (no points)

Some questions to begin with, about {minutes} minutes in all. They earn no points, because an answer can be tried until
it is right; a wrong one is explained. Take paper first, and skip what you know."""
QUICK_METADATA = "quick_question"  # marks the cells of this section, which pages replace by their own
ANSWER_ID_PREFIX = "quick"
HOW_TO_CHOOSE_INPUTS = "On which of these inputs is the function wrong? Mark all of them."
HOW_TO_ANSWER = {
    "choice": ("Give the letter.", 'a letter, for example "B"'),
    "several": ("One or more may be right. Give all their letters.", 'letters, for example "AC"'),
    "order": (
        "Give the letters of the lines in a right order. Some do not belong.",
        'letters, for example "CAB"',
    ),
    "fault": (
        "Give an input on which the function is wrong, or its faulty line, corrected, as text.",
        "{example}",
    ),
}


def with_questions(notebook: Any, questions: Mapping[str, QuickQuestion]) -> Any:
    """Insert the questions below the first code cell of a notebook."""
    if not questions:
        return notebook
    position = next(number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code") + 1
    minutes = sum(question.minutes for question in questions.values())
    cells = [_markdown(SECTION.format(minutes=minutes), f"{ANSWER_ID_PREFIX}-questions")]
    for name, question in questions.items():
        cells += [
            _markdown(question_markdown(question), f"{ANSWER_ID_PREFIX}-text-{name}"),
            _answer_cell(name, question),
        ]
    notebook.cells[position:position] = cells
    return notebook


def _markdown(text: str, name: str) -> object:
    return nbformat.v4.new_markdown_cell(text, id=_cell_id(name), metadata={QUICK_METADATA: name})


def _cell_id(name: str) -> str:
    return name.replace("_", "-")[:64]


def _answer_cell(name: str, question: QuickQuestion) -> object:
    form = HOW_TO_ANSWER[_way(question)][1].format(example=_example(question))
    lines = [
        f"{name} = None  # your answer: {form}",
        BEGIN_SOLUTION,
        f"{name} = {_solution(question)}",
        END_SOLUTION,
        f'check("{question.name}", {name})',
    ]
    grade_id = f"{ANSWER_ID_PREFIX}-{name}"
    metadata = {"nbgrader": new_role(grade_id, solution=True), QUICK_METADATA: grade_id}
    return nbformat.v4.new_code_cell("\n".join(lines), metadata=metadata, id=_cell_id(grade_id))


def _way(question: QuickQuestion) -> str:
    return "several" if question.several else question.kind


def _example(question: QuickQuestion) -> str:
    """Return a visible test as an example of the form of an input."""
    return _as_typed(question.programs.tests[0]) if question.programs else ""


def _as_typed(inputs: Mapping[str, object]) -> str:
    values = [python(value.tolist() if hasattr(value, "tolist") else value) for value in inputs.values()]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def _solution(question: QuickQuestion) -> str:
    if question.programs is None:
        return repr("".join(question.right))
    first = next(number for number, item in enumerate(question.items.values()) if item.is_right)
    return _as_typed(question.programs.inputs[first])


def question_markdown(question: QuickQuestion, *, heading: str = "###") -> str:
    """Return title, text and items in Markdown, with the way to answer."""
    items = question.kind != "fault"  # in a notebook an input is typed
    how = f"{HOW_TO_ANSWER[_way(question)][0]} Read: `{question.see}`."
    return "\n\n".join([f"{heading} {question.title}", *_text_parts(question, items=items), how])


def printed_question_markdown(question: QuickQuestion) -> str:
    """Return text and items of a question of a printed exam in Markdown; no program runs, so inputs are chosen."""
    return "\n\n".join([*_text_parts(question, items=True), how_to_answer_on_paper(question)])


def how_to_answer_on_paper(question: QuickQuestion) -> str:
    """Return the sentence that says which letters are asked for."""
    return (
        "On which of these inputs is the function wrong? Give all their letters."
        if question.kind == "fault"
        else HOW_TO_ANSWER[_way(question)][0]
    )


def _text_parts(question: QuickQuestion, *, items: bool) -> Iterator[str]:
    yield question.text
    if question.figure:
        yield f"![The data: {describe_picture(question.figure)}]({question.figure})"
    if items:
        yield "\n".join(_item(letter, item) for letter, item in question.items.items())


def _item(letter: str, item: QuestionItem) -> str:
    """Return a list entry; code of several lines stays in it."""
    if item.picture:
        return f"- **{letter}** ![Picture {letter}: {describe_picture(item.picture)}]({item.picture})"
    if not item.is_code:
        return f"- **{letter}** {item.text}"
    if "\n" not in item.text:
        return f"- **{letter}** `{item.text}`"
    indented = item.text.replace("\n", "\n  ")
    return f"- **{letter}**\n\n  ```python\n  {indented}\n  ```"
