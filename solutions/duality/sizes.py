"""Task `sizes`: zeros, room and work of the two products of a wide table, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import one_of

Answer = tuple[float, float, float]

# few enough features that N and N − 1 give visibly different numbers
CHOICES = [(N, k * N) for N in range(5, 13) for k in range(4, 13) if N * (k - 1) <= 60]


def draw(rng: np.random.Generator) -> Cases:
    """So many samples, and a multiple of that number of features."""
    n_samples, n_dimensions = one_of(rng, CHOICES)
    return {"the numbers of the text": {"n_samples": n_samples, "n_dimensions": n_dimensions}}


def answer(n_samples: int, n_dimensions: int) -> Answer:
    """D − (N − 1) zeros of S, (D/N)² in room, D/N in multiplications (thm-duality-spectra)."""
    ratio = n_dimensions / n_samples
    return n_dimensions - (n_samples - 1.0), ratio**2, ratio


def forgot_the_relation_of_centred_rows(n_samples: int, n_dimensions: int) -> Answer:
    """Rank N instead of N − 1."""
    return (n_dimensions - float(n_samples), *answer(n_samples, n_dimensions)[1:])


def counted_the_zeros_of_the_small_matrix(n_samples: int, n_dimensions: int) -> Answer:
    """G has one zero."""
    return (1.0, *answer(n_samples, n_dimensions)[1:])


def gave_the_rank(n_samples: int, n_dimensions: int) -> Answer:
    """N − 1, the number of positive eigenvalues."""
    return (n_samples - 1.0, *answer(n_samples, n_dimensions)[1:])


def exchanged_room_and_work(n_samples: int, n_dimensions: int) -> Answer:
    """D/N in room and its square in multiplications."""
    zeros, room, work = answer(n_samples, n_dimensions)
    return zeros, work, room


def counted_the_eigenproblem(n_samples: int, n_dimensions: int) -> Answer:
    """(D/N)³ for the work: that of finding all eigenvectors."""
    zeros, room, work = answer(n_samples, n_dimensions)
    return zeros, room, work**3


def turned_the_ratios(n_samples: int, n_dimensions: int) -> Answer:
    """N/D in the place of D/N."""
    zeros, room, work = answer(n_samples, n_dimensions)
    return zeros, 1 / room, 1 / work


def by_counting(n_samples: int, n_dimensions: int) -> Answer:
    """Write both products out: D² and N² sums of N and of D terms."""
    N, D = n_samples, n_dimensions
    return D - N + 1.0, D * D / (N * N), (D * D * N) / (N * N * D)


sizes = Task(
    kind="hand",
    points=1,
    minutes=6,
    draw=draw,
    answer=answer,
    see="thm-duality-spectra",
    parts=("number of zeros", "ratio of room", "ratio of multiplications"),
    same=(exactly, exactly, exactly),
    misconceptions=(
        Misconception(
            forgot_the_relation_of_centred_rows,
            hint="Both ratios are right. N rows that sum to zero are never independent.",
            see="eq-duality-rank",
        ),
        Misconception(
            counted_the_zeros_of_the_small_matrix,
            hint="Both ratios are right, and this is the number of zeros of G. S has D eigenvalues.",
            see="thm-duality-spectra",
        ),
        Misconception(
            gave_the_rank,
            hint="Both ratios are right, and so many eigenvalues of S are positive. The others were asked for.",
            see="eq-duality-nulls",
        ),
        Misconception(
            exchanged_room_and_work,
            hint="The number of zeros is right. A matrix has as many entries as its side squared, and each "
            "entry costs one multiplication per term of its sum.",
            see="sec-duality-pays",
        ),
        Misconception(
            counted_the_eigenproblem,
            hint="Zeros and room are right. The last ratio is that of finding all eigenvectors; forming the "
            "two matrices was asked for.",
            see="sec-duality-pays",
        ),
        Misconception(
            turned_the_ratios,
            hint="The number of zeros is right. There are more features than samples, so both ratios exceed one.",
            see="sec-duality-pays",
        ),
    ),
    alternatives=(by_counting,),
)
