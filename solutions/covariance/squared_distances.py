"""Task `squared_distances`: how many standard deviations, squared, each sample lies from the mean."""

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import centred, covariance
from solutions.covariance.covariance_matrix import covariance_matrix
from solutions.numbers import Array, cloud


@task.code(points=3, minutes=12, see="thm-covariance-mahalanobis", picture="bars")
def squared_distances(X: Array) -> Array:
    """(xᵢ − μ)ᵀC⁻¹(xᵢ − μ) (thm-covariance-mahalanobis)."""
    away = centred(X)
    return np.sum(away * np.linalg.solve(covariance(X), away.T).T, axis=1)


@squared_distances.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tilted cloud in the plane, one far away in space, features in very different units, all in a tiny one."""
    plane = cloud(rng, 8, (5.0, 1.5), (2.0, 3.0))
    plane[2] = plane[5]
    far = cloud(rng, 10, (4.0, 2.0, 1.0), (12.0, -15.0, 9.0))
    units = np.round(cloud(rng, 9, (3.0, 1.5, 0.7), (1.0, 2.0, 1.0)) * np.array([40.0, 1.0, 5.0]), 2)
    return {
        "a tilted cloud, one sample twice": {"X": plane},
        "a mean far from the origin": {"X": far},
        "features in very different units": {"X": units},
        "everything in a tiny unit": {"X": np.round(1e-8 * cloud(rng, 6, (4.0, 1.0), (3.0, -2.0)), 10)},
    }


@squared_distances.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """The fewest samples, whole numbers, equal samples, large and tiny units."""
    X = cloud(rng, 8, (3.0, 1.0, 0.5), (1.0, -2.0, 3.0))
    return {
        "one sample more than features": {"X": X[:4]},
        "whole numbers": {"X": rng.integers(-9, 10, size=(6, 3))},
        "equal samples among others": {"X": X[[0, 0, 1, 2, 3, 3, 4]]},
        "a tiny unit": {"X": 1e-6 * X},
        "a large unit": {"X": 1e6 * X},
    }


@squared_distances.follows(covariance_matrix)
def inputs_of_covariance_matrix(X: Array) -> task.Inputs:
    """Return the inputs of `covariance_matrix`."""
    return {"X": X, "ddof": 0}


@squared_distances.wrong(
    "A sample at the mean should be at distance zero. Is it?", see="eq-covariance-mahalanobis"
)
def forgot_to_centre(X: Array) -> Array:
    """xᵢᵀC⁻¹xᵢ."""
    return np.sum(X @ np.linalg.inv(covariance(X)) * X, axis=1)


@squared_distances.wrong(
    "Measure all data in centimetres instead of metres: your numbers grow by a factor of 10⁸. A number of standard "
    "deviations should not change at all.",
    see="eq-covariance-ellipsoid",
)
def used_the_matrix_for_its_inverse(X: Array) -> Array:
    """(xᵢ − μ)ᵀC(xᵢ − μ)."""
    away = centred(X)
    return np.sum(away @ covariance(X) * away, axis=1)


@squared_distances.wrong(
    "Compute the average of your numbers' squares, and read once more what was asked for.",
    see="eq-covariance-mahalanobis",
    credit=0.5,
)
def took_the_roots(X: Array) -> Array:
    """Distances instead of squared distances."""
    return np.sqrt(squared_distances(X))


@squared_distances.wrong(
    "You treated the features one by one. A sample that goes against the tilt of the cloud is further out than one "
    "that follows it.",
    see="thm-covariance-ellipsoid",
)
def ignored_the_covariances(X: Array) -> Array:
    """Divide each feature by its own standard deviation and add the squares."""
    return np.sum(centred(X) ** 2 / X.var(axis=0), axis=1)


@squared_distances.wrong(
    "Your numbers do not average to the number of features. All are off by the same factor: compare the divisor.",
    see="eq-covariance-mahalanobis",
    credit=0.5,
)
def divided_by_n_minus_one(X: Array) -> Array:
    """The covariance with divisor N − 1."""
    return squared_distances(X) * (len(X) - 1) / len(X)


@squared_distances.wrong(
    "These are squared distances with an ordinary ruler. Where does the shape of the cloud enter?",
    see="eq-covariance-mahalanobis",
)
def forgot_the_covariance(X: Array) -> Array:
    """‖xᵢ − μ‖²."""
    return np.sum(centred(X) ** 2, axis=1)


@squared_distances.wrong(
    "The inverse of a matrix does not hold the reciprocals of its entries. Multiply your inverse by C and look.",
    see="eq-covariance-ellipsoid",
)
def inverted_entry_by_entry(X: Array) -> Array:
    """1/C, entry by entry, for C⁻¹."""
    away = centred(X)
    return np.sum(away @ (1 / covariance(X)) * away, axis=1)


@squared_distances.also
def sample_by_sample(X: Array) -> Array:
    """One quadratic form per sample."""
    mean, inverse = X.mean(axis=0), np.linalg.inv(np.cov(X, rowvar=False, ddof=0))
    return np.array([(x - mean) @ inverse @ (x - mean) for x in X])


@squared_distances.also
def by_eigenvectors(X: Array) -> Array:
    """In the coordinates of the eigenvectors, each divided by its standard deviation."""
    variances, V = np.linalg.eigh(covariance(X))
    return np.sum((centred(X) @ V) ** 2 / variances, axis=1)
