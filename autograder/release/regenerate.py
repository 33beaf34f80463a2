"""New exercises for a class, or for each student of a roster: certify everything, then write.

Students' files are first written beside their places and moved there when the last of them is certified: a
variant that cannot be certified leaves everything as it was.
"""

import contextlib
import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.course.digests import files_digest, read_record, text_digest
from autograder.course.files import emptied_afterwards, move_files, write_text, write_texts
from autograder.course.handout import Handout, begin_handout, last_handout, write_handout
from autograder.course.people import people
from autograder.course.roster import Student, require_distinct_ids, student_seed
from autograder.course.sources import note_sources
from autograder.errors import CourseError
from autograder.grading.gradebook import graded_students, has_assignment
from autograder.progress import progress
from autograder.release.freshness import are_exercises_fresh, engine_digest, note_exercises, sources_digest
from autograder.release.handed_out import HandedOut
from autograder.release.mistake_names import Names, has_names, outdated_tasks, write_names
from autograder.release.origin import FROM_SECRET, default_derivation, derivation_of, derive
from autograder.release.variant import Files, certificate_text, write_classroom, write_exercises
from autograder.release.workers import Order, TaskName, TaskWorkers, VariantWorkers, variant_workers

TASKS_PER_VARIANT = 4  # to try the mistakes of so many tasks takes as long as to make a variant
Progress = Callable[[int, str, str], AbstractContextManager[Callable[[], None]]]


@dataclass(frozen=True)
class Request:
    """Which exercises: the seed of the class, the students who get variants of their own, solved notebooks or not."""

    seed: str
    students: tuple[Student, ...] = ()
    answers: bool = False
    replace: bool = False  # new numbers for what was handed out, as long as nobody is graded
    force: bool = False  # make what is up to date, too


@dataclass(frozen=True)
class Done:
    """What was written: the certificate of the class's variant, and why draws were refused, over all variants."""

    certificate: Mapping[str, Any]
    refused: tuple[str, ...]
    is_up_to_date: bool = False  # nothing was made


def require_possible(course: Course, topic: str, request: Request) -> None:
    """Refuse what would pull the numbers from under work that was handed out or graded."""
    require_distinct_ids(request.students, people(course).values())
    _require_seed_for_private_tasks(course, topic, request)
    before = _handout_before(course, topic)
    if before is None:
        return
    if not request.replace:
        _require_same_secret(course, topic, request)
    if before.seed == request.seed and before.students and not request.students:
        raise CourseError(
            f"{topic} was given to {len(before.students)} students in variants of their own: "
            f"say --roster again, or delete {course.places.keys(topic)} to go back to one variant"
        )
    after = _handout_after(course, topic, request)
    was, will_be = _class_derivation(course, topic, before.seed), _new_derivation(course, topic, request)
    moved = [
        student
        for student in graded_students(course, topic)
        if _numbers_of(before, student, was) != _numbers_of(after, student, will_be)
    ]
    if moved:
        raise CourseError(
            f"{topic} has {len(moved)} graded submissions with other numbers: "
            "use another classroom folder (`classroom` in course.toml) for a new term"
        )


def _require_seed_for_private_tasks(course: Course, topic: str, request: Request) -> None:
    """Refuse students' own variants of other tasks than the class's: the public seed has no private tasks."""
    is_public = request.seed == course.settings["public_seed"]
    if request.students and is_public and course.private_source(topic):
        raise CourseError(
            f"{topic} has private tasks, which are never made for the public seed: choose another with --seed"
        )


def _require_same_secret(course: Course, topic: str, request: Request) -> None:
    """Refuse to make a release anew under another secret: every number of it would change."""
    record = _class_record(course, topic)
    if record.get("seed") != request.seed or "variant" not in record:
        return
    if derive(course.secret(), topic, request.seed, derivation_of(record)).name != record["variant"]:
        place = course.places.secret_word
        raise CourseError(
            f"{topic} was released under another secret than that in {place}: put the old file back from a backup, "
            "or draw new numbers with --replace"
        )


def _handout_before(course: Course, topic: str) -> Handout | None:
    """What the class has now: None if nothing was released yet."""
    if not course.places.certificate(topic).is_file():
        return None
    own = last_handout(course, topic)
    if own:
        return own
    seed = _class_record(course, topic).get("seed")
    return Handout(seed) if seed else None


def _class_record(course: Course, topic: str) -> Mapping[str, Any]:
    """Read the certificate of the class's variant; empty if there is none."""
    try:
        record = json.loads(course.places.certificate(topic).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _class_derivation(course: Course, topic: str, seed: str) -> int:
    """Find how the class's numbers of this seed are derived: as recorded, or as for a new release."""
    record = _class_record(course, topic)
    is_public = seed == course.settings["public_seed"]
    return (
        derivation_of(record)
        if record.get("seed") == seed and not is_public
        else default_derivation(course, seed)
    )


def _new_derivation(course: Course, topic: str, request: Request) -> int:
    if request.replace:
        return default_derivation(course, request.seed)
    return _class_derivation(course, topic, request.seed)


def _handout_after(course: Course, topic: str, request: Request) -> Handout:
    """What the class will have; who has left the roster keeps the variant of the same seed."""
    before, secret = _handout_before(course, topic), course.secret()
    kept = before.students if before and before.seed == request.seed else {}
    own = {}
    for student in request.students:
        is_fresh = request.replace or student.folder not in kept
        derivation = FROM_SECRET if is_fresh else derivation_of(kept[student.folder])
        origin = derive(secret, topic, student_seed(secret, topic, request.seed, student.id), derivation)
        own[student.folder] = {"id": student.id, **origin.record()}
    return Handout(request.seed, {**kept, **own})


def again(course: Course, topic: str) -> str:
    """The command that makes a topic anew as it was made."""
    before = _handout_before(course, topic)
    seed = (
        f" --seed {shlex.quote(before.seed)}"
        if before and before.seed != course.settings["public_seed"]
        else ""
    )
    return f"dimred regenerate{seed}{' --roster …' if before and before.students else ''} {topic}"


def _numbers_of(handout: Handout, student: str, derivation: int) -> tuple[str, int]:
    """Say which numbers a student works with: seed and derivation of the own variant, or of the class's."""
    folder = handout.folder(student)
    if folder is None:
        return handout.seed, derivation
    return handout.students[folder]["seed"], derivation_of(handout.students[folder])


def regenerate(
    course: Course, topic: str, request: Request, variant_workers: VariantWorkers, step: Callable[[], None]
) -> Done:
    """Make and write the variants of one topic; if one cannot be certified, nothing is written."""
    return _release(course, [topic], request, variant_workers, step)[topic]


def regenerate_all(
    course: Course,
    topics: Sequence[str],
    request: Request,
    workers: int | None = None,
    show: Progress = progress,
) -> dict[str, Done]:
    """Make what is not up to date of several topics, in one pool of workers; return what became of each topic.

    Topics that are complete when another one fails stay written.
    """
    for topic in topics:
        course.sources(topic)  # a private folder that is not there is said first
    old = [topic for topic in topics if request.force or not is_up_to_date(course, topic, request)]
    tasks = [(topic, name) for topic in old for name in outdated_tasks(course, topic)]
    number = len(old) * (1 + len(request.students))
    made: dict[str, Done] = {}
    if old:
        with variant_workers(course, number + len(tasks) // TASKS_PER_VARIANT, workers) as pool:
            if tasks:
                with show(len(tasks), "trying mistakes", "task") as step:
                    derive_outdated(course, tasks, pool, step)
            with show(number, f"making {_name(old)}", "variant") as step:
                made = _release(course, old, request, pool, step)
    return {topic: made.get(topic) or _as_it_is(course, topic) for topic in topics}


def _name(topics: Sequence[str]) -> str:
    return topics[0] if len(topics) == 1 else f"exercises of {len(topics)} topics"


def _as_it_is(course: Course, topic: str) -> Done:
    """Return what is there of a topic that is up to date."""
    certificate = json.loads(course.places.certificate(topic).read_text("utf-8"))
    return Done(certificate, (), is_up_to_date=True)


def derive_outdated(
    course: Course, tasks: Sequence[TaskName], workers: TaskWorkers, step: Callable[[], None]
) -> None:
    """Find out which slips and edits apply to these tasks, and write their names beside them."""
    derived: dict[str, dict[str, Names]] = {topic: {} for topic, _ in tasks}
    for (topic, name), names in workers.derive(tasks):
        derived[topic][name] = names
        step()
    for topic, names_of_topic in derived.items():
        with contextlib.suppress(PermissionError):  # a course that only others may edit
            write_names(course, topic, names_of_topic)


def is_up_to_date(course: Course, topic: str, request: Request) -> bool:
    """Return whether everything that a request asks for is there, made from sources and engine as they are."""
    record = read_record(course.places.digests(topic))
    if not record or not has_names(course, topic) or not has_assignment(course, topic):
        return False
    if request.seed == course.settings["public_seed"] and not are_exercises_fresh(course, topic):
        return False
    return record == _digests(course, topic, request)


def _digests(course: Course, topic: str, request: Request) -> dict[str, str]:
    """Return the digests of what a release is made from, and of its files."""
    after = _handout_after(course, topic, request)
    students = json.dumps({**after.students}, sort_keys=True)
    derivation = str(_new_derivation(course, topic, request))
    asked = (request.seed, derivation, str(request.answers), course.secret(), students)
    is_public = request.seed == course.settings["public_seed"]
    sources = sources_digest(course.published if is_public else course, topic)
    return {
        "sources": text_digest(engine_digest("regenerate", ()), sources, *asked),
        "files": files_digest(course.classroom, _files(course, topic, after)),
    }


def _files(course: Course, topic: str, after: Handout) -> Iterator[Path]:
    """Return everything that a release of a topic consists of in the classroom."""
    places = course.places
    folders = [places.source(topic), places.release(topic), places.keys(topic), places.answers(topic)]
    for student in after.students:
        folders += [places.release(topic, student), places.answers(topic, student)]
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from (places.secret_key(topic), places.certificate(topic), places.made_from(topic))


def _release(
    course: Course,
    topics: Sequence[str],
    request: Request,
    workers: VariantWorkers,
    step: Callable[[], None],
) -> dict[str, Done]:
    """Make all variants of these topics; write each topic as soon as all of its variants are certified."""
    done: dict[str, Done] = {}
    with emptied_afterwards(course.places.staging) as staging:
        releases = {topic: _Release(course, topic, request, staging / topic) for topic in topics}
        slowest_first = sorted(releases.values(), key=lambda release: -release.size)
        orders = [order for release in slowest_first for order in release.orders]
        for order, files in workers.make(orders):
            release = releases[order.topic]
            release.add(order, files)
            if release.is_complete:
                done[order.topic] = release.write()
            step()
    return done


class _Release:
    """The variants of one topic, from the first that is certified until all are written."""

    def __init__(self, course: Course, topic: str, request: Request, staging: Path) -> None:
        self.course, self.topic, self.request, self.staging = course, topic, request, staging
        self.after = _handout_after(course, topic, request)
        is_public = request.seed == course.settings["public_seed"]
        is_known = is_public and not request.force and are_exercises_fresh(course, topic)
        derivation = _new_derivation(course, topic, request)
        self.orders = [Order(topic, request.seed, None, request.answers, derivation, is_known)]
        for student in request.students:
            record = self.after.students[student.folder]
            seed, derivation = record["seed"], derivation_of(record)
            self.orders.append(Order(topic, seed, student.folder, request.answers, derivation))
        self.handed_out = HandedOut(course, topic, self.after.students, replace=request.replace)
        self.replaced: list[str | None] = [*_gone(course, topic, self.after)]
        self.refused: list[str] = []
        self.missing = len(self.orders)

    @property
    def size(self) -> int:
        """How long a variant takes, roughly: the programs and texts that it is made from."""
        return sum(path.stat().st_size for path in self.course.source(self.topic).glob("*.*"))

    @property
    def is_complete(self) -> bool:
        """Are all variants certified?"""
        return not self.missing

    def add(self, order: Order, files: Files) -> None:
        """Take a certified variant; those of students wait in the staging folder."""
        self.missing -= 1
        self.refused += _refused(files)
        self.handed_out.require_same_numbers(order.folder, files)
        if self.handed_out.differs(order.folder, files):
            self.replaced.append(order.folder)
        if order.folder is None:
            self.shared = files
        else:
            _write_student(Classroom(self.staging), order.folder, files)

    def write(self) -> Done:
        """Write everything, last what it was made from."""
        course, topic, shared = self.course, self.topic, self.shared
        with self.handed_out.keeping(self.replaced):
            write_classroom(course, shared)
        _remove_old(course, topic, self.after)
        if self.staging.is_dir():
            move_files(self.staging, course.classroom)
        if self.after.students:
            write_handout(course, topic, self.after)
        note_sources(course, topic)
        _write_answers(course.places, None, shared)
        if self.request.seed == course.settings["public_seed"]:
            write_exercises(course, shared)
            note_exercises(course, [topic])
        text = json.dumps(_digests(course, topic, self.request), indent=1) + "\n"
        write_text(course.places.digests(topic), text)
        return Done(shared.certificate, tuple(self.refused))


def _refused(files: Files) -> Iterator[str]:
    """Why draws were refused, with the task's name."""
    for name, task in files.certificate["tasks"].items():
        for why in task.get("drawn again because", ()):
            yield f"{files.topic}.{name}: {why}"


def _write_student(places: Classroom, folder: str, files: Files) -> None:
    write_texts(places.release(files.topic, folder), files.student)
    write_text(places.secret_key(files.topic, folder), files.secret)
    write_text(places.certificate(files.topic, folder), certificate_text(files.certificate))
    _write_answers(places, folder, files)


def _write_answers(places: Classroom, folder: str | None, files: Files) -> None:
    if files.solved:
        place = places.answers(files.topic, folder)
        write_texts(place, {**files.student, f"{files.topic}.ipynb": files.solved})


def _gone(course: Course, topic: str, after: Handout) -> set[str]:
    """Those who have a variant of their own now and will have none."""
    before = _handout_before(course, topic)
    return set(before.students) - set(after.students) if before else set()


def _remove_old(course: Course, topic: str, after: Handout) -> None:
    """Remove variants that nobody has any more, and answers, which may be those of other numbers."""
    gone, places = _gone(course, topic, after), course.places
    begin_handout(course, topic)
    shutil.rmtree(places.answers(topic), ignore_errors=True)
    for folder in [*gone, *after.students]:
        shutil.rmtree(places.answers(topic, folder), ignore_errors=True)
    for folder in gone:
        shutil.rmtree(places.release(topic, folder), ignore_errors=True)
    if not after.students:
        shutil.rmtree(places.keys(topic), ignore_errors=True)
