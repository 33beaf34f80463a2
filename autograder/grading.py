"""Grade a class: examine submissions side by side, write the gradebook from one place.

A submission that cannot be read or graded costs only itself: it is reported and the batch goes on. What was
graded is written at once, so an interrupted run loses nothing.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from autograder import gradebook
from autograder.course import Course, CourseError
from autograder.examine import Examined, examine
from autograder.key import BadKeyError, Key, read_key
from autograder.repair import UnreadableError, read_notebook, repair
from autograder.sandbox import Limits


@dataclass(frozen=True)
class Assignment:
    """What grading one topic needs, read once."""

    course: Course
    topic: str
    release: Any
    public: Key
    secret: Key
    files: dict[str, bytes]


@dataclass
class Outcome:
    """What happened to one submission."""

    student: str
    score: float = 0.0
    notes: list[str] = field(default_factory=list)
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)


def load_assignment(course: Course, topic: str) -> Assignment:
    """Read the release and the keys of a topic; CourseError says what to run when they are not there."""
    release, keys = course.classroom / "release" / topic, course.classroom / "keys"
    if not (release / f"{topic}.ipynb").is_file() or not (keys / f"{topic}.secret.json").is_file():
        raise CourseError(
            f"assignment {topic!r} was not released here: run `dimred regenerate {topic}` first"
        )
    try:
        public, secret = read_key(release / f"{topic}.key.json"), read_key(keys / f"{topic}.secret.json")
    except BadKeyError as error:
        raise CourseError(f"{error}; `dimred regenerate {topic}` writes it again") from error
    notebook = nbformat.read(release / f"{topic}.ipynb", as_version=4)
    given = [path for path in release.iterdir() if path.is_file() and path.suffix != ".ipynb"]
    return Assignment(
        course, topic, notebook, public, secret, {path.name: path.read_bytes() for path in given}
    )


def submissions(course: Course, topic: str) -> list[str]:
    """The students who handed in something for a topic, in nbgrader's layout."""
    folder = course.classroom / "submitted"
    return sorted(path.parent.name for path in folder.glob(f"*/{topic}") if path.is_dir())


def unknown_submissions(course: Course) -> list[str]:
    """What was handed in for assignments that this course does not have, as `student/assignment`."""
    known = set(course.topics())
    found = (course.classroom / "submitted").glob("*/*")
    return sorted(
        f"{path.parent.name}/{path.name}" for path in found if path.is_dir() and path.name not in known
    )


def grade(
    course: Course,
    topic: str,
    *,
    workers: int = 2,
    limits: Limits | None = None,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Grade every submission of a topic; each outcome is reported as soon as it is written."""
    assignment = load_assignment(course, topic)
    outcomes = []
    with ThreadPoolExecutor(max_workers=workers) as pool:
        running = {
            pool.submit(_examined, assignment, student, limits or Limits()): student
            for student in submissions(course, topic)
        }
        try:
            for done in as_completed(running):
                outcomes.append(_written(assignment, running[done], done))
                progress(outcomes[-1])
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return sorted(outcomes, key=lambda outcome: outcome.student)


def _examined(assignment: Assignment, student: str, limits: Limits) -> tuple[Examined, tuple[str, ...]]:
    """Run one submission; touches nothing but its own process."""
    topic = assignment.topic
    path = assignment.course.classroom / "submitted" / student / topic / f"{topic}.ipynb"
    repaired = repair(read_notebook(path), assignment.release)
    found = examine(repaired.notebook, assignment.public, assignment.secret, assignment.files, limits)
    return found, repaired.repairs


def _written(assignment: Assignment, student: str, done: Future[tuple[Examined, tuple[str, ...]]]) -> Outcome:
    """Write what one submission earned; only this function touches the gradebook."""
    try:
        examined, repairs = done.result()
    except UnreadableError as error:
        gradebook.record_zero(assignment.course, assignment.topic, student)
        return _recorded(assignment, Outcome(student, notes=[str(error)]))
    except Exception as error:  # ours or nbgrader's; the class must not suffer for it
        return Outcome(student, notes=[f"not graded: {type(error).__name__}: {error}"])
    outcome = Outcome(student, notes=[*repairs, *examined.notes])
    outcome.verdicts = {name: _summary(verdict) for name, verdict in examined.verdicts.items()}
    outcome.score = gradebook.record(assignment.course, assignment.topic, student, examined.notebook)
    _keep_autograded(assignment, student, examined.notebook)
    return _recorded(assignment, outcome)


def _summary(verdict: Any) -> dict[str, Any]:
    """What reports need of a verdict; nothing from a secret case."""
    names = ("passed", "fraction", "points", "misconception", "see", "problem")
    return {name: getattr(verdict, name) for name in names}


def _recorded(assignment: Assignment, outcome: Outcome) -> Outcome:
    folder = assignment.course.classroom / "verdicts" / assignment.topic
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(outcome), indent=1, ensure_ascii=False) + "\n"
    (folder / f"{outcome.student}.json").write_text(text, encoding="utf-8")
    return outcome


def _keep_autograded(assignment: Assignment, student: str, notebook: Any) -> None:
    """Write the graded notebook where nbgrader's formgrader and feedback look for it."""
    classroom, topic = assignment.course.classroom, assignment.topic
    folder = classroom / "autograded" / student / topic
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in assignment.files.items():
        (folder / name).write_bytes(data)
    nbformat.write(notebook, folder / f"{topic}.ipynb")
    stamp = classroom / "submitted" / student / topic / "timestamp.txt"
    if stamp.is_file():
        shutil.copy(stamp, folder / "timestamp.txt")


def outcomes_on_file(course: Course, topic: str) -> Iterator[Outcome]:
    """The outcomes of the last grading, for feedback and reports."""
    for path in sorted((course.classroom / "verdicts" / topic).glob("*.json")):
        yield Outcome(**json.loads(path.read_text("utf-8")))


def submitted_path(course: Course, student: str, topic: str) -> Path:
    """Where nbgrader expects a submission."""
    return course.classroom / "submitted" / student / topic / f"{topic}.ipynb"
