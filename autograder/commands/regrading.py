"""The verb `regrade`."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from autograder.commands.common import AddVerb, for_each_topic
from autograder.commands.examiners import add_options, begin_early, open_examiners
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.sandbox.limits import limits_for
from autograder.terminal import name_in_line, print

if TYPE_CHECKING:
    from autograder.grading.regrade import Regrading


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("regrade", regrade)
    add_options(parser)
    parser.add_argument("--yes", action="store_true", help="write what changes")


def regrade(course: Course, options: argparse.Namespace) -> None:
    """Show which scores a corrected key changes. Write them with --yes."""
    begin_early(course, options)
    from autograder.grading.submission import GradingOptions
    from autograder.grading.topics import topics_with_submissions

    plan = GradingOptions(limits_for(options.seconds), options.force)
    topics = topics_with_submissions(course, options.topics)
    with open_examiners(course, options) as examiners:
        for_each_topic(topics, lambda topic: _regrade_topic(course, topic, examiners, plan, yes=options.yes))


def _regrade_topic(course: Course, topic: str, examiners: Any, plan: Any, *, yes: bool) -> None:
    """Examine a topic again and print changes; with `yes`, write them."""
    from autograder.grading.audit import update_late_penalties
    from autograder.grading.regrade import preview_regrade, write_regrading
    from autograder.progress import progress

    _warn_of_newer_sources(course, topic)
    with progress(len(course.paths.students_with(topic)), f"examining {topic}", "notebook") as step:
        result = preview_regrade(course, topic, examiners, plan, step)
    _print_changes(result)
    written = write_regrading(course, result) if yes else ()
    if yes:
        update_late_penalties(course, topic)
    failed = [*result.failed, *(outcome for outcome in written if not outcome.graded)]
    state = "written" if yes else "nothing was written: --yes writes it"
    if result.changes:
        print(f"{topic}: {len(result.changes)} examined again, {_describe_counts(result)}; {state}")
    else:
        print(f"{topic}: key, submissions and grader are those of the last grading: nothing to examine again")
    for lost in failed:
        why = name_in_line("; ".join(lost.notes))
        print(f"{topic}  {name_in_line(lost.student):<24} {why}", file=sys.stderr)
    if failed:
        raise CourseError(f"{len(failed)} submissions of {topic} could not be regraded: see above")


def _print_changes(result: "Regrading") -> None:
    """Print who gets another score, who keeps it under another verdict, and which tasks have other points."""
    for change in result.changed_scores():
        scores = f"{change.before:6.2f} → {change.after:6.2f}"
        print(f"{result.topic}  {name_in_line(change.student):<24} {scores}  {'; '.join(change.reasons)}")
    for change in result.changed_reasons():
        kept = f"{change.before:6.2f} stays   "
        print(f"{result.topic}  {name_in_line(change.student):<24} {kept}  {'; '.join(change.reasons)}")
    for task, (before, after) in result.changed_points().items():
        print(f"{result.topic}: {task} is worth {after:g} points, not {before:g} as before")


def _describe_counts(result: "Regrading") -> str:
    """Count the scores that change and the verdicts that change without them."""
    n_scores, n_reasons = len(result.changed_scores()), len(result.changed_reasons())
    scores = f"{n_scores} {'score changes' if n_scores == 1 else 'scores change'}"
    reasons = (
        f"{n_reasons} more {'verdict changes' if n_reasons == 1 else 'verdicts change'} at the same score"
    )
    return f"{scores}, {reasons}" if n_reasons else scores


def _warn_of_newer_sources(course: Course, topic: str) -> None:
    """Print a warning if a task was edited since the release.

    `regenerate` brings the change into the key.
    """
    from autograder.course.sources import sources_changed
    from autograder.release.regenerate import regenerate_command

    if sources_changed(course, topic):
        print(
            f"{topic}: solutions/{topic} was edited since the release, and the key does not know it yet: "
            f"run `{regenerate_command(course, topic)}` first",
            file=sys.stderr,
        )
