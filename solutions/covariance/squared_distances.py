"""Task `squared_distances`: how many standard deviations, squared, each sample lies from the mean."""

import numpy as np

from autograder.authoring.task import Cases, Follows, Misconception, Task
from dimred_ref.covariance import centred, covariance
from solutions.covariance import covariance_matrix
from solutions.numbers import Array, cloud


def draw(rng: np.random.Generator) -> Cases:
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


def hard(rng: np.random.Generator) -> Cases:
    """The fewest samples, whole numbers, equal samples, large and tiny units."""
    X = cloud(rng, 8, (3.0, 1.0, 0.5), (1.0, -2.0, 3.0))
    return {
        "one sample more than features": {"X": X[:4]},
        "whole numbers": {"X": rng.integers(-9, 10, size=(6, 3))},
        "equal samples among others": {"X": X[[0, 0, 1, 2, 3, 3, 4]]},
        "a tiny unit": {"X": 1e-6 * X},
        "a large unit": {"X": 1e6 * X},
    }


def answer(X: Array) -> Array:
    """(xᵢ − μ)ᵀC⁻¹(xᵢ − μ) (thm-covariance-mahalanobis)."""
    away = centred(X)
    return np.sum(away * np.linalg.solve(covariance(X), away.T).T, axis=1)


def forgot_to_centre(X: Array) -> Array:
    """xᵢᵀC⁻¹xᵢ."""
    return np.sum(X @ np.linalg.inv(covariance(X)) * X, axis=1)


def used_the_matrix_for_its_inverse(X: Array) -> Array:
    """(xᵢ − μ)ᵀC(xᵢ − μ)."""
    away = centred(X)
    return np.sum(away @ covariance(X) * away, axis=1)


def took_the_roots(X: Array) -> Array:
    """Distances instead of squared distances."""
    return np.sqrt(answer(X))


def ignored_the_covariances(X: Array) -> Array:
    """Divide each feature by its own standard deviation and add the squares."""
    return np.sum(centred(X) ** 2 / X.var(axis=0), axis=1)


def divided_by_n_minus_one(X: Array) -> Array:
    """The covariance with divisor N − 1."""
    return answer(X) * (len(X) - 1) / len(X)


def forgot_the_covariance(X: Array) -> Array:
    """‖xᵢ − μ‖²."""
    return np.sum(centred(X) ** 2, axis=1)


def inverted_entry_by_entry(X: Array) -> Array:
    """1/C, entry by entry, for C⁻¹."""
    away = centred(X)
    return np.sum(away @ (1 / covariance(X)) * away, axis=1)


def sample_by_sample(X: Array) -> Array:
    """One quadratic form per sample."""
    mean, inverse = X.mean(axis=0), np.linalg.inv(np.cov(X, rowvar=False, ddof=0))
    return np.array([(x - mean) @ inverse @ (x - mean) for x in X])


def by_eigenvectors(X: Array) -> Array:
    """In the coordinates of the eigenvectors, each divided by its standard deviation."""
    variances, V = np.linalg.eigh(covariance(X))
    return np.sum((centred(X) @ V) ** 2 / variances, axis=1)


squared_distances = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-covariance-mahalanobis",
    follows=(Follows("covariance_matrix", covariance_matrix.answer, lambda X: {"X": X, "ddof": 0}),),
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="A sample at the mean should be at distance zero. Is it?",
            see="eq-covariance-mahalanobis",
        ),
        Misconception(
            used_the_matrix_for_its_inverse,
            hint="Measure all data in centimetres instead of metres: your numbers grow by a factor of 10⁸. "
            "A number of standard deviations should not change at all.",
            see="eq-covariance-ellipsoid",
        ),
        Misconception(
            took_the_roots,
            hint="Compute the average of your numbers' squares, and read once more what was asked for.",
            see="eq-covariance-mahalanobis",
            credit=0.5,
        ),
        Misconception(
            ignored_the_covariances,
            hint="You treated the features one by one. A sample that goes against the tilt of the cloud is "
            "further out than one that follows it.",
            see="thm-covariance-ellipsoid",
        ),
        Misconception(
            divided_by_n_minus_one,
            hint="Your numbers do not average to the number of features. All are off by the same factor: "
            "compare the divisor.",
            see="eq-covariance-mahalanobis",
            credit=0.5,
        ),
        Misconception(
            forgot_the_covariance,
            hint="These are squared distances with an ordinary ruler. Where does the shape of the cloud "
            "enter?",
            see="eq-covariance-mahalanobis",
        ),
        Misconception(
            inverted_entry_by_entry,
            hint="The inverse of a matrix does not hold the reciprocals of its entries. Multiply your "
            "inverse by C and look.",
            see="eq-covariance-ellipsoid",
        ),
    ),
    alternatives=(sample_by_sample, by_eigenvectors),
    picture="bars",
    hard=hard,
)
