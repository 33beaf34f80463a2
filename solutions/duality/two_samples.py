"""Task `two_samples`: eigenvalue, variance and score of two samples of the plane, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import N_POINTS, Array

DECIMALS = 4  # fewer would put quarters of squares on the edges of roundings


@task.sym(points=2, minutes=10, see="thm-duality-pca", parts=("the eigenvalue", "the variance", "the score"))
def two_samples(p: Array, q: Array, r: Array, s: Array) -> Array:
    """Half, a quarter, and the root of a quarter of the squared distance (thm-duality-pca)."""
    squared = (p - r) ** 2 + (q - s) ** 2
    return np.column_stack([squared / 2, squared / 4, np.sqrt(squared) / 2])


@two_samples.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Coordinates of both signs."""
    points = {name: np.round(rng.uniform(-4, 4, size=N_POINTS), DECIMALS) for name in "pqrs"}
    return {"at sample points": points}


@two_samples.wrong(
    "Your eigenvalue belongs to the samples as arrows from the origin: it changes when both samples are moved "
    "together.",
    see="eq-duality-gram",
)
def forgot_to_centre(p: Array, q: Array, r: Array, s: Array) -> Array:
    """The larger eigenvalue of the raw inner products."""
    a, b, c = p**2 + q**2, p * r + q * s, r**2 + s**2
    larger = (a + c) / 2 + np.sqrt((a - c) ** 2 / 4 + b**2)
    return np.column_stack([larger, larger / 2, two_samples(p, q, r, s)[:, 2]])


@two_samples.wrong(
    "The score is right, but half of the eigenvalue is missing: the eigenvalues of G add up to its trace, and one of "
    "them is zero.",
    see="eq-duality-trace",
)
def took_an_entry_for_the_eigenvalue(p: Array, q: Array, r: Array, s: Array) -> Array:
    """The diagonal entry of G in the place of its trace."""
    right = two_samples(p, q, r, s)
    return np.column_stack([right[:, 0] / 2, right[:, 1] / 2, right[:, 2]])


@two_samples.wrong(
    "Eigenvalue and score are right. The divisor here is N, the number of samples.",
    see="eq-duality-variances",
)
def divided_by_one(p: Array, q: Array, r: Array, s: Array) -> Array:
    """The divisor N − 1 = 1."""
    right = two_samples(p, q, r, s)
    return right[:, [0, 0, 2]]


@two_samples.wrong(
    "Eigenvalue and variance are right. A score is measured from the mean, which lies between the two samples.",
    see="eq-duality-scores",
)
def gave_the_whole_distance(p: Array, q: Array, r: Array, s: Array) -> Array:
    """From one sample to the other, not to the mean."""
    return two_samples(p, q, r, s) * [1, 1, 2]


@two_samples.wrong(
    "Eigenvalue and variance are right. Your last formula is the length of the vector that holds the scores of both "
    "samples.",
    see="eq-duality-scores",
)
def gave_the_length_of_the_scores(p: Array, q: Array, r: Array, s: Array) -> Array:
    """σ, the length of the vector of both scores."""
    right = two_samples(p, q, r, s)
    return np.column_stack([right[:, :2], np.sqrt(right[:, 0])])


@two_samples.wrong(
    "Eigenvalue and variance are right. A unit eigenvector of G does not know how far apart the samples are; its "
    "multiple, the scores, does.",
    see="eq-duality-scores",
)
def gave_the_entry_of_the_unit_vector(p: Array, q: Array, r: Array, s: Array) -> Array:
    """1/√2, the entry of u₁."""
    right = two_samples(p, q, r, s)
    return np.column_stack([right[:, :2], 0 * p + np.sqrt(0.5)])


@two_samples.also
def from_the_centred_samples(p: Array, q: Array, r: Array, s: Array) -> Array:
    """The samples are ± half their difference about the mean."""
    x, y = (p - r) / 2, (q - s) / 2
    return np.column_stack([2 * (x * x + y * y), x * x + y * y, np.sqrt(x * x + y * y)])


two_samples.also("[((p-r)^2+(q-s)^2)/2, ((p-r)^2+(q-s)^2)/4, sqrt((p-r)^2+(q-s)^2)/2]")
