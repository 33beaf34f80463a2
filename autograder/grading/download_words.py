"""Say in lines what collecting a download will do."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.download import CollectPlan, HandIn, LeftOut
from autograder.grading.late import due_date, extensions, in_course_zone

MAX_LINES_PER_KIND = 40  # lines of one kind; the rest is counted
MAX_LISTED_NAMES = 10


def read_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Parse senders named by the instructor, each as LABEL=ID."""
    pairs = {}
    for text in texts:
        label, sign, name = text.rpartition("=")
        if not sign or not label or not name:
            raise CourseError(f"--is must be LABEL=ID, such as 'Ada Lovelace_123456=ada', not {text!r}")
        pairs[label] = name
    return pairs


def describe_plan(course: Course, plan: CollectPlan, *, verbose: bool) -> Iterator[str]:
    """Yield lines on the files to collect and the others, with reasons."""
    for topic in plan.topics:
        hand_ins = [hand_in for hand_in in plan.hand_ins if hand_in.topic == topic]
        yield from _describe_topic(course, topic, hand_ins)
    for hand_in in plan.hand_ins:
        if verbose or hand_in.remarks:
            yield _describe_hand_in(course, hand_in)
    yield from _list_left_out("not taken", plan.left_out)
    yield from _list_left_out(
        "whose is it? Say --is LABEL=ID, or read a class list that has them", plan.unknown
    )
    if plan.absent:
        ids = [student.id for student in plan.absent]
        yield f"no hand-in from {len(ids)} of the class list: {shorten_list(ids)}"


def shorten_list(names: list[str]) -> str:
    """Join the first names; an ellipsis stands for the others."""
    return ", ".join(names[:MAX_LISTED_NAMES]) + " …" * (len(names) > MAX_LISTED_NAMES)


def _describe_hand_in(course: Course, hand_in: HandIn) -> str:
    remarks = f"  ({'; '.join(hand_in.remarks)})" if hand_in.remarks else ""
    time = f"  {in_course_zone(course, hand_in.time):%Y-%m-%d %H:%M:%S %Z}" if hand_in.time else ""
    return f"  {hand_in.student.folder:<20} {hand_in.path}{time}{remarks}"


def _describe_topic(course: Course, topic: str, hand_ins: list[HandIn]) -> Iterator[str]:
    per_student = Counter(hand_in.student.folder for hand_in in hand_ins)
    yield f"{topic}: {len(hand_ins)} hand-ins of {len(per_student)} students{_count_kinds(course, topic, hand_ins)}"
    if again := [folder for folder, number in per_student.items() if number > 1]:
        names = shorten_list(again)
        yield f"{topic}: {len(again)} handed in several notebooks; the last counts, all are kept: {names}"
    if not _count_timed(hand_ins) and any(hand_in.source.platform == "moodle" for hand_in in hand_ins):
        yield f"{topic}: Moodle's archive has no times; without --worksheet, nobody is late and namesakes stay out"
    if late := sum(hand_in.is_late for hand_in in hand_ins):
        yield f"{topic}: {late} marked LATE, without a time: {_describe_late(course, topic)}"


def _count_kinds(course: Course, topic: str, hand_ins: list[HandIn]) -> str:
    counts = {
        "recognised by name": sum(hand_in.is_by_name for hand_in in hand_ins),
        "with a time": _count_timed(hand_ins),
        "of them late": _count_late(course, topic, hand_ins),
    }
    return "".join(f", {number} {words}" for words, number in counts.items() if number)


def _count_timed(hand_ins: list[HandIn]) -> int:
    return sum(hand_in.time is not None and not hand_in.is_late for hand_in in hand_ins)


def _count_late(course: Course, topic: str, hand_ins: list[HandIn]) -> int:
    """Count the students whose last hand-in has a time after their due date."""
    due, extra = due_date(course, topic), extensions(course)
    last = {hand_in.student.folder: hand_in for hand_in in hand_ins if not hand_in.is_late}
    return sum(
        due is not None and hand_in.time is not None and hand_in.time > due + extra.get(folder, timedelta())
        for folder, hand_in in last.items()
    )


def _describe_late(course: Course, topic: str) -> str:
    if due_date(course, topic) is None:
        return f"set the date of {topic} below [due] in course.toml and collect again, or nobody is late"
    return "each counts as one minute late; write the time into timestamp.txt if it matters"


def _list_left_out(title: str, files: list[LeftOut]) -> Iterator[str]:
    if not files:
        return
    yield f"{title} ({len(files)}):"
    for file in files[:MAX_LINES_PER_KIND]:
        yield f"  {file.label}: {file.path}: {file.why}"
    if len(files) > MAX_LINES_PER_KIND:
        yield f"  and {len(files) - MAX_LINES_PER_KIND} more"
