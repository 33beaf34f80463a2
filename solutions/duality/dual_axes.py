"""Task `dual_axes`: principal axes and variances of wide tables through the small matrix."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_column_signs
from dimred_ref.pca import pca
from solutions.duality.numbers import top_pairs
from solutions.numbers import Array, cloud, small_gap

Answer = tuple[Array, Array]


@task.code(
    points=3,
    minutes=15,
    see="thm-duality-pca",
    same=(up_to_column_signs, exactly),
    parts=("axes", "variances"),
)
def dual_axes(X: Array, n_components: int) -> Answer:
    """X_cᵀu/σ and σ²/N (thm-duality-pca)."""
    fit = pca(X, n_components)
    return fit.axes, fit.variances


@dual_axes.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few samples of many features, all components but the empty one, one component, and a tall table."""
    wide = cloud(rng, 5, (9.0, 4.0, 1.5, 0.5, *[0.0] * 8), rng.permutation([4.0, -3.0, *[0.0] * 10]))
    full = cloud(rng, 4, (8.0, 3.0, 0.004, *[0.0] * 4), rng.permutation([-6.0, 2.0, 1.0, *[0.0] * 4]))
    whole = rng.integers(-9, 10, size=(3, 8)).astype(float)
    tall = cloud(rng, 9, (6.0, 2.0, 0.5), (1.0, 2.0, -5.0))
    return {
        "few samples of many features": {"X": wide, "n_components": 2},
        "as many components as there are": {"X": full, "n_components": 3},
        "whole numbers, one component": {"X": whole, "n_components": 1},
        "more samples than features, in small units": {"X": np.round(tall * 1e-6, 8), "n_components": 2},
    }


@dual_axes.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two samples, integers, other units, one feature."""
    wide = cloud(rng, 6, (9.0, 4.0, 1.5, *[0.0] * 9), [3.0] * 12)
    return {
        "two samples": {
            "X": rng.integers(-9, 10, size=(2, 6)).astype(float) + np.eye(2, 6),
            "n_components": 1,
        },
        "an integer array": {"X": np.array([[9, 1, 2, 0], [0, 7, 3, 1], [2, 2, -4, 5]]), "n_components": 1},
        "one feature": {"X": np.array([[1.0], [4.0], [9.0]]), "n_components": 1},
        "small units": {"X": wide * 1e-6, "n_components": 2},
        "large units": {"X": wide * 1e6, "n_components": 3},
    }


dual_axes.ill_posed(small_gap)


def _lifted(moved: Array, n_components: int) -> tuple[Array, Array]:
    squares, U = top_pairs(moved @ moved.T, n_components)
    return moved.T @ U, squares


@dual_axes.wrong(
    "The variances are right, but your axes have other lengths than one: the image of a unit vector is as long as the "
    "root of its eigenvalue.",
    see="eq-duality-lift",
)
def forgot_to_divide_by_sigma(X: Array, n_components: int) -> Answer:
    """X_cᵀu, of length σ."""
    images, squares = _lifted(X - X.mean(axis=0), n_components)
    return images, squares / len(X)


@dual_axes.wrong(
    "The variances are right, but your axes are not unit vectors: they were divided once too often.",
    see="eq-duality-lift",
)
def divided_by_the_square(X: Array, n_components: int) -> Answer:
    """X_cᵀu/σ², of length 1/σ."""
    images, squares = _lifted(X - X.mean(axis=0), n_components)
    return images / squares, squares / len(X)


@dual_axes.wrong(
    "These are axes and mean squares about the origin: move all samples, and they change.",
    see="eq-duality-gram",
)
def forgot_to_centre(X: Array, n_components: int) -> Answer:
    """The raw products."""
    images, squares = _lifted(X * 1.0, n_components)
    return images / np.sqrt(squares), squares / len(X)


@dual_axes.wrong(
    "The axes are right. The second part is the eigenvalues of the Gram matrix, which grow with the number of "
    "samples; variances do not.",
    see="eq-duality-variances",
)
def kept_the_sum_of_squares(X: Array, n_components: int) -> Answer:
    """σ² as variances."""
    axes, variances = dual_axes(X, n_components)
    return axes, variances * len(X)


@dual_axes.wrong("The axes are right. The divisor of the variances is N here.", see="eq-duality-variances")
def divided_by_n_minus_one(X: Array, n_components: int) -> Answer:
    """σ²/(N − 1)."""
    axes, variances = dual_axes(X, n_components)
    return axes, variances * len(X) / (len(X) - 1)


@dual_axes.wrong(
    "The axes are right. A variance is a mean over samples; yours was divided by the number of features.",
    see="eq-duality-variances",
)
def divided_by_the_features(X: Array, n_components: int) -> Answer:
    """σ²/D."""
    axes, variances = dual_axes(X, n_components)
    return axes, variances * len(X) / X.shape[1]


@dual_axes.also
def by_svd(X: Array, n_components: int) -> Answer:
    """The right singular vectors of the centred table."""
    _, sigma, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return Vt[:n_components].T, sigma[:n_components] ** 2 / len(X)


@dual_axes.also
def by_normalising(X: Array, n_components: int) -> Answer:
    """Lift, then make each column a unit vector."""
    centred = X - X.mean(axis=0)
    squares, U = np.linalg.eigh(centred @ centred.T)
    order = np.argsort(squares)[::-1][:n_components]
    V = centred.T @ U[:, order]
    return V / np.linalg.norm(V, axis=0), squares[order] / len(X)


@dual_axes.also
def by_covariance(X: Array, n_components: int) -> Answer:
    """The large problem: as right, and slow."""
    centred = X - X.mean(axis=0)
    variances, V = np.linalg.eigh(centred.T @ centred / len(X))
    return V[:, ::-1][:, :n_components], variances[::-1][:n_components]
