"""Write the made-up class: submissions, class list and intended answers.

Submissions have nbgrader's layout. They are written again only when an input has changed.
"""

import ast
import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.authoring.cells import checks
from autograder.authoring.topic import load_names
from autograder.course.course import DEMO, Course
from autograder.course.files import write_text
from autograder.course.people import known_students
from autograder.demo import notebook as notebooks
from autograder.demo.people import EXTENDED, class_list, submission_time
from autograder.demo.plan import COPY, HALF_A_FILE, Choices, ClassPlan, Meant, draw_plan
from autograder.demo.ways import AnswerCells, in_other_words, with_error
from autograder.grading.choose import load_assignment
from autograder.grading.enrol import enrol
from autograder.judging.key import Key, load_key

CLASS_SIZE = (
    16  # the smallest class with every kind of student and with correlations, graded within a first run
)
MISHAPS = {
    7: notebooks.copy_a_cell,
    11: notebooks.delete_a_test,
    13: notebooks.print_a_warning,
}  # of every 15
LATE = 9  # the place of the first topic's late student; later topics have others


def make_class(course: Course, topic: str, size: int = CLASS_SIZE) -> list[str]:
    """Write the submissions of a class and return the students' folders.

    They replace those of an earlier made-up class.
    """
    students = class_list(size)
    if known_students(course) != {student.folder: student for student in students}:
        enrol(course, students)
    names = [student.folder for student in students]
    digest = _digest(course, topic, size)
    if _is_written(course, topic, names, digest):
        return names
    _remove_class(course, topic)
    cells = _released_cells(course, topic)
    plan = draw_plan(topic, cells.choices(), size)
    topic_place = course.topics().index(topic)
    late = _place_of_late_student(topic_place, size)
    for place, student in enumerate(names):
        path = course.paths.submission(student, topic)
        write_text(path, cells.text(plan, place))
        when = submission_time(place, topic_place=topic_place, is_late=place == late)
        write_text(path.parent / "timestamp.txt", when)
    meant = {
        name: {task: asdict(meant_answer) for task, meant_answer in plan[place].items()}
        for place, name in enumerate(names)
    }
    write_text(_record(course, topic), json.dumps({"digest": digest, "meant": meant}, indent=1) + "\n")
    return names


def read_meant(course: Course, topic: str) -> dict[str, dict[str, Meant]]:
    """Return the intended answer of each made-up student to each task."""
    record = json.loads(_record(course, topic).read_text("utf-8"))
    return {
        student: {task: Meant(**meant) for task, meant in tasks.items()}
        for student, tasks in record["meant"].items()
    }


def _record(course: Course, topic: str) -> Path:
    return course.classroom / "meant" / f"{topic}.json"


def _digest(course: Course, topic: str, size: int) -> str:
    """Hash all files that a class is made from."""
    release = course.paths.release(topic)
    solutions = course.root / "solutions"
    files = [
        *sorted(release.glob(f"{topic}.*")),
        course.paths.source_notebook(topic),
        *sorted(solutions.glob("*.py")),
        *sorted((solutions / topic).iterdir()),
        *sorted(Path(__file__).parent.glob("*.py")),
    ]
    total = hashlib.sha256(str(size).encode())
    for path in files:
        if path.is_file():
            total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _is_written(course: Course, topic: str, names: list[str], digest: str) -> bool:
    try:
        record = json.loads(_record(course, topic).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return record.get("digest") == digest and all(
        course.paths.submission(student, topic).is_file() for student in names
    )


def _remove_class(course: Course, topic: str) -> None:
    _record(course, topic).unlink(
        missing_ok=True
    )  # removed first, so that a partly written class does not count
    for student in course.paths.students_with(topic):
        if student.startswith(DEMO):
            shutil.rmtree(course.paths.submission(student, topic).parent)


def _place_of_late_student(topic_place: int, size: int) -> int:
    """Return the place of the late student, another one each week.

    Students with a broken file or an extension are left out.
    """
    places = [place for place in range(size) if place not in (HALF_A_FILE, EXTENDED)]
    return places[(LATE + 7 * topic_place) % len(places)]


def load_cells(course: Course, topic: str, release: str, source: object, key: Key) -> "Cells":
    """Return the cells from released notebook, source and public key."""
    inputs = {name: task.cases[0].inputs for name, task in key.tasks.items()}
    notebook = json.loads(release)
    return Cells(
        notebook, dict(checks(notebook)), notebooks.solution_cells(source), AnswerCells(course, topic, inputs)
    )


def _released_cells(course: Course, topic: str) -> "Cells":
    assignment = load_assignment(course, topic)
    source = json.loads(course.paths.source_notebook(topic).read_text("utf-8"))
    return load_cells(course, topic, assignment.release, source, load_key(assignment.public))


@dataclass(frozen=True)
class Cells:
    """The cells from which the notebooks of a class are assembled."""

    release: Any
    answers: Mapping[str, str]  # by task, the name of its answer
    solutions: Mapping[str, str]  # by the answer's name
    ways: AnswerCells

    @cached_property
    def right(self) -> dict[str, dict[str, str]]:
        """The cells of alternative solutions, by task and name."""
        return {task: self.ways.right(task) for task in self.answers}

    @cached_property
    def wrong(self) -> dict[str, dict[str, str]]:
        """The cells of misconceptions, by task and name."""
        return {task: self.ways.wrong(task) for task in self.answers}

    @cached_property
    def unforeseen(self) -> dict[str, str]:
        """The cells of mistakes that no task lists, by task.

        They are edits of the solution from `solutions/unforeseen.py`.
        """
        edits: Mapping[str, tuple[str, str]] = load_names(self.ways.course, "unforeseen").get(
            "UNFORESEEN", {}
        )
        named = {task: edits.get(f"{self.ways.topic}.{task}") for task in self.answers}
        return {
            task: self.solutions[self.answers[task]].replace(*edit) for task, edit in named.items() if edit
        }

    def choices(self) -> dict[str, Choices]:
        """Return the possible answers to each task."""
        return {
            task: Choices(
                tuple(self.right[task]),
                tuple(self.wrong[task]),
                task in self.unforeseen,
                self.ways.tasks[task].kind == "code",
                frozenset(self._tasks_used(task)),
                frozenset(self._ways_with_helpers(task)),
            )
            for task in self.answers
        }

    def _ways_with_helpers(self, task: str) -> Iterator[str]:
        """Yield the names of programs that need helper functions."""
        for name, cell in {**self.right[task], **self.wrong[task]}.items():
            if re.search("^def NAME_", cell, re.MULTILINE):
                yield name

    def _tasks_used(self, task: str) -> Iterator[str]:
        """Yield the tasks whose answers the solution of a task uses."""
        answer = self.answers[task]
        loaded = {
            node.id
            for node in ast.walk(ast.parse(self.solutions[answer]))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        for other, name in self.answers.items():
            if other != task and name in loaded:
                yield other

    def text(self, plan: ClassPlan, place: int) -> str:
        """Return the file that a student hands in."""
        cells: dict[str, str | None] = dict(self.solutions)
        for task, meant in plan[place].items():
            cells[self.answers[task]] = self._cell(task, meant, place)
        notebook = notebooks.filled_cells(self.release, cells)
        if mishap := MISHAPS.get(place % 15):
            mishap(notebook)
        text = notebooks.write_notebook_text(notebook)
        return text[: len(text) // 2] if place == HALF_A_FILE else text

    def _cell(self, task: str, meant: Meant, place: int) -> str | None:
        answer = self.answers[task]
        solution = self.solutions[answer]
        if meant.kind == "nothing":
            return None
        if meant.kind == "error":
            return with_error(meant.name, answer, solution)
        if meant.kind == "unforeseen":
            return in_other_words(self.unforeseen[task], place)
        cells = {"another way": self.right, "misconception": self.wrong}.get(meant.kind)
        cell = cells[task][meant.name].replace("NAME", answer) if cells else solution
        return in_other_words(cell, place) if place == COPY and cells else cell
