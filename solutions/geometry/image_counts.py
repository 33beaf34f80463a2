"""Task `image_counts`: coordinates of an image, entries of a covariance, and how many images they ask for."""

from functools import cache
from itertools import product
from math import ceil

import numpy as np

from autograder.authoring import task
from solutions.numbers import one_of
from solutions.steps import Worked, steps, tex

Answer = tuple[float, float, float]
LARGEST = 60  # so that p(p+1)/2, p²/2 and p(p−1)/2 differ visibly


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


@task.hand(
    points=1,
    minutes=5,
    see="sec-geometry-examples",
    parts=("the coordinates", "the different entries", "the number of icons"),
)
def image_counts(width: int, height: int, channels: int) -> Answer:
    """p = whc, p(p + 1)/2 different entries of a symmetric matrix, and that many numbers in (p + 1)/2 images."""
    p = width * height * channels
    return _counts(p, p * (p + 1) / 2)


@image_counts.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A small image with three different sides."""
    width, height, channels = one_of(rng, _choices())
    return {"the numbers of the text": {"width": width, "height": height, "channels": channels}}


@cache
def _images() -> list[tuple[int, int, int]]:
    sides = product(range(3, 13), range(3, 13), (2, 3, 4))
    return [
        (w, h, c)
        for w, h, c in sides
        if len({w, h, c}) == 3 and 24 <= w * h * c <= 150 and w * h * c % 2 == 0
    ]


@image_counts.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """Larger images."""
    width, height, channels = one_of(rng, _images())
    return {"the numbers of the text": {"width": width, "height": height, "channels": channels}}


@image_counts.wrong("How many numbers describe one pixel of a colour image?", see="sec-geometry-photos")
def forgot_the_channels(width: int, height: int, channels: int) -> Answer:
    """p = wh."""
    return image_counts(width, height, 1)


@image_counts.wrong(
    "A picture of 10 by 10 pixels has a hundred of them, not twenty.", see="sec-geometry-photos"
)
def added_the_sides(width: int, height: int, channels: int) -> Answer:
    """p = w + h + c."""
    return image_counts(width + height + channels, 1, 1)


@image_counts.wrong(
    "The first count is right. A covariance matrix is symmetric: which entries repeat others?"
)
def took_all_entries_for_different(width: int, height: int, channels: int) -> Answer:
    """p²."""
    p = width * height * channels
    return _counts(p, p**2)


@image_counts.wrong(
    "You counted pairs of different coordinates. What stands on the diagonal of a covariance?"
)
def forgot_the_diagonal(width: int, height: int, channels: int) -> Answer:
    """p(p − 1)/2."""
    p = width * height * channels
    return _counts(p, p * (p - 1) / 2)


@image_counts.wrong("Half of all entries is nearly right, but the entries on the diagonal have no twin.")
def halved_the_square(width: int, height: int, channels: int) -> Answer:
    """p²/2."""
    p = width * height * channels
    return _counts(p, p**2 / 2)


@image_counts.wrong(
    "The first two counts are right. One icon is not one number: how many does each bring?",
    see="sec-geometry-photos",
)
def took_an_image_for_a_number(width: int, height: int, channels: int) -> Answer:
    """As many images as entries."""
    p, different, _ = image_counts(width, height, channels)
    return p, different, different


@image_counts.wrong(
    "The first two counts are right. With your number of icons there are still fewer numbers than entries."
)
def rounded_down(width: int, height: int, channels: int) -> Answer:
    """One image too few."""
    p, different, images = image_counts(width, height, channels)
    return p, different, images - 1


@image_counts.also
def by_counting_the_triangle(width: int, height: int, channels: int) -> Answer:
    """Build the matrix and count; then take image after image."""
    p = np.zeros((height, width, channels)).size
    different, images = int(np.tril(np.ones((p, p))).sum()), 0
    while images * p < different:
        images += 1
    return p, different, images


@image_counts.worked
def worked(width: int, height: int, channels: int) -> Worked:
    """Coordinates, the upper triangle, a division rounded up."""
    p = width * height * channels
    different = p * (p + 1) // 2
    return steps(
        rf"Every pixel has {channels} numbers: $p={width}\cdot{height}\cdot{channels}={p}$.",
        rf"The diagonal has $p={p}$ entries, and of the ${p}\cdot{p - 1}$ others each comes twice: "
        rf"$\tfrac12p(p+1)=\tfrac12\cdot{p}\cdot{p + 1}={different}$.",
        rf"An icon brings ${p}$ numbers, and ${different}/{p}={tex(different / p)}$, so at least "
        rf"${ceil(different / p)}$ icons are needed.",
    ), (p, different, ceil(different / p))
