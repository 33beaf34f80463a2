"""Task `correlation_pair`: what standardising makes of a 2 × 2 covariance, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, matrix, steps, tex

Answer = tuple[float, list[float]]
SPREADS = ((2, 5), (5, 2), (4, 5), (5, 4), (2, 4), (3, 5), (5, 3), (5, 6), (6, 5), (4, 2))


@task.hand(
    points=2,
    minutes=8,
    see="thm-practice-standardised",
    same=(exactly, up_to_direction),
    parts=("variance", "direction"),
)
def correlation_pair(C: Array) -> Answer:
    """1 + |ρ|, and the diagonal that the sign of ρ chooses (thm-practice-standardised)."""
    rho = _correlation(C)
    return 1 + abs(rho), [1.0, float(np.sign(rho))]


@correlation_pair.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Whole standard deviations and a negative correlation that is a short decimal."""
    while True:
        first, second = one_of(rng, SPREADS)
        tenths = int(rng.integers(2, 9))
        if tenths * first * second % 10 == 0:
            shared = -tenths * first * second / 10
            return {
                "the numbers of the text": {
                    "C": np.array([[first**2, shared], [shared, second**2]], dtype=float)
                }
            }


@correlation_pair.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """More whole standard deviations, and correlations in tenths."""
    while True:
        first, second = (int(spread) for spread in rng.choice(np.arange(2, 16), size=2, replace=False))
        tenths = int(rng.integers(2, 9))
        if tenths * first * second % 10 == 0:
            shared = -tenths * first * second / 10
            C = np.array([[first**2, shared], [shared, second**2]], dtype=float)
            return {"the numbers of the text": {"C": C}}


def _correlation(C: Array) -> float:
    return float(C[0, 1] / np.sqrt(C[0, 0] * C[1, 1]))


def _top(M: Array) -> Answer:
    values, vectors = np.linalg.eigh(M)
    return float(values[-1]), vectors[:, -1].tolist()


@correlation_pair.wrong(
    "This is the first component in the units of the table. Standardised features have variance 1 each, so their two "
    "eigenvalues add up to 2.",
    see="eq-practice-standardised",
)
def did_not_standardise(C: Array) -> Answer:
    """The first component of C itself."""
    return _top(C)


@correlation_pair.wrong(
    "The direction is right. A covariance has the unit of one feature times that of the other, and what you divide by "
    "has another unit.",
    credit=0.5,
)
def divided_by_variances(C: Array) -> Answer:
    """C₁₂/(C₁₁C₂₂) for the correlation."""
    return 1 + abs(float(C[0, 1] / (C[0, 0] * C[1, 1]))), [1.0, -1.0]


@correlation_pair.wrong(
    "The direction is right. A covariance divided by the variance of one feature is the slope of a line; a "
    "correlation treats both features alike.",
    credit=0.5,
)
def took_a_slope(C: Array) -> Answer:
    """C₁₂/C₁₁ for the correlation."""
    return 1 + abs(float(C[0, 1] / C[0, 0])), [1.0, -1.0]


@correlation_pair.wrong(
    "This is an eigenpair of the correlation matrix, but its variance is below 1, so the other one is larger. Look at "
    "the sign of the correlation.",
)
def took_the_formula_for_positive_correlation(C: Array) -> Answer:
    """1 + ρ and (1, 1), although ρ < 0."""
    return 1 + _correlation(C), [1.0, 1.0]


@correlation_pair.wrong(
    "The variance is right, but the two features go in opposite directions here: when one rises, the other falls.",
    credit=0.5,
)
def kept_the_rising_diagonal(C: Array) -> Answer:
    """The right variance, along (1, 1)."""
    return correlation_pair(C)[0], [1.0, 1.0]


@correlation_pair.wrong(
    "The direction is right. This number is a share of the total; the variance itself was asked for.",
    credit=0.5,
)
def gave_the_share(C: Array) -> Answer:
    """(1 + |ρ|)/2."""
    return correlation_pair(C)[0] / 2, correlation_pair(C)[1]


@correlation_pair.wrong(
    "The variance is right. Your direction was turned back into the old units; it was asked for the standardised "
    "features."
)
def turned_back_to_the_old_units(C: Array) -> Answer:
    """The direction times the standard deviations."""
    variance, direction = correlation_pair(C)
    return variance, [float(entry) for entry in np.array(direction) * np.sqrt(np.diag(C))]


@correlation_pair.also
def by_the_eigenproblem(C: Array) -> Answer:
    """S⁻¹CS⁻¹, and its first eigenvector."""
    inverse = np.diag(1 / np.sqrt(np.diag(C)))
    return _top(inverse @ C @ inverse)


@correlation_pair.also
def by_the_characteristic_polynomial(C: Array) -> Answer:
    """(1 − λ)² = ρ², and (R − λI)v = 0."""
    rho = C[0, 1] / (np.sqrt(C[0, 0]) * np.sqrt(C[1, 1]))
    largest = max(1 + rho, 1 - rho)
    return largest, [rho, largest - 1]


@correlation_pair.worked
def worked(C: Array) -> Worked:
    """The correlation matrix has 1 ± ρ along the diagonals."""
    below = float(np.sqrt(C[0, 0] * C[1, 1]))
    rho = float(C[0, 1] / below)
    return steps(
        rf"The correlation is $\rho={tex(C[0, 1])}/\sqrt{{{tex(C[0, 0])}\cdot{tex(C[1, 1])}}}"
        rf"={tex(C[0, 1])}/{tex(below)}"
        rf"{eq(rho)}$.",
        rf"Standardised features have the covariance matrix ${matrix([[1, rho], [rho, 1]])}$, with the eigenvalues "
        rf"$1+\rho{eq(1 + rho)}$ along $(1,1)$ and $1-\rho{eq(1 - rho)}$ along $(1,-1)$.",
        rf"$\rho$ is {'negative' if rho < 0 else 'positive'}, so the larger variance is ${tex(1 + abs(rho))}$, along "
        rf"${'(1,-1)' if rho < 0 else '(1,1)'}$.",
    ), (1 + abs(rho), [1.0, float(np.sign(rho))])
