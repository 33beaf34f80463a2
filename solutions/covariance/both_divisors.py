"""Task `both_divisors`: the covariance of four points with divisor N, and their total variance with N − 1."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance
from solutions.numbers import Array, are_apart, one_of
from solutions.steps import Worked, eq, matrix, row, steps, tex, total

Answer = tuple[Array, float]
MEANS = ((6, -3), (-4, 5), (5, 7), (-7, 3), (4, -6), (-5, -4), (3, 8), (8, -5))


@cache
def _choices() -> list[Array]:
    """Deviations of four points whose scatter can be divided by 4 and by 3, with distinct entries."""
    columns = [
        np.array([a, b, c, -a - b - c])
        for a, b, c in product(range(-5, 6), repeat=3)
        if abs(a + b + c) <= 5 and (a * a + b * b + c * c + (a + b + c) ** 2) % 12 == 0
    ]
    ordered = [column for column in columns if list(column) == sorted(column) and column.any()]
    choices = []
    for one, other in product(ordered, columns):
        p, q, r = one @ one, other @ other, one @ other
        is_plain = r != 0 and r % 12 == 0 and p != q and p * q > r * r
        if is_plain and len(set(zip(one, other, strict=True))) == 4 and are_apart(p, q, abs(r)):
            choices.append(np.column_stack([one, other]).astype(float))
    return choices


@task.hand(points=2, minutes=10, see="eq-covariance-definition", parts=("the matrix", "the total variance"))
def both_divisors(X: Array) -> Answer:
    """C with divisor N (eq-covariance-definition), tr S/(N − 1) (thm-covariance-unbiased)."""
    return covariance(X), float(np.trace(covariance(X, ddof=1)))


@both_divisors.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Four whole-number points about a whole-number mean away from the origin, in any order."""
    deviations, mean = one_of(rng, _choices()), one_of(rng, MEANS)
    return {"the numbers of the text": {"X": rng.permutation(deviations + np.array(mean, dtype=float))}}


@both_divisors.wrong(
    "Move all four points by the same amount and your numbers change. They should not: deviations are measured from "
    "where?",
    see="eq-covariance-centred",
)
def forgot_to_centre(X: Array) -> Answer:
    """Second moments about the origin."""
    raw = X.T @ X
    return raw / len(X), float(np.trace(raw) / (len(X) - 1))


@both_divisors.wrong(
    "Both numbers would be right with the other's divisor. Which of the two describes the sample, and which estimates "
    "its source?",
    see="thm-covariance-unbiased",
    credit=0.5,
)
def swapped_the_divisors(X: Array) -> Answer:
    """N − 1 for the matrix and N for the total."""
    return covariance(X, ddof=1), float(np.trace(covariance(X)))


@both_divisors.wrong(
    "The matrix is right. The second number is asked for without bias, so on average over all samples it should "
    "neither fall short nor overshoot.",
    see="thm-covariance-unbiased",
    credit=0.5,
)
def used_n_for_both(X: Array) -> Answer:
    """The total variance with divisor N too."""
    return covariance(X), float(np.trace(covariance(X)))


@both_divisors.wrong(
    "The total is right. The matrix should describe these four points, as an average over them.", credit=0.5
)
def used_n_minus_one_for_both(X: Array) -> Answer:
    """The matrix with divisor N − 1 too."""
    return covariance(X, ddof=1), both_divisors(X)[1]


@both_divisors.wrong(
    "These are sums over the points: listing every point twice would double them.",
    see="eq-covariance-scatter",
    credit=0.25,
)
def forgot_to_divide(X: Array) -> Answer:
    """The scatter matrix and its trace."""
    S = covariance(X) * len(X)
    return S, float(np.trace(S))


@both_divisors.wrong(
    "You subtracted from each point the average of its own two coordinates. The mean is taken over the points, one "
    "coordinate at a time.",
    see="eq-covariance-mean",
)
def centred_each_point(X: Array) -> Answer:
    """Subtract from each row the mean of its own entries."""
    away = X - X.mean(axis=1, keepdims=True)
    return away.T @ away / len(X), float(np.sum(away**2) / (len(X) - 1))


@both_divisors.wrong(
    "The matrix is right. The total variance adds the variances of the features, and nothing else: which entries are "
    "those?",
    see="def-covariance-matrix",
    credit=0.5,
)
def added_every_entry(X: Array) -> Answer:
    """The sum of all four entries of the matrix instead of its trace."""
    return covariance(X), float(covariance(X, ddof=1).sum())


@both_divisors.also
def by_outer_products(X: Array) -> Answer:
    """One outer product per point."""
    mean = sum(X) / len(X)
    S = sum(np.outer(x - mean, x - mean) for x in X)
    return S / 4, float(S[0, 0] + S[1, 1]) / 3


@both_divisors.also
def by_raw_moments(X: Array) -> Answer:
    """(1/N) XᵀX − μμᵀ."""
    mean = X.mean(axis=0)
    C = X.T @ X / len(X) - np.outer(mean, mean)
    return C, float(np.trace(C)) * 4 / 3


@both_divisors.worked
def worked(X: Array) -> Worked:
    """One table of sums, two divisors."""
    mean = X.mean(axis=0)
    deviations = X - mean
    S = deviations.T @ deviations
    whole = float(np.trace(S))
    return steps(
        rf"The mean is ${row(mean)}$, the deviations are ${matrix(deviations)}$.",
        rf"Their sums of squares and products are $S=X_c^\top X_c={matrix(S)}$.",
        rf"With divisor $N=4$: $C={matrix(S / 4)}$.",
        rf"The unbiased estimate of the total variance divides by $N-1=3$: "
        rf"$({total(np.diag(S))})/3={tex(whole)}/3{eq(whole / 3)}$.",
    ), (S / 4, whole / 3)
