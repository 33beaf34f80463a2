"""Task `three_patterns`: non-zero eigenvalues and first direction of three patterns in space, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.duality import dual_pca, gram
from solutions.numbers import Array, one_of
from solutions.steps import Worked, matrix, row, shortened, steps, tex

Answer = tuple[Array, Array]
SHORT = 0.1  # what is shorter has no direction but for rounding
EDGE = 0.12  # how far from half of the last digit that is compared
MEANS = ((4, 1, 2), (3, -1, 5), (1, 4, -2), (-2, 5, 3), (5, 2, -3))


def _is_fair(X: Array) -> bool:
    """Does every way point elsewhere, and can the direction be rounded without doubt?"""
    made = (three_patterns, gave_the_second_direction, stayed_with_the_samples, lifted_without_the_transpose)
    directions = [way(X)[1] for way in made]
    if min(float(np.linalg.norm(one)) for one in directions) < SHORT:
        return False
    ways = [_outer(one) for one in directions]
    is_clear = bool(np.all(np.abs(np.mod(ways[0] * 1e4, 1) - 0.5) > EDGE))
    return is_clear and all(np.abs(one - other).max() > 0.05 for one, other in combinations(ways, 2))


def _outer(v: Array) -> Array:
    return np.outer(v, v) / (v @ v)


@cache
def _pairs() -> list[tuple[Array, Array]]:
    """Orthogonal pairs of small whole vectors whose two eigenvalues are far apart."""
    vectors = [np.array(v, dtype=float) for v in product(range(-3, 4), repeat=3) if np.count_nonzero(v) > 1]
    return [
        (v, w)
        for v, w in product(vectors, vectors)
        if v @ w == 0 and v[0] > 0 and w[0] > 0 and _far_apart(6 * v @ v, 2 * w @ w)
    ]


def _far_apart(one: float, other: float) -> bool:
    return max(one, other) > 1.6 * min(one, other) and one != 3 * other and other != 3 * one


@task.hand(
    points=2,
    minutes=15,
    see="eq-duality-lift",
    same=(exactly, up_to_direction),
    parts=("eigenvalues", "direction"),
)
def three_patterns(X: Array) -> Answer:
    """Both positive eigenvalues of G, and v₁ = X_cᵀu₁/σ₁ (eq-duality-lift)."""
    fit = dual_pca(X, 2)
    return fit.variances * len(X), fit.axes[:, 0]


@three_patterns.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """μ + 2q₁, μ − q₁ ± q₂ with q₁ ⟂ q₂ in any order: eigenvalues 6‖q₁‖² and 2‖q₂‖²."""
    while True:
        first, second = one_of(rng, _pairs())
        mean = np.array(one_of(rng, MEANS), dtype=float)
        X = mean + np.outer([2, -1, -1], first) + np.outer([0, 1, -1], second)
        X = rng.permutation(X)
        if _is_fair(X):
            return {"the numbers of the text": {"X": X}}


@three_patterns.wrong(
    "Your products are taken about the origin, and the rows of that matrix do not sum to zero. Those of G do.",
    see="eq-duality-gram",
)
def forgot_to_centre(X: Array) -> Answer:
    """The products of the patterns as they are."""
    values, vectors = np.linalg.eigh(X @ X.T)
    return values[::-1][:2], X.T @ vectors[:, -1]


@three_patterns.wrong(
    "The direction is right. Your numbers are variances with divisor N; the Gram matrix has no divisor.",
    see="eq-duality-variances",
)
def divided_by_n(X: Array) -> Answer:
    """The variances, divisor N."""
    values, direction = three_patterns(X)
    return values / len(X), direction


@three_patterns.wrong(
    "The direction is right. Your numbers are variances with divisor N − 1; the Gram matrix has no divisor.",
    see="eq-duality-variances",
)
def divided_by_n_minus_one(X: Array) -> Answer:
    """The variances, divisor N − 1."""
    values, direction = three_patterns(X)
    return values / (len(X) - 1), direction


@three_patterns.wrong(
    "The eigenvalues are right. Your direction belongs to the smaller of the two.",
    see="eq-duality-eigenproblem",
)
def gave_the_second_direction(X: Array) -> Answer:
    """The direction of the smaller eigenvalue."""
    return three_patterns(X)[0], dual_pca(X, 2).axes[:, 1]


@three_patterns.wrong(
    "The eigenvalues are right. Your three numbers say how much of each pattern is in the direction; the direction "
    "itself has one number for each feature.",
)
def stayed_with_the_samples(X: Array) -> Answer:
    """The eigenvector of G, not lifted."""
    return three_patterns(X)[0], np.linalg.eigh(gram(X))[1][:, -1]


@three_patterns.wrong(
    "The eigenvalues are right. An eigenvector of G has one number for each pattern: with it patterns are added up, "
    "which are rows. You added up columns.",
)
def lifted_without_the_transpose(X: Array) -> Answer:
    """X_c u₁ in the place of X_cᵀu₁."""
    return three_patterns(X)[0], (X - X.mean(axis=0)) @ np.linalg.eigh(gram(X))[1][:, -1]


@three_patterns.wrong(
    "The direction is right. Your numbers are lengths of vectors of scores; the eigenvalues are their squares.",
    see="eq-duality-eigenproblem",
)
def took_the_roots(X: Array) -> Answer:
    """σ in the place of σ²."""
    values, direction = three_patterns(X)
    return np.sqrt(values), direction


@three_patterns.also
def by_the_scatter_matrix(X: Array) -> Answer:
    """The large problem: here it is no larger."""
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    return values[::-1][:2], vectors[:, -1]


@three_patterns.worked
def worked(X: Array) -> Worked:
    """The small Gram matrix, guessed eigenvectors, one lift."""
    centred = X - X.mean(axis=0)
    G = centred @ centred.T
    values, vectors = np.linalg.eigh(G)
    first, second = shortened(vectors[:, 2]), shortened(vectors[:, 1])
    return steps(
        rf"The mean is ${row(X.mean(axis=0))}$, the centred patterns are $X_c={matrix(centred)}$.",
        rf"$G=X_cX_c^\top={matrix(G)}$.",
        rf"$G{row(first)}^\top={row(G @ first)}^\top$ and $G{row(second)}^\top={row(G @ second)}^\top$: the "
        rf"eigenvalues "
        rf"are ${tex(values[2])}$ and ${tex(values[1])}$.",
        rf"The direction in space is $X_c^\top u$ with $u={row(first)}$: ${row(centred.T @ first)}$, up to its length.",
    ), ([values[2], values[1]], centred.T @ first)
