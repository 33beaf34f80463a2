"""Grade several topics with one grading pool.

The pool runs jobs of later topics while earlier topics are written. Topics are written in order, each under the
classroom's lock. A result that was computed ahead is used only if the job still has the same digest.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from autograder.course.course import Course
from autograder.errors import CourseError, MachineError
from autograder.grading.choose import Assignments, load_assignments
from autograder.grading.grade import MAX_PENDING, grade_assignments, job_to_run
from autograder.grading.hand_in import unknown_submissions
from autograder.grading.outcome import Outcome
from autograder.grading.submission import GradingOptions, Job, Result
from autograder.grading.workers import GradingPool


def topics_with_submissions(course: Course, names: list[str]) -> list[str]:
    """Return the topics that have submissions; raise CourseError if none."""
    topics = [topic for topic in course.require_assignments(names) if course.paths.students_with(topic)]
    if not topics:
        raise CourseError(
            f"nothing to grade: collect notebooks into {course.short(course.paths.submitted)}/<student>/<topic>/"
            "<topic>.ipynb first"
        )
    return topics


def describe_skipped(course: Course) -> list[str]:
    """List the files in `submitted/` that cannot be graded, with the reasons."""
    return [
        *(f"{name}: this course has no such assignment" for name in unknown_submissions(course)),
        *(
            f"{name}: it belongs into <student>/<topic>/<topic>.ipynb"
            for name in course.paths.loose_notebooks()
        ),
    ]


@dataclass(frozen=True)
class TopicGrades:
    """Outcomes of a topic, or the problem that prevented its grading."""

    topic: str
    assignments: Assignments | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)  # a line per selected attempt
    seconds: float = 0.0
    problem: str = ""

    @property
    def failed(self) -> list[Outcome]:
        """The outcomes of submissions that could not be graded."""
        return [outcome for outcome in self.outcomes if not outcome.graded]

    def describe_failure(self) -> str:
        """Describe why grading failed; return an empty string if all succeeded."""
        counts = f"{len(self.failed)} of {len(self.outcomes)} submissions of {self.topic}"
        return self.problem or (f"{counts} could not be graded: see above" if self.failed else "")


def load_topics(course: Course, topics: Sequence[str]) -> dict[str, Assignments]:
    """Load the assignments of topics; raise CourseError if one was not released."""
    return {topic: load_assignments(course, topic) for topic in topics}


def grade_topics(
    course: Course,
    topics: Sequence[str] | Mapping[str, Assignments],
    examiners: GradingPool,
    plan: GradingOptions | None = None,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> Iterator[TopicGrades]:
    """Grade topics in order and yield each after it is written.

    A topic that cannot be graded is yielded with its problem, and the next one follows.
    """
    plan = plan or GradingOptions()
    assignments = dict(topics) if isinstance(topics, Mapping) else {}
    ahead = PoolAhead(examiners, _iter_jobs(course, list(topics), plan, assignments))

    def step(outcome: Outcome) -> None:
        ahead.fill()
        progress(outcome)

    for topic in topics:
        ahead.begin(topic)
        start, attempts, problem = time.monotonic(), list[str](), ""
        outcomes: list[Outcome] = []
        try:
            topic_assignments = assignments[topic] = assignments.get(topic) or load_assignments(course, topic)
            outcomes = grade_assignments(topic_assignments, ahead, plan, step, attempts.append)
        except MachineError:
            raise
        except CourseError as error:
            problem = str(error)
        seconds = time.monotonic() - start
        yield TopicGrades(topic, assignments.get(topic), outcomes, attempts, seconds, problem)


def _iter_jobs(
    course: Course, topics: Sequence[str], plan: GradingOptions, assignments: dict[str, Assignments]
) -> Iterator[tuple[str, Job]]:
    """Yield the jobs that probably have to run, topic by topic.

    A topic that cannot be loaded is skipped, because `grade_topics` reports it.
    """
    for topic in topics:
        try:
            topic_assignments = assignments[topic] = assignments.get(topic) or load_assignments(course, topic)
        except CourseError:
            continue
        for student in course.paths.students_with(topic):
            job = job_to_run(topic_assignments, student, plan)
            if job is not None:
                yield topic, job


class PoolAhead:
    """Grading pool that submits jobs of later topics ahead, up to MAX_PENDING."""

    def __init__(self, examiners: GradingPool, jobs: Iterator[tuple[str, Job]]) -> None:
        """Take the jobs of all topics, in order."""
        self.protections = examiners.protections
        self._examiners, self._jobs = examiners, jobs
        self._started: set[str] = set()
        self._ahead: dict[str, deque[Future[Result]]] = {}
        self._taken: list[Future[Result]] = []

    def begin(self, topic: str) -> None:
        """Stop submitting jobs of this topic ahead, because its grading starts now."""
        self._started.add(topic)

    def submit(self, job: Job) -> Future[Result]:
        """Return the future of a job submitted ahead, or submit the job."""
        waiting = self._ahead.get(job.digest)
        future = waiting.popleft() if waiting else self._examiners.submit(job)
        if not waiting:
            self._ahead.pop(job.digest, None)
        self._taken.append(future)
        return future

    def fill(self) -> None:
        """Submit jobs of later topics until MAX_PENDING results are outstanding."""
        self._taken = [future for future in self._taken if not future.done()]
        number = len(self._taken) + sum(map(len, self._ahead.values()))
        while number < MAX_PENDING and (job := self._next_job()):
            self._ahead.setdefault(job.digest, deque()).append(self._examiners.submit(job))
            number += 1

    def _next_job(self) -> Job | None:
        return next((job for topic, job in self._jobs if topic not in self._started), None)
