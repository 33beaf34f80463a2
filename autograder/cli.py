"""The command line, `dimred`: each verb is a thin wrapper over a function; its help is the docstring."""

import argparse
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autograder.course.course import Course, find_course
from autograder.errors import CourseError
from autograder.sandbox.limits import Limits

LOWEST = (3, 11)
PORT = 8000


def book(course: Course, options: argparse.Namespace) -> None:
    """Build the book; --serve shows it, --pdf prints it."""
    from autograder.book.build import build_book

    built = build_book(course.root, pdf=options.pdf, progress=print)
    print(f"built {_short(course, built)}")
    if options.serve:
        _serve(course, options)


def regenerate(course: Course, options: argparse.Namespace) -> None:
    """Make new exercises from a seed, per class or per student: draw, certify, write; with no seed, the public ones."""
    from autograder.course.roster import read_roster
    from autograder.progress import progress
    from autograder.release import regenerate as work
    from autograder.release.workers import variant_workers

    topics = course.require_topics(options.topics)
    students = tuple(read_roster(options.roster)) if options.roster else ()
    request = work.Request(options.seed or course.public_seed, students, options.answers)
    for topic in topics:
        work.require_possible(course, topic, request)
    for one in students:
        if one.folder != one.id:
            print(f"{one.id!r} cannot be a folder: this student is {one.folder} in folders and gradebook")
    each = 1 + len(students)
    with variant_workers(course, each * len(topics), options.workers) as workers:
        for topic in topics:
            with progress(each, f"making {topic}", "variant") as step:
                done = work.regenerate(course, topic, request, workers, step)
            _print_written(course, topic, request)
            _print_certified(done, each)


def _print_written(course: Course, topic: str, request: Any) -> None:
    """Where everything is."""
    room = _short(course, course.classroom)
    if request.seed == course.public_seed:
        print(f"{topic}: students' files in {_short(course, course.exercises / topic)}")
    print(f"{topic}: release in {room}/release/{topic}")
    if request.students:
        print(f"{topic}: {len(request.students)} own variants in {room}/release_for/<student>/{topic}")
    if request.answers:
        own = f" and {room}/answers_for/<student>/{topic}" if request.students else ""
        print(f"{topic}: solved notebooks, for you only, in {room}/answers/{topic}{own}")


def _print_certified(done: Any, number: int) -> None:
    tasks = done.certificate["tasks"].values()
    recognised = sum(len(task["misconceptions recognised"]) for task in tasks)
    alternatives = sum(task["alternatives accepted"] for task in tasks)
    variants = f"{number} variants, each " if number > 1 else ""
    print(
        f"{done.certificate['topic']}: certified for seed {done.certificate['seed']}: {variants}{len(tasks)} tasks, "
        f"{recognised} misconceptions recognised, {alternatives} alternatives accepted; "
        f"{len(done.refused)} draws refused"
    )
    for why, times in Counter(done.refused).most_common():
        print(f"  drawn again ({times}): {why}")


def check(options: argparse.Namespace) -> None:
    """Show what a student would see: run NOTEBOOK against the public key beside it."""
    from autograder.grading.preview import preview

    for line in preview(options.notebook):
        print(line)


def grade(course: Course, options: argparse.Namespace) -> None:
    """Grade what is in submitted/; the scores go to nbgrader's gradebook."""
    _begin_early(options)
    from autograder.grading import grade as grading
    from autograder.grading.choose import load_assignments

    topics = _topics_with_submissions(course, options.topics)
    for unknown in grading.unknown_submissions(course):
        print(f"skipped {unknown}: this course has no such assignment", file=sys.stderr)
    for topic in topics:
        load_assignments(course, topic)  # complain before anything is graded
    with _examiners(options) as examiners:
        for topic in topics:
            _grade_topic(course, topic, examiners, options)


def _begin_early(options: argparse.Namespace) -> None:
    """The warm parent of students' processes takes longest to start: let it, while the rest is imported."""
    if not options.scheduler:
        from autograder.sandbox.nursery import begin_nursery

        begin_nursery()


@contextlib.contextmanager
def _examiners(options: argparse.Namespace) -> Iterator[Any]:
    """Workers here, or those of a scheduler; says first what protects them."""
    from autograder.grading.cluster import cluster_examiners
    from autograder.grading.gradebook import import_meanwhile
    from autograder.grading.workers import local_examiners

    import_meanwhile()
    if options.scheduler:
        made: Any = cluster_examiners(options.scheduler, allow_unsafe=options.allow_unsafe)
    else:
        made = local_examiners(options.workers, allow_unsafe=options.allow_unsafe)
    with made as examiners:
        print(f"students' code runs with: {examiners.protections}", file=sys.stderr)
        yield examiners


def _grade_topic(course: Course, topic: str, examiners: Any, options: argparse.Namespace) -> None:
    from autograder.grading import grade as grading
    from autograder.grading.outcome import summary
    from autograder.progress import progress
    from autograder.sandbox.limits import Limits

    start = time.monotonic()
    plan = grading.Plan(Limits(cell_seconds=options.seconds), options.force)
    with progress(len(course.places.students_with(topic)), f"grading {topic}", "notebook") as step:
        outcomes = grading.grade(course, topic, examiners, plan, lambda outcome: step())
    for one in outcomes:
        print(f"{topic}  {one.student:<24} {one.score:6.2f}  {'; '.join(one.told)}".rstrip())
    print(f"{topic}: {summary(outcomes)}; {time.monotonic() - start:.1f} s")
    failed = sum(not one.graded for one in outcomes)
    if failed:
        raise CourseError(
            f"{failed} of {len(outcomes)} submissions of {topic} could not be graded: see above"
        )


def regrade(course: Course, options: argparse.Namespace) -> None:
    """After a key was mended: show who changes and why; nothing is written before --yes."""
    _begin_early(options)
    from autograder.grading import grade as grading
    from autograder.sandbox.limits import Limits

    plan = grading.Plan(Limits(cell_seconds=options.seconds), options.force)
    topics = _topics_with_submissions(course, options.topics)
    with _examiners(options) as examiners:
        for topic in topics:
            _regrade_topic(course, topic, examiners, plan, yes=options.yes)


def _regrade_topic(course: Course, topic: str, examiners: Any, plan: Any, *, yes: bool) -> None:
    from autograder.grading.regrade import regraded, write

    found = regraded(course, topic, examiners, plan)
    for one in found.changed():
        print(f"{topic}  {one.student:<24} {one.before:6.2f} → {one.after:6.2f}  {'; '.join(one.reasons)}")
    failed = [*found.failed, *(one for one in (write(course, found) if yes else ()) if not one.graded)]
    said = "written" if yes else "nothing was written: --yes writes it"
    print(f"{topic}: {len(found.changes)} examined again, {len(found.changed())} change; {said}")
    for lost in failed:
        print(f"{topic}  {lost.student:<24} {'; '.join(lost.notes)}", file=sys.stderr)
    if failed:
        raise CourseError(f"{len(failed)} submissions of {topic} could not be regraded: see above")


def _topics_with_submissions(course: Course, names: list[str]) -> list[str]:

    topics = [topic for topic in course.require_topics(names) if course.places.students_with(topic)]
    if not topics:
        raise CourseError(
            f"nothing to grade in {course.places.submitted}: it holds <student>/<topic>/<topic>.ipynb"
        )
    return topics


def feedback(course: Course, options: argparse.Namespace) -> None:
    """Write each student's feedback page, after grading."""
    from autograder.reports.feedback import write_feedback

    for topic in course.require_topics(options.topics):
        pages = write_feedback(course, topic)
        print(f"{topic}: {len(pages)} feedback pages in {_short(course, course.places.feedback)}")


def report(course: Course, options: argparse.Namespace) -> None:
    """Write the report of each topic and of the whole course, after grading."""
    from autograder.grading.audit import note
    from autograder.reports.course_report import write_course_report
    from autograder.reports.report import Wanted, write_report

    wanted = Wanted(getattr(options, "hide_names", False), getattr(options, "section", ""))
    graded = [
        topic
        for topic in course.require_topics(options.topics)
        if any(course.places.verdicts(topic).glob("*"))
    ]
    for topic in options.topics:
        if topic not in graded:
            print(f"{topic}: nobody was graded yet, so there is no report")
    for topic in graded:
        note(course, topic)
        print(f"{topic}: {_short(course, write_report(course, topic, wanted))}")
    print(f"the course: {_short(course, write_course_report(course, graded, wanted))}")


def discover(course: Course, options: argparse.Namespace) -> None:
    """Group wrong answers that nobody foresaw by what they return: one misunderstanding each."""
    from autograder.grading.unforeseen import shortest_program, unforeseen

    for topic in course.require_topics(options.topics):
        groups = [one for one in unforeseen(course, topic) if len(one.students) >= options.least]
        for group in groups:
            student, program = shortest_program(course, group)
            number = f"{len(group.students)} student{'s' if len(group.students) > 1 else ''}"
            print(f"{group.name}  {number} gave this on “{group.case}”: {group.text}")
            print(f"  it is recognised in general words only: {group.slip}" if group.slip else "", end="\n\n")
            print(f"  the shortest of their programs, by {student}:\n")
            print("".join(f"    {line}\n" for line in program.splitlines()))
        print(f"{topic}: {len(groups)} groups of {options.least} or more wrong answers that nobody foresaw")


def adopt(course: Course, options: argparse.Namespace) -> None:
    """Make a misconception of a group that `discover` found: written beside the task, with its hint, and certified."""
    from autograder.grading.unforeseen import unforeseen
    from autograder.release import adopt as work

    topic = options.group.partition(".")[0]
    course.require_topics([topic])
    found = {group.name: group for group in unforeseen(course, topic)}
    if options.group not in found:
        raise CourseError(f"there is no group {options.group}: `dimred discover {topic}` lists them")
    wish = work.Wish(options.name, options.hint, options.see, options.formula)
    module = work.adopt(course, found[options.group], wish)
    print(
        f"{options.group}: {options.name} is written in {_short(course, module)}, and certified: read it there"
    )
    print(f"`dimred regrade {topic} --yes` and `dimred feedback {topic}` tell the students why")


def audit(course: Course, options: argparse.Namespace) -> None:
    """Show every change of a score with its cause, and whether the log replays to the gradebook."""
    from autograder.grading import audit as log

    for topic in course.require_topics(options.topics):
        if options.restore:
            print(f"{topic}: scores of {log.restore(course, topic)} students written back from the log")
        log.note(course, topic)
        entries = log.entries_of(course, topic)
        for entry in entries:
            if not options.student or entry["student"] in options.student:
                print(log.told(topic, entry))
        same = log.replayed(entries) == log.scores_now(course, topic)
        print(
            f"{topic}: {len(entries)} changes; replayed, they give {'' if same else 'NOT '}the gradebook's scores"
        )


def doctor(course: Course, options: argparse.Namespace) -> None:
    """Look at machine, course and classroom; say what is wrong and how to mend it."""
    from autograder.doctor import examine

    findings = []
    for finding in examine(course):
        findings.append(finding)
        print(finding, flush=True)
    bad = sum(finding.state == "bad" for finding in findings)
    if bad:
        raise CourseError(f"{bad} of {len(findings)} findings are wrong (!!): see above")
    print(f"{len(findings)} findings, nothing is wrong")


def demo(course: Course, options: argparse.Namespace) -> None:
    """Grade and report a made-up class with typical mistakes."""
    from autograder.demo import make_class

    for topic in course.require_topics(options.topics):
        if not course.places.secret_key(topic).is_file():
            regenerate(course, _public(topic))
        print(f"{topic}: a made-up class of {len(make_class(course, topic))}")
    grade(course, options)
    feedback(course, options)
    report(course, options)


def _public(*topics: str) -> argparse.Namespace:
    """The options that make the exercises of the public seed."""
    return argparse.Namespace(seed=None, topics=list(topics), roster=None, answers=False, workers=None)


def everything(course: Course, options: argparse.Namespace) -> None:
    """Build the book, generate the exercises, grade the demo class, serve the site."""
    book(course, argparse.Namespace(pdf=False, serve=False))
    regenerate(course, _public())
    demo(course, options)
    if options.serve:
        _serve(course, options)


def _serve(course: Course, options: argparse.Namespace) -> None:
    from autograder.book.serve import serve

    serve(course, options.port, print)


def _short(course: Course, path: Path) -> str:
    return str(path.relative_to(course.root)) if path.is_relative_to(course.root) else str(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dimred", description="A course you can run.")
    parser.add_argument("--version", action="version", version=f"dimred {version('dimred-course')}")
    verbs = parser.add_subparsers(required=True, metavar="verb")

    def verb(name: str, run: Callable[..., None]) -> argparse.ArgumentParser:
        one = verbs.add_parser(name, help=run.__doc__, description=run.__doc__)
        one.set_defaults(run=run)
        return one

    one = verb("book", book)
    one.add_argument("--serve", action="store_true", help="show it on a local port")
    one.add_argument("--pdf", action="store_true", help="print the whole book as a PDF")
    _add_port(one)
    one = verb("regenerate", regenerate)
    one.add_argument("--seed", help="any word; the same seed gives the same bytes")
    one.add_argument(
        "--roster", type=Path, metavar="CSV", help="a variant for each student of this class list (column id)"
    )
    one.add_argument(
        "--answers", action="store_true", help="write the solved notebooks, too, on your side only"
    )
    one.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    _add_topics(one)
    verb("check", check).add_argument("notebook", type=Path)
    one = verb("mutate", mutate)
    one.add_argument(
        "tasks", nargs="*", help="topics, or tasks such as areas.total; all of them if none is named"
    )
    one.add_argument("--draws", type=int, default=5, help="draws for each mutant (default %(default)d)")
    for name, run in (("grade", grade), ("regrade", regrade), ("demo", demo), ("course", everything)):
        one = verb(name, run)
        _add_topics(one)
        one.add_argument("--workers", type=int, help="submissions run side by side (default: one per core)")
        one.add_argument("--scheduler", metavar="ADDRESS", help="use the workers of this Dask scheduler")
        one.add_argument(
            "--seconds", type=float, default=Limits.cell_seconds, help="limit per cell (default %(default)g)"
        )
        one.add_argument("--force", action="store_true", help="run unchanged submissions again")
        one.add_argument(
            "--allow-unsafe", action="store_true", help="grade although students' code cannot be confined"
        )
        if run is regrade:
            one.add_argument("--yes", action="store_true", help="write what changes")
    one.add_argument("--no-serve", dest="serve", action="store_false", help="stop after grading")
    _add_port(one)
    verb("doctor", doctor)
    one = verb("audit", audit)
    one.add_argument("--student", action="append", default=[], help="only this student's; may be repeated")
    one.add_argument("--restore", action="store_true", help="write the log's scores into the gradebook first")
    _add_topics(one)
    one = verb("discover", discover)
    one.add_argument("--least", type=int, default=2, help="students in a group (default %(default)d)")
    _add_topics(one)
    one = verb("adopt", adopt)
    one.add_argument("group", help="as `discover` names it, such as areas.total:1")
    one.add_argument("--name", required=True, help="in the past tense, such as forgot_to_square")
    one.add_argument("--hint", required=True, help="what helps whoever made this mistake")
    one.add_argument("--see", default="", help="label of the book to reread (default: the task's)")
    one.add_argument("--formula", default="", help="the wrong way in the task's inputs, if not their program")
    _add_topics(verb("feedback", feedback))
    one = verb("report", report)
    one.add_argument(
        "--hide-names", action="store_true", help="numbers in place of names, to show it in class"
    )
    one.add_argument("--section", default="", help="only this section of the roster")
    _add_topics(one)
    return parser


def mutate(course: Course, options: argparse.Namespace) -> None:
    """Try the tasks by mutation.

    Which wrong programs would their cases let pass? Fails if one is told apart only by `hard`.
    """
    from autograder.release.mutate import mutate as trials

    weak = 0
    for trial in trials(course, options.tasks, options.draws):
        counts = ", ".join(f"{number} {fate}" for fate, number in trial.fates.items())
        print(f"{trial.name}: {trial.made} mutants on {trial.draws} draws: {counts}")
        for one in trial.weak:
            print(f"  weak: {one.way} with {one.word!r} passes every draw and fails on {one.told_by!r}")
        for one in trial.lucky:
            print(f"  lucky: {one.way} with {one.word!r} passes {one.passed} of {trial.draws} draws")
        weak += len(trial.weak)
    if weak:
        raise CourseError(f"{weak} wrong programs pass every draw: give the tasks cases that tell them apart")


def _add_topics(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topics", nargs="*", help="topics; all of them if none is named")


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=PORT, help="default %(default)d; the next free one is taken if it is busy"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; what a person can mend is said in one line."""
    if sys.version_info < LOWEST:
        print(f"dimred: Python {'.'.join(map(str, LOWEST))} or newer is needed", file=sys.stderr)
        return 2
    options = _parser().parse_args(arguments)
    try:
        if options.run is check:  # a student's notebook lies anywhere, with its key beside it
            check(options)
        else:
            options.run(find_course(), options)
    except CourseError as error:
        print(f"dimred: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dimred: stopped; what was finished is kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
