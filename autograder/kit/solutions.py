"""The solutions manual of a topic: its texts, the solutions of the source notebook, and the worked solutions.

The numbers are those of the class, if the topic was released to it, otherwise the public ones.
"""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

import nbformat

from autograder.answers.arguments import arguments
from autograder.authoring.assignment import assignment_tasks, assignment_text
from autograder.authoring.cells import check_of, checked
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION, source_notebook
from autograder.authoring.task import Task
from autograder.course.course import Course
from autograder.judging.key import read_key
from autograder.quiz.texts import finished_text
from autograder.release.draw import draw_task
from autograder.release.prose import prose_html
from autograder.release.variant import printed_numbers


def solution_parts(course: Course, topic: str) -> tuple[str, list[str]]:
    """Return whose numbers the manual has, and its parts in HTML with TeX."""
    tasks = assignment_tasks(course, topic)
    path = course.paths.source_notebook(topic)
    key_file = course.paths.source_notebook(topic).with_name(f"{topic}.key.json")
    if path.is_file() and key_file.is_file():
        notebook, key = nbformat.read(path, as_version=4), read_key(key_file)
        inputs = {name: key.tasks[name].cases[0].inputs for name in tasks if name in key.tasks}
        return "the numbers of the class", list(_parts(course, notebook, tasks, inputs))
    inputs = {
        name: draw_task(f"{topic}.{name}", task, course.public_seed, "").public.cases[0].inputs
        for name, task in tasks.items()
    }
    text = assignment_text(course, topic)
    notebook = source_notebook(text, topic, tasks, printed_numbers(tasks, inputs))
    return "the public numbers", list(_parts(course, notebook, tasks, inputs))


def _parts(
    course: Course, notebook: Any, tasks: Mapping[str, Task], inputs: Mapping[str, Mapping[str, object]]
) -> Iterator[str]:
    """Yield the cells without set-up and tests, a worked solution after the answer that it explains."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield finished_text(course, prose_html(_without_marks(cell.source)))
            continue
        named = checked(cell) or _named(check_of(cell.source))
        if named is None:
            if BEGIN_SOLUTION in cell.source:
                yield f"<pre>{escape(_without_marks(cell.source))}</pre>"
            continue
        task = tasks.get(named[0])
        if task is not None and task.worked is not None and named[0] in inputs:
            steps = task.worked(*arguments(inputs[named[0]]))[0]
            yield f"<h4>Worked solution</h4>{finished_text(course, prose_html(steps))}"


def _named(match: Any) -> tuple[str, str] | None:
    return (match["task"], "") if match else None


def _without_marks(source: str) -> str:
    lines = source.replace("{{ rules }}", "").splitlines()
    return "\n".join(line for line in lines if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION))


def manual_name(topic: str) -> Path:
    """Return the name of the manual in the kit's folder."""
    return Path(f"{topic}-solutions.pdf")
