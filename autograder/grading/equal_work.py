"""Find submissions with equal bytes, equal answers, or equal rare mistakes.

Equal work is a reason to look, never a verdict. Submissions without changes are ignored. Submissions with the published
answers count only if the files are the same. Wrong answers that many students gave are ignored.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from autograder.authoring.cells import is_answer_cell, name_of, source_of
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.assignment import Assignment
from autograder.grading.choose import load_assignments
from autograder.grading.hand_in import find_notebook
from autograder.grading.outcome import Outcome
from autograder.grading.repair import parse_notebook, read_file
from autograder.grading.unforeseen import unexplained_groups

MIN_SHARED_MISTAKES = 2  # number of rare wrong answers that a pair must share
# A wrong answer is rare if at most max(MIN_RARE, number of students / COMMON_IF_ONE_IN) students gave it.
MIN_RARE = 3
COMMON_IF_ONE_IN = 50
MAX_PAIRS = 30
MAX_GROUP_NAMES = 6
EqualityKind = Literal["bytes", "answers"]


@dataclass(frozen=True)
class EqualGroup:
    """Students whose submissions have the same bytes or the same answers."""

    kind: EqualityKind
    students: tuple[str, ...]

    def describe(self) -> str:
        """Return a line that names the students."""
        names = " = ".join(self.students[:MAX_GROUP_NAMES]) + " = …" * (len(self.students) > MAX_GROUP_NAMES)
        what = "the same file, byte for byte" if self.kind == "bytes" else "the same text in every answer"
        return f"{what}: {names}"


@dataclass(frozen=True)
class SharedMistakes:
    """Two students who gave the same rare wrong answers to these tasks."""

    students: tuple[str, str]
    tasks: tuple[str, ...]


def equal_hand_ins(course: Course, topic: str, shared: Assignment | None = None) -> list[EqualGroup]:
    """Group submissions by bytes, and by the text of their answers.

    A group by answers with the same students as a group by bytes is left out. Of a printed exam there are none: what
    its students wrote was typed in, so equal forms with right answers are equal notebooks.
    """
    composition = course.composition(topic)
    if composition and composition.medium == "paper":
        return []
    by_bytes: dict[str, list[str]] = defaultdict(list)
    by_answers: dict[str, list[str]] = defaultdict(list)
    handed_out, published = _answers_of_the_course(shared or _class_assignment(course, topic))
    for student, data, answers in _hand_ins(course, topic):
        if _are_all_known(answers, handed_out):
            continue
        is_solution = _are_all_known(answers, published)
        if not (is_solution and course.is_demo):  # made-up students cannot copy
            by_bytes[hashlib.sha256(data).hexdigest()].append(student)
        if not is_solution:
            by_answers[json.dumps(answers, sort_keys=True)].append(student)
    groups = _groups("bytes", by_bytes.values())
    same_files = {group.students for group in groups}
    groups += [group for group in _groups("answers", by_answers.values()) if group.students not in same_files]
    return groups


def _hand_ins(course: Course, topic: str) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """Yield the student, file and answers of each readable submission."""
    for student in course.paths.students_with(topic):
        try:
            data = read_file(find_notebook(course.paths.submission(student, topic)))
            yield student, data, _answers(parse_notebook(data, ""))
        except (CourseError, OSError):
            continue


def _groups(kind: EqualityKind, listed: Iterable[list[str]]) -> list[EqualGroup]:
    groups = (EqualGroup(kind, tuple(students)) for students in listed if len(students) > 1)
    return sorted(groups, key=lambda group: group.students)


def _answers(notebook: Any) -> dict[str, str]:
    """Return the text of each answer, without trailing spaces, which editors remove."""
    return {
        str(name_of(cell)): "\n".join(line.rstrip() for line in source_of(cell).strip().splitlines())
        for cell in notebook["cells"]
        if is_answer_cell(cell) and name_of(cell)
    }


Known = Mapping[str, Collection[str]]  # texts by the name of the answer


def _are_all_known(answers: Mapping[str, str], known: Known) -> bool:
    """Tell whether every answer is one of the known texts."""
    return all(text in known.get(name, ()) for name, text in answers.items())


def _class_assignment(course: Course, topic: str) -> Assignment | None:
    """Load the class's variant, or None if it was not released here."""
    try:
        return load_assignments(course, topic).shared
    except CourseError:
        return None


def _answers_of_the_course(shared: Assignment | None) -> tuple[Known, Known]:
    """Return the released answer texts, and these together with the published solution."""
    if shared is None:
        return {}, {}
    handed_out = {name: {text} for name, text in _answers(json.loads(shared.release)).items()}
    published = {name: set(texts) for name, texts in handed_out.items()}
    for name, text in _answers(json.loads(shared.source)).items():
        published.setdefault(name, set()).update({text, _without_marks(text)})
    return handed_out, published


def _without_marks(answer: str) -> str:
    """Remove the lines that mark a solution."""
    return "\n".join(line for line in answer.splitlines() if not line.strip().startswith("### "))


def shared_rare_mistakes(course: Course, topic: str, outcomes: Sequence[Outcome]) -> list[SharedMistakes]:
    """Find pairs of students who share rare wrong answers or misconceptions."""
    rare = max(MIN_RARE, len(outcomes) // COMMON_IF_ONE_IN)
    tasks: dict[tuple[str, str], set[str]] = defaultdict(set)
    for task, students in _wrong_answers(course, topic, outcomes):
        if 1 < len(students) <= rare:
            for first, other in combinations(sorted(students), 2):
                tasks[first, other].add(task)
    pairs = [SharedMistakes(pair, tuple(sorted(names))) for pair, names in tasks.items()]
    pairs = [pair for pair in pairs if len(pair.tasks) >= MIN_SHARED_MISTAKES]
    return sorted(pairs, key=lambda pair: (-len(pair.tasks), pair.students))[:MAX_PAIRS]


def _wrong_answers(
    course: Course, topic: str, outcomes: Sequence[Outcome]
) -> Iterable[tuple[str, Sequence[str]]]:
    """Yield task and students of equal wrong values, then of equal misconceptions."""
    for group in unexplained_groups(course, topic, outcomes):
        yield group.task, group.students
    named: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for outcome in outcomes:
        for task, verdict in outcome.verdicts.items():
            if verdict["misconception"]:
                named[task, verdict["misconception"]].append(outcome.student)
    for (task, _), students in named.items():
        yield task, students
