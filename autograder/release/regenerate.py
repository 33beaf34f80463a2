"""New exercises for a class, or for each student of a roster: certify everything, then write.

Students' files are first written beside their places and moved there when the last of them is certified: a
variant that cannot be certified leaves everything as it was.
"""

import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.course.classroom import Classroom
from autograder.course.course import Course
from autograder.course.files import emptied_afterwards, move_files, write_text, write_texts
from autograder.course.handout import Handout, begin_handout, last_handout, write_handout
from autograder.course.roster import Student, student_seed
from autograder.course.sources import note_sources
from autograder.errors import CourseError
from autograder.grading.gradebook import graded_students
from autograder.release.handed_out import HandedOut
from autograder.release.origin import FROM_SECRET, default_derivation, derivation_of, derive
from autograder.release.variant import Files, certificate_text, write_classroom, write_exercises
from autograder.release.workers import Order, VariantWorkers


@dataclass(frozen=True)
class Request:
    """Which exercises: the seed of the class, the students who get variants of their own, solved notebooks or not."""

    seed: str
    students: tuple[Student, ...] = ()
    answers: bool = False
    replace: bool = False  # new numbers for what was handed out, as long as nobody is graded


@dataclass(frozen=True)
class Done:
    """What was written: the certificate of the class's variant, and why draws were refused, over all variants."""

    certificate: Mapping[str, Any]
    refused: tuple[str, ...]


def require_possible(course: Course, topic: str, request: Request) -> None:
    """Refuse what would pull the numbers from under work that was handed out or graded."""
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
    after = _handout_after(course, topic, request)
    derivation = _new_derivation(course, topic, request)
    orders = [Order(topic, request.seed, answers=request.answers, derivation=derivation)]
    for student in request.students:
        record = after.students[student.folder]
        orders.append(Order(topic, record["seed"], student.folder, request.answers, derivation_of(record)))
    refused: list[str] = []
    replaced: list[str | None] = [*_gone(course, topic, after)]
    handed_out = HandedOut(course, topic, after.students, replace=request.replace)
    with emptied_afterwards(course.places.staging) as staging:
        for order, files in variant_workers.make(orders):
            refused += _refused(files)
            handed_out.require_same_numbers(order.folder, files)
            if handed_out.differs(order.folder, files):
                replaced.append(order.folder)
            if order.folder is None:
                shared = files
            else:
                _write_student(Classroom(staging), order.folder, files)
            step()
        with handed_out.keeping(replaced):
            write_classroom(course, shared)
        _remove_old(course, topic, after)
        move_files(staging, course.classroom)
        if after.students:
            write_handout(course, topic, after)
        note_sources(course, topic)
    _write_answers(course.places, None, shared)
    if request.seed == course.settings["public_seed"]:
        write_exercises(course, shared)
    return Done(shared.certificate, tuple(refused))


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
