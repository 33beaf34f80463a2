"""Task `sizes`: zeros, room and work of the two products of a wide table, by hand."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import one_of
from solutions.steps import Worked, eq, steps

Answer = tuple[float, float, float]
# few enough features that N and N − 1 give visibly different numbers
CHOICES = [(N, k * N) for N in range(5, 13) for k in range(4, 13) if N * (k - 1) <= 60]


@task.hand(
    points=1,
    minutes=6,
    see="thm-duality-spectra",
    parts=("number of zeros", "ratio of room", "ratio of multiplications"),
)
def sizes(n_samples: int, n_dimensions: int) -> Answer:
    """D − (N − 1) zeros of S, (D/N)² in room, D/N in multiplications (thm-duality-spectra)."""
    ratio = n_dimensions / n_samples
    return n_dimensions - (n_samples - 1.0), ratio**2, ratio


@sizes.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """So many samples, and a multiple of that number of features."""
    n_samples, n_dimensions = one_of(rng, CHOICES)
    return {"the numbers of the text": {"n_samples": n_samples, "n_dimensions": n_dimensions}}


@sizes.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """More samples, and a larger multiple of that number of features."""
    n_samples, ratio = int(rng.integers(5, 31)), int(rng.integers(3, 13))
    return {"the numbers of the text": {"n_samples": n_samples, "n_dimensions": n_samples * ratio}}


@sizes.wrong("Both ratios are right. N rows that sum to zero are never independent.", see="eq-duality-rank")
def forgot_the_relation_of_centred_rows(n_samples: int, n_dimensions: int) -> Answer:
    """Rank N instead of N − 1."""
    return (n_dimensions - float(n_samples), *sizes(n_samples, n_dimensions)[1:])


@sizes.wrong("Both ratios are right, and this is the number of zeros of G. S has D eigenvalues.")
def counted_the_zeros_of_the_small_matrix(n_samples: int, n_dimensions: int) -> Answer:
    """G has one zero."""
    return (1.0, *sizes(n_samples, n_dimensions)[1:])


@sizes.wrong(
    "Both ratios are right, and so many eigenvalues of S are positive. The others were asked for.",
    see="eq-duality-nulls",
)
def gave_the_rank(n_samples: int, n_dimensions: int) -> Answer:
    """N − 1, the number of positive eigenvalues."""
    return (n_samples - 1.0, *sizes(n_samples, n_dimensions)[1:])


@sizes.wrong(
    "The number of zeros is right. A matrix has as many entries as its side squared, and each entry costs one "
    "multiplication per term of its sum.",
    see="sec-duality-pays",
)
def exchanged_room_and_work(n_samples: int, n_dimensions: int) -> Answer:
    """D/N in room and its square in multiplications."""
    zeros, room, work = sizes(n_samples, n_dimensions)
    return zeros, work, room


@sizes.wrong(
    "Zeros and room are right. The last ratio is that of finding all eigenvectors; forming the two matrices was asked "
    "for.",
    see="sec-duality-pays",
)
def counted_the_eigenproblem(n_samples: int, n_dimensions: int) -> Answer:
    """(D/N)³ for the work: that of finding all eigenvectors."""
    zeros, room, work = sizes(n_samples, n_dimensions)
    return zeros, room, work**3


@sizes.wrong(
    "The number of zeros is right. There are more features than samples, so both ratios exceed one.",
    see="sec-duality-pays",
)
def turned_the_ratios(n_samples: int, n_dimensions: int) -> Answer:
    """N/D in the place of D/N."""
    zeros, room, work = sizes(n_samples, n_dimensions)
    return zeros, 1 / room, 1 / work


@sizes.wrong(
    "Zeros and multiplications are right. A matrix has entries along two sides: compare D × D with N × N.",
    see="sec-duality-pays",
)
def compared_one_side_only(n_samples: int, n_dimensions: int) -> Answer:
    """D/N for both ratios."""
    zeros, _, work = sizes(n_samples, n_dimensions)
    return zeros, work, work


@sizes.also
def by_counting(n_samples: int, n_dimensions: int) -> Answer:
    """Write both products out: D² and N² sums of N and of D terms."""
    N, D = n_samples, n_dimensions
    return D - N + 1.0, D * D / (N * N), (D * D * N) / (N * N * D)


@sizes.worked
def worked(n_samples: int, n_dimensions: int) -> Worked:
    """Rank N − 1, entries D² against N², products D²N against N²D."""
    N, D = n_samples, n_dimensions
    return steps(
        rf"Centred samples add up to zero, so the rank is $N-1={N - 1}$, and ${D}-{N - 1}={D - N + 1}$ of the $D$ "
        r"eigenvalues of $S$ are zero.",
        rf"$S$ has $D^2$ entries and $G$ has $N^2$: the ratio is $({D}/{N})^2{eq((D / N) ** 2)}$.",
        rf"An entry of $S$ takes $N$ products, an entry of $G$ takes $D$: "
        rf"$\dfrac{{D^2N}}{{N^2D}}=\dfrac DN{eq(D / N)}$.",
    ), (D - N + 1, (D / N) ** 2, D / N)
