"""Task `biplot`: points for samples above arrows for features, in one matrix."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref import practice
from solutions.numbers import Array, cloud, small_gap


@task.code(points=3, minutes=15, see="eq-practice-biplot", same=up_to_column_signs)
def biplot(X: Array, n_components: int) -> Array:
    """√N U_d above V_d Λ_d^½ (eq-practice-biplot)."""
    both = practice.biplot(X, n_components)
    return np.vstack([both.points, both.arrows])


@biplot.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tall cloud, one arrow per feature on a line, a far mean, more features than samples."""
    tall = cloud(rng, 9, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))
    line = cloud(rng, 6, (5.0, 1.5), (2.0, -3.0))
    far = cloud(rng, 10, (7.0, 3.0, 1.2, 0.4), (3.0, -20.0, 15.0, 10.0))
    wide = cloud(rng, 5, (8.0, 4.0, 1.5, 0.5, 0, 0, 0), (0.5, 1.0, -2.0, 1.0, 3.0, 0, -2.0))
    return {
        "a plane for three features": {"X": tall, "n_components": 2},
        # a unit in which arrows are short, and still long enough to be seen beside points of size one
        "a line for two features, in a large unit": {"X": 1e-3 * line, "n_components": 1},
        "a mean far from the origin": {"X": far, "n_components": 3},
        "more features than samples": {"X": wide, "n_components": 2},
    }


@biplot.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, all components, whole numbers, tiny and huge units."""
    whole = np.round(10 * cloud(rng, 8, (9.0, 3.0, 1.0), (1.0, 2.0, 3.0))).astype(int)
    return {
        "one feature": {"X": cloud(rng, 5, (4.0,), (3.0,)), "n_components": 1},
        "all components": {"X": cloud(rng, 7, (6.0, 2.0, 0.7), (1.0, -1.0, 2.0)), "n_components": 3},
        "whole numbers": {"X": whole, "n_components": 2},
        "tiny units": {"X": 1e-6 * cloud(rng, 6, (6.0, 2.0, 0.7), (1.0, 1.0, 2.0)), "n_components": 2},
        "huge units": {"X": 1e6 * cloud(rng, 6, (6.0, 2.0, 0.7), (1.0, 1.0, 2.0)), "n_components": 2},
    }


biplot.ill_posed(small_gap)


def _factors(X: Array, n_components: int) -> tuple[Array, Array, Array]:
    U, sigma, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return U[:, :n_components], sigma[:n_components], Vt[:n_components].T


@biplot.wrong(
    "These are scores above loadings. Their products rebuild the table too, but your points do not have variance one, "
    "and the lengths of your arrows say nothing about the variances of the features.",
)
def drew_scores_and_loadings(X: Array, n_components: int) -> Array:
    """Z above V."""
    U, sigma, V = _factors(X, n_components)
    return np.vstack([U * sigma, V])


@biplot.wrong(
    "The products rebuild the table, but your columns of points have length one, where they should have variance one: "
    "your arrows are too long by a factor that grows with N.",
    credit=0.5,
)
def left_the_points_at_length_one(X: Array, n_components: int) -> Array:
    """U above V diag(σ)."""
    U, sigma, V = _factors(X, n_components)
    return np.vstack([U, V * sigma])


@biplot.wrong(
    "The points are right. Your arrows are unit loadings, so products of points and arrows do not rebuild the table.",
    see="thm-practice-biplot",
    credit=0.5,
)
def drew_loadings_as_arrows(X: Array, n_components: int) -> Array:
    """The right points, and unit loadings."""
    U, _, V = _factors(X, n_components)
    return np.vstack([np.sqrt(len(X)) * U, V])


@biplot.wrong(
    "The points are right. The square of the length of an arrow should be a variance; yours has a variance for its "
    "length.",
    see="thm-practice-biplot",
    credit=0.5,
)
def weighed_arrows_by_variances(X: Array, n_components: int) -> Array:
    """V Λ."""
    U, sigma, V = _factors(X, n_components)
    return np.vstack([np.sqrt(len(X)) * U, V * sigma**2 / len(X)])


@biplot.wrong(
    "Right up to the divisor of the variances: this course divides by N.",
    see="sec-practice-wrong-variance",
    credit=0.5,
)
def divided_by_n_minus_one(X: Array, n_components: int) -> Array:
    """√(N − 1) U above V diag(σ)/√(N − 1)."""
    U, sigma, V = _factors(X, n_components)
    return np.vstack([np.sqrt(len(X) - 1) * U, V * sigma / np.sqrt(len(X) - 1)])


@biplot.wrong(
    "The signs of points and arrows do not go together: a column of points was flipped and its arrows were not. Take "
    "both from one decomposition, and flip them at the same time.",
    credit=0.5,
)
def flipped_arrows_against_points(X: Array, n_components: int) -> Array:
    """The right points, and every arrow turned round."""
    both = biplot(X, n_components)
    return np.vstack([both[: len(X)], -both[len(X) :]])


@biplot.wrong("Points and arrows are right, but the arrows stand above the points.", credit=0.75)
def put_arrows_on_top(X: Array, n_components: int) -> Array:
    """The two blocks in the other order."""
    both = biplot(X, n_components)
    return np.vstack([both[len(X) :], both[: len(X)]])


@biplot.also
def by_svd(X: Array, n_components: int) -> Array:
    """Both from one singular value decomposition."""
    U, sigma, V = _factors(X, n_components)
    return np.vstack([np.sqrt(len(X)) * U, V * sigma / np.sqrt(len(X))])


@biplot.also
def by_eigenvectors(X: Array, n_components: int) -> Array:
    """Whitened scores, and loadings times deviations."""
    centred = X - X.mean(axis=0)
    variances, V = np.linalg.eigh(centred.T @ centred / len(X))
    order = np.argsort(variances)[::-1][:n_components]
    deviations = np.sqrt(variances[order])
    return np.vstack([centred @ V[:, order] / deviations, V[:, order] * deviations])
