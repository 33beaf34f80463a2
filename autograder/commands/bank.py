"""The verbs `bank` and `compose`: list the tasks, and put assignments together."""

import argparse
import sys
from pathlib import Path
from typing import Any

from autograder.commands.class_list import students_of
from autograder.commands.common import AddVerb, add_id_columns, add_verbose, print_folders
from autograder.commands.examiners import add_grading_options
from autograder.commands.grading import run_grade
from autograder.commands.release_lines import print_release
from autograder.course.course import Course
from autograder.course.settings import describe_local_address
from autograder.errors import CourseError
from autograder.terminal import name_in_line, print


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    parser = verb("bank", run_bank)
    parser.add_argument("--topic", action="append", metavar="TOPIC", help="of this topic; may be repeated")
    parser.add_argument("--kind", action="append", metavar="KIND", help="of this kind: code, hand, sym, …")
    parser.add_argument(
        "--misconception", action="append", metavar="NAME", help="that recognises this mistake"
    )
    for name in ("points", "minutes", "difficulty", "discrimination", "students"):
        parser.add_argument(f"--{name}", metavar="RANGE", help='such as 2, "5..15" or "..0.4"')
    parser.add_argument(
        "--classroom", action="append", default=[], metavar="FOLDER", help="measure in this classroom, too"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table instead")
    add_verbose(parser, "the misconceptions, and how many students had each")
    parser = verb("compose", run_compose)
    parser.add_argument(
        "file", type=Path, metavar="FILE.toml", help="the assignment: its tasks, order and points"
    )
    parser.add_argument("--seed", help="any word; the same seed gives the same numbers")
    parser.add_argument(
        "--roster", type=Path, metavar="CSV", help="a variant for each student of this class list"
    )
    add_id_columns(parser)
    parser.add_argument("--answers", action="store_true", help="also write solved notebooks, for you only")
    parser.add_argument(
        "--replace", action="store_true", help="although another one was handed out under this name"
    )
    parser.add_argument("--list", action="store_true", help="only show which tasks it would have")
    parser.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    add_verbose(parser, "why draws were refused")
    parser = verb("exam", run_exam)
    parser.add_argument("file", type=Path, metavar="FILE.toml", help="the exam: its tasks, order and points")
    parser.add_argument("--seed", help="any word; the same seed gives the same numbers")
    parser.add_argument("--forms", type=int, metavar="N", help="N forms, which students get in turn")
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="CSV",
        help="a sheet for each student: an own variant, or one of the forms",
    )
    add_id_columns(parser)
    parser.add_argument("--large-print", action="store_true", help="a version in large print, too")
    parser.add_argument(
        "--replace", action="store_true", help="draw new numbers although another one was printed"
    )
    parser.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    add_verbose(parser, "why draws were refused")
    parser = verb("questions", run_questions)
    parser.add_argument(
        "names", nargs="+", metavar="TOPIC", help="a topic, or a question such as areas.which_area"
    )
    parser.add_argument("--kind", action="append", default=[], choices=("choice", "order", "fault"))
    parser.add_argument("--seed", default="", help="any word; the same seed gives the same sheets")
    parser.add_argument("--forms", type=int, default=1, metavar="N", help="N forms with other numbers")
    parser.add_argument("--large-print", action="store_true", help="in large print")
    parser = verb("enter", run_enter)
    parser.add_argument("exam", metavar="EXAM", help="the name of a printed exam")
    parser.add_argument(
        "table", type=Path, nargs="?", metavar="CSV", help="the filled table; else the keyboard"
    )
    add_grading_options(parser)
    parser = verb("retake", run_retake)
    parser.add_argument("topic", metavar="ASSIGNMENT", help="a graded topic or composed assignment")
    parser.add_argument("--seed", help="any word for the new numbers")
    parser.add_argument(
        "--counts", metavar="RULE", help="best, last or mean (default: `retake` in course.toml)"
    )
    parser.add_argument("--name", default="", help="of the retake (default: ASSIGNMENT_retake)")
    parser.add_argument(
        "--replace", action="store_true", help="although another one was handed out under this name"
    )
    parser.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    add_verbose(parser, "why draws were refused")


def run_questions(course: Course, options: argparse.Namespace) -> None:
    """Print quick questions as a worksheet, with a marking key.

    They are choices, orders and faults; `--kind choice` prints concept questions for a lecture.
    """
    from autograder.bank.questions import form_codes, worksheet_questions, write_worksheets

    forms = {
        code: worksheet_questions(course, options.names, options.kind, f"{options.seed} {code}")
        for code in form_codes(options.forms)
    }
    folder = course.paths.exam("questions")
    for path, pages in write_worksheets(course, forms, folder, large=options.large_print):
        print(f"{path.relative_to(course.root)}: {pages} pages")


def run_bank(course: Course, options: argparse.Namespace) -> None:
    """List the tasks with kind, points, minutes, and how hard they were for the classes that did them.

    Difficulty is the share of the points that was lost, discrimination the correlation with the rest of the assignment.
    """
    from autograder.bank.catalogue import bank_tasks
    from autograder.bank.listing import format_rows, write_csv
    from autograder.bank.selection import read_selection

    names = (
        "topic",
        "kind",
        "misconception",
        "points",
        "minutes",
        "difficulty",
        "discrimination",
        "students",
    )
    table = {name: value for name in names if (value := getattr(options, name)) is not None}
    selection = read_selection(table, "bank", course.topics())
    tasks = selection.chosen(bank_tasks(course, options.classroom))
    if options.csv:
        write_csv(options.csv, tasks)
        print(f"{len(tasks)} tasks in {options.csv}")
        return
    for line in format_rows(tasks, verbose=options.verbose):
        print(line)
    number = f"{len(tasks)} task{'' if len(tasks) == 1 else 's'}"
    print(
        f"{number}, {sum(task.minutes for task in tasks)} minutes, {sum(task.points for task in tasks):g} points"
    )


def run_compose(course: Course, options: argparse.Namespace) -> None:
    """Put an assignment together from tasks of several topics, and certify it as a whole.

    It is handed out, graded and reported like a topic.
    """
    from autograder.bank.compose import read_source, resolve
    from autograder.bank.listing import describe_composition

    composition = resolve(course, read_source(options.file))
    for line in describe_composition(course, composition):
        print(line)
    if not options.list:
        release_composed(course, composition, options, students_of(course, options))


def release_composed(
    course: Course, composition: Any, options: argparse.Namespace, students: tuple[Any, ...]
) -> None:
    """Write an assignment into the classroom, with certified variants for these students."""
    from autograder.bank.compose import composed
    from autograder.bank.exam import is_form
    from autograder.grading.audit import log_action
    from autograder.grading.enrol import enrol
    from autograder.release import regenerate as work

    name, with_answers = composition.name, bool(getattr(options, "answers", False))
    request = work.ReleaseRequest(options.seed or course.public_seed, students, with_answers, options.replace)
    with composed(course, composition, replace=options.replace):
        work.check_release_allowed(course, name, request)
        print_folders(students)
        releases = work.regenerate_all(course, [name], request, options.workers)
    print_release(course, releases, request, verbose=options.verbose)
    log_action(course, f"compose {name}: {', '.join(composition.every_task())}")
    if members := tuple(student for student in students if not is_form(student.folder)):
        enrol(course, members)
    if local := describe_local_address(course.settings):
        print(local, file=sys.stderr)


def run_exam(course: Course, options: argparse.Namespace) -> None:
    """Print an exam with tasks of several topics: sheets, marking key, and a table for what was written.

    Functions become questions about a program that is shown. Each sheet has a code; `enter` takes the answers in.
    """
    from autograder.bank import exam as work
    from autograder.bank.compose import read_source, resolve
    from autograder.grading.enrol import enrol

    composition = resolve(course, read_source(options.file), medium="paper")
    members = students_of(course, options)
    form_names = work.printed_forms(options.forms) if options.forms is not None else ()
    work.require_no_form(members)
    if not members and not form_names:
        raise CourseError("say --forms N for forms, or --roster CSV for a sheet with each student's name")
    release_composed(course, composition, options, form_names or members)
    if form_names and members:
        enrol(course, members)
        work.deal_forms(course, composition.name, members, form_names)
    print_exam(course, composition, members or form_names, large=options.large_print)


def print_exam(course: Course, composition: Any, students: tuple[Any, ...], *, large: bool) -> None:
    """Write the sheets of an exam and what belongs to them, and print where they are."""
    from autograder.bank import exam as work

    sheets = work.sheets_of(course, composition.name, students)
    print(f"{composition.name}: {len(sheets)} sheets with codes")
    for path, number in work.write_exam(course, composition, sheets, large=large):
        print(f"  {course.short(path)}  {number} {'rows' if path.suffix == '.csv' else 'pages'}")


def run_enter(course: Course, options: argparse.Namespace) -> None:
    """Take in what was written on the sheets of an exam, and grade it.

    The answers are judged like those in a notebook. Without a table they are typed in, sheet by sheet.
    """
    from autograder.bank import enter as work

    exam, table = options.exam, options.table
    if table is None:
        work.exam_composition(course, exam)
        table = work.type_in(course, exam, input, print)
        if table is None:
            return
    entries = work.read_entries(course, exam, table)
    unreadable = list(work.unreadable_answers(course, exam, entries))
    changed = work.write_entries(course, exam, entries)
    for line in (*work.describe_entries(entries, changed), *unreadable):
        print(f"{exam}: {name_in_line(line)}")
    options.topics = [exam]
    run_grade(course, options)


def run_retake(course: Course, options: argparse.Namespace) -> None:
    """Give each student new numbers of the tasks in which points were lost, with the first answers shown.

    When the retake is graded, the best of both results counts, or the last, or their mean.
    """
    from autograder.bank import retake as work

    course.require_assignments([options.topic])
    composition = work.compose_retake(course, options.topic, options.counts or "", options.name)
    members = work.retakers(course, composition)
    release_composed(course, composition, options, members)
    work.show_first_answers(course, composition)
    if composition.medium == "paper":
        print_exam(course, composition, members, large=False)
    counts = composition.counts or course.settings["retake"]
    print(
        f"{composition.name}: {len(members)} students have {len(composition.slots)} tasks to retake; "
        f"of both results the {counts} counts"
    )
