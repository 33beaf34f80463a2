"""Task `image_counts`: coordinates of an image, and entries of the covariance of such images."""

from functools import cache
from itertools import product

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
    sides = product(range(3, 9), range(3, 9), (2, 3, 4))
    return [(w, h, c) for w, h, c in sides if len({w, h, c}) == 3 and 24 <= w * h * c <= LARGEST]


def _counts(p: float) -> Answer:
    return p, p**2, p * (p + 1) / 2


def answer(width: int, height: int, channels: int) -> Answer:
    """p = whc, p², and p(p + 1)/2 different entries of a symmetric matrix."""
    return _counts(width * height * channels)


def forgot_the_channels(width: int, height: int, channels: int) -> Answer:
    """p = wh."""
    return _counts(width * height)


def added_the_sides(width: int, height: int, channels: int) -> Answer:
    """p = w + h + c."""
    return _counts(width + height + channels)


def took_all_entries_for_different(width: int, height: int, channels: int) -> Answer:
    """p² twice."""
    p, entries, _ = answer(width, height, channels)
    return p, entries, entries


def forgot_the_diagonal(width: int, height: int, channels: int) -> Answer:
    """p(p − 1)/2."""
    p, entries, _ = answer(width, height, channels)
    return p, entries, (entries - p) / 2


def halved_the_square(width: int, height: int, channels: int) -> Answer:
    """p²/2."""
    p, entries, _ = answer(width, height, channels)
    return p, entries, entries / 2


def counted_bytes(width: int, height: int, channels: int) -> Answer:
    """Eight bytes for every entry."""
    p, entries, different = answer(width, height, channels)
    return p, 8 * entries, 8 * different


def by_counting_the_triangle(width: int, height: int, channels: int) -> Answer:
    """Build the matrix and count."""
    p = np.zeros((height, width, channels)).size
    matrix = np.ones((p, p))
    return p, matrix.size, np.tril(matrix).sum()


image_counts = Task(
    kind="hand",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    see="sec-geometry-examples",
    same=(exactly, exactly, exactly),
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
            hint="The first two counts are right. A covariance matrix is symmetric: which entries repeat "
            "others?",
            see="sec-geometry-examples",
            credit=0.5,
        ),
        Misconception(
            forgot_the_diagonal,
            hint="You counted pairs of different coordinates. What stands on the diagonal of a covariance?",
            see="sec-geometry-examples",
            credit=0.5,
        ),
        Misconception(
            halved_the_square,
            hint="Half of all entries is nearly right, but the entries on the diagonal have no twin.",
            see="sec-geometry-examples",
            credit=0.5,
        ),
        Misconception(
            counted_bytes,
            hint="The question asks for entries; how many bytes each needs is another matter.",
            see="sec-geometry-examples",
            credit=0.5,
        ),
    ),
    alternatives=(by_counting_the_triangle,),
)
