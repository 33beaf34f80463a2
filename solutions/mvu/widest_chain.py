"""Task `widest_chain`: positions and trace of the widest unfolding of a chain, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_sign
from solutions.mvu.numbers import straight
from solutions.numbers import Array, are_apart, one_of

Answer = tuple[Array, float]


def draw(rng: np.random.Generator) -> Cases:
    """Three links of different whole lengths, in any order."""
    return {"the numbers of the text": {"lengths": np.array(one_of(rng, _choices()), dtype=float)}}


@cache
def _choices() -> list[tuple[int, ...]]:
    """Every such chain with halves as positions on which no two ways to work give nearly the same trace."""
    chains = [links for links in product(range(1, 9), repeat=3) if len(set(links)) == 3]
    return [links for links in chains if _is_nice(np.array(links, dtype=float))]


def _is_nice(lengths: Array) -> bool:
    y = straight(lengths)
    in_halves = bool(np.all(2 * y == np.round(2 * y)) and np.abs(y).max() < 10)
    return in_halves and are_apart(*(way(lengths)[1] for way in WAYS))


def answer(lengths: Array) -> Answer:
    """y = p − p̄ and tr K = Σ y² (thm-mvu-chain)."""
    y = straight(lengths)
    return y, float(y @ y)


def left_the_start_at_zero(lengths: Array) -> Answer:
    """Count from the first point."""
    p = np.append(0.0, np.cumsum(lengths))
    return p, float(p @ p)


def centred_on_the_middle(lengths: Array) -> Answer:
    """The middle of the chain for the mean of its points."""
    p = np.append(0.0, np.cumsum(lengths)) - lengths.sum() / 2
    return p, float(p @ p)


def took_the_average(lengths: Array) -> Answer:
    """The variance, tr K/N."""
    y, trace = answer(lengths)
    return y, trace / len(y)


def summed_the_distances(lengths: Array) -> Answer:
    """Σ |y|."""
    y, _ = answer(lengths)
    return y, float(np.abs(y).sum())


def summed_over_pairs(lengths: Array) -> Answer:
    """The squared distances of all pairs, each pair once, without the division by N."""
    y, trace = answer(lengths)
    return y, len(y) * trace


def laid_squares_end_to_end(lengths: Array) -> Answer:
    """Steps of ℓ² in the place of ℓ."""
    return answer(lengths**2)


def by_pairs(lengths: Array) -> Answer:
    """(1/2N) Σ g², and the first principal coordinates of the distances along the chain."""
    p = np.concatenate([[0], np.cumsum(lengths)])
    squares = (p[:, None] - p[None, :]) ** 2
    return p - np.mean(p), float(np.sum(squares) / (2 * len(p)))


def by_summing_from_both_ends(lengths: Array) -> Answer:
    """p̄ is the sum of the links, each weighted by the share of the points behind it."""
    n_points = len(lengths) + 1
    behind = np.arange(n_points - 1, 0, -1) / n_points
    start = -float(behind @ lengths)
    positions = [start]
    for length in lengths:
        positions.append(positions[-1] + length)
    y = np.array(positions)
    return -y, float(np.sum(y**2))


WAYS = (
    answer,
    left_the_start_at_zero,
    centred_on_the_middle,
    took_the_average,
    summed_the_distances,
    summed_over_pairs,
    laid_squares_end_to_end,
)

widest_chain = Task(
    kind="hand",
    points=2,
    minutes=6,
    draw=draw,
    answer=answer,
    see="thm-mvu-chain",
    same=(up_to_sign, exactly),
    parts=("positions", "trace"),
    misconceptions=(
        Misconception(
            left_the_start_at_zero,
            hint="Your chain is straight, but its points do not average to zero. The program asks for centred "
            "points, and the trace grows when all of them are moved away from the origin.",
            see="eq-mvu-program",
        ),
        Misconception(
            centred_on_the_middle,
            hint="Your origin lies halfway between the two ends. The four positions should sum to zero: where "
            "is their mean?",
            see="thm-mvu-gram",
        ),
        Misconception(
            took_the_average,
            hint="The positions are right. This is their variance; the objective is a sum over the points.",
            see="eq-mvu-trace",
        ),
        Misconception(
            summed_the_distances,
            hint="The positions are right. The diagonal of K holds squares, but here the distances from the centre "
            "were added as they are.",
            see="eq-mvu-gram",
        ),
        Misconception(
            summed_over_pairs,
            hint="The positions are right. The squared distances of all pairs add up to more than the trace, by "
            "a factor that the theorem on Gram matrices states.",
            see="eq-mvu-trace",
        ),
        Misconception(
            laid_squares_end_to_end,
            hint="On a line it is lengths that add up along the chain. Squared lengths enter the constraints, "
            "each for one link.",
            see="thm-mvu-chain",
        ),
    ),
    alternatives=(by_pairs, by_summing_from_both_ends),
)
