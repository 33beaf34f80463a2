"""The verb `grade`."""

import argparse
import sys
from typing import Any

from autograder.commands.common import AddVerb, raise_problems
from autograder.commands.examiners import add_options, begin_early, open_examiners
from autograder.course.course import Course
from autograder.sandbox.limits import limits_for
from autograder.terminal import name_in_line, print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    add_options(verb("grade", run_grade))


def run_grade(course: Course, options: argparse.Namespace) -> None:
    """Grade the submissions in classroom/submitted into nbgrader's gradebook."""
    begin_early(course, options)
    from autograder.grading.retakes import count_retakes
    from autograder.grading.submission import GradingOptions
    from autograder.grading.topics import describe_skipped, grade_topics, load_topics, topics_with_submissions
    from autograder.progress import progress

    for skipped in describe_skipped(course):
        print(f"skipped {name_in_line(skipped)}", file=sys.stderr)
    topics = topics_with_submissions(course, options.topics)
    loaded = load_topics(course, topics)  # complain before anything is graded
    plan = GradingOptions(limits_for(options.seconds), options.force)
    number = sum(len(course.paths.students_with(topic)) for topic in topics)
    what = topics[0] if len(topics) == 1 else f"{len(topics)} topics"
    failures = []
    with (
        open_examiners(course, options) as examiners,
        progress(number, f"grading {what}", "notebook") as step,
    ):
        for grades in grade_topics(course, loaded, examiners, plan, lambda outcome: step()):
            if not grades.problem:
                _print_grades(course, grades, verbose=options.verbose)
            failures.append(grades.describe_failure())
    for topic in topics:
        for line in count_retakes(course, topic):
            print(name_in_line(line))
    raise_problems([failure for failure in failures if failure])


def _print_grades(course: Course, grades: Any, *, verbose: bool) -> None:
    """Print a line about a topic, students with remarks, and problems.

    With `verbose`, every student gets a line.
    """
    from autograder.grading.attendance import attendance
    from autograder.grading.choose import describe_points
    from autograder.grading.equal_work import equal_hand_ins
    from autograder.grading.outcome import format_summary
    from autograder.grading.public_variant import PUBLIC_VARIANT_NOTE

    topic = grades.topic
    for attempt in grades.attempts:
        print(f"{topic}  {name_in_line(attempt)}")
    for outcome in grades.outcomes:
        is_other = PUBLIC_VARIANT_NOTE in outcome.notes
        if verbose or outcome.remarks or is_other or outcome.state in ("unreadable", "not graded"):
            notes = name_in_line("; ".join(outcome.instructor_notes))
            line = f"{topic}  {name_in_line(outcome.student):<24} {outcome.final_score:6.2f}  {notes}"
            print(line.rstrip())
    points = describe_points(grades.assignments.shared)
    print(f"{topic}: {format_summary(grades.outcomes)}; {points}; {grades.seconds:.1f} s")
    for line in (
        *attendance(course, topic).describe(),
        *(group.describe() for group in equal_hand_ins(course, topic, grades.assignments.shared)),
    ):
        print(f"{topic}: {name_in_line(line)}")
