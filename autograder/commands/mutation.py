"""The verb `mutate`: mutation testing of tasks."""

import argparse

from autograder.commands.common import AddVerb
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("mutate", run_mutate)
    parser.add_argument(
        "tasks", nargs="*", help="topics, or tasks such as areas.total; all of them if none is named"
    )
    parser.add_argument("--draws", type=int, default=5, help="draws for each mutant (default %(default)d)")
    parser.add_argument(
        "--write",
        action="store_true",
        help="record the results beside the tasks; mutants that pass some draws must then fail",
    )


def run_mutate(course: Course, options: argparse.Namespace) -> None:
    """Find wrong programs that a task's cases let pass, by mutation testing.

    Fails if only `hard` inputs reject a mutant.
    """
    from autograder.release.mutate import mutate as trials
    from autograder.release.mutate import remembered

    weak = 0
    tried = trials(course, options.tasks, options.draws)
    for trial in remembered(course, tried) if options.write else tried:
        counts = ", ".join(f"{number} {fate}" for fate, number in trial.fates.items())
        print(f"{trial.name}: {trial.made} mutants on {trial.draws} draws: {counts}")
        for mutant in trial.weak:
            print(
                f"  weak: {mutant.way} with {mutant.word!r} passes every draw and fails on {mutant.killed_by!r}"
            )
        for mutant in trial.lucky:
            print(f"  lucky: {mutant.way} with {mutant.word!r} passes {mutant.passed} of {trial.draws} draws")
        weak += len(trial.weak)
    if weak:
        raise CourseError(
            f"{weak} mutants survive every draw: add cases on which they differ from a correct program"
        )
