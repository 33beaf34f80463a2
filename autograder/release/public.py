"""Public exercises beside those of a class."""

from collections.abc import Sequence

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.release.regenerate import ReleaseRequest, class_seed, regenerate_all, regenerate_command


def make_public_aside(
    course: Course, topics: Sequence[str], request: ReleaseRequest, workers: int | None = None
) -> list[str]:
    """Make public exercises beside a class that has its own seed.

    Return the topics for which this was done.
    """
    seeds = {topic: class_seed(course, topic) for topic in topics}
    protected = [topic for topic in topics if seeds[topic] not in (None, course.public_seed)]
    if protected and request.students:
        raise CourseError(
            f"{protected[0]} was released with the seed {seeds[protected[0]]!r}, and without --seed every student "
            f"would get public numbers: run `{regenerate_command(course, protected[0])}`"
        )
    if protected:
        regenerate_all(course.aside, protected, request, workers)
    return protected


def describe_public_numbers(topics: Sequence[str]) -> str:
    """Return a warning that anybody can compute the answers to public numbers."""
    return (
        f"without a seed of your own, the numbers of {', '.join(topics)} are the public ones, whose answers anybody "
        "can compute: choose a word with --seed"
    )
