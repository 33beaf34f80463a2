"""The verb `roster`: read a class list."""

import argparse
from pathlib import Path
from typing import Any

from autograder.commands.common import AddVerb, add_id_columns, print_folders
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.terminal import name_in_line, print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("roster", roster)
    parser.add_argument(
        "roster",
        type=Path,
        nargs="?",
        metavar="CSV",
        help="class list with a column id, or an export of Canvas, Moodle, Blackboard or Brightspace",
    )
    add_id_columns(parser)
    parser.add_argument(
        "--yes", action="store_true", help="also write changed names and ids of known students"
    )
    parser.add_argument("--complete", action="store_true", help="who is not on this list has left the class")
    parser.add_argument("--undo", action="store_true", help="restore the list before the last one")


def roster(course: Course, options: argparse.Namespace) -> None:
    """Read a class list with names, sections and extensions.

    Changed names or ids are shown first and written with --yes.
    """
    from autograder.grading import enrol
    from autograder.grading.audit import log_action

    if options.undo:
        removed, remaining = enrol.undo_last_list(course)
        log_action(course, "roster: the last class list was undone")
        print(f"the class list before the last one is back; {len(removed)} students were taken out")
        for folder in remaining:
            print(f"{name_in_line(folder)} stays in the gradebook, because there is work")
        return
    if options.roster is None:
        raise CourseError(
            f"name a class list, such as `{program_name()} roster class.csv`, or undo the last with --undo"
        )
    comparison = enrol.compare_with_class(course, options.roster, column_choice(options))
    print_folders(comparison.students)
    for line in enrol.describe_changes(comparison):
        print(name_in_line(line))
    left = [student for student in comparison.missing if options.complete and not student.has_left]
    _require_yes(comparison, left, options)
    enrol.enrol(course, comparison.students, left)
    log_action(course, f"roster: {len(comparison.students)} students, {len(comparison.added)} of them new")
    for line in enrol.describe_class(course, comparison):
        print(name_in_line(line))


def _require_yes(comparison: Any, left: list[Any], options: argparse.Namespace) -> None:
    """Raise CourseError if a list makes doubtful changes that were not confirmed."""
    questions = comparison.questions
    if len(left) > len(comparison.students):
        questions.append(f"{len(left)} students are not on this list and would count as having left")
    if questions and not options.yes:
        raise CourseError(f"{'; '.join(questions)}: nothing was written; --yes writes it")


def column_choice(options: argparse.Namespace) -> Any:
    """Return the columns that the options name."""
    from autograder.course.roster import ColumnChoice

    return ColumnChoice(options.id_column, tuple(options.name_column or ()), options.email_column)


def students_of(course: Course, options: argparse.Namespace) -> tuple[Any, ...]:
    """Return the students of `--roster` with their known ids.

    Raise CourseError if the list changes known students.
    """
    from autograder.grading.enrol import compare_with_class

    if not options.roster:
        return ()
    comparison = compare_with_class(course, options.roster, column_choice(options))
    if comparison.questions:
        raise CourseError(
            f"{'; '.join(comparison.questions)}: "
            f"see and confirm it with `{program_name()} roster {options.roster.name}` first"
        )
    return comparison.students
