"""Prepare the data of the page: questions and groups of answers."""

import hashlib
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograder.authoring.rubric import decisions
from autograder.course.course import Course
from autograder.grading import formgrader
from autograder.open_questions.answers import Answer, Question, collect_open_questions, read_answers
from autograder.open_questions.decide import free_comment
from autograder.open_questions.groups import Cluster, group_answers

MAX_CACHED_ANSWERS = 5000  # a class writes a few hundred
cached_answer_markdown = lru_cache(MAX_CACHED_ANSWERS)(formgrader.harmless_markdown)


@dataclass(frozen=True)
class View:
    """A grader's view of a topic."""

    course: Course
    topic: str
    is_anonymous: bool
    grader: str

    def state(self, name: str) -> dict[str, Any]:
        """Return the page's data for a question, by default the first."""
        questions = collect_open_questions(self.course, self.topic)
        chosen = next((question for question in questions if question.name == name), questions[0])
        answers = read_answers(self.course, self.topic, chosen.name)
        return {
            "topic": self.topic,
            "grader": self.grader,
            "anonymous": self.is_anonymous,
            "questions": [
                self._question(question, answers if question is chosen else None) for question in questions
            ],
            "question": chosen.name,
            "groups": self._groups(chosen, answers),
        }

    def students_of(self, question: str, versions: Mapping[str, str]) -> dict[str, str]:
        """Map students to versions, given versions by the page's student numbers.

        Raise LookupError for an unknown number.
        """
        numbers = self._numbers(read_answers(self.course, self.topic, question))
        students = {str(number): student for student, number in numbers.items()}
        return {students[str(number)]: str(version) for number, version in versions.items()}

    def _question(self, question: Question, answers: list[Answer] | None) -> dict[str, object]:
        answers = read_answers(self.course, self.topic, question.name) if answers is None else answers
        return {
            "name": question.name,
            "asked": cached_answer_markdown(question.text),
            "model": cached_answer_markdown(question.model_answer),
            "points": question.points,
            "items": [{"name": item.name, "points": item.points} for item in question.items],
            "answers": len(answers),
            "read": sum(answer.is_read for answer in answers),
        }

    def _numbers(self, answers: Sequence[Answer]) -> dict[str, int]:
        """Number the students in an order shuffled by the course secret.

        The numbers are stable while the class is the same.
        """
        students = sorted(answer.student for answer in answers)
        seed = hashlib.sha256(f"{self.course.secret()} {self.topic}".encode()).digest()
        random.Random(seed).shuffle(students)
        return {student: number for number, student in enumerate(students, start=1)}

    def _groups(self, question: Question, answers: list[Answer]) -> list[dict[str, Any]]:
        """Return groups of equal answers with equal decisions, the unread ones first."""
        numbers = self._numbers(answers)
        by_question: dict[str, list[Answer]] = defaultdict(list)
        for answer in answers:
            by_question[answer.asked].append(answer)
        groups = []
        for asked, alike in by_question.items():
            for cluster in group_answers([answer.text for answer in alike], [question.stub]):
                members = [alike[place] for place in cluster.answers]
                states = self._states(question, cluster, members, numbers)
                groups += [group | {"asked": cached_answer_markdown(asked)} for group in states]
        return sorted(groups, key=lambda group: (group["read"], -len(group["members"]), group["id"]))

    def _states(
        self, question: Question, cluster: Cluster, members: list[Answer], numbers: Mapping[str, int]
    ) -> list[dict[str, Any]]:
        """Split a cluster by decision.

        If the read answers have one common decision, propose it for the unread ones.
        """
        by_state: dict[tuple[bool, float | None, str], list[Answer]] = defaultdict(list)
        for answer in members:
            by_state[_state(answer)].append(answer)
        read = [state for state in by_state if state[0]]
        groups = []
        for (is_read, score, comment), alike in by_state.items():
            proposal = read[0] if not is_read and len(read) == 1 else (is_read, score, comment)
            first = alike[0]
            groups.append(
                {
                    "id": hashlib.sha256(f"{first.text}{is_read}{score}{comment}".encode()).hexdigest()[:16],
                    "answer": cached_answer_markdown(first.text),
                    "blank": cluster.is_blank,
                    "differences": list(cluster.differences),
                    "read": is_read,
                    "proposed": proposal[0] and not is_read,
                    "decision": _decision(question, proposal[1], proposal[2]),
                    "members": [self._member(answer, numbers[answer.student]) for answer in alike],
                }
            )
        return groups

    def _member(self, answer: Answer, number: int) -> dict[str, object]:
        name = f"answer {number}" if self.is_anonymous else answer.shown_name
        return {
            "number": number,
            "name": name,
            "version": answer.version,
            "text": cached_answer_markdown(answer.text),
        }


def _state(answer: Answer) -> tuple[bool, float | None, str]:
    """Return the decision about an answer; ignore one about an earlier text."""
    is_outdated = not answer.is_read and (answer.score is not None or bool(decisions(answer.comment)))
    return (False, None, "") if is_outdated else (answer.is_read, answer.score, answer.comment)


def _decision(question: Question, score: float | None, comment: str) -> dict[str, object]:
    """Return a decision for editing.

    The points of an undecided item are None.
    """
    known = decisions(comment)
    return {
        "items": [known.get(item.name) for item in question.items],
        "points": score,
        "comment": free_comment(comment),
    }
