"""Regenerate exercises for a class or a roster: certify everything, then write.

Students' files are first written to a staging folder and moved when the last of them is certified. A variant that
cannot be certified leaves everything unchanged.
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
from autograder.course.faults import require_sound
from autograder.course.files import move_files, scratch_folder, write_text, write_texts
from autograder.course.handout import Handout, begin_handout, last_handout, write_handout
from autograder.course.people import known_students
from autograder.course.roster import Student, require_distinct_ids, student_seed
from autograder.course.sources import record_source_digest
from autograder.errors import CourseError, FormatError
from autograder.grading.recorder import graded_students, has_assignment
from autograder.program import program_name
from autograder.progress import progress
from autograder.release.freshness import (
    are_exercises_fresh,
    note_exercises,
    release_engine_digest,
    sources_digest,
)
from autograder.release.handed_out import ReleaseGuard
from autograder.release.mistake_names import MistakeNames, has_names, outdated_tasks, write_names
from autograder.release.origin import FROM_SECRET, default_derivation, derivation_of, derive
from autograder.release.variant import (
    Files,
    addressed,
    certificate_text,
    load_certificate,
    write_classroom,
    write_exercises,
)
from autograder.release.workers import TaskName, TaskWorkers, VariantJob, VariantWorkers, variant_workers

TASKS_PER_VARIANT = 4  # trying the mistakes of 4 tasks takes as long as making a variant
ReleaseProgress = Callable[[int, str, str], AbstractContextManager[Callable[[], None]]]


@dataclass(frozen=True)
class ReleaseRequest:
    """The exercises to make: seed, students with personal variants, and options.

    `answers` adds solved notebooks.
    """

    seed: str
    students: tuple[Student, ...] = ()
    answers: bool = False
    replace: bool = False  # allow new numbers after handing out, until a submission is graded
    force: bool = False  # make topics that are up to date, too


@dataclass(frozen=True)
class ReleaseResult:
    """The certificate of the class's variant, and refused draws of all variants."""

    certificate: Mapping[str, Any]
    refused: tuple[str, ...]
    is_up_to_date: bool = False  # nothing was made


def check_release_allowed(course: Course, topic: str, request: ReleaseRequest) -> None:
    """Raise CourseError if a release would change handed-out or graded numbers."""
    require_distinct_ids(request.students, known_students(course).values())
    _require_seed_for_private_tasks(course, topic, request)
    _require_own_numbers(course, topic, request)
    before = _handout_before(course, topic)
    if before is None:
        return
    if not request.replace:
        _require_same_secret(course, topic, request)
    if before.seed == request.seed and before.students and not request.students:
        raise CourseError(
            f"{topic} was given to {len(before.students)} students in variants of their own: "
            f"say --roster again, or delete {course.paths.keys(topic)} to go back to one variant"
        )
    after = _handout_after(course, topic, request)
    was, will_be = _class_derivation(course, topic, before.seed), _new_derivation(course, topic, request)
    moved = [
        student
        for student in graded_students(course, topic)
        if _variant_of(before, student, was) != _variant_of(after, student, will_be)
    ]
    if moved:
        raise CourseError(
            f"{topic} has {len(moved)} graded submissions with other numbers: "
            "use another classroom folder (`classroom` in course.toml) for a new term"
        )


def _require_seed_for_private_tasks(course: Course, topic: str, request: ReleaseRequest) -> None:
    """Refuse personal variants of private tasks with the public seed.

    The public seed has no private tasks, so the class and the students would have different ones.
    """
    is_public = request.seed == course.settings["public_seed"]
    if request.students and is_public and course.private_source(topic):
        raise CourseError(
            f"{topic} has private tasks, which are never made for the public seed: choose another with --seed"
        )


def _require_own_numbers(course: Course, topic: str, request: ReleaseRequest) -> None:
    """Refuse a composed assignment with public numbers, or with other tasks for each but no class list."""
    composition = course.composition(topic)
    if composition is None:
        return
    if request.seed == course.settings["public_seed"]:
        raise CourseError(
            f"{topic} is a composed assignment, which has no public numbers: choose a word with --seed"
        )
    if composition.varies and not request.students:
        raise CourseError(f"students have different tasks in {topic}: name the class list with --roster")


def _require_same_secret(course: Course, topic: str, request: ReleaseRequest) -> None:
    """Refuse a release under another secret, which would change every number."""
    record = _class_record(course, topic)
    if record.get("seed") != request.seed or "variant" not in record:
        return
    if derive(course.secret(), topic, request.seed, derivation_of(record)).name != record["variant"]:
        place = course.paths.secret_word
        raise CourseError(
            f"{topic} was released under another secret than that in {place}: put the old file back from a backup, "
            "or draw new numbers with --replace"
        )


def _handout_before(course: Course, topic: str) -> Handout | None:
    """Return what the class has now, or None before the first release."""
    if not course.paths.certificate(topic).is_file():
        return None
    handout = last_handout(course, topic)
    if handout:
        return handout
    seed = _class_record(course, topic).get("seed")
    return Handout(seed) if seed else None


def _class_record(course: Course, topic: str) -> Mapping[str, Any]:
    """Read the certificate of the class's variant; empty if there is none."""
    path = course.paths.certificate(topic)
    try:
        return load_certificate(path.read_text("utf-8"), path.name)
    except FormatError:
        raise
    except (OSError, ValueError):
        return {}


def _class_derivation(course: Course, topic: str, seed: str) -> int:
    """Return how the class's numbers of this seed are derived.

    The recorded derivation is used if there is one, otherwise that of a new release.
    """
    record = _class_record(course, topic)
    is_public = seed == course.settings["public_seed"]
    return (
        derivation_of(record)
        if record.get("seed") == seed and not is_public
        else default_derivation(course, seed)
    )


def _new_derivation(course: Course, topic: str, request: ReleaseRequest) -> int:
    if request.replace:
        return default_derivation(course, request.seed)
    return _class_derivation(course, topic, request.seed)


def _handout_after(course: Course, topic: str, request: ReleaseRequest) -> Handout:
    """Return what the class will have.

    Students who left the roster keep their variants if the seed is the same.
    """
    before, secret = _handout_before(course, topic), course.secret()
    staying = before.students if before and before.seed == request.seed else {}
    variants = {}
    for student in request.students:
        is_fresh = request.replace or student.folder not in staying
        derivation = FROM_SECRET if is_fresh else derivation_of(staying[student.folder])
        origin = derive(secret, topic, student_seed(secret, topic, request.seed, student.id), derivation)
        variants[student.folder] = {
            "id": student.id,
            **origin.record(),
            **_form(course, topic, student, origin.seed),
        }
    return Handout(request.seed, {**staying, **variants})


def _form(course: Course, topic: str, student: Student, seed: str) -> dict[str, str]:
    """Return the form of a student's composed assignment, for the record."""
    composition = course.composition(topic)
    if composition is None:
        return {}
    return {"form": composition.form(composition.group_of(student.columns), seed, student.folder)}


def _class_form(course: Course, topic: str, seed: str) -> str:
    """Return the form of the class's variant."""
    composition = course.composition(topic)
    return composition.form("", seed) if composition else ""


def class_seed(course: Course, topic: str) -> str | None:
    """Return the seed of the class's release, or None without one."""
    before = _handout_before(course, topic)
    return before.seed if before else None


def is_public_release(course: Course, topic: str) -> bool:
    """Return whether the class has the public numbers.

    Anybody can compute their keys.
    """
    return class_seed(course, topic) == str(course.settings["public_seed"])


def regenerate_command(course: Course, topic: str) -> str:
    """Return the command that regenerates a topic with the same options."""
    before = _handout_before(course, topic)
    seed = (
        f" --seed {shlex.quote(before.seed)}"
        if before and before.seed != course.settings["public_seed"]
        else ""
    )
    return f"{program_name()} regenerate{seed}{' --roster …' if before and before.students else ''} {topic}"


def _variant_of(handout: Handout, student: str, derivation: int) -> tuple[str, int]:
    """Return the seed and derivation of the numbers a student works with."""
    folder = handout.folder(student)
    if folder is None:
        return handout.seed, derivation
    return handout.students[folder]["seed"], derivation_of(handout.students[folder])


def regenerate(
    course: Course,
    topic: str,
    request: ReleaseRequest,
    variant_workers: VariantWorkers,
    step: Callable[[], None],
) -> ReleaseResult:
    """Make and write the variants of one topic.

    If one cannot be certified, nothing is written.
    """
    return _release(course, [topic], request, variant_workers, step)[topic]


def regenerate_all(
    course: Course,
    topics: Sequence[str],
    request: ReleaseRequest,
    workers: int | None = None,
    show: ReleaseProgress = progress,
) -> dict[str, ReleaseResult]:
    """Make the outdated variants of several topics in one pool of workers.

    Return the result of each topic. Topics that are complete when another one fails stay written.
    """
    require_sound(course)
    for topic in topics:
        course.sources(topic)  # raises first if a private folder is missing
    old = [topic for topic in topics if request.force or not is_up_to_date(course, topic, request)]
    results = _make_outdated(course, old, request, workers, show) if old else {}
    return {topic: results.get(topic) or _read_release(course, topic) for topic in topics}


def _make_outdated(
    course: Course, topics: Sequence[str], request: ReleaseRequest, workers: int | None, show: ReleaseProgress
) -> dict[str, ReleaseResult]:
    tasks = list(dict.fromkeys(task for topic in topics for task in outdated_tasks(course, topic)))
    number = len(topics) * (1 + len(request.students))
    with variant_workers(course, number + len(tasks) // TASKS_PER_VARIANT, workers) as pool:
        if tasks:
            with show(len(tasks), "trying mistakes", "task") as step:
                derive_outdated(course, tasks, pool, step)
        with show(number, f"making {_describe_topics(topics)}", "variant") as step:
            return _release(course, topics, request, pool, step)


def _describe_topics(topics: Sequence[str]) -> str:
    return topics[0] if len(topics) == 1 else f"exercises of {len(topics)} topics"


def _read_release(course: Course, topic: str) -> ReleaseResult:
    """Return the result of a topic that is up to date."""
    path = course.paths.certificate(topic)
    certificate = load_certificate(path.read_text("utf-8"), path.name)
    return ReleaseResult(certificate, (), is_up_to_date=True)


def derive_outdated(
    course: Course, tasks: Sequence[TaskName], workers: TaskWorkers, step: Callable[[], None]
) -> None:
    """Try the mistakes of these tasks and record their names beside them."""
    derived: dict[str, dict[str, MistakeNames]] = {topic: {} for topic, _ in tasks}
    for (topic, name), names in workers.derive(tasks):
        derived[topic][name] = names
        step()
    for topic, names_of_topic in derived.items():
        with contextlib.suppress(PermissionError):  # a course that this account may not edit
            write_names(course, topic, names_of_topic)


def is_up_to_date(course: Course, topic: str, request: ReleaseRequest) -> bool:
    """Return whether the requested release exists and matches sources and engine."""
    record = read_record(course.paths.digests(topic))
    if not record or not has_names(course, topic) or not has_assignment(course, topic):
        return False
    if request.seed == course.settings["public_seed"] and not are_exercises_fresh(course, topic):
        return False
    return record == _digests(course, topic, request)


def _digests(course: Course, topic: str, request: ReleaseRequest) -> dict[str, str]:
    """Return the digests of a release's sources and of its files."""
    after = _handout_after(course, topic, request)
    students = json.dumps({**after.students}, sort_keys=True)
    derivation = str(_new_derivation(course, topic, request))
    asked = (request.seed, derivation, str(request.answers), course.secret(), students)
    is_public = request.seed == course.settings["public_seed"]
    sources = sources_digest(course.published if is_public else course, topic)
    return {
        "sources": text_digest(release_engine_digest("regenerate", ()), sources, *asked),
        "files": files_digest(course.classroom, _files(course, topic, after)),
    }


def _files(course: Course, topic: str, after: Handout) -> Iterator[Path]:
    """Yield all files of a topic's release in the classroom."""
    places = course.paths
    folders = [places.source(topic), places.release(topic), places.keys(topic), places.answers(topic)]
    for student in after.students:
        folders += [places.release(topic, student), places.answers(topic, student)]
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from (places.secret_key(topic), places.certificate(topic), places.made_from(topic))


def _release(
    course: Course,
    topics: Sequence[str],
    request: ReleaseRequest,
    workers: VariantWorkers,
    step: Callable[[], None],
) -> dict[str, ReleaseResult]:
    """Make all variants of these topics.

    Write each topic as soon as all its variants are certified.
    """
    done: dict[str, ReleaseResult] = {}
    with scratch_folder(course.paths.staging) as staging:
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
    """The variants of one topic until they are written."""

    def __init__(self, course: Course, topic: str, request: ReleaseRequest, staging: Path) -> None:
        self.course, self.topic, self.request, self.staging = course, topic, request, staging
        self.after = _handout_after(course, topic, request)
        is_public = request.seed == course.settings["public_seed"]
        is_known = is_public and not request.force and are_exercises_fresh(course, topic)
        derivation = _new_derivation(course, topic, request)
        self.form = _class_form(course, topic, request.seed)
        self.orders = [
            VariantJob(topic, request.seed, None, request.answers, derivation, is_known, self.form)
        ]
        for student in request.students:
            record = self.after.students[student.folder]
            seed, derivation = record["seed"], derivation_of(record)
            form = record.get("form", "")
            self.orders.append(
                VariantJob(topic, seed, student.folder, request.answers, derivation, form=form)
            )
        self.handed_out = ReleaseGuard(course, topic, self.after.students, replace=request.replace)
        self.replaced: list[str | None] = [*_students_losing_variant(course, topic, self.after)]
        self.refused: list[str] = []
        self.shared: Files | None = None
        self.missing = len(self.orders)

    @property
    def size(self) -> int:
        """The bytes of the topic's sources, an estimate of the time."""
        return sum(path.stat().st_size for path in self.course.source(self.topic).glob("*.*"))

    @property
    def is_complete(self) -> bool:
        """Whether all variants are certified."""
        return not self.missing

    def add(self, order: VariantJob, files: Files) -> None:
        """Add a certified variant; stage the files of a student's variant."""
        self.missing -= 1
        self.refused += _refusal_lines(files)
        self.shared = files if order.folder is None else self.shared
        files = addressed(self.course, files)
        self.handed_out.require_same_numbers(order.folder, files)
        if self.handed_out.differs(order.folder, files):
            self.replaced.append(order.folder)
        if order.folder is not None:
            _write_student(Classroom(self.staging), order.folder, files, own_tasks=order.form != self.form)

    def write(self) -> ReleaseResult:
        """Write all files, the digests of the sources last."""
        course, topic, shared = self.course, self.topic, self.shared
        assert shared is not None
        with self.handed_out.archive_replaced(self.replaced):
            write_classroom(course, shared)
        _remove_old(course, topic, self.after)
        if self.staging.is_dir():
            move_files(self.staging, course.classroom)
        if self.after.students:
            write_handout(course, topic, self.after)
        record_source_digest(course, topic)
        _write_answers(course.paths, None, addressed(course, shared))
        if self.request.seed == course.settings["public_seed"]:
            write_exercises(course, shared)
            note_exercises(course, [topic])
        text = json.dumps(_digests(course, topic, self.request), indent=1) + "\n"
        write_text(course.paths.digests(topic), text)
        return ReleaseResult(shared.certificate, tuple(self.refused))


def _refusal_lines(files: Files) -> Iterator[str]:
    """Yield the reasons for refused draws, with the task's name."""
    for name, task in files.certificate["tasks"].items():
        for why in task.get("drawn again because", ()):
            yield f"{files.topic}.{name}: {why}"


def _write_student(places: Classroom, folder: str, files: Files, *, own_tasks: bool) -> None:
    write_texts(places.release(files.topic, folder), files.student)
    write_text(places.secret_key(files.topic, folder), files.secret)
    write_text(places.certificate(files.topic, folder), certificate_text(files.certificate))
    if own_tasks:
        write_text(places.source_notebook(files.topic, folder), files.source)
    _write_answers(places, folder, files)


def _write_answers(places: Classroom, folder: str | None, files: Files) -> None:
    if files.solved:
        place = places.answers(files.topic, folder)
        write_texts(place, {**files.student, f"{files.topic}.ipynb": files.solved})


def _students_losing_variant(course: Course, topic: str, after: Handout) -> set[str]:
    """Return the students whose personal variant will be removed."""
    before = _handout_before(course, topic)
    return set(before.students) - set(after.students) if before else set()


def _remove_old(course: Course, topic: str, after: Handout) -> None:
    """Remove unused variants and all solved notebooks of a topic.

    Solved notebooks may belong to other numbers.
    """
    gone, places = _students_losing_variant(course, topic, after), course.paths
    begin_handout(course, topic)
    shutil.rmtree(places.answers(topic), ignore_errors=True)
    for folder in [*gone, *after.students]:
        shutil.rmtree(places.answers(topic, folder), ignore_errors=True)
    for folder in gone:
        shutil.rmtree(places.release(topic, folder), ignore_errors=True)
    if not after.students:
        shutil.rmtree(places.keys(topic), ignore_errors=True)
