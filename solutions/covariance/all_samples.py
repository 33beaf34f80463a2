"""Task `all_samples`: both variance estimates, averaged over every sample that can be drawn, by hand."""

from functools import cache
from itertools import permutations, product

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, one_of
from solutions.steps import Worked, eq, squares, steps, tex, total

Answer = tuple[float, float]


@cache
def _choices() -> list[Array]:
    choices = []
    for low, first, second in product(range(1, 6), range(1, 5), range(1, 5)):
        values = np.array([low, low + 3 * first, low + 3 * (first + second)], dtype=float)
        if first != second and all(are_apart(*(way(values)[part] for way in WAYS)) for part in (0, 1)):
            choices.append(values)
    return choices


def _averages(samples: list[tuple[float, ...]]) -> Answer:
    scatters = [sum((x - sum(sample) / 2) ** 2 for x in sample) for sample in samples]
    average = sum(scatters) / len(scatters)
    return float(average / 2), float(average)


@task.hand(
    points=2, minutes=12, see="thm-covariance-unbiased", parts=("with divisor N", "with divisor N − 1")
)
def all_samples(values: Array) -> Answer:
    """σ²/2 with divisor 2 and σ² with divisor 1 (thm-covariance-unbiased)."""
    return float(np.var(values) / 2), float(np.var(values))


@all_samples.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Three values whose variance is a whole number, and whose mean is not the one in the middle."""
    return {"the numbers of the text": {"values": rng.permutation(one_of(rng, _choices()))}}


@all_samples.wrong(
    "These are the averages over samples of two different values. The same value may be drawn twice, and then the "
    "variance of the sample is zero.",
)
def drew_without_replacement(values: Array) -> Answer:
    """Only the six samples of two different values."""
    return _averages(list(permutations(values, 2)))


@all_samples.wrong(
    "Both numbers are right, in the other order. Divisor N comes first, and the smaller divisor gives the larger "
    "number.",
    see="eq-covariance-unbiased",
    credit=0.5,
)
def swapped_the_two(values: Array) -> Answer:
    """The divisors exchanged."""
    return all_samples(values)[::-1]


@all_samples.wrong(
    "Only one of the two is right on average. For a single sample, what is the ratio of the two estimates?",
    see="eq-covariance-unbiased",
    credit=0.5,
)
def thought_both_are_right(values: Array) -> Answer:
    """The variance of the source, twice."""
    return float(np.var(values)), float(np.var(values))


@all_samples.wrong(
    "These are the two variances of the three values themselves. A sample has two of them, and there are nine samples "
    "to average over.",
)
def took_the_three_values_as_the_sample(values: Array) -> Answer:
    """The variance of the source with both divisors, N = 3."""
    return float(np.var(values)), float(np.var(values, ddof=1))


@all_samples.wrong(
    "These are averages of standard deviations. The average of a root is not the root of the average.",
    see="sec-covariance-divisor",
)
def took_standard_deviations(values: Array) -> Answer:
    """Averages of standard deviations."""
    spreads = [abs(x - y) for x, y in product(values, repeat=2)]
    return float(np.mean(spreads) / 2), float(np.mean(spreads) / np.sqrt(2))


@all_samples.wrong(
    "A sample of two equal values has no variance, whatever the value. Does yours?",
    see="eq-covariance-centred",
)
def forgot_to_centre(values: Array) -> Answer:
    """Mean squares instead of variances."""
    average = float(np.mean(values**2))
    return average, 2 * average


@all_samples.wrong("These are sums over all samples. Each sample is equally likely: average.", credit=0.5)
def added_instead_of_averaging(values: Array) -> Answer:
    """Sums over the nine samples."""
    biased, unbiased = all_samples(values)
    return 9 * biased, 9 * unbiased


@all_samples.also
def one_by_one(values: Array) -> Answer:
    """List all nine samples."""
    return _averages(list(product(values, repeat=2)))


WAYS = (
    all_samples,
    drew_without_replacement,
    took_standard_deviations,
    forgot_to_centre,
    added_instead_of_averaging,
)


@all_samples.worked
def worked(values: Array) -> Worked:
    """The theorem: divisor N − 1 gives the variance of the source, divisor N half of it."""
    mean = float(values.mean())
    deviations = values - mean
    variance = float((deviations**2).mean())
    return steps(
        rf"The source has the mean $({total(values)})/3={tex(mean)}$ and the variance "
        rf"$({squares(deviations)})/3{eq(variance)}$.",
        rf"With divisor $N-1$ the sample variance is right on average: ${tex(variance)}$.",
        rf"With divisor $N=2$ it is $\tfrac{{N-1}}N=\tfrac12$ of that: ${tex(variance / 2)}$.",
    ), (variance / 2, variance)
