"""Task `image_counts`: coordinates of an image, entries of a covariance, and how many images they ask for."""

from functools import cache
from itertools import product
from math import ceil

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import one_of

Answer = tuple[float, float, float]
LARGEST = 60  # so that p(p+1)/2, p²/2 and p(p−1)/2 differ visibly


def draw(rng: np.random.Generator) -> Cases:
    """A small image with three different sides."""
    width, height, channels = one_of(rng, _choices())
    return {"the numbers of the text": {"width": width, "height": height, "channels": channels}}


@cache
def _choices() -> list[tuple[int, int, int]]:
    """An even number of coordinates: then the number of images has to be rounded."""
    sides = product(range(3, 9), range(3, 9), (2, 3, 4))
    return [
        (w, h, c)
        for w, h, c in sides
        if len({w, h, c}) == 3 and 24 <= w * h * c <= LARGEST and w * h * c % 2 == 0
    ]


def _counts(p: int, different: float) -> Answer:
    """Coordinates, different entries, and images that bring at least as many numbers."""
    return p, different, ceil(different / p)


def answer(width: int, height: int, channels: int) -> Answer:
    """p = whc, p(p + 1)/2 different entries of a symmetric matrix, and that many numbers in (p + 1)/2 images."""
    p = width * height * channels
    return _counts(p, p * (p + 1) / 2)


def forgot_the_channels(width: int, height: int, channels: int) -> Answer:
    """p = wh."""
    return answer(width, height, 1)


def added_the_sides(width: int, height: int, channels: int) -> Answer:
    """p = w + h + c."""
    return answer(width + height + channels, 1, 1)


def took_all_entries_for_different(width: int, height: int, channels: int) -> Answer:
    """p²."""
    p = width * height * channels
    return _counts(p, p**2)


def forgot_the_diagonal(width: int, height: int, channels: int) -> Answer:
    """p(p − 1)/2."""
    p = width * height * channels
    return _counts(p, p * (p - 1) / 2)


def halved_the_square(width: int, height: int, channels: int) -> Answer:
    """p²/2."""
    p = width * height * channels
    return _counts(p, p**2 / 2)


def took_an_image_for_a_number(width: int, height: int, channels: int) -> Answer:
    """As many images as entries."""
    p, different, _ = answer(width, height, channels)
    return p, different, different


def rounded_down(width: int, height: int, channels: int) -> Answer:
    """One image too few."""
    p, different, images = answer(width, height, channels)
    return p, different, images - 1


def by_counting_the_triangle(width: int, height: int, channels: int) -> Answer:
    """Build the matrix and count; then take image after image."""
    p = np.zeros((height, width, channels)).size
    different, images = int(np.tril(np.ones((p, p))).sum()), 0
    while images * p < different:
        images += 1
    return p, different, images


image_counts = Task(
    kind="hand",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    see="sec-geometry-examples",
    same=(exactly, exactly, exactly),
    parts=("the coordinates", "the different entries", "the number of icons"),
    misconceptions=(
        Misconception(
            forgot_the_channels,
            hint="How many numbers describe one pixel of a colour image?",
            see="sec-geometry-photos",
        ),
        Misconception(
            added_the_sides,
            hint="A picture of 10 by 10 pixels has a hundred of them, not twenty.",
            see="sec-geometry-photos",
        ),
        Misconception(
            took_all_entries_for_different,
            hint="The first count is right. A covariance matrix is symmetric: which entries repeat others?",
            see="sec-geometry-examples",
        ),
        Misconception(
            forgot_the_diagonal,
            hint="You counted pairs of different coordinates. What stands on the diagonal of a covariance?",
            see="sec-geometry-examples",
        ),
        Misconception(
            halved_the_square,
            hint="Half of all entries is nearly right, but the entries on the diagonal have no twin.",
            see="sec-geometry-examples",
        ),
        Misconception(
            took_an_image_for_a_number,
            hint="The first two counts are right. One icon is not one number: how many does each bring?",
            see="sec-geometry-photos",
        ),
        Misconception(
            rounded_down,
            hint="The first two counts are right. With your number of icons there are still fewer numbers than "
            "entries.",
            see="sec-geometry-examples",
        ),
    ),
    alternatives=(by_counting_the_triangle,),
)
