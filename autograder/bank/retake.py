"""Compose a retake: new certified numbers of the tasks that a student lost, with the first answers shown."""

import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograder.authoring.assignment import missing_earlier
from autograder.authoring.cells import check_name
from autograder.bank.catalogue import tasks_by_student
from autograder.course.composition import Composition, Slot, split_task
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import person
from autograder.course.roster import Student
from autograder.course.settings import RETAKE_COUNTS
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.judging.key import Key, load_key
from autograder.program import program_name
from autograder.reports.exercise import Exercise
from autograder.reports.feedback import collect_feedback

MAX_FIRST_ANSWER_CHARACTERS = 2000  # of a first answer
FULL = 1 - 1e-9


def compose_retake(course: Course, topic: str, counts: str = "", name: str = "") -> Composition:
    """Return the retake of an assignment; raise CourseError if nobody lost anything or work was not graded."""
    if counts and counts not in RETAKE_COUNTS:
        raise CourseError(f"--counts must be one of {', '.join(RETAKE_COUNTS)}, not {counts!r}")
    if original := course.retake_of(topic):
        raise CourseError(
            f"{topic} is a retake itself: say `{program_name()} retake {original} --name …` for another"
        )
    outcomes = _graded_outcomes(course, topic)
    tasks_of, key = tasks_by_student(course, topic), load_key(load_assignment(course, topic).public)
    lost = _lost_by_student(key, outcomes)
    composition = course.composition(topic)
    forms = {student: _with_earlier(course, tasks_of(student), slots) for student, slots in lost.items()}
    every = _in_order(key, set(itertools.chain.from_iterable(forms.values())))
    return Composition(
        name or f"{topic}_retake",
        f"{course.title(topic)}: retake",
        tuple(_slot(slot, key.tasks[slot].points, tasks_of, forms) for slot in every),
        "You have new numbers of the tasks in which you lost points. Below each task stands what you answered first.",
        composition.medium if composition else "notebook",
        retake_of=topic,
        counts=counts,
        own_forms={student: _own_form(tasks_of(student), asked, every) for student, asked in forms.items()},
        uncounted=_uncounted(forms, lost),
    )


def _graded_outcomes(course: Course, topic: str) -> list[Outcome]:
    """Return the outcomes of graded submissions; raise CourseError if there are none."""
    outcomes = [outcome for outcome in outcomes_on_file(course, topic) if outcome.graded]
    if not outcomes:
        raise CourseError(
            f"nothing of {topic} was graded yet: a retake follows `{program_name()} grade {topic}`"
        )
    return outcomes


def _lost_by_student(key: Key, outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """Return the slots in which students lost points; raise CourseError if there are none."""
    lost = {outcome.student: slots for outcome in outcomes if (slots := _in_order(key, _lost(outcome)))}
    if not lost:
        raise CourseError(f"nobody lost points in the tasks of {key.topic} that a program grades")
    return lost


def _uncounted(
    forms: Mapping[str, Sequence[str]], lost: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the slots of students who are asked for more than they lost, because a later task needs it."""
    more = {
        student: tuple(slot for slot in asked if slot not in lost[student])
        for student, asked in forms.items()
    }
    return {student: slots for student, slots in more.items() if slots}


def _in_order(key: Key, slots: Collection[str]) -> list[str]:
    """Return slots in the order of the assignment."""
    return [slot for slot in key.tasks if slot in slots]


def _own_form(tasks: Mapping[str, str], asked: Collection[str], slots: Sequence[str]) -> str:
    """Return the student's task in each slot, or nothing; separated by commas."""
    return ",".join(tasks[slot] if slot in asked else "" for slot in slots)


def _lost(outcome: Outcome) -> set[str]:
    return {slot for slot, verdict in outcome.verdicts.items() if verdict["fraction"] < FULL}


def _slot(slot: str, points: float, tasks_of: Any, forms: Mapping[str, Any]) -> Slot:
    """Return the slot of a retake, with all tasks that students have in it."""
    tasks = dict.fromkeys(tasks_of(student)[slot] for student, asked in forms.items() if slot in asked)
    return Slot(slot, points, tuple(tasks))


def _with_earlier(course: Course, tasks: Mapping[str, str], slots: list[str]) -> list[str]:
    """Add the earlier tasks of the same student that lost ones use, in the order of the assignment."""
    asked = list(slots)
    while True:
        chosen = [slot for slot in tasks if slot in asked]
        form = Composition("retake", "", tuple(Slot(slot, 1.0, (tasks[slot],)) for slot in chosen))
        missing = {earlier for _, earlier in missing_earlier(course, form, "")}
        more = [slot for slot, task in tasks.items() if _plain(task) in missing and slot not in asked]
        if not more:
            return chosen
        asked += more


def _plain(task: str) -> str:
    topic, name, _ = split_task(task)
    return f"{topic}.{name}"


def retakers(course: Course, composition: Composition) -> tuple[Student, ...]:
    """Return the students who have something to retake."""
    return tuple(person(course, folder) for folder in composition.own_forms)


def show_first_answers(course: Course, composition: Composition) -> int:
    """Put what each student answered first below the tasks of the retake; return the number of notebooks."""
    collected, _ = collect_feedback(course, composition.retake_of)
    for feedback in collected:
        if feedback.student in composition.own_forms:
            exercises = {exercise.name: exercise for exercise in feedback.exercises}
            _insert(course, composition.name, feedback.student, exercises)
    return len(composition.own_forms)


def _insert(course: Course, name: str, student: str, exercises: Mapping[str, Exercise]) -> None:
    path = course.paths.release(name, student) / f"{name}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"] = [*_with_answers(notebook["cells"], exercises)]
    write_text(path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def _with_answers(cells: list[Any], exercises: Mapping[str, Exercise]) -> Iterator[object]:
    """Yield the cells of a retake; above each answer's cell what was answered first."""
    slots = [cell.get("metadata", {}).get("nbgrader", {}) for cell in cells]
    for cell, role in zip(cells, slots, strict=True):
        exercise = exercises.get(check_name(role.get("grade_id", ""))) if role.get("solution") else None
        if exercise:
            identity = f"first-{role['grade_id']}".replace("_", "-")[:64]
            yield {"cell_type": "markdown", "id": identity, "metadata": {}, "source": first_answer(exercise)}
        yield cell


def first_answer(exercise: Exercise) -> str:
    """Return what was answered first, and what was said about it, as Markdown."""
    score = 0.0 if exercise.score is None else float(exercise.score)
    answer = exercise.answer.strip()[:MAX_FIRST_ANSWER_CHARACTERS]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", answer)), default=0))  # longer than any inside
    verdict = " ".join(exercise.verdict_text.split())
    said = f"\n\n> {verdict}" if verdict else ""
    shown = f"\n\n{fence}python\n{answer}\n{fence}" if answer else " You gave no answer."
    return f"**Your first answer** ({score:g} of {exercise.points:g} points), to other numbers or letters:{shown}{said}"
