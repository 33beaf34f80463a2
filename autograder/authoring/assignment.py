"""The tasks and the text of an assignment: of a topic, or put together from several.

A composed assignment has the tasks of its slots, with their points, and a text made of the blocks of these tasks. What
comes after, from drawing numbers to reports, works with both alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from autograder.authoring.blocks import TaskBlock, bound_names, topic_blocks
from autograder.authoring.mutation_record import MutationRecord
from autograder.authoring.placeholders import PLACEHOLDER
from autograder.authoring.question_tasks import QuestionTask, question_block, question_task
from autograder.authoring.task import Task
from autograder.authoring.topic import (
    load_builders,
    load_tasks,
    mutation_trials,
    read_notebook_text,
    read_rules,
)
from autograder.authoring.views import view_block, view_of
from autograder.course.composition import Composition, split_task
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name

TEXT_HEADER = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
"""
# What is typed in for a student is read as in a notebook, so these forms are right on paper, too.
PAPER_RULES = """\
**Answers.** Write each answer into its box. Numbers may be whole numbers, fractions such as 3/4, roots such as
sqrt(2), or decimals with five significant digits; an exact decimal such as 0.85 needs no more. A list is written
[1, 2, 3], a matrix row by row, [[1, 2], [3, 4]]. An answer of several parts earns a share for each part that is
right."""


def assignment_tasks(course: Course, name: str) -> dict[str, Task]:
    """Load the tasks of a topic or of a composed assignment, in the order of the notebook."""
    composition = course.composition(name)
    return _slot_tasks(course, composition) if composition else load_tasks(course, name)


def assignment_text(course: Course, name: str) -> str:
    """Return the text of a topic's exercise or of a composed assignment."""
    composition = course.composition(name)
    return composed_text(course, composition) if composition else read_notebook_text(course, name)


def bank_task(course: Course, name: str, task: str) -> tuple[str, str]:
    """Return topic and task under which the bank knows a task of an assignment."""
    composition = course.composition(name)
    if composition is None:
        return name, task
    return split_task(composition.tasks(course.form)[task])[:2]


def assignment_trials(course: Course, name: str) -> dict[str, MutationRecord]:
    """Load the mutation records of an assignment's tasks."""
    composition = course.composition(name)
    if composition is None:
        return mutation_trials(course, name)
    trials = {}
    for slot, reference in composition.tasks(course.form).items():
        topic, task, view = split_task(reference)
        record = mutation_trials(course.formless, topic).get(task)
        if record and not view:
            trials[slot] = record
    return trials


def _slot_tasks(course: Course, composition: Composition) -> dict[str, Task]:
    references = composition.tasks(course.form)
    places = {_place(reference): slot for slot, reference in references.items()}
    points = {slot.name: slot.points for slot in composition.slots}
    return {
        slot: _slot_task(course.formless, reference, points[slot], tuple(_followed(places, reference)))
        for slot, reference in references.items()
    }


def _place(reference: str) -> tuple[str, str]:
    topic, task, _ = split_task(reference)
    return topic, task


def _followed(places: Mapping[tuple[str, str], str], reference: str) -> Iterator[tuple[str, str]]:
    """Yield the tasks of the same topic in the form, with the slots that they fill."""
    topic = split_task(reference)[0]
    yield from ((task, slot) for (other, task), slot in places.items() if other == topic)


@lru_cache(maxsize=512)  # mistakes of a task are cached by its identity
def _slot_task(course: Course, reference: str, points: float, slots: tuple[tuple[str, str], ...]) -> Task:
    """Return a task with the points of its slot; it follows only tasks of the same form."""
    topic, name, view = split_task(reference)
    task, renamed = load_task(course, topic, name), dict(slots)
    task = view_of(task, view, f"{topic}.{name}") if view else task
    follows = tuple(replace(step, name=renamed[step.name]) for step in task.follows if step.name in renamed)
    return replace(task, points=points, follows=follows)


def block_of(course: Course, reference: str) -> TaskBlock:
    """Return text and answer cell of a task, in its view."""
    topic, name, view = split_task(reference)
    return (
        view_block(course, topic, name, load_task(course, topic, name))
        if view
        else chapter_block(course, topic, name)
    )


def chapter_block(course: Course, topic: str, name: str) -> TaskBlock:
    """Return text and answer cell of a task of the bank, as its chapter shows it."""
    known = topic_blocks(course, topic).by_task.get(name)
    return known or question_block(name, load_builders(course, topic)[name])


def load_task(course: Course, topic: str, name: str) -> Task:
    """Return a task or a quick question of the bank; raise CourseError if there is none of this name."""
    tasks = load_tasks(course, topic) if topic in course.all_topics() else {}
    if name in tasks:
        return tasks[name]
    questions = load_builders(course, topic) if topic in course.all_topics() else {}
    if name not in questions:
        raise CourseError(f"there is no task {topic}.{name}: `{program_name()} bank` lists them")
    return question_task(questions[name])


def composed_text(course: Course, composition: Composition) -> str:
    """Return the exercise of a composed assignment as MyST text."""
    references = composition.tasks(course.form)
    tasks, course = _slot_tasks(course, composition), course.formless
    slots = {_place(reference): slot for slot, reference in references.items()}
    parts = [TEXT_HEADER, f"# {composition.title}", composition.text.strip(), _rules(course, composition)]
    topics = list(dict.fromkeys(topic for topic, _ in slots))
    parts += _conventions(course, slots, tasks)
    parts += ["There are 0 points.", _code_cell(_imports(course, topics))]
    emitted: dict[str, str] = {}  # name → the given cell that bound it last
    for number, ((topic, _), slot) in enumerate(slots.items(), 1):
        block = block_of(course, references[slot])
        renamed = {other: name for (place, other), name in slots.items() if place == topic}
        heading = f"## {number}. {block.title} (0 points, about {tasks[slot].minutes} minutes)"
        cells = _block_cells(block, slot, [*_given_cells(block, emitted)])
        parts += [heading, *(_with_slots(cell, renamed) for cell in cells)]
        parts.append(_code_cell(f'check("{composition.name}.{slot}", {block.answer})'))
        emitted = {name: cell for name, cell in emitted.items() if name not in block.defines}
    return "\n\n".join(filter(None, parts)) + "\n"


def _conventions(
    course: Course, slots: Mapping[tuple[str, str], str], tasks: Mapping[str, Task]
) -> Iterator[str]:
    """Yield the conventions of each topic; quick questions need none."""
    topics = dict.fromkeys(
        topic for (topic, _), slot in slots.items() if not isinstance(tasks[slot], QuestionTask)
    )
    for topic in topics:
        if words := topic_blocks(course, topic).conventions:
            yield f"**Conventions of {course.title(topic)}.** {words[:1].upper()}{words[1:]}"


def _rules(course: Course, composition: Composition) -> str:
    """Return the rules for answers: those of all notebooks, or those of paper."""
    return PAPER_RULES if composition.medium == "paper" else read_rules(course).strip()


def _imports(course: Course, topics: list[str]) -> str:
    """Return the imports of these topics, each line once; modules before names."""
    sources = [source for topic in topics for source in topic_blocks(course, topic).imports]
    ours = "from autograder import check"
    lines = dict.fromkeys(line for source in sources for line in source.splitlines() if line.strip())
    lines.pop(ours, None)
    others = sorted(lines, key=lambda line: (not line.startswith("import"), line.split()[0]))
    return "\n".join([*others, "", ours])


def _given_cells(block: TaskBlock, emitted: dict[str, str]) -> Iterator[str]:
    """Yield the given cells that a block needs and that do not hold already."""
    for source in block.provided:
        names = bound_names(source)
        if all(emitted.get(name) == source for name in names):
            continue
        emitted.update(dict.fromkeys(names, source))
        yield _code_cell(source)


def _block_cells(block: TaskBlock, slot: str, given_cells: Sequence[str]) -> Iterator[str]:
    """Yield the cells of a block, with given ones above the first code.

    All cells of answers are named after the slot, whatever task fills it.
    """
    first_code = next((place for place, cell in enumerate(block.cells) if cell.is_code), len(block.cells))
    for place, cell in enumerate(block.cells):
        if place == first_code:
            yield from given_cells
        if not cell.is_code:
            yield cell.source
        else:
            yield _code_cell(cell.source, f":answer: {slot}\n" if cell.is_solution else "")


def _code_cell(source: str, options: str = "") -> str:
    return f"```{{code-cell}} ipython3\n{options}{source}\n```"


def _with_slots(text: str, slots: Mapping[str, str]) -> str:
    """Rename tasks in placeholders to slots."""
    return PLACEHOLDER.sub(
        lambda match: f"{{{{ {slots.get(match['task'], match['task'])}.{match['input']} }}}}", text
    )


def missing_earlier(course: Course, composition: Composition, form: str) -> Iterator[tuple[str, str]]:
    """Yield each task of a form that uses an earlier one which does not stand before it, with that one."""
    before: set[str] = set()
    for reference in composition.tasks(form).values():
        topic, task, view = split_task(reference)
        needs = () if view else chapter_block(course, topic, task).needs
        yield from ((reference, f"{topic}.{name}") for name in needs if f"{topic}.{name}" not in before)
        before.add(reference)
