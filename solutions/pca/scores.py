"""Task `scores`: the coordinates of the samples along their principal axes."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.pca import pca
from solutions.credits import UNIT_LENGTH
from solutions.numbers import Array, cloud, small_gap


@task.code(points=2, minutes=10, see="eq-pca-scores", same=up_to_column_signs, picture="points")
def scores(X: Array, n_components: int) -> Array:
    """Z = X_c V_d (eq-pca-scores)."""
    return pca(X, n_components).embedding


@scores.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tall cloud, one far from the origin, and one with more features than samples."""
    tall = cloud(rng, 20, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))
    # features of very different sizes, which stay as they are
    far = cloud(rng, 12, (5.0, 2.0, 0.6, 0.2), (3.0, -20.0, 15.0, 10.0)) * [1.0, 20.0, 0.5, 1.0]
    wide = cloud(rng, 5, (8.0, 4.0, 1.5, 0.5, 0, 0, 0, 0), (0.5, 1.0, -2.0, 1.0, 3.0, 0, -2.0, 1.0))
    return {
        "a tall cloud": {"X": tall, "n_components": 2},
        "a mean far from the origin": {"X": far, "n_components": 3},
        "more features than samples, in a huge unit": {"X": 1e-8 * wide, "n_components": 2},
    }


@scores.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, two samples, whole numbers, tiny and huge units, a feature that never changes."""
    whole = np.array([[8, -3, 2], [0, 1, 3], [4, 5, 1], [-6, 2, 2], [1, -4, 9]])
    still = np.column_stack([cloud(rng, 7, (4.0, 1.5), (3.0, -2.0)), np.full(7, 5.0)])
    return {
        "one feature": {"X": cloud(rng, 6, (4.0,), (-7.0,)), "n_components": 1},
        "two samples": {"X": np.array([[1.0, -2.0, 4.0], [3.0, 5.0, 0.0]]), "n_components": 1},
        "whole numbers": {"X": whole, "n_components": 2},
        "tiny units": {"X": 1e-6 * cloud(rng, 8, (5.0, 2.0, 0.5), (-3.0, 2.0, 9.0)), "n_components": 2},
        "huge units": {"X": 1e6 * cloud(rng, 8, (5.0, 2.0, 0.5), (3.0, -2.0, -9.0)), "n_components": 1},
        "a feature that never changes": {"X": still, "n_components": 2},
    }


scores.ill_posed(small_gap)


def _top_directions(deviations: Array, n_components: int) -> Array:
    return np.linalg.svd(deviations, full_matrices=False)[2][:n_components].T


@scores.wrong(
    "Directions and coordinates are taken about the origin here. PCA looks at how samples differ from one particular "
    "point: which one?",
    see="eq-pca-covariance",
)
def forgot_to_centre(X: Array, n_components: int) -> Array:
    """Take directions and coordinates about the origin."""
    return X @ _top_directions(X, n_components)


@scores.wrong(
    "One single number was subtracted from the whole table. Each feature has its own mean: look at what X.mean() "
    "returns, and at its argument axis.",
    see="eq-pca-covariance",
)
def subtracted_one_number(X: Array, n_components: int) -> Array:
    """Call X.mean() without an axis."""
    moved = X - X.mean()
    return moved @ _top_directions(moved, n_components)


@scores.wrong(
    "Each sample lost the mean of its own features. Rows are samples: along which axis must the mean be taken so that "
    "every feature averages to zero?",
    see="eq-pca-covariance",
)
def centred_the_rows(X: Array, n_components: int) -> Array:
    """Subtract from each sample the mean of its own features."""
    moved = X - X.mean(axis=1, keepdims=True)
    return moved @ _top_directions(moved, n_components)


@scores.wrong(
    "These coordinates vary as little as possible. In which order does the eigensolver return its pairs?",
    see="eq-pca-eigenproblem",
)
def kept_the_smallest_axes(X: Array, n_components: int) -> Array:
    """Take the first columns that eigh returns."""
    centred = X - X.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, :n_components]
    return np.round(
        centred @ axes, 9
    )  # where nothing varies only rounding is left, and no two machines agree on it


@scores.wrong(
    "The right columns, in the wrong order. The first should vary most.",
    see="eq-pca-eigenproblem",
    credit=0.5,
)
def left_the_order_ascending(X: Array, n_components: int) -> Array:
    """Keep the strongest axes in the order in which eigh gives them."""
    return scores(X, n_components)[:, ::-1]


@scores.wrong(
    "The axes are right, but the columns of your scores do not average to zero. What exactly is multiplied by V in "
    "the definition?",
)
def projected_the_raw_data(X: Array, n_components: int) -> Array:
    """Centre for the axes, but not for the coordinates."""
    return X @ _top_directions(X - X.mean(axis=0), n_components)


@scores.wrong(
    "Your scores average to zero, but along axes found from data that did not. Which matrix should the axes come "
    "from?",
    see="eq-pca-eigenproblem",
)
def took_the_axes_about_the_origin(X: Array, n_components: int) -> Array:
    """Centre for the coordinates, but not for the axes."""
    return (X - X.mean(axis=0)) @ _top_directions(X, n_components)


@scores.wrong(
    "Your columns all have length one, as if every axis carried the same variance. Which factor of the decomposition "
    "holds the lengths?",
    see="eq-pca-singular-values",
    credit=UNIT_LENGTH,
)
def forgot_the_singular_values(X: Array, n_components: int) -> Array:
    """Return the columns of U of the singular value decomposition."""
    return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0][:, :n_components]


@scores.wrong(
    "Every feature was given variance one first. That is the PCA of other data: here the features keep their own "
    "scales.",
    see="eq-pca-covariance",
)
def standardised_the_features(X: Array, n_components: int) -> Array:
    """Divide every feature by its standard deviation first."""
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    return standardised @ _top_directions(standardised, n_components)


@scores.also
def by_svd(X: Array, n_components: int) -> Array:
    """Z = U_d diag(σ)."""
    U, sigma, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return U[:, :n_components] * sigma[:n_components]


@scores.also
def by_gram_matrix(X: Array, n_components: int) -> Array:
    """Zⱼ = √(eigenvalue) · eigenvector of X_c X_cᵀ."""
    centred = X - X.mean(axis=0)
    squares, vectors = np.linalg.eigh(centred @ centred.T)
    return vectors[:, ::-1][:, :n_components] * np.sqrt(squares[::-1][:n_components])
