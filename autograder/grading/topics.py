"""Grade several topics with the same examiners: later topics are examined while earlier ones are written.

Each topic is written in its turn, under the classroom's lock, exactly as if it were graded by itself. Its submissions
may have been examined before its turn: a result counts only for the digest of what is graded then.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from autograder.course.course import Course
from autograder.errors import CourseError, MachineError
from autograder.grading.attempts import settle_attempts
from autograder.grading.audit import settle_penalties
from autograder.grading.choose import load_assignments
from autograder.grading.grade import IN_FLIGHT, Plan, grade, job_to_run
from autograder.grading.outcome import Outcome
from autograder.grading.submission import Job, Result
from autograder.grading.workers import Examiners


@dataclass(frozen=True)
class TopicGrades:
    """What became of one topic; `problem` says why it could not be graded as a whole."""

    topic: str
    outcomes: list[Outcome] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)  # which hand-ins count
    seconds: float = 0.0
    problem: str = ""

    @property
    def failed(self) -> list[Outcome]:
        """The submissions that could not be graded."""
        return [outcome for outcome in self.outcomes if not outcome.graded]


def grade_topics(
    course: Course,
    topics: Sequence[str],
    examiners: Examiners,
    plan: Plan | None = None,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> Iterator[TopicGrades]:
    """Grade topics in their order and yield each when it is written; a topic that cannot be graded stops no other."""
    plan = plan or Plan()
    ahead = ExaminersAhead(examiners, _jobs(course, topics, plan))

    def step(outcome: Outcome) -> None:
        ahead.fill()
        progress(outcome)

    for topic in topics:
        ahead.begin(topic)
        start, attempts = time.monotonic(), list[str]()
        try:
            settle_penalties(course, topic)
            attempts += settle_attempts(course, topic, ahead, plan)
            outcomes = grade(course, topic, ahead, plan, step)
        except MachineError:
            raise
        except CourseError as error:
            yield TopicGrades(topic, [], attempts, time.monotonic() - start, str(error))
        else:
            yield TopicGrades(topic, outcomes, attempts, time.monotonic() - start)


def _jobs(course: Course, topics: Sequence[str], plan: Plan) -> Iterator[tuple[str, Job]]:
    """Return what is likely to be examined, topic by topic; what raises here is reported in the topic's turn."""
    for topic in topics:
        try:
            assignments = load_assignments(course, topic)
        except CourseError:
            continue
        for student in course.places.students_with(topic):
            job = job_to_run(assignments, student, plan)
            if job is not None:
                yield topic, job


class ExaminersAhead:
    """Examiners that get jobs of later topics whenever fewer than IN_FLIGHT results are outstanding."""

    def __init__(self, examiners: Examiners, jobs: Iterator[tuple[str, Job]]) -> None:
        """`jobs` are those of all topics, in the order of their turns."""
        self.protections = examiners.protections
        self._examiners, self._jobs = examiners, jobs
        self._begun: set[str] = set()
        self._ahead: dict[str, deque[Future[Result]]] = {}
        self._taken: list[Future[Result]] = []

    def begin(self, topic: str) -> None:
        """Leave a topic to its own turn, which submits what was not yet submitted."""
        self._begun.add(topic)

    def submit(self, job: Job) -> Future[Result]:
        """Return the result of the same job if it was submitted ahead, or submit it now."""
        waiting = self._ahead.get(job.digest)
        future = waiting.popleft() if waiting else self._examiners.submit(job)
        if not waiting:
            self._ahead.pop(job.digest, None)
        self._taken.append(future)
        return future

    def fill(self) -> None:
        """Submit jobs of later topics, as many as may be outstanding."""
        self._taken = [future for future in self._taken if not future.done()]
        number = len(self._taken) + sum(map(len, self._ahead.values()))
        while number < IN_FLIGHT and (job := self._next_job()):
            self._ahead.setdefault(job.digest, deque()).append(self._examiners.submit(job))
            number += 1

    def _next_job(self) -> Job | None:
        return next((job for topic, job in self._jobs if topic not in self._begun), None)
