"""Collect a bulk download of a learning platform into nbgrader's layout.

`plan_collect` assigns each notebook to a student and a topic. Other files, and files whose sender is not certain, are
listed and not collected. `write_collected` carries the plan out and archives every submission in `attempts/`.
"""

import json
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from autograder.course.course import Course
from autograder.course.files import exclusive_lock, replace_folder, write_bytes, write_text
from autograder.course.handout import Handout, last_handout
from autograder.course.identity import People
from autograder.course.people import known_students
from autograder.course.roster import Student
from autograder.errors import CourseError
from autograder.grading.attempts import keep_attempt
from autograder.grading.attendance import expected_students
from autograder.grading.collected_from import CollectedFrom, write_collected_from
from autograder.grading.download_files import DownloadedFile, read_download
from autograder.grading.download_kinds import Recognised, TopicCells, recognise
from autograder.grading.download_names import Sender, copy_number, read_sender
from autograder.grading.download_people import Matcher, read_worksheet
from autograder.grading.gradebook_tables import parse_utc
from autograder.grading.hand_in import find_notebook, read_timestamp
from autograder.grading.late import due_date, local_to_utc
from autograder.grading.public_variant import public_notebook, variant_name
from autograder.grading.repair import read_file
from autograder.program import program_name

MARKED_LATE_BY = timedelta(minutes=1)  # Canvas marks work as late without a time: assume the smallest delay
DOWNLOAD_STAMP_FORMAT = "%Y-%m-%d %H:%M:%S UTC"
NOTEBOOK_SUFFIX = ".ipynb"
FROM_FOLDERS = CollectedFrom("folders")
NOTES = frozenset({"timestamp.txt", "submission_secret.txt", "index.html"})  # of nbgrader and Brightspace


@dataclass(frozen=True)
class HandIn:
    """A notebook that a student submitted, with remarks for the instructor."""

    student: Student
    topic: str
    path: str
    data: bytes
    time: datetime | None = None
    is_late: bool = False  # the platform's own mark
    is_by_name: bool = False
    remarks: tuple[str, ...] = ()
    source: CollectedFrom = FROM_FOLDERS  # origin, to return feedback


@dataclass(frozen=True)
class LeftOut:
    """A file that is not collected, its sender (`label`) and the reason."""

    path: str
    label: str
    why: str


@dataclass
class CollectPlan:
    """The submissions to collect, sorted by student, topic and time."""

    source: Path
    topics: list[str]
    hand_ins: list[HandIn] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    unknown: list[LeftOut] = field(default_factory=list)  # files without a certain sender
    absent: list[Student] = field(default_factory=list)

    def by_place(self) -> dict[tuple[str, str], list[HandIn]]:
        """Group the submissions by topic and student's folder."""
        grouped: dict[tuple[str, str], list[HandIn]] = defaultdict(list)
        for hand_in in self.hand_ins:
            grouped[hand_in.topic, hand_in.student.folder].append(hand_in)
        return dict(sorted(grouped.items()))


@dataclass(frozen=True)
class CollectOptions:
    """Topic, Moodle's grading worksheet, and senders named by the instructor.

    `said` maps the label of a sender to an id of the class list.
    """

    topic: str = ""
    worksheet: Path | None = None
    said: Mapping[str, str] = field(default_factory=dict)


def plan_collect(course: Course, source: Path, options: CollectOptions | None = None) -> CollectPlan:
    """Read a download and plan what to collect; write nothing."""
    options = options or CollectOptions()
    known = known_students(course)
    if not known:
        raise CourseError(
            f"no class list was read yet, so nobody can be recognised: run `{program_name()} roster …` first"
        )
    class_people = People(known.values())
    worksheet = read_worksheet(options.worksheet, class_people) if options.worksheet else None
    plan = _Planner(course, source, options.topic, Matcher(class_people, worksheet, options.said)).run()
    here = {hand_in.student.folder for hand_in in plan.hand_ins}
    expected: dict[str, Student] = {}
    for topic in plan.topics:
        here.update(course.paths.students_with(topic))
        expected.update(expected_students(course, topic))
    plan.absent = [student for folder, student in sorted(expected.items()) if folder not in here]
    return plan


class _Planner:
    """Sorts the files of a download into a plan."""

    def __init__(self, course: Course, source: Path, topic: str, matcher: Matcher) -> None:
        self.course, self.topic, self.matcher = course, topic, matcher
        self.cells = TopicCells(course)
        self.plan = CollectPlan(source, [topic] if topic else [])
        self.handouts: dict[str, Handout | None] = {}
        self.public_variants: dict[str, str] = {}  # by topic; empty if the class has the public numbers

    def run(self) -> CollectPlan:
        for file in read_download(self.plan.source):
            self._sort(file)
        plan = self.plan
        plan.topics = plan.topics or sorted({hand_in.topic for hand_in in plan.hand_ins})
        plan.hand_ins.sort(key=_sort_key)
        self._drop_files_beside_notebooks()
        return plan

    def _sort(self, file: DownloadedFile) -> None:
        sender = read_sender(file.path)
        name = PurePosixPath(file.path).name
        if sender is None or sender.is_note or name in NOTES:
            return
        if file.problem:
            self._leave_out(file, sender, file.problem)
            return
        kind = recognise(file.data, name, self.cells)
        if not kind.is_ours or (self.topic and kind.topic != self.topic):
            self._leave_out(file, sender, _describe_refusal(kind, self.topic))
            return
        match = self.matcher.match(sender)
        if match.student is None:
            self.plan.unknown.append(LeftOut(file.path, sender.label, match.problem))
            return
        self.plan.hand_ins.append(
            HandIn(
                match.student,
                kind.topic,
                file.path,
                file.data,
                self._time(file, sender, match.student, kind.topic),
                sender.is_late,
                match.is_by_name,
                tuple(self._remarks(kind, match.student, name)),
                CollectedFrom(sender.platform.lower(), sender.folder, sender.file),
            )
        )

    def _leave_out(self, file: DownloadedFile, sender: Sender, why: str) -> None:
        student = self.matcher.match(sender).student
        self.plan.left_out.append(LeftOut(file.path, student.folder if student else sender.label, why))

    def _time(self, file: DownloadedFile, sender: Sender, student: Student, topic: str) -> datetime | None:
        """Return the time of submission; None if unknown.

        A file marked as late without a time counts as MARKED_LATE_BY after the due date.
        """
        local = self.matcher.time_of(student, sender)
        time = local_to_utc(self.course, local) if local else self._time_beside(file)
        due = due_date(self.course, topic)
        if time is None and sender.is_late and due is not None:
            return due + MARKED_LATE_BY
        return time

    def _time_beside(self, file: DownloadedFile) -> datetime | None:
        """Read nbgrader's timestamp.txt beside the notebook."""
        if not self.plan.source.is_dir():
            return None
        stamp = read_timestamp((self.plan.source / file.path).parent / "timestamp.txt")
        time: datetime | None = parse_utc(stamp) if stamp else None
        return time

    def _remarks(self, kind: Recognised, student: Student, name: str) -> Iterable[str]:
        if not name.lower().endswith(NOTEBOOK_SUFFIX):
            yield f"called {name!r}, but it is a notebook"
        if kind.topic not in self.handouts:
            self.handouts[kind.topic] = last_handout(self.course, kind.topic)
            self.public_variants[kind.topic] = self._public_variant(kind.topic)
        if kind.variant and kind.variant == self.public_variants[kind.topic]:
            yield "has the numbers of the public book, not those of the class"
        handout = self.handouts[kind.topic]
        records = handout.students if handout else {}
        owners = [folder for folder, record in records.items() if record.get("variant") == kind.variant]
        if owners and student.folder not in owners:
            yield f"has the numbers of {owners[0]}"

    def _public_variant(self, topic: str) -> str:
        release = self.course.paths.release(topic) / f"{topic}.ipynb"
        public = variant_name(public_notebook(self.course, topic))
        is_same = not release.is_file() or variant_name(json.loads(release.read_text("utf-8"))) == public
        return "" if is_same else public

    def _drop_files_beside_notebooks(self) -> None:
        """Drop data files and the like of students who submitted a notebook."""
        with_notebook = {hand_in.student.folder for hand_in in self.plan.hand_ins}
        self.plan.left_out = [
            spare
            for spare in self.plan.left_out
            if spare.label not in with_notebook or PurePosixPath(spare.path).suffix.lower() == NOTEBOOK_SUFFIX
        ]


def _describe_refusal(kind: Recognised, topic: str) -> str:
    if kind.is_ours:
        return f"{kind.what}, not of {topic}"
    if kind.what.startswith("a notebook that"):
        return f"{kind.what}: ask for the file once more"
    is_notebook = kind.what.startswith(("a notebook, but", "the key"))
    return kind.what if is_notebook else f"{kind.what}, not a notebook: ask for the .ipynb file"


def _sort_key(hand_in: HandIn) -> tuple[str, str, datetime, int]:
    """Return student, topic, time and copy number as a sort key."""
    time = hand_in.time or datetime.min
    return hand_in.student.folder, hand_in.topic, time, copy_number(hand_in.path)


def write_collected(course: Course, plan: CollectPlan) -> dict[str, int]:
    """Write the planned submissions; return the number of students by state.

    All submissions go to the archive, and the last one of each student to `submitted/`.
    """
    counts = {"new": 0, "changed": 0, "unchanged": 0, "older than what is there": 0}
    course.paths.enter()
    with exclusive_lock(course.paths.lock):
        for (topic, folder), hand_ins in plan.by_place().items():
            target = course.paths.submission(folder, topic)
            archive = course.paths.attempts(folder, topic)
            state = _compare_with_submission(target, hand_ins[-1])
            counts[state] += 1
            is_final = state in ("unchanged", "older than what is there")
            keep_attempt(target, archive)  # the submission from before this download
            for hand_in in () if is_final else hand_ins:
                _write_hand_in(target, hand_in)
                keep_attempt(target, archive)
            if state == "unchanged":  # file names differ between downloads, and feedback needs the newest
                write_collected_from(target, hand_ins[-1].source)
        _clear_other_names(course, plan)
    return counts


def _compare_with_submission(target: Path, hand_in: HandIn) -> str:
    """Compare the stored submission with a new one.

    An unreadable one counts as changed.
    """
    if not target.parent.is_dir():
        return "new"
    try:
        is_same = read_file(find_notebook(target)) == hand_in.data
    except (CourseError, OSError):
        return "changed"
    stamp = read_timestamp(target.parent / "timestamp.txt")
    time = parse_utc(stamp) if stamp else None
    if is_same and time == hand_in.time:
        return "unchanged"
    is_older = time is not None and hand_in.time is not None and time > hand_in.time
    return "older than what is there" if is_older else "changed"


def _write_hand_in(target: Path, hand_in: HandIn) -> None:
    with replace_folder(target.parent) as folder:
        write_bytes(folder / target.name, hand_in.data)
        if hand_in.time:
            write_text(folder / "timestamp.txt", hand_in.time.strftime(DOWNLOAD_STAMP_FORMAT) + "\n")
        write_collected_from(folder / target.name, hand_in.source)


def _clear_other_names(course: Course, plan: CollectPlan) -> None:
    """Remove folders of `submitted/` whose work moved to the student's id.

    nbgrader's zip_collect names folders as the platform does, so the download can be `submitted/` itself.
    """
    submitted = course.paths.submitted.resolve()
    if plan.source.resolve() != submitted:
        return
    for hand_in in plan.hand_ins:
        origin = submitted / PurePosixPath(hand_in.path).parts[0]
        if origin.name != hand_in.student.folder and origin.is_dir():
            shutil.rmtree(origin / hand_in.topic, ignore_errors=True)
            if not any(origin.iterdir()):
                origin.rmdir()
