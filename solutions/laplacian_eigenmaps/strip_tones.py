"""Task `strip_tones`: the first tones of a strip, and the first that depends on its width, by hand."""

from collections.abc import Callable
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of

Answer = tuple[Array, np.float64]
SAME = (exactly, exactly)
WIDTHS = (2, 5, 10)
MODES = tuple(product(range(8), range(8)))
Tone = Callable[[int, int], float]


def draw(rng: np.random.Generator) -> Cases:
    """A strip between one and four widths long, whose first tones are clearly apart.

    A ratio that is not squared gives another number of the new coordinate.
    """
    while True:
        width = one_of(rng, WIDTHS)
        length = int(rng.integers(width + 1, 4 * width))
        tones = np.sort([m**2 + (n * length / width) ** 2 for m, n in MODES])[:7]
        elsewhere = forgot_to_square_the_ratio(length, width)[1] != answer(length, width)[1]
        if np.diff(tones).min() > 0.1 and elsewhere and told_apart(WAYS, (length, width), SAME):
            return {"the numbers of the text": {"length": length, "width": width}}


def _first_five(tone: Tone, modes: tuple[tuple[int, int], ...]) -> Answer:
    """The five smallest, and where the first one stands that is not constant across the strip."""
    ordered = sorted(modes, key=lambda mode: tone(*mode))
    place = next(i for i, (_, n) in enumerate(ordered) if n > 0) + 1
    return np.array([tone(*mode) for mode in ordered[:5]]), np.float64(place)


def answer(length: int, width: int) -> Answer:
    """m² + n²(a/b)², sorted, without 0 (eq-laplacian-eigenmaps-rectangle)."""
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, MODES[1:])


def forgot_the_squares(length: int, width: int) -> Answer:
    """m + n a/b."""
    return _first_five(lambda m, n: m + n * length / width, MODES[1:])


def forgot_to_square_the_ratio(length: int, width: int) -> Answer:
    """m² + n² a/b."""
    return _first_five(lambda m, n: m**2 + n**2 * length / width, MODES[1:])


def turned_the_strip(length: int, width: int) -> Answer:
    """m² + n²(b/a)²: the width in the place of the length, divided by the tone of the width."""
    return _first_five(lambda m, n: m**2 + (n * width / length) ** 2, MODES[1:])


def counted_the_constant(length: int, width: int) -> Answer:
    """0 as first tone."""
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, MODES)


def held_the_rim(length: int, width: int) -> Answer:
    """Sines: m and n start at one, and every tone depends on the width."""
    inner = tuple((m, n) for m, n in MODES if m and n)
    tones, _ = _first_five(lambda m, n: m**2 + (n * length / width) ** 2, inner)
    return tones / tones[0], np.float64(1)


def left_out_mixed_tones(length: int, width: int) -> Answer:
    """Only tones along the strip or across it."""
    pure = tuple((m, n) for m, n in MODES[1:] if m * n == 0)
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, pure)


WAYS = (
    answer,
    forgot_the_squares,
    forgot_to_square_the_ratio,
    turned_the_strip,
    counted_the_constant,
    held_the_rim,
    left_out_mixed_tones,
)


def by_a_table(length: int, width: int) -> Answer:
    """All tones in a table, divided by the first."""
    m, n = np.meshgrid(np.arange(6), np.arange(6))
    tones = np.sort(((m / length) ** 2 + (n / width) ** 2).ravel())[1:6] * length**2
    return tones, np.float64(np.ceil(length / width))


def by_counting(length: int, width: int) -> Answer:
    """The place is one more than the number of tones along the strip below the first across."""
    place = np.float64(sum(m * width < length for m in range(1, 10)) + 1)
    values = {m * m + n * n * length * length / width / width for m in range(9) for n in range(9)}
    return np.array(sorted(values)[1:6]), place


strip_tones = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-laplacian-eigenmaps-strip",
    same=SAME,
    parts=("five eigenvalues", "number of the new coordinate"),
    misconceptions=(
        Misconception(
            forgot_the_squares,
            hint="The eigenvalues add squares of m/a and n/b; yours add the quotients themselves.",
            see="eq-laplacian-eigenmaps-rectangle",
        ),
        Misconception(
            forgot_to_square_the_ratio,
            hint="The numbers m and n are squared in your formula; the sides are not.",
            see="eq-laplacian-eigenmaps-rectangle",
        ),
        Misconception(
            turned_the_strip,
            hint="In your list the slowest tones run across the strip. A longer side has the lower tone.",
            see="eq-laplacian-eigenmaps-rectangle",
        ),
        Misconception(
            counted_the_constant,
            hint="Your list starts with the constant function. It is dropped, and the counting starts after it.",
            see="eq-laplacian-eigenmaps-problem",
        ),
        Misconception(
            held_the_rim,
            hint="Your m and n start at one, as for a drum whose rim is held. Here nothing holds the rim; functions "
            "of one variable alone are allowed.",
            see="eq-laplacian-eigenmaps-rectangle",
        ),
        Misconception(
            left_out_mixed_tones,
            hint="The place of the new coordinate is right. In the list, products of a cosine along and one "
            "across are missing.",
            see="eq-laplacian-eigenmaps-rectangle",
        ),
    ),
    alternatives=(by_a_table, by_counting),
)
