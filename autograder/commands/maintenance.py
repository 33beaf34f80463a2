"""The verbs `discover`, `adopt`, `audit` and `doctor`."""

import argparse
from collections.abc import Collection

from autograder.commands.common import AddVerb, add_topics
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    verb("doctor", doctor)
    parser = verb("audit", audit)
    parser.add_argument("--student", action="append", default=[], help="only this student's; may be repeated")
    parser.add_argument(
        "--restore", action="store_true", help="write the log's scores into the gradebook first"
    )
    add_topics(parser)
    parser = verb("discover", discover)
    parser.add_argument("--least", type=int, default=2, help="students in a group (default %(default)d)")
    add_topics(parser)
    parser = verb("adopt", run_adopt)
    parser.add_argument("group", help="as `discover` names it, such as areas.total:1")
    parser.add_argument("--name", required=True, help="in the past tense, such as forgot_to_square")
    parser.add_argument("--hint", required=True, help="the hint for students who made this mistake")
    parser.add_argument("--see", default="", help="label of the book to reread (default: the task's)")
    parser.add_argument(
        "--formula",
        default="",
        help="the mistake as a formula of the task's inputs (default: the students' program)",
    )


def discover(course: Course, options: argparse.Namespace) -> None:
    """Group wrong answers that no misconception explains by what they return."""
    from autograder.grading.unforeseen import shortest_program, unexplained_groups
    from autograder.judging.slips import slip_sentence

    for topic in course.require_assignments(options.topics):
        groups = [
            group for group in unexplained_groups(course, topic) if len(group.students) >= options.least
        ]
        for group in groups:
            student, program = shortest_program(course, group)
            number = f"{len(group.students)} student{'s' if len(group.students) > 1 else ''}"
            print(f"{group.name}  {number} gave this on “{group.case}”: {group.text}")
            message = slip_sentence(group.slip).replace("{it}", "The answer")
            print(f"  they were told in general words: {message}\n" if message else "")
            print(f"  the shortest of their programs, by {student}:\n")
            print("".join(f"    {line}\n" for line in program.splitlines()))
        number = f"{len(groups)} group{'' if len(groups) == 1 else 's'}"
        print(f"{topic}: {number} of {options.least} or more wrong answers that nobody foresaw")


def run_adopt(course: Course, options: argparse.Namespace) -> None:
    """Turn a group that `discover` lists into a certified misconception."""
    from autograder.grading.unforeseen import unexplained_groups
    from autograder.release import adopt as work

    topic = options.group.partition(".")[0]
    course.require_topics([topic])
    groups = {group.name: group for group in unexplained_groups(course, topic)}
    if options.group not in groups:
        raise CourseError(
            f"there is no group {options.group}: `{program_name()} discover {topic}` lists them"
        )
    wish = work.MisconceptionDraft(options.name, options.hint, options.see, options.formula)
    module = work.adopt(course, groups[options.group], wish)
    print(
        f"{options.group}: {options.name} is written in {course.short(module)}, and certified: read it there"
    )
    print(
        f"`{program_name()} regrade {topic} --yes` and `{program_name()} feedback {topic}` tell the students why"
    )


def audit(course: Course, options: argparse.Namespace) -> None:
    """Show every change of a score with its cause.

    The log is replayed and compared with the gradebook.
    """
    from autograder.grading import audit as log

    for entry in () if options.student or options.topics else log.actions(course):
        print(f"{entry['when']}  {entry['what']} ({entry['by']})")
    for topic in course.require_assignments(options.topics):
        if options.restore:
            print(f"{topic}: scores of {log.restore(course, topic)} students written back from the log")
        log.log_changes(course, topic)
        _print_changes(course, topic, options.student)


def _print_changes(course: Course, topic: str, students: Collection[str]) -> None:
    from autograder.grading import audit as log

    entries = log.log_entries(course, topic)
    for entry in entries:
        if not students or entry["student"] in students:
            print(log.format_entry(topic, entry))
    same = log.replay(entries) == log.scores_now(course, topic)
    print(
        f"{topic}: {len(entries)} changes; replayed, they give {'' if same else 'NOT '}the gradebook's scores"
    )
    if unsigned := log.describe_unsigned(course, topic):
        print(f"{topic}: {unsigned}: nothing proves that they are as they were written")


def doctor(course: Course, options: argparse.Namespace) -> None:
    """Check machine, course and classroom, and say how to fix problems."""
    from autograder.doctor import run_checks

    findings = []
    for finding in run_checks(course):
        findings.append(finding)
        print(finding)
    bad = sum(finding.state == "bad" for finding in findings)
    if bad:
        raise CourseError(f"{bad} of {len(findings)} findings are wrong (!!): see above")
    print(f"{len(findings)} findings, nothing is wrong")
