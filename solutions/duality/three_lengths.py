"""Task `three_lengths`: score, recipe and variance from one eigenpair of a Gram matrix, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, eq, squares, steps, tex

Answer = tuple[float, float, float]
WHOLE = (16, 36, 64, 100, 144)  # squares of whole lengths


@cache
def _choices() -> list[tuple[Array, int]]:
    """All small ones with short answers on which no two ways nearly agree."""
    choices = []
    for head in product(range(-9, 10), repeat=3):
        for tail in ([-sum(head)], [-2 - sum(head), 2]):
            w = np.array([*head, *tail], dtype=float)
            if w[0] == 0 or np.abs(w).max() > 9 or np.ptp(np.abs(w)) == 0 or w @ w not in WHOLE:
                continue
            choices += [(w, eigenvalue) for eigenvalue in (4, 16, 25, 36) if _is_fair(w, eigenvalue)]
    return choices


def _is_fair(w: Array, eigenvalue: int) -> bool:
    ways = [way(w, eigenvalue) for way in WAYS]
    short = all(is_short(number) for number in ways[0])
    return short and all(_differ(one, other) for one, other in combinations(ways, 2))


def _differ(one: Answer, other: Answer) -> bool:
    """Is one of the three numbers visibly another?"""
    return any(are_apart(a, b) for a, b in zip(one, other, strict=True))


@task.hand(points=2, minutes=8, see="thm-duality-pca", parts=("score", "weight", "variance"))
def three_lengths(w: Array, eigenvalue: int) -> Answer:
    """σu₁, u₁/σ for the first sample, and σ²/N (thm-duality-pca)."""
    u, sigma = w[0] / np.linalg.norm(w), np.sqrt(eigenvalue)
    return float(sigma * u), float(u / sigma), eigenvalue / len(w)


@three_lengths.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """An eigenvector of whole numbers that sum to zero, of whole length but not one, and an eigenvalue."""
    w, eigenvalue = one_of(rng, _choices())
    return {"the numbers of the text": {"w": w, "eigenvalue": eigenvalue}}


@three_lengths.wrong(
    "The variance is right. The formulas speak of an eigenvector of length one, and w is longer.",
    see="eq-duality-eigenproblem",
)
def forgot_to_normalise(w: Array, eigenvalue: int) -> Answer:
    """Take w for a unit vector."""
    sigma = np.sqrt(eigenvalue)
    return float(sigma * w[0]), float(w[0] / sigma), eigenvalue / len(w)


@three_lengths.wrong(
    "The variance is right. Between a unit eigenvector of G and the scores stands the root of the eigenvalue.",
    see="eq-duality-scores",
)
def multiplied_by_the_square(w: Array, eigenvalue: int) -> Answer:
    """σ² in the place of σ."""
    u = float(w[0] / np.linalg.norm(w))
    return u * eigenvalue, u / eigenvalue, eigenvalue / len(w)


@three_lengths.wrong(
    "The variance is right. Scores grow with the spread of the samples, weights shrink with it: your first two "
    "numbers have changed places.",
    see="eq-duality-coefficients",
)
def exchanged_scores_and_recipe(w: Array, eigenvalue: int) -> Answer:
    """u/σ as score, σu as weight."""
    score, weight, variance = three_lengths(w, eigenvalue)
    return weight, score, variance


@three_lengths.wrong(
    "Score and weight are right. The Gram matrix has no divisor; a variance has.", see="eq-duality-variances"
)
def gave_the_eigenvalue(w: Array, eigenvalue: int) -> Answer:
    """σ² as variance."""
    return (*three_lengths(w, eigenvalue)[:2], float(eigenvalue))


@three_lengths.wrong("Score and weight are right. The divisor here is N.", see="eq-duality-variances")
def divided_by_n_minus_one(w: Array, eigenvalue: int) -> Answer:
    """σ²/(N − 1)."""
    return (*three_lengths(w, eigenvalue)[:2], eigenvalue / (len(w) - 1))


@three_lengths.wrong(
    "The variance is right. w was divided by the square of its length, so your u₁ does not have length one.",
)
def divided_by_the_squared_length(w: Array, eigenvalue: int) -> Answer:
    """w/‖w‖² for u₁."""
    u, sigma = w[0] / (w @ w), np.sqrt(eigenvalue)
    return float(sigma * u), float(u / sigma), eigenvalue / len(w)


WAYS = (
    three_lengths,
    forgot_to_normalise,
    multiplied_by_the_square,
    exchanged_scores_and_recipe,
    gave_the_eigenvalue,
    divided_by_n_minus_one,
)


@three_lengths.also
def in_steps(w: Array, eigenvalue: int) -> Answer:
    """The scores are the multiple of w that has length σ; the variance is their mean square."""
    scores = w * np.sqrt(eigenvalue / (w @ w))
    return float(scores[0]), float(scores[0] / (scores @ scores)), float(np.mean(scores**2))


@three_lengths.worked
def worked(w: Array, square: float) -> Worked:
    """Length one, length σ, length 1/σ."""
    length, sigma = float(np.sqrt(w @ w)), float(np.sqrt(square))
    first = float(w[0]) / length
    return steps(
        rf"$\lVert w\rVert=\sqrt{{{squares(w)}}}{eq(length)}$, so the first entry of $u_1$ is "
        rf"${tex(w[0])}/{tex(length)}{eq(first)}$; and $\sigma_1=\sqrt{{{tex(square)}}}{eq(sigma)}$.",
        rf"Scores have the length $\sigma_1$: ${tex(sigma)}\cdot({tex(first)}){eq(sigma * first)}$.",
        rf"The weights have the length $1/\sigma_1$: $({tex(first)})/{tex(sigma)}{eq(first / sigma)}$.",
        rf"$\lambda_1=\sigma_1^2/N={tex(square)}/{len(w)}{eq(square / len(w))}$.",
    ), (sigma * first, first / sigma, square / len(w))
