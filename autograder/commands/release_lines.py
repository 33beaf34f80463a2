"""Print the results of a release, for several verbs."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from autograder.course.course import Course
from autograder.terminal import print


def print_release(
    course: Course, releases: Mapping[str, object], request: object, *, verbose: bool = False
) -> None:
    """Print the result of each topic and where its files are."""
    for topic, done in releases.items():
        _print_released(topic, done, request, verbose=verbose)
        _print_open_numbers(course, done)
    if releases:
        _print_written(course, request)


def _print_released(topic: str, done: Any, request: Any, *, verbose: bool) -> None:
    """Print a line about a topic; if verbose, why draws were refused."""
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
    """Print where the files are."""
    folder = course.short(course.classroom)
    if request.seed == course.settings["public_seed"]:
        print(f"students' files are in {course.short(course.exercises)}/<topic>")
    print(f"the release of the class is in {folder}/release/<topic>")
    if request.students:
        print(f"{len(request.students)} own variants are in {folder}/release_for/<student>/<topic>")
    if request.answers:
        personal = f" and {folder}/answers_for/<student>/<topic>" if request.students else ""
        print(f"solved notebooks, for you only, are in {folder}/answers/<topic>{personal}")


def _print_open_numbers(course: Course, done: Any) -> None:
    """Print a warning if anybody can compute a topic's numbers.

    They follow from the seed in the notebook in releases of an earlier version.
    """
    topic, seed = done.certificate["topic"], done.certificate["seed"]
    if seed != course.settings["public_seed"] and "derivation" not in done.certificate:
        print(
            f"{topic}: these numbers are kept from an earlier version and follow from the seed in the notebook alone; "
            "--replace draws numbers that only you can compute"
        )
