"""The command line: verbs of `autograder.commands` and error handling."""

import argparse
import os
import sys
from collections.abc import Callable

from autograder.commands import (
    bank,
    book,
    class_list,
    cluster,
    demo,
    exercises,
    grading,
    hand_ins,
    kit,
    maintenance,
    mutation,
    new,
    quiz,
    regrading,
    results,
    upgrade,
)
from autograder.course.course import Course, find_course
from autograder.course.package import require_engine
from autograder.cpu_features import pin_blas_kernels
from autograder.errors import CourseError, describe_machine_error
from autograder.program import ENGINE_VERSION, program_name
from autograder.terminal import name_in_line, print  # replaces control characters in names of students

LOWEST = (3, 11)
COMMANDS = (
    book,
    demo,
    class_list,
    exercises,
    bank,
    hand_ins,
    grading,
    regrading,
    results,
    cluster,
    maintenance,
    new,
    mutation,
    quiz,
    kit,
    upgrade,
)

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
        "bank": "list the tasks of all topics, with what classes made of them",
        "compose": "put an assignment together from tasks of several topics",
        "questions": "print quick questions with a marking key",
        "exam": "print an exam: sheets, marking key, table for entry",
        "distribute": "hand them out: archives, folders, or nbgrader's exchange",
        "gradescope": "write the archive with which Gradescope grades",
        "quiz": "write tasks as questions of Moodle, Canvas and others",
        "kit": "make slides, a lecture plan and a solutions manual",
    },
    "Students": {
        "check": "show what a student would see of a notebook",
    },
    "After the hand-in": {
        "collect": "take in a bulk download of a learning platform; --yes writes it",
        "enter": "take in the answers of a printed exam, and grade them",
        "grade": "grade what is in classroom/submitted into nbgrader's gradebook",
        "open-questions": "read open questions: one question, all students",
        "feedback": "write each student's feedback page",
        "return": "pack feedback for Moodle, Canvas or a mail merge",
        "retake": "give new numbers of what was lost; best, last or mean counts",
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
        "new": "write the skeleton of a task, a topic, a course or an overlay",
        "upgrade": "take another version of the course that an overlay is based on",
        "practice": "make the practice problems of the book's pages",
        "mutate": "find wrong programs that a task's cases let pass",
    },
}


def _describe_verbs() -> str:
    """Return the verbs in groups, one line each."""
    lines = []
    for group, verbs in VERB_GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:<15}{text}" for name, text in verbs.items())]
    return "\n".join(lines[1:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program_name(),
        description="A course you can run.",
        epilog=_describe_verbs(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{program_name()} {ENGINE_VERSION}")
    verbs = parser.add_subparsers(
        required=True, metavar="verb", help=f"see below; `{program_name()} verb --help` tells more"
    )

    def add_verb(name: str, run: Callable[..., None]) -> argparse.ArgumentParser:
        verb = verbs.add_parser(name, description=run.__doc__)  # without `help`: the epilog lists it
        verb.set_defaults(run=run, verb=name)
        return verb

    for module in COMMANDS:
        module.add_verbs(add_verb)
    return parser


WITHOUT_COURSE = (
    "check",
    "cluster",
    "new course",
    "new overlay",
    "upgrade",
)  # verbs that run outside of a course folder
# Verbs that run students' programs or keep their work need the sandbox and file locks of Linux.
NEEDS_LINUX = (
    "course",
    "regenerate",
    "compose",
    "exam",
    "retake",
    "adopt",
    "distribute",
    "enter",
    "grade",
    "regrade",
    "cluster",
    "gradescope",
    "demo",
)


def _require_linux(verb: str) -> None:
    """Raise CourseError for a verb that needs Linux on another system."""
    if sys.platform != "linux" and verb in NEEDS_LINUX:
        name = program_name()
        raise CourseError(
            f"grading needs Linux, and this is {sys.platform}: run `{name}` through the container "
            f"(book/instructor_machines.md); `{name} check` works here"
        )


def _require_account(course: Course, verb: str) -> None:
    """Raise CourseError if the account has no role for a verb.

    `doctor` may always run, since it reports faulty settings itself.
    """
    from autograder.course.accounts import require_role, share_with_group

    if verb != "doctor":
        require_role(course.settings, verb)
        share_with_group(course.settings)


def _run(options: argparse.Namespace) -> None:
    """Run a verb in the course of this folder, if needed."""
    _require_linux(options.verb)
    if options.verb in WITHOUT_COURSE:
        options.run(options)
        return
    course = find_course()
    if options.verb != "doctor":  # which reports it
        require_engine(course)
    _require_account(course, options.verb)
    options.run(course, options)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Errors that the user can fix are printed in one line.
    """
    if sys.version_info < LOWEST:
        print(f"{program_name()}: Python {'.'.join(map(str, LOWEST))} or newer is needed", file=sys.stderr)
        return 2
    pin_blas_kernels()
    try:
        _run(_parser().parse_args(arguments))
    except CourseError as error:
        print(name_in_line(f"{program_name()}: {error}"), file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has ended, as in `… audit topic | head`
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # otherwise Python reports an error at its exit
        return 141  # 128 + SIGPIPE, as in a shell
    except Exception as error:
        if not describe_machine_error(error):
            raise
        print(name_in_line(f"{program_name()}: {describe_machine_error(error)}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{program_name()}: stopped; what was finished is kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
