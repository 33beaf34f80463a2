"""Task `strip_tones`: the first tones of a strip, and the first that depends on its width, by hand."""

from collections.abc import Callable
from itertools import product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of
from solutions.steps import Worked, steps, tex

Answer = tuple[Array, np.float64]
SAME = (exactly, exactly)
WIDTHS = (2, 5, 10)
MODES = tuple(product(range(8), range(8)))
Tone = Callable[[int, int], float]


def _first_five(tone: Tone, modes: tuple[tuple[int, int], ...]) -> Answer:
    """The five smallest, and where the first one stands that is not constant across the strip."""
    ordered = sorted(modes, key=lambda mode: tone(*mode))
    place = next(i for i, (_, n) in enumerate(ordered) if n > 0) + 1
    return np.array([tone(*mode) for mode in ordered[:5]]), np.float64(place)


@task.hand(
    points=2,
    minutes=10,
    see="thm-laplacian-eigenmaps-strip",
    same=SAME,
    parts=("five eigenvalues", "number of the new coordinate"),
    may_agree=(("steps", "the steps list the small whole numbers that count half waves"),),
)
def strip_tones(length: int, width: int) -> Answer:
    """m² + n²(a/b)², sorted, without 0 (eq-laplacian-eigenmaps-rectangle)."""
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, MODES[1:])


@strip_tones.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A strip between one and four widths long, whose first tones are clearly apart.

    A ratio that is not squared gives another number of the new coordinate.
    """
    while True:
        width = one_of(rng, WIDTHS)
        length = int(rng.integers(width + 1, 4 * width))
        tones = np.sort([m**2 + (n * length / width) ** 2 for m, n in MODES])[:7]
        elsewhere = forgot_to_square_the_ratio(length, width)[1] != strip_tones(length, width)[1]
        if np.diff(tones).min() > 0.1 and elsewhere and told_apart(WAYS, (length, width), SAME):
            return {"the numbers of the text": {"length": length, "width": width}}


PRACTICE_WIDTHS = (4, 5, 8, 10, 16, 20, 25, 32, 40, 50)


@strip_tones.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """More widths; the first tones are clearly apart."""
    while True:
        width = one_of(rng, PRACTICE_WIDTHS)
        length = int(rng.integers(width + 1, 4 * width))
        tones = np.sort([m**2 + (n * length / width) ** 2 for m, n in MODES])[:7]
        if np.diff(tones).min() > 0.1:
            return {"the numbers of the text": {"length": length, "width": width}}


@strip_tones.wrong(
    "The eigenvalues add squares of m/a and n/b; yours add the quotients themselves.",
    see="eq-laplacian-eigenmaps-rectangle",
)
def forgot_the_squares(length: int, width: int) -> Answer:
    """m + n a/b."""
    return _first_five(lambda m, n: m + n * length / width, MODES[1:])


@strip_tones.wrong(
    "The numbers m and n are squared in your formula; the sides are not.",
    see="eq-laplacian-eigenmaps-rectangle",
)
def forgot_to_square_the_ratio(length: int, width: int) -> Answer:
    """m² + n² a/b."""
    return _first_five(lambda m, n: m**2 + n**2 * length / width, MODES[1:])


@strip_tones.wrong(
    "In your list the slowest tones run across the strip. A longer side has the lower tone.",
    see="eq-laplacian-eigenmaps-rectangle",
)
def turned_the_strip(length: int, width: int) -> Answer:
    """m² + n²(b/a)²: the width in the place of the length, divided by the tone of the width."""
    return _first_five(lambda m, n: m**2 + (n * width / length) ** 2, MODES[1:])


@strip_tones.wrong(
    "Your list starts with the constant function. It is dropped, and the counting starts after it.",
    see="eq-laplacian-eigenmaps-problem",
)
def counted_the_constant(length: int, width: int) -> Answer:
    """0 as first tone."""
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, MODES)


@strip_tones.wrong(
    "Your m and n start at one, as for a drum whose rim is held. Here nothing holds the rim; functions of one "
    "variable alone are allowed.",
    see="eq-laplacian-eigenmaps-rectangle",
)
def held_the_rim(length: int, width: int) -> Answer:
    """Sines: m and n start at one, and every tone depends on the width."""
    inner = tuple((m, n) for m, n in MODES if m and n)
    tones, _ = _first_five(lambda m, n: m**2 + (n * length / width) ** 2, inner)
    return tones / tones[0], np.float64(1)


@strip_tones.wrong(
    "The place of the new coordinate is right. In the list, products of a cosine along and one across are missing.",
    see="eq-laplacian-eigenmaps-rectangle",
)
def left_out_mixed_tones(length: int, width: int) -> Answer:
    """Only tones along the strip or across it."""
    pure = tuple((m, n) for m, n in MODES[1:] if m * n == 0)
    return _first_five(lambda m, n: m**2 + (n * length / width) ** 2, pure)


@strip_tones.wrong(
    "The number of the new coordinate is right. Your list has only the tones along the strip; those across it and the "
    "mixed ones come between.",
)
def listed_tones_along_only(length: int, width: int) -> Answer:
    """m² for m = 1, …, 5."""
    return np.arange(1.0, 6.0) ** 2, strip_tones(length, width)[1]


WAYS = (
    strip_tones,
    forgot_the_squares,
    forgot_to_square_the_ratio,
    turned_the_strip,
    counted_the_constant,
    held_the_rim,
    left_out_mixed_tones,
)


@strip_tones.also
def by_a_table(length: int, width: int) -> Answer:
    """All tones in a table, divided by the first."""
    m, n = np.meshgrid(np.arange(6), np.arange(6))
    tones = np.sort(((m / length) ** 2 + (n / width) ** 2).ravel())[1:6] * length**2
    return tones, np.float64(np.ceil(length / width))


@strip_tones.also
def by_counting(length: int, width: int) -> Answer:
    """The place is one more than the number of tones along the strip below the first across."""
    place = np.float64(sum(m * width < length for m in range(1, 10)) + 1)
    values = {m * m + n * n * length * length / width / width for m in range(9) for n in range(9)}
    return np.array(sorted(values)[1:6]), place


@strip_tones.worked
def worked(length: float, width: float) -> Worked:
    """m² + (n a/b)², sorted."""
    ratio = (length / width) ** 2
    tones = sorted((m * m + n * n * ratio, m, n) for m in range(6) for n in range(6))[1:6]
    along = [m for m in range(1, 9) if m * m < ratio]
    written = ", ".join(rf"${tex(value)}$ ($m={m}$, $n={n}$)" for value, m, n in tones)
    values = [value for value, _, _ in tones]
    return steps(
        rf"In units of $\pi^2/a^2$ the eigenvalues are $m^2+n^2(a/b)^2=m^2+{tex(ratio)}\,n^2$, with "
        rf"$(a/b)^2=({tex(length)}/{tex(width)})^2$.",
        rf"The five smallest positive ones are {written}.",
        rf"The first that depends on the position across is $m=0$, $n=1$, with ${tex(ratio)}$. Before it come those "
        rf"along the strip with $m^2<{tex(ratio)}$, up to $m={len(along)}$, so it is number ${len(along) + 1}$.",
    ), (values, len(along) + 1)
