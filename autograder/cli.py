"""The command line, `dimred`: each verb is a thin wrapper over a function; its help is the docstring."""

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autograder.arithmetic import use_the_same
from autograder.course.course import Course, find_course
from autograder.course.settings import is_local
from autograder.errors import CourseError, MachineError, refusal
from autograder.sandbox.limits import Limits, limits_for
from autograder.terminal import name_in_line, print  # names of students never reach the terminal as they are

LOWEST = (3, 11)
PORT = 8000


def book(course: Course, options: argparse.Namespace) -> None:
    """Build the book; --live lets its cells run in the page, --serve shows it, --pdf prints it."""
    from autograder.book.build import build_book

    with contextlib.ExitStack() as bars:
        built = build_book(course.root, pdf=options.pdf, live=options.live, progress=_show_build(bars))
    print(f"built {_short(course, built)}")
    if options.serve:
        _serve(course, options)


def _show_build(bars: contextlib.ExitStack) -> Callable[[Any], None]:
    """Return a function that shows the steps of a build: one bar for the pages, a line for the rest."""
    from autograder.progress import progress

    advance: list[Callable[[], None]] = []
    n_shown = 0

    def show(step: Any) -> None:
        nonlocal n_shown
        if not step.total:
            print(step)
            return
        if not advance:
            advance.append(bars.enter_context(progress(step.total, "running pages", "page")))
        for _ in range(step.done - n_shown):
            advance[0]()
        n_shown = max(n_shown, step.done)

    return show


def regenerate(course: Course, options: argparse.Namespace) -> None:
    """Make new exercises from a seed, per class or per student: draw, certify, write; with no seed, the public ones."""
    from autograder.course.roster import read_roster
    from autograder.grading.enrol import enrol
    from autograder.release import regenerate as work

    topics = course.require_topics(options.topics)
    students = tuple(read_roster(options.roster, options.id_column)) if options.roster else ()
    seed = options.seed or course.public_seed
    request = work.Request(seed, students, options.answers, options.replace, options.force)
    for topic in topics:
        work.require_possible(course, topic, request)
    local = _local_address(course) if options.seed or students else None
    _ask_about(local)
    _print_folders(students)
    for topic, done in work.regenerate_all(course, topics, request, options.workers).items():
        _print_released(topic, done, request, verbose=options.verbose)
        _print_open_numbers(course, done)
    _print_written(course, request)
    if students:
        enrol(course, students)
    if local:
        print(local, file=sys.stderr)


def _print_folders(students: Iterable[Any]) -> None:
    """Say who has another name in folders and gradebook."""
    for one in students:
        if one.folder != one.id:
            print(f"{one.id!r} cannot be a folder: this student is {one.folder} in folders and gradebook")


def _local_address(course: Course) -> str | None:
    """What to say when links lead to this machine, where no student finds the book; None if they do not."""
    address = str(course.settings["book_url"])
    if not is_local(address):
        return None
    return (
        f"links to the book lead to {address or 'nowhere'}, where students find nothing: "
        "set book_url in course.toml to the address of the published book"
    )


def _ask_about(said: str | None) -> None:
    """At a terminal, ask before exercises are made for a class; without one, nobody could answer."""
    if said and sys.stdin.isatty():
        answer = input(f"{said}. Make exercises for a class all the same? [y/N] ")
        if answer.strip().lower() not in ("y", "yes"):
            raise CourseError("nothing was made")


def roster(course: Course, options: argparse.Namespace) -> None:
    """Read a class list: who they are, their sections and extensions, for gradebook, reports and exports."""
    from autograder.course.people import people
    from autograder.course.roster import read_roster
    from autograder.grading.enrol import enrol

    students = read_roster(options.roster, options.id_column)
    _print_folders(students)
    enrol(course, students)
    known = people(course)
    others = sorted(known.keys() - {one.folder for one in students})
    students = [known[one.folder] for one in students]
    sections = Counter(one.section for one in students if one.section)
    told = ", ".join(f"{number} in {name}" for name, number in sorted(sections.items()))
    extended = sum(bool(one.extension) for one in students)
    print(f"{len(students)} students{f' ({told})' if told else ''}, {extended} with an extension")
    if others:
        print(
            f"not on this list, but kept from an earlier one: {', '.join(others[:10])}{' …' * (len(others) > 10)}"
        )


def practice(course: Course, options: argparse.Namespace) -> None:
    """Make the problems to practise on in the pages of the book: many certified variants of every hand task."""
    from autograder.release.practice import write_practice

    for topic in course.require_topics(options.topics):
        for task, number in write_practice(course, topic):
            print(f"{task}: {number} variants to practise on")


def _print_released(topic: str, done: Any, request: Any, *, verbose: bool) -> None:
    """Print a line about a topic, and on request why draws were refused."""
    if done.is_up_to_date:
        print(f"{topic}: up to date for seed {request.seed}")
        return
    tasks = done.certificate["tasks"].values()
    recognised = sum(len(task["misconceptions recognised"]) for task in tasks)
    alternatives = sum(task["alternatives accepted"] for task in tasks)
    number = 1 + len(request.students)
    variants = f"{number} variants, each " if number > 1 else ""
    print(
        f"{topic}: certified for seed {request.seed}: {variants}{len(tasks)} tasks, "
        f"{recognised} misconceptions recognised, {alternatives} alternatives accepted; "
        f"{len(done.refused)} draws refused"
    )
    for why, times in Counter(done.refused).most_common() if verbose else ():
        print(f"  drawn again ({times}): {why}")


def _print_written(course: Course, request: Any) -> None:
    """Print where everything is."""
    room = _short(course, course.classroom)
    if request.seed == course.settings["public_seed"]:
        print(f"students' files are in {_short(course, course.exercises)}/<topic>")
    print(f"the release of the class is in {room}/release/<topic>")
    if request.students:
        print(f"{len(request.students)} own variants are in {room}/release_for/<student>/<topic>")
    if request.answers:
        own = f" and {room}/answers_for/<student>/<topic>" if request.students else ""
        print(f"solved notebooks, for you only, are in {room}/answers/<topic>{own}")


def _print_open_numbers(course: Course, done: Any) -> None:
    """Say where numbers stay that anybody can compute from the notebook."""
    topic, seed = done.certificate["topic"], done.certificate["seed"]
    if seed != course.settings["public_seed"] and "derivation" not in done.certificate:
        print(
            f"{topic}: these numbers are kept from an earlier version and follow from the seed in the notebook alone; "
            "--replace draws numbers that only you can compute"
        )


def distribute(course: Course, options: argparse.Namespace) -> None:
    """Hand exercises out: an archive or folder for each student, or nbgrader's exchange; each sees their own only."""
    from autograder.release.distribute import distribute as hand_out

    if said := _local_address(course):
        print(said, file=sys.stderr)
    for topic in _released(course, options.topics):
        done = hand_out(course, topic, options.to)
        whose = f"{done.students} own variants" if done.students else "the class's variant"
        print(f"{topic}: {whose} in {_short(course, done.place)}")
        if options.to == "exchange":
            own = (
                f"cp -r {done.place}/$USER/{topic} ."
                if done.students
                else f"nbgrader fetch_assignment {topic}"
            )
            print(f"{topic}: a student takes it with `{own}` and hands it in with `nbgrader submit {topic}`")


def check(options: argparse.Namespace) -> None:
    """Show what a student would see: run NOTEBOOK against the public key beside it."""
    from autograder.grading.preview import preview

    for line in preview(options.notebook, allow_unsafe=options.allow_unsafe):
        print(line)


def grade(course: Course, options: argparse.Namespace) -> None:
    """Grade what is in classroom/submitted; the scores go to nbgrader's gradebook."""
    _begin_early(course, options)
    from autograder.grading import grade as grading
    from autograder.grading.choose import load_assignments
    from autograder.grading.topics import grade_topics
    from autograder.progress import progress

    for unknown in grading.unknown_submissions(course):
        print(f"skipped {name_in_line(unknown)}: this course has no such assignment", file=sys.stderr)
    for loose in course.places.loose_notebooks():
        print(
            f"skipped {name_in_line(loose)}: it belongs into <student>/<topic>/<topic>.ipynb", file=sys.stderr
        )
    topics = _topics_with_submissions(course, options.topics)
    for topic in topics:
        load_assignments(course, topic)  # complain before anything is graded
    plan = grading.Plan(limits_for(options.seconds), options.force)
    number = sum(len(course.places.students_with(topic)) for topic in topics)
    what = topics[0] if len(topics) == 1 else f"{len(topics)} topics"
    problems = []
    with _examiners(course, options) as examiners, progress(number, f"grading {what}", "notebook") as step:
        for grades in grade_topics(course, topics, examiners, plan, lambda outcome: step()):
            if grades.problem:
                problems.append(grades.problem)
                continue
            _print_grades(course, grades, verbose=options.verbose)
            if grades.failed:
                counts = f"{len(grades.failed)} of {len(grades.outcomes)} submissions of {grades.topic}"
                problems.append(f"{counts} could not be graded: see above")
    _raise_first(problems)


def _print_grades(course: Course, grades: Any, *, verbose: bool) -> None:
    """Print a line about a topic and what needs a look; on request a line about each student."""
    from autograder.grading.outcome import summary

    topic = grades.topic
    for said in grades.attempts:
        print(f"{topic}  {name_in_line(said)}")
    for outcome in grades.outcomes:
        if verbose or outcome.remarks or outcome.state in ("unreadable", "not graded"):
            told = name_in_line("; ".join(outcome.told))
            line = f"{topic}  {name_in_line(outcome.student):<24} {outcome.counted:6.2f}  {told}"
            print(line.rstrip())
    points = _points(course, topic)
    print(f"{topic}: {summary(grades.outcomes)}; {points}; {grades.seconds:.1f} s")


def _for_each(topics: list[str], work: Callable[[str], None]) -> None:
    """What fails in one topic is said at the end: the others go on, unless the machine refuses."""
    problems = []
    for topic in topics:
        try:
            work(topic)
        except MachineError:
            raise
        except CourseError as error:
            problems.append(str(error))
    _raise_first(problems)


def _raise_first(problems: list[str]) -> None:
    if problems:
        more = f"; and {len(problems) - 1} more topics: try them one by one" if len(problems) > 1 else ""
        raise CourseError(f"{problems[0]}{more}")


def _begin_early(course: Course, options: argparse.Namespace) -> None:
    """The warm parent of students' processes takes longest to start: let it, while the rest is imported."""
    if not options.scheduler:
        from autograder.sandbox.nursery import begin_nursery, keep_private

        private = [course.private_folder] if course.private_folder else []
        keep_private(course.root, course.classroom, course.exchange, *private)
        begin_nursery()


@contextlib.contextmanager
def _examiners(course: Course, options: argparse.Namespace) -> Iterator[Any]:
    """Workers here, or those of a scheduler; says first what protects them."""
    from autograder.grading.cluster import cluster_examiners
    from autograder.grading.gradebook import import_meanwhile
    from autograder.grading.workers import local_examiners

    import_meanwhile()
    if options.scheduler:
        certificates = options.certificates or course.places.cluster
        made: Any = cluster_examiners(options.scheduler, certificates, allow_unsafe=options.allow_unsafe)
    else:
        made = local_examiners(options.workers, allow_unsafe=options.allow_unsafe)
    with made as examiners:
        print(f"students' code runs with: {examiners.protections}", file=sys.stderr)
        yield examiners


def _points(course: Course, topic: str) -> str:
    """Say what the scores are out of."""
    from autograder.authoring.points import points_in
    from autograder.grading.choose import load_assignment

    most, by_hand = points_in(json.loads(load_assignment(course, topic).release))
    return f"{most:g} points" + (f", {by_hand:g} of them given by a person" if by_hand else "")


def regrade(course: Course, options: argparse.Namespace) -> None:
    """After a key was mended: show who changes and why; nothing is written before --yes."""
    _begin_early(course, options)
    from autograder.grading import grade as grading

    plan = grading.Plan(limits_for(options.seconds), options.force)
    topics = _topics_with_submissions(course, options.topics)
    with _examiners(course, options) as examiners:
        _for_each(topics, lambda topic: _regrade_topic(course, topic, examiners, plan, yes=options.yes))


def _regrade_topic(course: Course, topic: str, examiners: Any, plan: Any, *, yes: bool) -> None:
    from autograder.grading.regrade import regraded, write
    from autograder.progress import progress

    _warn_of_newer_sources(course, topic)
    with progress(len(course.places.students_with(topic)), f"examining {topic}", "notebook") as step:
        found = regraded(course, topic, examiners, plan, step)
    for one in found.changed():
        who = name_in_line(one.student)
        print(f"{topic}  {who:<24} {one.before:6.2f} → {one.after:6.2f}  {'; '.join(one.reasons)}")
    failed = [*found.failed, *(one for one in (write(course, found) if yes else ()) if not one.graded)]
    said = "written" if yes else "nothing was written: --yes writes it"
    if found.changes:
        print(f"{topic}: {len(found.changes)} examined again, {len(found.changed())} change; {said}")
    else:
        print(f"{topic}: key, submissions and grader are those of the last grading: nothing to examine again")
    for lost in failed:
        why = name_in_line("; ".join(lost.notes))
        print(f"{topic}  {name_in_line(lost.student):<24} {why}", file=sys.stderr)
    if failed:
        raise CourseError(f"{len(failed)} submissions of {topic} could not be regraded: see above")


def _warn_of_newer_sources(course: Course, topic: str) -> None:
    """An edited task reaches the key only by `regenerate`: whoever regrades should know."""
    from autograder.course.sources import are_newer
    from autograder.release.regenerate import again

    if are_newer(course, topic):
        print(
            f"{topic}: solutions/{topic} was edited since the release, and the key does not know it yet: "
            f"run `{again(course, topic)}` first",
            file=sys.stderr,
        )


def _topics_with_submissions(course: Course, names: list[str]) -> list[str]:
    topics = [topic for topic in course.require_topics(names) if course.places.students_with(topic)]
    if not topics:
        raise CourseError(
            f"nothing to grade: collect notebooks into {_short(course, course.places.submitted)}/<student>/<topic>/"
            "<topic>.ipynb first"
        )
    return topics


def feedback(course: Course, options: argparse.Namespace) -> None:
    """Write each student's feedback page, after grading."""
    from autograder.grading.audit import settle_penalties
    from autograder.reports.feedback import write_feedback

    def write(topic: str) -> None:
        settle_penalties(course, topic)
        pages = write_feedback(course, topic)
        print(f"{topic}: {len(pages)} feedback pages in {_short(course, course.places.feedback)}")

    _for_each(_released(course, options.topics), write)


def report(course: Course, options: argparse.Namespace) -> None:
    """Write the report of each topic and of the whole course, after grading."""
    from autograder.grading.audit import note, settle_penalties
    from autograder.reports.course_report import write_course_report
    from autograder.reports.report import Wanted, write_report

    wanted = Wanted(getattr(options, "hide_names", False), getattr(options, "section", ""))
    released = _released(course, options.topics)

    def write(topic: str) -> None:
        settle_penalties(course, topic)
        note(course, topic)
        print(f"{topic}: {_short(course, write_report(course, topic, wanted))}")

    _for_each(released, write)
    print(f"the course: {_short(course, write_course_report(course, released, wanted))}")


def discover(course: Course, options: argparse.Namespace) -> None:
    """Group wrong answers that nobody foresaw by what they return: one misunderstanding each."""
    from autograder.grading.unforeseen import shortest_program, unforeseen
    from autograder.judging.slips import sentence

    for topic in course.require_topics(options.topics):
        groups = [one for one in unforeseen(course, topic) if len(one.students) >= options.least]
        for group in groups:
            student, program = shortest_program(course, group)
            number = f"{len(group.students)} student{'s' if len(group.students) > 1 else ''}"
            print(f"{group.name}  {number} gave this on “{group.case}”: {group.text}")
            told = sentence(group.slip).replace("{it}", "The answer")
            print(f"  they were told in general words: {told}\n" if told else "")
            print(f"  the shortest of their programs, by {student}:\n")
            print("".join(f"    {line}\n" for line in program.splitlines()))
        number = f"{len(groups)} group{'' if len(groups) == 1 else 's'}"
        print(f"{topic}: {number} of {options.least} or more wrong answers that nobody foresaw")


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
        if unsigned := log.describe_unsigned(course, topic):
            print(f"{topic}: {unsigned}: nothing proves that they are as they were written")


def doctor(course: Course, options: argparse.Namespace) -> None:
    """Look at machine, course and classroom; say what is wrong and how to mend it."""
    from autograder.doctor import examine

    findings = []
    for finding in examine(course):
        findings.append(finding)
        print(finding)
    bad = sum(finding.state == "bad" for finding in findings)
    if bad:
        raise CourseError(f"{bad} of {len(findings)} findings are wrong (!!): see above")
    print(f"{len(findings)} findings, nothing is wrong")


def _released(course: Course, names: list[str]) -> list[str]:
    """The named topics, or all that were released: in mid-term others have neither keys nor grades yet."""
    from autograder.grading.choose import load_assignment

    topics = course.require_topics(names)
    for name in names:
        load_assignment(course, name)  # says what to run
    released = [topic for topic in topics if course.places.secret_key(topic).is_file()]
    if not released:
        raise CourseError(
            f"nothing was released in {_short(course, course.classroom)} yet: run `dimred regenerate --seed …` first"
        )
    if later := [topic for topic in topics if topic not in released]:
        print(f"not released yet: {', '.join(later)}", file=sys.stderr)
    return released


def export(course: Course, options: argparse.Namespace) -> None:
    """Write grades for other programs: tables in CSV, a filled gradebook of Canvas, Moodle or Blackboard."""
    from autograder.grading.audit import settle_penalties
    from autograder.reports.fill import fill
    from autograder.reports.grades import grades, write_tables

    topics = _released(course, options.topics)
    for topic in topics:
        settle_penalties(course, topic)
    for path in write_tables(course, topics):
        print(_short(course, path))
    if options.fill:
        target = options.output or course.places.exports / options.fill.name
        done = fill(options.fill, target, grades(course, topics), course.titles())
        _print_filled(done, _short(course, target.resolve()))


def _print_filled(done: Any, place: str) -> None:
    """What was written into a gradebook, and what has to be looked at there or here."""
    print(f"{done.platform}: {done.written} scores in {place}")
    for heading in done.made:
        print(f"{done.platform}: a new column {heading!r}")
    for topic, here, there in done.other_points:
        print(
            f"{done.platform}: {topic} has {here:g} points here and {there:g} there: change them there first",
            file=sys.stderr,
        )
    for who in done.without_line:
        print(f"{done.platform}: {who}", file=sys.stderr)
    for topic, number in done.unread.items():
        print(
            f"{done.platform}: of {topic}, {number} of these scores lack open questions that nobody has read yet: "
            "grade them in formgrader, then fill the gradebook again",
            file=sys.stderr,
        )


def cluster(options: argparse.Namespace) -> None:
    """Grade on several machines: make certificates, start the scheduler, start workers."""
    from autograder.grading import cluster_processes as processes
    from autograder.grading.certificates import make_certificates

    if options.action == "certificates":
        make_certificates(options.certificates)
        print(f"{options.certificates}: copy it to the cluster's machines; who holds it can run code on them")
    elif options.action == "scheduler":
        processes.run_scheduler(options.certificates, options.host, options.port)
    else:
        processes.run_worker(options.certificates, options.address, options.workers)


def gradescope(course: Course, options: argparse.Namespace) -> None:
    """Write the archive with which Gradescope grades a topic; it holds the secret keys."""
    from autograder.release.gradescope import write_archive

    for topic in _released(course, options.topics):
        archive = write_archive(course, topic, allow_unsafe=options.allow_unsafe)
        print(f"{topic}: {_short(course, archive)} (holds the secret key: for you only)")


def demo(course: Course, options: argparse.Namespace) -> None:
    """Grade and report a made-up class with typical mistakes, in a folder of its own."""
    from autograder.demo import make_class

    room = course.demo
    for topic in course.require_topics(options.topics):
        if not room.places.secret_key(topic).is_file():
            regenerate(room, _public(topic))
        print(f"{topic}: a made-up class of {len(make_class(room, topic))}")
    grade(room, options)
    feedback(room, options)
    report(room, options)


def _public(*topics: str) -> argparse.Namespace:
    """The options that make the exercises of the public seed."""
    return argparse.Namespace(
        seed=None,
        topics=list(topics),
        roster=None,
        id_column=None,
        answers=False,
        workers=None,
        replace=False,
        force=False,
        verbose=False,
    )


def everything(course: Course, options: argparse.Namespace) -> None:
    """Build the book, make the exercises, grade a made-up class, and serve it all while it is made."""
    from autograder.first_run.course_run import run_course

    run_course(course, options.port if options.serve else None, options.verbose, options.allow_unsafe)


def _serve(course: Course, options: argparse.Namespace) -> None:
    from autograder.book.serve import serve

    serve(course, options.port, print)


def _short(course: Course, path: Path) -> str:
    return str(path.relative_to(course.root)) if path.is_relative_to(course.root) else str(path)


# In the order of a term.
VERB_GROUPS: dict[str, dict[str, str]] = {
    "Look around": {
        "course": "build the book, grade a made-up class, serve it all",
        "demo": "grade and report the made-up class",
        "book": "build the book; --live, --serve, --pdf",
        "doctor": "check machine, course and classroom",
    },
    "Before a topic": {
        "roster": "read a class list",
        "regenerate": "make certified exercises from a seed, per class or per student",
        "distribute": "hand them out: archives, folders, or nbgrader's exchange",
        "gradescope": "write the archive with which Gradescope grades",
    },
    "Students": {
        "check": "show what a student would see of a notebook",
    },
    "After the hand-in": {
        "grade": "grade what is in classroom/submitted into nbgrader's gradebook",
        "feedback": "write each student's feedback page",
        "report": "write the reports of topics and course",
        "export": "write tables, fill a gradebook of Canvas, Moodle or Blackboard",
        "cluster": "grade on several machines: certificates, scheduler, workers",
    },
    "When something turns up": {
        "discover": "group wrong answers that no misconception explains",
        "adopt": "make a misconception of such a group",
        "regrade": "show which scores a corrected key changes; --yes writes them",
        "audit": "show every change of a score",
    },
    "Writing tasks": {
        "practice": "make the practice problems of the book's pages",
        "mutate": "find wrong programs that a task's cases let pass",
    },
}


def _describe_verbs() -> str:
    """Return the verbs with a line each, in groups."""
    lines = []
    for group, verbs in VERB_GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:<12}{text}" for name, text in verbs.items())]
    return "\n".join(lines[1:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dimred",
        description="A course you can run.",
        epilog=_describe_verbs(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dimred {version('dimred-course')}")
    verbs = parser.add_subparsers(
        required=True, metavar="verb", help="see below; `dimred verb --help` tells more"
    )

    def verb(name: str, run: Callable[..., None]) -> argparse.ArgumentParser:
        one = verbs.add_parser(name, description=run.__doc__)  # without `help`: the epilog lists it
        one.set_defaults(run=run)
        return one

    one = verb("book", book)
    one.add_argument("--serve", action="store_true", help="show it on a local port")
    one.add_argument("--pdf", action="store_true", help="print the whole book as a PDF")
    one.add_argument("--live", action="store_true", help="cells that run and are checked in the browser")
    _add_port(one)
    one = verb("regenerate", regenerate)
    one.add_argument("--seed", help="any word; the same seed gives the same bytes")
    one.add_argument(
        "--roster",
        type=Path,
        metavar="CSV",
        help="a variant for each student of this class list (see `roster`)",
    )
    _add_id_column(one)
    one.add_argument(
        "--answers", action="store_true", help="write the solved notebooks, too, on your side only"
    )
    one.add_argument(
        "--replace", action="store_true", help="give out new numbers although the old were handed out"
    )
    one.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    one.add_argument("--force", action="store_true", help="make what is up to date, too")
    _add_verbose(one, "why draws were refused")
    _add_topics(one)
    one = verb("roster", roster)
    one.add_argument(
        "roster", type=Path, metavar="CSV", help="column id, or as Canvas, Moodle, Blackboard export it"
    )
    _add_id_column(one)
    one = verb("distribute", distribute)
    one.add_argument(
        "--to",
        choices=("zips", "folders", "exchange"),
        default="zips",
        help="archives, folders to upload, or nbgrader's exchange (default %(default)s)",
    )
    _add_topics(one)
    one = verb("check", check)
    one.add_argument("notebook", type=Path)
    _add_allow_unsafe(one)
    one = verb("export", export)
    one.add_argument(
        "--fill", type=Path, metavar="CSV", help="a gradebook as Canvas, Moodle or Blackboard export it"
    )
    one.add_argument(
        "--output", type=Path, help="where to write the filled one (default: in classroom/exports)"
    )
    _add_topics(one)
    one = verb("mutate", mutate)
    one.add_argument(
        "tasks", nargs="*", help="topics, or tasks such as areas.total; all of them if none is named"
    )
    one.add_argument("--draws", type=int, default=5, help="draws for each mutant (default %(default)d)")
    one.add_argument(
        "--write",
        action="store_true",
        help="write down what was found beside the tasks: lucky ones must fail",
    )
    for name, run in (("grade", grade), ("regrade", regrade), ("demo", demo)):
        one = verb(name, run)
        _add_topics(one)
        one.add_argument("--workers", type=int, help="submissions run side by side (default: one per core)")
        one.add_argument("--scheduler", metavar="ADDRESS", help="use the workers of this cluster (tls://…)")
        one.add_argument(
            "--certificates", type=Path, metavar="FOLDER", help="of the cluster (default: classroom/cluster)"
        )
        one.add_argument(
            "--seconds", type=float, default=Limits.cell_seconds, help="limit per cell (default %(default)g)"
        )
        one.add_argument("--force", action="store_true", help="run unchanged submissions again")
        _add_verbose(one, "a line for each student")
        _add_allow_unsafe(one)
        if run is regrade:
            one.add_argument("--yes", action="store_true", help="write what changes")
    one = verb("course", everything)
    one.add_argument("--no-serve", dest="serve", action="store_false", help="stop when everything is made")
    one.add_argument(
        "--allow-unsafe", action="store_true", help="grade although programs cannot be confined here"
    )
    _add_verbose(one, "what the steps print, which is else in _build/course.log")
    _add_port(one)
    one = verb("cluster", cluster)
    actions = one.add_subparsers(required=True, dest="action", metavar="certificates|scheduler|worker")
    actions.add_parser("certificates", description="Make the certificates of a new cluster.").add_argument(
        "certificates", type=Path, metavar="FOLDER"
    )
    one = actions.add_parser("scheduler", description="Start the scheduler of a cluster.")
    one.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all of this machine)")
    one.add_argument("--port", type=int, default=8786, help="default %(default)d")
    one.add_argument("--certificates", type=Path, metavar="FOLDER", required=True)
    one = actions.add_parser("worker", description="Start workers on this machine.")
    one.add_argument("address", help="of the scheduler, such as tls://10.0.0.1:8786")
    one.add_argument("--workers", type=int, help="submissions run side by side (default: one per core)")
    one.add_argument("--certificates", type=Path, metavar="FOLDER", required=True)
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
    for name, run in (("practice", practice), ("feedback", feedback), ("gradescope", gradescope)):
        one = verb(name, run)
        _add_topics(one)
    _add_allow_unsafe(one)
    one = verb("report", report)
    one.add_argument(
        "--hide-names", action="store_true", help="numbers in place of names, to show it in class"
    )
    one.add_argument("--section", default="", metavar="NAME", help="only this section of the roster")
    _add_topics(one)
    return parser


def mutate(course: Course, options: argparse.Namespace) -> None:
    """Try the tasks by mutation.

    Which wrong programs would their cases let pass? Fails if one is told apart only by `hard`.
    """
    from autograder.release.mutate import mutate as trials
    from autograder.release.mutate import remembered

    weak = 0
    tried = trials(course, options.tasks, options.draws)
    for trial in remembered(course, tried) if options.write else tried:
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


def _add_verbose(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--verbose", action="store_true", help=f"say more: {what}")


def _add_id_column(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--id-column", metavar="NAME", help="the column of the class list that holds the ids")


def _add_allow_unsafe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-unsafe",
        action="store_true",
        help="run students' code although it cannot be confined (never as root)",
    )


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=PORT, help="default %(default)d; the next free one is taken if it is busy"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; what a person can mend is said in one line."""
    if sys.version_info < LOWEST:
        print(f"dimred: Python {'.'.join(map(str, LOWEST))} or newer is needed", file=sys.stderr)
        return 2
    use_the_same()
    try:
        options = _parser().parse_args(arguments)
        if options.run in (check, cluster):  # a notebook lies anywhere, and a worker knows no course
            options.run(options)
        else:
            options.run(find_course(), options)
    except CourseError as error:
        print(name_in_line(f"dimred: {error}"), file=sys.stderr)
        return 1
    except Exception as error:
        if not refusal(error):
            raise
        print(name_in_line(f"dimred: {refusal(error)}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dimred: stopped; what was finished is kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
